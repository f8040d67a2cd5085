"""Exercise 01.answer_call: one tool message for one call, whatever goes wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from toolkit.errors import ToolError
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import Wrong, expect, expect_equal, expect_raises

Message = dict[str, Any]
SECRET = "hunter2"


def check_answer_call(answer_call: Callable[..., Any]) -> None:
    """One tool message for one call: the value, or an error that is fit for the model."""
    _answers_a_good_call(answer_call)
    told = _error_of(answer_call, "cancel_bokking", "{}", "a tool that is not there")
    expect("cancel_bokking" in told, f"a tool that is not there: the error should repeat its name; it is {told!r}")
    expect("book" in told, f"a tool that is not there: the error should list the tools there are; it is {told!r}")
    _error_of(answer_call, "book", '{"nights": ', "arguments cut off in the middle")
    _error_of(answer_call, "book", '{"nigths": 2}', "a misspelt argument")
    told = _error_of(answer_call, "book", '{"nights": 99}', "a refusal by the tool")
    expect_equal(told, "99 nights are too many.", "a ToolError was written for the model, so its text")
    told = _error_of(answer_call, "crash", "{}", "a bug in the tool")
    expect(SECRET not in told, "a bug in the tool: the text of an unknown exception went to the model, with a password")
    expect_raises(KeyboardInterrupt, "someone presses stop", answer_call, _tools([]), _call("stop", "{}"))


def _tools(ran: list[int]) -> dict[str, Any]:
    def book(nights: int) -> dict[str, Any]:
        ran.append(nights)
        if nights > 14:
            raise ToolError(f"{nights} nights are too many.")
        return {"hotel": "钟楼索菲特", "nights": nights, "breakfast": None}

    def crash() -> None:
        raise RuntimeError(f"login failed for admin:{SECRET}")

    def stop() -> None:
        raise KeyboardInterrupt

    return {func.__name__: {"name": func.__name__, "func": func} for func in (book, crash, stop)}


def _call(name: str, arguments: str) -> Message:
    return {"id": "call_7", "type": "function", "function": {"name": name, "arguments": arguments}}


def _answers_a_good_call(answer_call: Callable[..., Any]) -> None:
    ran: list[int] = []
    message = answer_call(_tools(ran), _call("book", '{"nights": 2}'))
    value = _content(message, "a good call")
    expect_equal(value, {"hotel": "钟楼索菲特", "nights": 2, "breakfast": None}, "a good call: the content")
    expect(len(ran) == 1, f"a good call: the tool ran {len(ran)} times")


def _error_of(answer_call: Callable[..., Any], name: str, arguments: str, case: str) -> str:
    try:
        message = answer_call(_tools([]), _call(name, arguments))
    except Exception as error:
        raise Wrong(f"{case}: {type(error).__name__} got out, and ends the run") from error
    value = _content(message, case)
    told = isinstance(value, dict) and isinstance(value.get("error"), str) and value["error"].strip()
    expect(told, f"{case}: the content should be an object with a text under 'error'; it is {value!r}")
    return str(value["error"])


def _content(message: Any, case: str) -> Any:
    expect(isinstance(message, dict), f"{case}: expected a tool message, a dict; got {message!r}")
    expect_equal(message.get("role"), "tool", f"{case}: the role")
    expect_equal(message.get("tool_call_id"), "call_7", f"{case}: tool_call_id, which says whose answer this is")
    content = message.get("content")
    expect(isinstance(content, str), f"{case}: the content is {type(content).__name__}, but a message holds text")
    try:
        return json.loads(str(content))
    except json.JSONDecodeError:
        raise Wrong(f"{case}: the content is not JSON: {content!r}") from None


_ANSWER_CALL = '''\
def answer_call(tools, call):
    """Answer one call with one tool message, whatever goes wrong."""
    name = call["function"]["name"]
    {body}
    return {{"role": "tool", "tool_call_id": call["id"], "content": json.dumps(value, ensure_ascii=False)}}'''
_LOOK_UP = 'if name not in tools:\n        value = {"error": f"No tool {name!r}. There are: {\', \'.join(tools)}."}'
_TRIES = 'try:\n            value = tools[name]["func"](**json.loads(call["function"]["arguments"]))'
_REFUSED = 'except ToolError as error:\n            value = {"error": error.message}'
_BUG = 'except Exception:\n            value = {"error": f"{name} failed. Do not repeat the call."}'


def _answer_call(*parts: str) -> str:
    return _ANSWER_CALL.format(body=parts[0] + "\n    else:\n        " + "\n        ".join(parts[1:]))


ANSWER_CALL = Exercise(
    id="01.answer_call",
    task=(
        "Write `answer` again so that nothing a model sends ends the run: one tool message for every call, and where "
        'there is no value, `{"error": "..."}` as its content.\n\n'
        "An unknown tool: name it and list the tools there are. A `ToolError`: its text, word for word. Anything else: "
        "a sentence of your own, because the text of an unknown exception may hold a password."
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "Four things can go wrong: the name is unknown, the arguments cannot be parsed, the tool refuses, the tool "
        "fails. Each ends in a dict with `error`.",
        "Look the name up before the `try`: a `KeyError` could also come out of a tool. Parse inside of it.",
        "`except ToolError as error` first, then `except Exception`. A bare `except:` would also catch the reader's "
        "stop button.",
    ),
    setup="import json\nfrom toolkit import ToolError",
    stub='''\
def answer_call(tools, call):
    """Answer one call with one tool message, whatever goes wrong.

    >>> answer_call({}, {"id": "a", "function": {"name": "add", "arguments": "{}"}})["tool_call_id"]
    'a'
    """
    raise NotImplementedError''',
    solution=_answer_call(_LOOK_UP, _TRIES, _REFUSED, _BUG),
    alternatives=(
        """\
def answer_call(tools, call):
    function = call["function"]
    try:
        if function["name"] not in tools:
            raise ToolError(f"There is no {function['name']}; there are {list(tools)}.")
        content = tools[function["name"]]["func"](**json.loads(function["arguments"]))
    except ToolError as error:
        content = {"error": str(error)}
    except ValueError:
        content = {"error": "The arguments are not valid JSON."}
    except Exception as error:
        content = {"error": f"The tool failed ({type(error).__name__})."}
    return {"tool_call_id": call["id"], "role": "tool", "content": json.dumps(content)}""",
        """\
def answer_call(tools, call):
    def told(content):
        return {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(content)}

    wanted = call["function"]["name"]
    tool = tools.get(wanted)
    if tool is None:
        return told({"error": f"{wanted} is unknown. Choose among {sorted(tools)}."})
    try:
        arguments = json.loads(call["function"]["arguments"])
    except ValueError as error:
        return told({"error": f"The arguments are not JSON: {error}"})
    try:
        return told(tool["func"](**arguments))
    except Exception as error:
        return told({"error": error.message if isinstance(error, ToolError) else f"{wanted} broke."})""",
    ),
    wrong=(
        WrongAnswer(
            "parses outside the try",
            _answer_call(
                _LOOK_UP,
                'arguments = json.loads(call["function"]["arguments"])',
                'try:\n            value = tools[name]["func"](**arguments)',
                _REFUSED,
                _BUG,
            ),
            "cut off in the middle: JSONDecodeError got out",
        ),
        WrongAnswer(
            "looks nothing up",
            _answer_call("if False:\n        pass", _TRIES, _REFUSED, _BUG).replace("{name} failed", "It failed"),
            "the error should repeat its name",
        ),
        WrongAnswer(
            "does not say which tools there are",
            _answer_call(_LOOK_UP.replace("There are: {', '.join(tools)}.", "Sorry."), _TRIES, _REFUSED, _BUG),
            "should list the tools there are",
        ),
        WrongAnswer(
            "tells every exception",
            _answer_call(_LOOK_UP, _TRIES, 'except Exception as error:\n            value = {"error": str(error)}'),
            "with a password",
        ),
        WrongAnswer(
            "puts a refusal in its own words",
            _answer_call(_LOOK_UP, _TRIES, _BUG),
            "was written for the model, so its text",
        ),
        WrongAnswer(
            "catches the stop button too",
            _answer_call(_LOOK_UP, _TRIES, _REFUSED, _BUG.replace("except Exception", "except")),
            "someone presses stop",
        ),
        WrongAnswer(
            "answers with a Python text",
            _answer_call(_LOOK_UP, _TRIES, _REFUSED, _BUG).replace(
                "json.dumps(value, ensure_ascii=False)", "str(value)"
            ),
            "the content is not JSON",
        ),
        WrongAnswer(
            "forgets whose answer it is",
            _answer_call(_LOOK_UP, _TRIES, _REFUSED, _BUG).replace('"tool_call_id": call["id"], ', ""),
            "tool_call_id, which says whose answer this is",
        ),
    ),
    checker=check_answer_call,
)
