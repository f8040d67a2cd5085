"""What a model gets to read of a tool. Where schemas are written by hand there is nothing to ask."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, Field

from toolkit.json_schema import walk
from toolkit.lessons.conformance.bench import Bench, Died
from toolkit.lessons.conformance.case import Cases
from toolkit.lessons.conformance.schema_parts import accepts_null, followed, nodes
from toolkit.lessons.expect import Wrong, expect, expect_equal

CASES = Cases("schema")


class Address(BaseModel):
    city: str
    street: str


class Room(BaseModel):
    beds: int


class District(BaseModel):
    name: str
    parts: list[District] = []


class Board(StrEnum):
    BREAKFAST = "breakfast"
    HALF = "half"


class Page(BaseModel):
    text: str
    offset: int = Field(0)
    count: int = Field(25)


@CASES.add("P01", "openai/openai-agents-python#3733")
async def strict_optionals(bench: Bench) -> None:
    """In a strict schema an optional parameter may be null, and null means its default."""

    def search(query: str, limit: int = 10, tag: str | None = None) -> str:
        """Search."""
        return f"{query} {limit} {tag}"

    bench.declare(search)
    schema = bench.parameters("search", strict=True)
    expect_equal(sorted(schema["required"]), ["limit", "query", "tag"], "required in the strict form")
    expect(schema.get("additionalProperties") is False, "the strict form is not closed")
    for name in ("limit", "tag"):
        expect(accepts_null(schema["properties"][name]), f"{name} does not accept null, so a model makes up a value")
    (await bench.call("search", '{"query": "x", "limit": null, "tag": null}')).gives("x 10 None")


@CASES.add("P03", "weave-os/router#830")
async def any_value_in_strict_form(bench: Bench) -> None:
    """A parameter of any type has no strict form, and is not closed to an empty object."""

    def run(name: str, arguments: Any = None) -> str:
        """Run."""
        return name

    bench.declare(run)
    try:
        schema = bench.parameters("run", strict=True)
    except Died as refused:
        expect("arguments" in str(refused), f"the refusal does not name the parameter: {refused}")
        return
    closed = [node for _, node in walk(schema["properties"]["arguments"]) if node.get("additionalProperties") is False]
    expect(not closed, "any value became an empty object")


@CASES.add("P04", "QwenLM/Qwen-Agent#873")
async def nested_model(bench: Bench) -> None:
    """The parts of a nested model reach the schema; no reference leads nowhere."""

    def ship(order_id: int, to: Address) -> str:
        """Ship an order."""
        return to.city

    bench.declare(ship)
    schema = bench.parameters("ship")
    expect_equal(sorted(followed(schema, schema["properties"]["to"])["required"]), ["city", "street"], "required")


@CASES.add("P05", "vllm-project/vllm#50933")
async def references_everywhere(bench: Bench) -> None:
    """Models in lists, dicts, tuples and optionals keep their parts."""

    def furnish(by_name: dict[str, Room], ends: tuple[Room, Room], rooms: list[Room], spare: Room | None = None) -> str:
        """Furnish rooms."""
        return "done"

    bench.declare(furnish)
    schema = bench.parameters("furnish")
    beds = [node for node in nodes(schema) if "beds" in node.get("properties", {})]
    expect(bool(beds), "no part of the model is in the schema")
    found = schema["properties"]
    for node in (found["by_name"]["additionalProperties"], found["ends"]["prefixItems"][0], found["rooms"]["items"]):
        expect_equal(followed(schema, node)["type"], "object", "the type of a part")


@CASES.add("P07", "googleapis/python-genai#319")
async def model_of_itself(bench: Bench) -> None:
    """A model that contains itself ends in a schema or in a clear refusal, not in a stack overflow."""

    def save(root: District) -> str:
        """Save a district and its parts."""
        return root.name

    try:
        bench.declare(save)
        schema = bench.parameters("save")
    except Died as refused:
        expect("Recursion" not in str(refused), str(refused))
        return
    expect("parts" in followed(schema, schema["properties"]["root"])["properties"], "the parts are gone")


@CASES.add("P08", "pydantic/pydantic-ai#1488")
async def described_enum(bench: Bench) -> None:
    """In the strict form nothing stands beside a reference, and the description is kept."""

    def set_board(guest: int, board: Board) -> str:
        """Set the board.

        Args:
            guest: Number of the guest.
            board: Meals to give.
        """
        return board.value

    bench.declare(set_board)
    schema = bench.parameters("set_board", strict=True)
    beside = [node for node in nodes(schema) if "$ref" in node and len(node) > 1]
    expect(not beside, f"keywords beside a reference: {beside}")
    expect("Meals to give." in str(schema["properties"]["board"]), "the description of board is lost")


@CASES.add("P09", "UKGovernmentBEIS/inspect_ai#3104")
async def literals(bench: Bench) -> None:
    """A choice of values says its type."""

    def render(kind: Literal["png", "svg"], scale: Literal[1, 2] = 1) -> str:
        """Render."""
        return kind

    bench.declare(render)
    found = bench.parameters("render")["properties"]
    expect_equal([found["kind"].get("type"), found["kind"].get("enum")], ["string", ["png", "svg"]], "kind")
    expect_equal([found["scale"].get("type"), found["scale"].get("enum")], ["integer", [1, 2]], "scale")


@CASES.add("P10", "crewAIInc/crewAI#7623")
async def postponed_annotations(bench: Bench) -> None:
    """Annotations that are texts (PEP 563) are read, and the tool can be called."""

    def pay(to: Address, mode: Literal["card", "cash"], tip: int | None = None) -> str:
        """Pay."""
        return to.city

    bench.declare(pay)
    schema = bench.parameters("pay")
    expect("city" in followed(schema, schema["properties"]["to"]).get("properties", {}), "the model became a text")
    told = await bench.call("pay", '{"to": {"city": "Xi\'an", "street": "1"}, "mode": "card"}')
    told.gives("Xi'an")


@CASES.add("P11", "openai/openai-agents-python#3832")
async def arguments_without_a_blank_line(bench: Bench) -> None:
    """A docstring's `Args:` is read where no blank line stands before it."""

    def convert(src: str, dst: str) -> str:
        """Convert money.
        Args:
            src: Source currency.
            dst: Target currency.
        """
        return src + dst

    bench.declare(convert)
    schema = bench.parameters("convert")
    expect_equal(schema["description"], "Convert money.", "the description")
    expect_equal(schema["properties"]["src"].get("description"), "Source currency.", "of src")


@CASES.add("P12", "run-llama/llama_index#22687")
async def long_argument_texts(bench: Bench) -> None:
    """A parameter's text may go over lines; `Raises:` is not sent to the model."""

    def search(mode: str, q: str) -> str:
        """Search.

        Raises:
            ValueError: bad input

        Args:
            mode (str) : One of:
                - fast: quick
                - deep: thorough
            q (str): Text.
        """
        return q

    bench.declare(search)
    schema = bench.parameters("search")
    mode = schema["properties"]["mode"].get("description", "")
    expect("fast" in mode and "deep" in mode, f"the text of mode is cut: {mode!r}")
    expect("ValueError" not in schema["description"], "what it raises is sent to the model")


@CASES.add("P13", "openai/openai-agents-python#4113")
async def illegal_names(bench: Bench) -> None:
    """A name no model accepts is refused where the tool is declared."""
    bench.takes("declare", "name")

    def do_it() -> str:
        """Do it."""
        return "done"

    for name in ("do it now!", "make.node", "x" * 65):
        try:
            bench.declare(do_it, name=name)
        except Died as refused:
            expect(name[:9] in str(refused), f"the refusal does not name the tool: {refused}")
        else:
            raise Wrong(f"{name[:12]!r} was accepted; the model's server refuses it later")


@CASES.add("P15", "posit-dev/chatlas#253")
async def defaults_of_a_given_model(bench: Bench) -> None:
    """A default that stands in the argument model reaches the function."""
    bench.takes("declare", "model")

    def scan(text, offset, count):  # type: ignore[no-untyped-def]
        """Scan a text."""
        return [text, offset, count]

    bench.declare(scan, model=Page)
    (await bench.call("scan", '{"text": "x"}')).gives(["x", 0, 25])
