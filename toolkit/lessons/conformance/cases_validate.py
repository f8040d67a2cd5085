"""Arguments against the contract: what was plainly meant is read, the rest is refused by name."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import Field

from toolkit.lessons.conformance.bench import Bench
from toolkit.lessons.conformance.case import Cases
from toolkit.lessons.expect import expect, expect_equal

CASES = Cases("validate")


def stay(nights: Annotated[int, Field(ge=1, le=14)], guest: str = "") -> str:
    """Book a stay."""
    return f"{nights} {guest}".strip()


@CASES.add("P02", "ComposioHQ/composio#4257")
async def null_for_a_default(bench: Bench) -> None:
    """Null means the default where null was not allowed, and null where it was."""

    def update(note_id: str, title: str = "untitled", due: str | None = "tomorrow") -> str:
        """Update a note."""
        return title

    bench.declare(update)
    await bench.call("update", '{"note_id": "n1", "title": null, "due": null}')
    expect_equal(bench.given["update"], [{"note_id": "n1", "title": "untitled", "due": None}], "called with")


@CASES.add("P41", "PrefectHQ/fastmcp#4784")
async def list_as_text(bench: Bench) -> None:
    """A list sent as text is read, or refused by name."""

    def mean(numbers: list[int]) -> float:
        """Take the mean."""
        return sum(numbers) / len(numbers)

    bench.declare(mean)
    told = await bench.call("mean", '{"numbers": "[4, 5, 6]"}')
    if told.error is None:
        told.gives(5.0)
    else:
        told.refuses("numbers", "list")


@CASES.add("P43", "agno-agi/agno#10459")
async def words_for_a_text(bench: Bench) -> None:
    """The texts "false" and "NULL" stay texts where a text is wanted."""

    def shell(command: str, label: str | None = None) -> str:
        """Run a command."""
        return command

    bench.declare(shell)
    await bench.call("shell", '{"command": "false", "label": " NULL "}')
    expect_equal(bench.given["shell"], [{"command": "false", "label": " NULL "}], "called with")


@CASES.add("P44", "usestrix/strix#1164")
async def the_word_null(bench: Bench) -> None:
    """The word "null" for an optional number is no number."""

    def list_notes(page: int | None = None) -> str:
        """List notes."""
        return str(page)

    bench.declare(list_notes)
    told = await bench.call("list_notes", '{"page": "null"}')
    if told.error is None:
        expect_equal(bench.given["list_notes"], [{"page": None}], "called with")
    else:
        told.refuses("page")


@CASES.add("P45", "modelcontextprotocol/python-sdk#3067")
async def unknown_argument(bench: Bench) -> None:
    """An argument the tool does not have is refused, with the names it has."""

    def open_page(section: str = "") -> str:
        """Open a page."""
        return section

    bench.declare(open_page)
    (await bench.call("open_page", '{"chapter": "2"}')).refuses("chapter", "section")
    bench.expect_reached(0)


@CASES.add("P46", "taylorwilsdon/google_workspace_mcp#918")
async def another_spelling(bench: Bench) -> None:
    """`boardId` for `board_id` is read or answered with the right name; both at once are refused."""

    def cards(board_id: str) -> str:
        """List cards."""
        return board_id

    bench.declare(cards)
    told = await bench.call("cards", '{"boardId": "b1"}')
    if told.error is None:
        told.gives("b1")
    else:
        told.refuses("board_id")
    (await bench.call("cards", '{"boardId": "b1", "board_id": "b2"}')).refuses("boardId")
    (await bench.call("cards", '{"boardId": "1", "boardID": "2"}')).refuses("board_id")


@CASES.add("P47", "NousResearch/hermes-agent#55314")
async def large_ids(bench: Bench) -> None:
    """A large id is not rounded, not even one sent as text."""

    def delete(message_id: int) -> str:
        """Delete a message."""
        return str(message_id)

    bench.declare(delete)
    for arguments in ('{"message_id": "1152921504606846977"}', '{"message_id": 9007199254740993}'):
        await bench.call("delete", arguments)
    wanted = [{"message_id": 1152921504606846977}, {"message_id": 9007199254740993}]
    expect_equal(bench.given["delete"], wanted, "called with")


@CASES.add("P49", "langchain-ai/langchain#30145")
async def nearly_whole_numbers(bench: Bench) -> None:
    """2.0 is an integer, 2.5 and true are not; digits for a text stay text."""

    def room(n: int, id: str) -> str:
        """Take a room."""
        return id

    bench.declare(room)
    await bench.call("room", '{"n": 2.0, "id": "12345678901234567890"}')
    expect_equal(bench.given["room"], [{"n": 2, "id": "12345678901234567890"}], "called with")
    for number in ("2.5", "true"):
        (await bench.call("room", f'{{"n": {number}, "id": "x"}}')).refuses("n", "integer")


@CASES.add("P50", "guardrails-ai/guardrails#1620")
async def false_as_text(bench: Bench) -> None:
    """The text "false" is not true."""

    def switch(on: bool) -> bool:
        """Switch it."""
        return on

    bench.declare(switch)
    for word in ("false", "0", "maybe"):
        await bench.call("switch", f'{{"on": "{word}"}}')
    expect(all(each["on"] is False for each in bench.given["switch"]), f"called with {bench.given['switch']}")


@CASES.add("P51", "ollama/ollama#7860")
async def numbers_as_text(bench: Bench) -> None:
    """Numbers sent as text are added or refused, not strung together."""

    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    bench.declare(add)
    told = await bench.call("add", '{"a": "5", "b": "2"}')
    if told.error is None:
        told.gives(7)
    else:
        told.refuses("a")


@CASES.add("T14.thousands", "production question")
async def thousands_separators(bench: Bench) -> None:
    """ "1,234" for an integer is 1234 or is refused by name."""

    def pay(amount: int) -> int:
        """Pay."""
        return amount + 1

    bench.declare(pay)
    told = await bench.call("pay", '{"amount": "1,234"}')
    if told.error is None:
        told.gives(1235)
    else:
        told.refuses("amount")


@CASES.add("F3.range")
async def out_of_range(bench: Bench) -> None:
    """A number out of range is refused, with field and limit."""
    bench.declare(stay)
    (await bench.call("stay", '{"nights": 99}')).refuses("nights", "14")
    bench.expect_reached(0)


@CASES.add("F3.missing")
async def missing(bench: Bench) -> None:
    """A missing argument is named."""
    bench.declare(stay)
    (await bench.call("stay", '{"guest": "7"}')).refuses("nights")
    bench.expect_reached(0)


@CASES.add("F3.type")
async def wrong_type(bench: Bench) -> None:
    """An object for a number is refused, with field and expectation."""
    bench.declare(stay)
    (await bench.call("stay", '{"nights": {"value": 2}}')).refuses("nights", "integer")
    bench.expect_reached(0)


@CASES.add("F3.bool")
async def true_for_a_number(bench: Bench) -> None:
    """True is not the number 1."""
    bench.declare(stay)
    (await bench.call("stay", '{"nights": true}')).refuses("nights")
    bench.expect_reached(0)


@CASES.add("F3.nan")
async def not_a_number(bench: Bench) -> None:
    """NaN and Infinity are no JSON."""

    def pay(amount: float) -> str:
        """Pay."""
        return "paid"

    bench.declare(pay)
    for word in ("NaN", "Infinity", "1e999"):
        (await bench.call("pay", f'{{"amount": {word}}}')).refuses()
    bench.expect_reached(0)


@CASES.add("F3.huge")
async def huge_number(bench: Bench) -> None:
    """A number of five thousand digits is refused."""
    bench.declare(stay)
    (await bench.call("stay", f'{{"nights": {"9" * 5000}}}')).refuses()
    bench.expect_reached(0)


@CASES.add("F3.deep")
async def deep_nesting(bench: Bench) -> None:
    """A hundred thousand brackets are refused."""
    bench.declare(stay)
    (await bench.call("stay", '{"nights": ' + "[" * 100_000)).refuses()
    bench.expect_reached(0)


@CASES.add("F3.date")
async def number_for_a_date(bench: Bench) -> None:
    """A number is not taken for a date."""

    def forecast(day: date) -> str:
        """Look up the forecast."""
        return str(day)

    bench.declare(forecast)
    (await bench.call("forecast", '{"day": 1759276800}')).refuses("day")
    bench.expect_reached(0)
