"""Faults reported in public about how a tool's schema is made: each rebuilt with our own names, and held right."""

from __future__ import annotations

import enum
import json
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from toolkit import Registry, ToolDefinitionError, tool
from toolkit.docstring import parse_docstring
from toolkit.json_schema import walk


class Address(BaseModel):
    city: str
    zip: str


class Bin(BaseModel):
    n: int


class Node(BaseModel):
    v: str
    children: list[Node] = []


class Owner(BaseModel):
    pets: list[Pet] = []


class Pet(BaseModel):
    owner: Owner | None = None


class Tier(enum.Enum):
    BASIC = "basic"
    PRO = "pro"


class Card(BaseModel):
    id: str


def export(registry: Registry, strict: bool = False) -> dict[str, Any]:
    parameters: dict[str, Any] = registry.openai_tools(strict=strict)[-1]["function"]["parameters"]
    return parameters


def references(schema: dict[str, Any]) -> list[str]:
    return [node["$ref"] for _, node in walk(schema) if "$ref" in node]


@pytest.mark.row("T2")
def test_p01_optionals_are_nullable_in_a_strict_export(registry, declare, call):
    """openai/openai-agents-python#3733: all are required in strict form, so optionals must accept null."""

    def search(query: str, limit: int = 10, tag: str | None = None): ...

    loose, strict = declare(search).parameters, export(registry, strict=True)
    assert loose["required"] == ["query"]
    assert {name: node.get("default") for name, node in loose["properties"].items()} == {
        "query": None,
        "limit": 10,
        "tag": None,
    }
    assert strict["required"] == ["query", "limit", "tag"]
    assert strict["additionalProperties"] is False
    assert strict["properties"]["query"] == {"type": "string"}
    assert strict["properties"]["limit"] == {"type": ["integer", "null"]}
    assert strict["properties"]["tag"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}


@pytest.mark.row("T2")
@pytest.mark.parametrize("lenient", [True, False])
def test_p01_the_nulls_of_a_strict_call_mean_the_defaults(call, lenient):
    """openai/openai-agents-python#3733: what a strict export makes a model send is accepted in both modes."""

    def search(query: str, limit: int = 10, tag: str | None = None): ...

    values, _ = call(search, '{"query":"x","limit":null,"tag":null}', lenient=lenient)
    assert values == {"query": "x", "limit": 10, "tag": None}


@pytest.mark.parametrize("lenient", [True, False])
def test_p02_null_is_dropped_only_where_it_was_not_allowed(call, lenient):
    """ComposioHQ/composio#4257: null for a text means its default, null for an optional text stays null."""

    def update(note_id: str, title: str = "untitled", due: str | None = "tomorrow"): ...

    values, notes = call(update, '{"note_id":"n1","title":null,"due":null}', lenient=lenient)
    assert values == {"note_id": "n1", "title": "untitled", "due": None}
    assert notes == ("null_dropped:title",)


def test_p03_any_json_has_no_strict_form(registry, declare):
    """weave-os/router#830: a parameter of any type is never closed to an empty object; the strict export refuses."""

    def run(name: str, args: Any = None): ...

    assert declare(run).parameters["properties"]["args"] == {"default": None}
    with pytest.raises(ToolDefinitionError) as caught:
        registry.openai_tools(strict=True)
    assert str(caught.value) == (
        "Tool 'run' has no strict schema: parameter 'args' accepts any JSON value; give it a type, "
        "or export it with strict=False."
    )


def test_p04_a_nested_model_is_there_in_full(declare):
    """QwenLM/Qwen-Agent#873: no reference is left dangling."""

    def ship(order_id: int, to: Address): ...

    parameters = declare(ship).parameters
    assert references(parameters) == []
    assert parameters["properties"]["to"]["required"] == ["city", "zip"]


@pytest.mark.row("T2")
def test_p05_no_reference_survives_in_dict_values_and_tuples(declare):
    """vllm-project/vllm#50933: every place a model can stand in is resolved, also when it is repeated."""

    def sort(by_name: dict[str, Bin], ends: tuple[Bin, Bin], all: list[Bin], maybe: Bin | None = None): ...

    parameters = declare(sort).parameters
    found = parameters["properties"]
    assert references(parameters) == []
    assert found["by_name"]["additionalProperties"]["type"] == "object"
    assert [item["type"] for item in found["ends"]["prefixItems"]] == ["object", "object"]
    assert found["all"]["items"]["properties"] == {"n": {"type": "integer"}}
    assert found["maybe"]["anyOf"][0]["required"] == ["n"]


def test_p07_a_tree_keeps_one_definition(declare):
    """googleapis/python-genai#319: a type that refers to itself stays a reference, and the reference resolves."""

    def save(root: Node): ...

    parameters = declare(save).parameters
    assert set(references(parameters)) == {"#/$defs/Node"}
    assert parameters["$defs"]["Node"]["properties"]["children"]["items"] == {"$ref": "#/$defs/Node"}


def test_p07_two_types_that_refer_to_each_other_end(declare, call):
    """richard-gyiko/json-schema-to-pydantic#22: mutual recursion ends too, and such arguments are read."""

    def adopt(owner: Owner): ...

    parameters = declare(adopt).parameters
    assert {reference.removeprefix("#/$defs/") for reference in references(parameters)} <= set(parameters["$defs"])

    def adopt_again(owner: Owner): ...

    values, _ = call(adopt_again, {"owner": {"pets": [{"owner": {"pets": []}}]}})
    assert values["owner"].pets[0].owner == Owner()


@pytest.mark.row("T2")
def test_p08_nothing_stands_beside_a_reference_in_strict_form(registry, declare):
    """pydantic/pydantic-ai#1488: the description of a documented model or enum moves, and is kept."""

    def assign(member: int, tier: Tier, root: Node):
        """Assign a tier.

        Args:
            member: Member number.
            tier: Tier to give.
            root: Where to begin.
        """

    declare(assign)
    strict = export(registry, strict=True)
    assert all(set(node) == {"$ref"} for _, node in walk(strict) if "$ref" in node)
    assert strict["properties"]["tier"] == {
        "type": "string",
        "enum": ["basic", "pro"],
        "description": "Tier to give.",
    }
    assert strict["properties"]["root"] == {"anyOf": [{"$ref": "#/$defs/Node"}], "description": "Where to begin."}


def test_p09_choices_say_their_type(properties):
    """UKGovernmentBEIS/inspect_ai#3104: an enum list alone made one provider produce malformed calls."""

    def render(kind: Literal["png", "svg"], scale: Literal[1, 2] = 1): ...

    found = properties(render)
    assert found["kind"] == {"type": "string", "enum": ["png", "svg"]}
    assert found["scale"] == {"type": "integer", "enum": [1, 2], "default": 1}


def test_p10_postponed_annotations_keep_their_types(call, declare):
    """crewAIInc/crewAI#7623, RailtownAI/railtracks#1487: this file postpones its annotations, and the call runs."""

    def pay(w: Card, mode: Literal["a", "b"], n: int | None = None): ...

    found = declare(pay).parameters["properties"]
    assert found["w"]["properties"] == {"id": {"type": "string"}}
    assert found["mode"]["enum"] == ["a", "b"]
    assert found["n"]["anyOf"] == [{"type": "integer"}, {"type": "null"}]

    def pay_again(w: Card, mode: Literal["a", "b"], n: int | None = None): ...

    assert call(pay_again, '{"w":{"id":"1"},"mode":"a"}')[0] == {"w": Card(id="1"), "mode": "a", "n": None}


def test_p11_no_blank_line_before_args():
    """openai/openai-agents-python#3832: the block is read, and does not leak into the description."""
    text = "Convert money.\nArgs:\n    src: Source currency.\n    dst: Target currency."
    assert parse_docstring(text) == ("Convert money.", {"src": "Source currency.", "dst": "Target currency."})


def test_p12_variants_of_a_parameter_text():
    """run-llama/llama_index#22687, huggingface/smolagents#1073, langchain-ai/langchain#38654."""
    text = (
        "Search.\n\nRaises:\n    ValueError: bad input\n\nArgs:\n    mode (str) : One of:\n"
        "        - fast: quick\n        - deep: thorough\n    q (str): Text."
    )
    assert parse_docstring(text) == (
        "Search.",
        {"mode": "One of:\n- fast: quick\n- deep: thorough", "q": "Text."},
    )


@pytest.mark.row("T1")
@pytest.mark.parametrize("name", ["do it now!", "make.node", "x" * 65, "", "café", "a\n"])
def test_p13_an_illegal_name_is_refused_at_declaration(registry, name):
    """openai/openai-agents-python#4113: not later, as an opaque HTTP 400."""
    with pytest.raises(ToolDefinitionError) as caught:
        registry.register(name=name, description="Do it.", parameters={"type": "object"}, func=print)
    assert str(caught.value) == (
        f"Tool name {name!r} is not allowed: models accept 1 to 64 of A-Z, a-z, 0-9, '_' and '-'. Rename it."
    )


@pytest.mark.parametrize("name", ["ok_name-1", "x" * 64])
def test_p13_a_legal_name_is_kept_letter_by_letter(registry, name):
    """openai/openai-agents-python#4113: the name on the wire is the name that was declared."""
    registry.register(name=name, description="Do it.", parameters={"type": "object"}, func=print)
    assert registry.openai_tools()[0]["function"]["name"] == name


def test_p15_defaults_of_a_given_model_reach_the_function():
    """posit-dev/chatlas#253, langchain-ai/langchain#34399: also where the function itself has none."""

    class Scan(BaseModel):
        text: str
        offset: int = Field(0)
        count: int = Field(25)

    seen = {}
    registry = Registry()

    @tool(registry, model=Scan)
    def scan(text, offset, count):
        """Scan a text."""
        seen.update(text=text, offset=offset, count=count)

    from toolkit.validation import validate

    model, _ = validate(registry["scan"], '{"text":"x"}')
    registry["scan"].func(**model.__dict__)
    assert seen == {"text": "x", "offset": 0, "count": 25}
    assert json.dumps(registry["scan"].parameters["properties"]["count"]) == '{"default": 25, "type": "integer"}'
