"""What the rubric of 12.Registry asks: the conformance suite's cases as far as it has them, the rest by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from toolkit.lessons.conformance.implementation import Functions, Implementation
from toolkit.lessons.conformance.suite import CASES, run_case
from toolkit.lessons.expect import Wrong, expect, expect_equal, expect_raises
from toolkit.lessons.rubric import Criterion

Message = dict[str, Any]
_CASES = {case.id: case for case in CASES}
_NO_OBJECT = re.compile(r"object|argument|dict|mapping|named|keyword|pairs|\{|对象|参数|字典", re.IGNORECASE)


def _passes(*ids: str) -> Callable[[Any], None]:
    """A checker that runs these cases of the conformance suite."""

    def checker(registry_class: Any) -> None:
        made_from = Implementation("your Registry", lambda _: _functions(registry_class()))
        for case in (_CASES[id] for id in ids):
            finding = run_case(case, made_from)
            if finding.reason.startswith("NotImplementedError"):
                raise NotImplementedError
            got_out = " got out, and ends the run" if finding.word == "died" else ""
            expect(finding.word == "caught", f"{finding.reason}{got_out}. It should be: {case.title}")

    return checker


def _functions(registry: Any) -> Functions:
    def declare(func: Callable[..., Any], name: str, description: str | None, parameters: dict[str, Any]) -> None:
        registry.register(name, description or "A tool.", parameters, func)

    return {"declare": declare, "call": registry.call, "tools": registry.tools}


def _parameters(**kinds: str) -> dict[str, Any]:
    properties = {name: {"type": kind} for name, kind in kinds.items()}
    return {"type": "object", "properties": properties, "required": list(kinds), "additionalProperties": False}


def _registry(registry_class: Any, result: object = None) -> Any:
    """A registry with two tools; `search_hotels` returns the result given."""
    registry = registry_class()
    registry.register("search_hotels", "Find hotels.", _parameters(city="string"), lambda city: result or [city])
    registry.register("add", "Add.", _parameters(a="integer", b="integer"), lambda a, b: a + b)
    return registry


def _said(registry: Any, name: str, arguments: str, id: str = "call_7") -> Any:
    """The content of the answer to one call, read as the model's side reads it."""
    message = registry.call({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
    content = message["content"] if isinstance(message, dict) and "content" in message else None
    expect(isinstance(content, str), f"expected a tool message whose content is a text, got {message!r}")
    try:
        return json.loads(str(content), parse_constant=_no_constant)
    except json.JSONDecodeError:
        raise Wrong(f"the content of a call of {name} is not JSON: {str(content)[:60]}") from None


def _no_constant(word: str) -> object:
    raise Wrong(f"the content holds {word}, which Python reads and no other JSON reader does")


def _runs_by_name(registry_class: Any) -> None:
    """Two tools, so that the last one registered is not run by luck."""
    registry = _registry(registry_class)
    for id, name, arguments, wanted in (
        ("call_1", "search_hotels", '{"city": "西安"}', ["西安"]),
        ("call_2", "add", '{"b": 2, "a": 1}', 3),
    ):
        expect_equal(_said(registry, name, arguments, id), wanted, f"the content of a call of {name}, as JSON")
        raw = {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}
        message = registry.call(raw)
        expect_equal(message.get("role"), "tool", "the role of the message")
        expect_equal(message.get("tool_call_id"), id, "tool_call_id, which says whose answer this is")


def _gives_the_array(registry_class: Any) -> None:
    wanted = [
        ("search_hotels", "Find hotels.", _parameters(city="string")),
        ("add", "Add.", _parameters(a="integer", b="integer")),
    ]
    keys = ("name", "description", "parameters")
    entries: list[Message] = [{"type": "function", "function": dict(zip(keys, each, strict=True))} for each in wanted]
    expect_equal(list(_registry(registry_class).tools()), entries, "tools()")


def _tells_what_is_no_object(registry_class: Any) -> None:
    """In any words, as long as they speak of the arguments, and not of a tool that failed."""
    registry = _registry(registry_class)
    for text in ('["y"]', '"go"', "42", "true"):
        try:
            told = _said(registry, "search_hotels", text)
        except (AttributeError, TypeError, ValueError) as error:
            raise Wrong(f"the arguments {text}: {type(error).__name__} got out, and ends the run") from error
        expect(isinstance(told, dict) and "error" in told, f"the arguments {text}: told as a value: {told!r}")
        said = str(told["error"])
        case = f"the arguments {text} are no object"
        expect(_NO_OBJECT.search(said), f"{case}, and the error does not say so: {said}")
    _passes("P22", "P24", "P27")(registry_class)


def _refuses_a_name_used_twice(registry_class: Any) -> None:
    registry = _registry(registry_class)
    case = "a second tool named 'add'"
    expect_raises(ValueError, case, registry.register, "add", "Add more.", _parameters(), lambda: -1)
    expect_equal(_said(registry, "add", '{"a": 1, "b": 2}'), 3, "after that was refused, a call of the first")
    expect(len(registry.tools()) == 2, "what was refused stands in tools() all the same")


def _refuses_a_name_of_the_wrong_form(registry_class: Any) -> None:
    registry = registry_class()
    for name in ("", "hotel suchen", "add\n", "günstig", "make.node", "x" * 65):
        expect_raises(ValueError, f"the name {name!r}", registry.register, name, "A tool.", _parameters(), _nothing)
    for name in ("a", "x" * 64, "get_weather-2"):
        registry.register(name, "A tool.", _parameters(), _nothing)
        expect_equal(_said(registry, name, "{}"), {}, f"the name {name[:13]!r} is a good one, so a call of it")


def _nothing() -> Message:
    return {}


def _answers_in_json(registry_class: Any) -> None:
    """What Python can return and JSON cannot say is told somehow, but in JSON, and nothing gets out."""
    for result in ([float("nan")], {"mean": float("inf")}, {1, 2}, object(), {(1, 2): 3}):
        _said(_registry(registry_class, result), "search_hotels", '{"city": "x"}')
    _passes("F12.circular")(registry_class)


def _keeps_a_bug_to_itself(registry_class: Any) -> None:
    """Also a bug whose error looks like that of a call with wrong arguments."""
    _passes("F8", "P65")(registry_class)
    registry = registry_class()
    registry.register("count", "Count.", _parameters(city="string"), lambda city: len(5))  # type: ignore[arg-type]
    told = json.dumps(_said(registry, "count", '{"city": "x"}'))
    expect("object of type" not in told, f"a bug in the tool raised TypeError, and the model read its text: {told}")


def _keeps_its_own_copy(registry_class: Any) -> None:
    given = _parameters(city="string")
    registry = registry_class()
    registry.register("search_hotels", "Find hotels.", given, lambda city: [city])
    before = json.dumps(list(registry.tools()))
    _empty(registry.tools())
    expect(json.dumps(list(registry.tools())) == before, "one caller changed what tools() gave, and all others see it")
    given["properties"]["nights"] = {"type": "integer"}
    expect(
        json.dumps(list(registry.tools())) == before,
        "the schema changed after registration, as the caller's own dict was kept",
    )


def _empty(value: Any) -> None:
    """Clear every dict and list inside, and then the value itself."""
    if isinstance(value, dict | list):
        for part in list(value.values() if isinstance(value, dict) else value):
            _empty(part)
        value.clear()


RUBRIC = (
    Criterion("a call runs the tool of that name, and its answer carries the call's id", 3, "junior", _runs_by_name),
    Criterion("tools() is what goes into `tools=`, in the order of registration", 2, "junior", _gives_the_array),
    Criterion("of an unknown name the model is told, with the names there are", 2, "junior", _passes("P70")),
    Criterion("a name used twice is refused, and the first tool stays", 2, "senior", _refuses_a_name_used_twice),
    Criterion("arguments that are no JSON object are told, not raised", 2, "senior", _tells_what_is_no_object),
    Criterion(
        "a refusal reaches the model word for word, the text of a bug never", 3, "senior", _keeps_a_bug_to_itself
    ),
    Criterion("a name the API refuses is refused at registration", 2, "senior", _refuses_a_name_of_the_wrong_form),
    Criterion("whatever a tool returns, the content is JSON", 2, "staff", _answers_in_json),
    Criterion("what was handed out or taken in can be changed and changes no tool", 2, "staff", _keeps_its_own_copy),
)
