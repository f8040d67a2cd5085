"""E2, E4, E5: one coordinator for a turn of calls; what it returns can be shown to the model."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolkit import Status, ToolDefinitionError, TransientError, tool
from toolkit.agent import asks_for, run_agent, says, scripted_client
from toolkit.quality import Pipeline, ScoreAlert, Scorecard, complete, echoes, log_bad_score

WEATHER = Scorecard({"look": [complete("condition", "high"), echoes("city")]}, threshold=0.6)


@pytest.fixture
def desk(registry, clock):
    """A look-up that takes a second and a booking that takes one; `desk` is what began and ended, and when."""
    events = []

    @tool(registry, idempotent=True)
    async def look(city: str, nights: int = 1) -> dict[str, str | int | None]:
        """Look."""
        events.append(("begin", city, clock.now()))
        await asyncio.sleep(1)
        events.append(("end", city, clock.now()))
        return {
            "city": "Mars" if city == "Venus" else city,
            "condition": "rain",
            "high": 17 if city != "Rome" else None,
        }

    @tool(registry)
    async def book(city: str) -> str:
        """Book."""
        return (await look(city))["condition"]

    return events


@pytest.mark.row("E4")
async def test_results_stand_in_request_order(registry, desk, pipeline_for, raw):
    """Whatever happens to its siblings, each call has one result, in its place, with its own id."""
    pipeline = pipeline_for(registry, after=WEATHER)
    calls = [
        raw("look", "c1", city="Xi'an"),
        raw("nothing", "c2"),
        raw("look", "c3"),
        raw("book", "c4", city="Bath"),
        raw("look", "c5", city="Rome"),
    ]
    results = await pipeline.call_all(calls)
    statuses = [Status.SUCCESS, Status.UNKNOWN_TOOL, Status.VALIDATION_ERROR, Status.SUCCESS, Status.SUCCESS]
    assert [(result.call_id, result.status) for result in results] == list(
        zip(["c1", "c2", "c3", "c4", "c5"], statuses, strict=True)
    )
    assert [message["tool_call_id"] for message in (result.to_message() for result in results)] == [
        "c1",
        "c2",
        "c3",
        "c4",
        "c5",
    ]


@pytest.mark.row("E4")
async def test_independent_calls_run_together(registry, desk, pipeline_for, raw, clock):
    """Five look-ups of a second take a second."""
    results = await pipeline_for(registry).call_all([raw("look", city=str(number)) for number in range(5)])
    assert (clock.now(), [result.value["city"] for result in results]) == (1.0, ["0", "1", "2", "3", "4"])


@pytest.mark.row("E4")
@pytest.mark.parametrize("name", ["book", "functions.book"])
async def test_a_call_that_changes_something_runs_alone_in_its_place(registry, desk, pipeline_for, raw, clock, name):
    """Two look-ups together, then the booking, then the next look-up; also where the name has to be cleaned."""
    calls = [raw("look", city="1"), raw("look", city="2"), raw(name, city="3"), raw("look", city="4")]
    await pipeline_for(registry).call_all(calls)
    assert [(city, at) for event, city, at in desk if event == "begin"] == [("1", 0), ("2", 0), ("3", 1), ("4", 2)]
    assert clock.now() == 3.0


async def test_no_calls_no_results(registry, desk, pipeline_for):
    """A turn without calls is none."""
    pipeline = pipeline_for(registry)
    assert [await pipeline.call_all(calls) for calls in (None, [])] == [[], []]


@pytest.mark.row("E2")
async def test_a_result_tells_how_the_call_went(registry, pipeline_for, raw, records):
    """Attempts, time from start to end, type of error, and the arguments as the tool got them, defaults included."""
    failures = [TransientError("down"), TransientError("down")]

    @tool(registry, idempotent=True)
    async def look(city: str, nights: int = 1) -> str:
        """Look."""
        await asyncio.sleep(2)
        if failures:
            raise failures.pop()
        return "rain"

    result = await pipeline_for(registry, sleep=lambda seconds: asyncio.sleep(1)).call(
        raw("look", city="Bath", nights="3")
    )
    assert (result.status, result.attempts, result.duration_ms) == (Status.SUCCESS, 3, 8000.0)
    assert result.arguments == {"city": "Bath", "nights": 3}
    failures += [TransientError("down")] * 3
    failed = await pipeline_for(registry).call(raw("look", city="Bath"))
    assert (failed.attempts, failed.error.kind, failed.arguments) == (3, "unavailable", {"city": "Bath", "nights": 1})
    assert [(line["attempts"], line.get("error_type")) for line in records] == [(3, "TransientError")] * 2


@pytest.mark.row("E3", "E5")
async def test_a_bad_score_goes_back_to_the_model(registry, desk, pipeline_for, raw):
    """The value stays whole; beside it stand the failed rules and their reasons, and nothing of those that passed."""
    result = await pipeline_for(registry, after=WEATHER).call(raw("look", city="Rome"))
    assert (result.score, result.value) == (0.5, {"city": "Rome", "condition": "rain", "high": None})
    assert result.to_content() == (
        '{"city": "Rome", "condition": "rain", "high": null, '
        '"feedback": "Check this result before you use it: completeness 0.50: missing: high."}'
    )
    quiet = await pipeline_for(registry, after=WEATHER, tell_model=False).call(raw("look", city="Rome"))
    assert (quiet.score, quiet.feedback) == (0.5, None)


@pytest.mark.row("E3")
async def test_a_good_result_reaches_the_model_as_it_is(registry, desk, pipeline_for, raw, records):
    """No feedback, and the score stands in the log line of the call."""
    result = await pipeline_for(registry, after=WEATHER).call(raw("look", city="Xi'an"))
    assert (result.score, result.to_content()) == (1.0, '{"city": "Xi\'an", "condition": "rain", "high": 17}')
    assert records[0]["score"] == 1.0


@pytest.mark.row("E3")
async def test_a_tool_without_rules_has_no_score(registry, desk, pipeline_for, raw, records):
    """None, in the result and in the log: nothing was judged."""
    result = await pipeline_for(registry, after=WEATHER).call(raw("book", city="Rome"))
    assert (result.status, result.score, result.feedback) == (Status.SUCCESS, None, None)
    assert "score" not in records[0]


@pytest.mark.row("E5")
async def test_a_bad_score_goes_to_the_log(registry, desk, pipeline_for, raw, records):
    """One record with the call's id and the failed rules; no value of the call is in it."""
    pipeline = pipeline_for(registry, after=WEATHER, on_bad_score=[log_bad_score(records.append)])
    await pipeline.call_all([raw("look", "c1", city="Venus"), raw("look", "c2", city="Bath")])
    bad = [record for record in records if record["event"] == "bad_score"]
    assert bad == [
        {
            "event": "bad_score",
            "call_id": "c1",
            "tool": "look",
            "phase": "after",
            "status": "success",
            "input_hash": next(record["input_hash"] for record in records if record["call_id"] == "c1"),
            "score": 0.0,
            "notes": ["relevance"],
        }
    ]
    assert "Venus" not in json.dumps(bad)


@pytest.mark.row("E5")
async def test_an_alert_is_raised_once_at_enough_bad_scores_in_its_window(registry, desk, pipeline_for, raw, clock):
    """Three within ten seconds raise it; a fourth does not again; after a quiet time three more do."""
    raised = []
    alert = ScoreAlert(
        "look is off", bad=3, window_s=10, clock=clock.now, notify=lambda *told: raised.append((clock.now(), *told))
    )
    pipeline = pipeline_for(registry, after=WEATHER, on_bad_score=[alert])
    for wait_s in (0, 8, 3, 3, 3, 20, 0, 0):  # each call takes a second more
        await asyncio.sleep(wait_s)
        await pipeline.call(raw("look", city="Rome"))
    assert raised == [(18.0, "look is off", "look", 3), (45.0, "look is off", "look", 3)]


async def test_an_alert_of_one_tool_hears_of_no_other(registry, desk, pipeline_for, raw, clock):
    """`tool` narrows it."""
    raised = []
    alert = ScoreAlert("a", bad=1, window_s=10, clock=clock.now, notify=lambda *told: raised.append(told), tool="book")
    await pipeline_for(registry, after=WEATHER, on_bad_score=[alert]).call(raw("look", city="Rome"))
    assert raised == []


@pytest.mark.row("E5")
async def test_a_reaction_that_crashes_is_counted_and_nothing_else(registry, desk, pipeline_for, raw, records):
    """The answer is there, and the next reaction is told."""

    def crash(result, score):
        raise KeyError("pager")

    pipeline = pipeline_for(registry, after=WEATHER, on_bad_score=[crash, log_bad_score(records.append)])
    result = await pipeline.call(raw("look", city="Rome"))
    assert (result.status, pipeline.failed_reactions, records[-1]["event"]) == (Status.SUCCESS, 1, "bad_score")


@pytest.mark.row("E5", "F29")
async def test_scored_later_the_answer_does_not_wait(registry, desk, pipeline_for, raw, clock, records):
    """The result has no score and the model hears nothing; the log does, after the answer was given."""
    order = []
    log = log_bad_score(lambda record: order.append(record["event"]))
    async with pipeline_for(registry, after=WEATHER, on_bad_score=[log], later=True) as pipeline:
        result = await pipeline.call(raw("look", city="Rome"))
        order.append("answered")
    assert (result.score, result.feedback, order) == (None, None, ["answered", "bad_score"])
    assert (pipeline.background.evaluated, pipeline.background.failed) == (1, 0)


async def test_a_replay_is_not_judged_again(registry, pipeline_for, raw, records):
    """The same order answered from the record tells nobody a second time."""

    @tool(registry, idempotency_key=True)
    async def book(city: str) -> dict[str, str]:
        """Book."""
        return {}

    rules = Scorecard({"book": [complete("booking_id")]})
    pipeline = pipeline_for(registry, after=rules, on_bad_score=[log_bad_score(records.append)])
    results = [await pipeline.call(raw("book", city="Rome")) for _ in range(2)]
    assert [result.replayed for result in results] == [False, True]
    assert [record["event"] for record in records].count("bad_score") == 1


def test_rules_that_fit_no_tool_are_refused_at_once(registry, desk):
    """A mistyped name would score nothing, for ever."""
    with pytest.raises(ToolDefinitionError, match="There are rules for 'lok', which is no tool"):
        Pipeline(registry, after=Scorecard({"lok": [complete("high")]}))


@pytest.mark.row("E4", "E5")
async def test_the_agent_loop_takes_a_pipeline_for_a_gateway(registry, desk, pipeline_for):
    """The model of the next turn reads the feedback as a part of the tool's answer."""
    read = []
    client = scripted_client([asks_for(("look", {"city": "Rome"})), says("I do not know how warm it gets.")])
    pipeline = pipeline_for(registry, after=WEATHER)
    messages = [{"role": "user", "content": "How warm is Rome?"}]
    ended = await run_agent(client, pipeline, messages, model="any", on_message=read.append)
    assert ended.stop == "answered"
    assert json.loads(read[1]["content"])["feedback"] == (
        "Check this result before you use it: completeness 0.50: missing: high."
    )
