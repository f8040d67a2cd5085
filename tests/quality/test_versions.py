"""E7: a call that is older than its tool is read with a warning, or refused with one, by choice."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit import Registry, Status, ToolDefinitionError, tool
from toolkit.quality import Change, Versions
from toolkit.records import ToolCall
from toolkit.wire import read_call

HISTORY = [
    Change(version="2", renamed={"hotel": "hotel_id"}, removed=["smoking"]),
    Change(version="3", added={"currency": "USD"}),
]
OLD = {"hotel": "HT-002", "smoking": False, "nights": 2}
DIFFERENCES = (
    "This call has an older form of book: hotel is called hotel_id since version 2; smoking is gone since version 2; "
    'currency is new in version 3, taken as "USD".'
)


def declare(registry):
    reached = []

    @tool(registry, version="3")
    async def book(hotel_id: str, nights: int, currency: str, note: str = "") -> str:
        """Book."""
        reached.append((hotel_id, nights, currency))
        return "booked"

    return reached


@pytest.fixture
def reached(registry):
    return declare(registry)


@pytest.mark.row("E7")
async def test_lenient_reads_what_was_meant_and_warns(registry, reached, pipeline_for, raw, records):
    """A field more, a field less, another name: the tool is reached as today's, and model and log are told."""
    pipeline = pipeline_for(registry, versions=Versions(registry, {"book": HISTORY}))
    result = await pipeline.call(raw("book", **OLD))
    assert (result.status, reached) == (Status.SUCCESS, [("HT-002", 2, "USD")])
    assert result.to_content() == json.dumps({"result": "booked", "feedback": DIFFERENCES})
    assert (records[0]["version"], records[0]["notes"]) == ("3", ["old_version"])


@pytest.mark.row("E7")
async def test_strict_refuses_and_says_of_which_version_it_is(registry, reached, pipeline_for, raw):
    """The schema refuses the call; beside its reasons stands that the call is an old one."""
    pipeline = pipeline_for(registry, versions=Versions(registry, {"book": HISTORY}, "strict"))
    result = await pipeline.call(raw("book", **OLD))
    assert (result.status, result.attempts, reached) == (Status.VALIDATION_ERROR, 0, [])
    assert json.loads(result.to_content()) == {
        "error": "Invalid arguments for book. hotel_id: expected a value, received nothing. "
        "currency: expected a value, received nothing. "
        "hotel: unknown argument. Did you mean hotel_id? Accepted: hotel_id, nights, currency, note. "
        "smoking: unknown argument. Accepted: hotel_id, nights, currency, note.",
        "status": "validation_error",
        "next_step": "correct the arguments and call again",
        "feedback": DIFFERENCES,
    }


@pytest.mark.row("E7")
async def test_a_misspelt_argument_is_no_old_version(registry, reached, pipeline_for, raw):
    """Lenient forgives what was declared and nothing else: `nigths` is told, not dropped."""
    pipeline = pipeline_for(registry, versions=Versions(registry, {"book": HISTORY}))
    result = await pipeline.call(raw("book", hotel="HT-002", nigths=2))
    assert (result.status, reached) == (Status.VALIDATION_ERROR, [])
    assert "nigths: unknown argument. Did you mean nights?" in result.error.message


async def test_both_names_at_once_are_left_to_the_schema(registry, reached, pipeline_for, raw):
    """The old name does not overwrite the new one: the call contradicts itself, and is refused."""
    pipeline = pipeline_for(registry, versions=Versions(registry, {"book": HISTORY}))
    result = await pipeline.call(raw("book", hotel="HT-001", hotel_id="HT-002", nights=2, currency="USD"))
    assert (result.status, reached) == (Status.VALIDATION_ERROR, [])
    assert "hotel: unknown argument" in result.error.message


async def test_a_tools_cleaned_name_has_its_history(registry, reached, pipeline_for):
    """A prefix that some servers put before a name does not hide the versions."""
    pipeline = pipeline_for(registry, versions=Versions(registry, {"book": HISTORY}))
    result = await pipeline.call({"id": "c", "name": "functions.book", "arguments": json.dumps(OLD)})
    assert result.status is Status.SUCCESS


@pytest.mark.parametrize("arguments", ['{"hotel": "HT-0', "[]", {"hotel": {1, 2}}])
def test_what_cannot_be_read_is_left_to_the_gateway(registry, reached, arguments):
    """Half a JSON text is no old call."""
    call = ToolCall("c", "book", arguments)
    assert Versions(registry, {"book": HISTORY}).read(call) == (call, None)


@pytest.mark.parametrize(
    ("history", "message"),
    [
        ([Change(version="2")], "The last change of 'book' is 2, but version 3 is registered."),
        ([], "The last change of 'book' is none, but version 3 is registered."),
        (
            [Change(version="3", removed=["nights"])],
            "'book' still has 'nights', so a call that sends it is not an old one.",
        ),
        (
            [Change(version="3", added={"note": ""})],
            "'note' of 'book' is optional, so a call without it is not an old one.",
        ),
        (
            [Change(version="3", added={"rooms": 1})],
            "'book' has no parameter 'rooms'. Parameters: currency, hotel_id, nights, note.",
        ),
    ],
)
def test_a_history_that_leads_elsewhere_is_refused(registry, reached, history, message):
    """It must end at the tool that is registered; an optional parameter was never a reason to refuse a call."""
    with pytest.raises(ToolDefinitionError) as refused:
        Versions(registry, {"book": history})
    assert str(refused.value) == message


def test_a_history_of_no_tool_is_refused(registry, reached):
    """The text lists the tools there are."""
    with pytest.raises(ToolDefinitionError, match=r"^There are versions of 'bok', which is no tool\. Tools: book\.$"):
        Versions(registry, {"bok": HISTORY})


values = st.fixed_dictionaries(
    {}, optional={name: st.integers() for name in ("hotel", "hotel_id", "smoking", "nights", "currency", "other")}
)


@pytest.mark.row("E7")
@given(values)
def test_reading_twice_is_reading_once(arguments):
    """What came out is a call of today: it is left as it is, whatever was sent; and nothing else is touched."""
    registry = Registry()
    declare(registry)
    versions = Versions(registry, {"book": HISTORY})
    once, _ = versions.read(read_call({"id": "c", "name": "book", "arguments": json.dumps(arguments)}))
    read = json.loads(once.arguments)
    if not {"hotel", "hotel_id"} <= arguments.keys():  # both names at once: that is for the schema to refuse
        assert versions.read(once) == (once, None)
    kept = ("nights", "other")
    assert {name: read.get(name) for name in kept} == {name: arguments.get(name) for name in kept}
