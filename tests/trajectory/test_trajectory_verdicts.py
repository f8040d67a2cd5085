"""From results to a verdict: the worst counts, nothing passes by saying nothing, shared ids are never guessed."""

from __future__ import annotations

import gc

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.trajectory import Call, CheckResult, Trace, Verdict, called_before, evaluate, extract_calls
from toolkit.trajectory.records import overall

PASS, FAIL, OPEN, NONE = Verdict.PASS, Verdict.FAIL, Verdict.NOT_JUDGEABLE, Verdict.NOT_APPLICABLE


@pytest.mark.row("X2")
@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        ([PASS, FAIL, OPEN, NONE], FAIL),
        ([PASS, OPEN, NONE], OPEN),
        ([PASS, NONE], PASS),
        ([NONE, NONE], NONE),
        ([], NONE),
    ],
)
def test_the_worst_verdict_counts(verdicts, expected):
    """Any fail, else any not judgeable, else pass if one check passed, else not applicable."""
    assert overall(verdicts) is expected


def test_a_verdict_prints_as_its_word():
    """The words of the report are the words of the rules."""
    assert [str(verdict) for verdict in Verdict] == ["pass", "fail", "not_judgeable", "not_applicable"]


def test_a_report_holds_one_result_per_check_in_order(make):
    """Every result has a name, a verdict, a code, a reason and a pointer."""
    report = make.judge(make.good())
    assert report.verdict is PASS
    assert [result.name for result in report.results] == [check.name for check in HOTEL_POLICY.checks]
    assert all(isinstance(result, CheckResult) and result.reason and result.at for result in report.results)


def test_a_report_is_asked_by_name(make):
    """A name the policy does not have is an error, not a pass."""
    with pytest.raises(KeyError, match="plan_last"):
        make.judge(make.good())["plan_last"]


@pytest.mark.row("P84")
@pytest.mark.parametrize("messages", [[], [{"role": "user", "content": "refund o1"}]])
def test_a_run_without_calls_never_passes(make, messages):
    """Nothing was done: the required step fails, the others do not apply."""
    report = make.judge([*messages, {"role": "assistant", "content": "Done, refunded."}])
    assert [str(result.verdict) for result in report.results] == ["not_applicable", "fail", *["not_applicable"] * 2]
    assert report.verdict is FAIL


def test_a_trace_is_judged_like_the_messages_it_came_from(make):
    """Extraction may be done once and judged by many policies."""
    messages = make.good()
    assert evaluate(extract_calls(messages), HOTEL_POLICY) == evaluate(messages, HOTEL_POLICY)


@pytest.mark.row("J1", "J4")
@pytest.mark.parametrize("answer", ["No.", "", "Booked: HT-009, a standard room.", '{"error": "failed"}'])
def test_the_final_answer_is_never_read(make, answer):
    """Whatever it says, no result changes."""
    messages = make.good()
    rewritten = [*messages[:-1], {"role": "assistant", "content": answer}]
    assert make.judge(rewritten).results == make.judge(messages).results


def test_bare_calls_can_be_judged_too():
    """A check takes a list of calls, one turn each; the calls of a trace keep their turns."""
    assert called_before([Call("search", {}), Call("book", {})], "search", "book").verdict is PASS
    siblings = (Call("book", {}, index=0), Call("search", {}, index=1))
    assert Trace.of(siblings).calls == siblings
    assert called_before(siblings, "search", "book").verdict is FAIL


def twins(make, first, second):
    """A booked run whose weather was asked twice in one turn under one id, with these two results."""
    asked = [make.weather(result=first), make.weather(result=second)]
    for each in asked:
        each["id"] = "same"
    return make.talk(make.turn(make.plan()), make.turn(*asked), make.turn(make.search()), make.turn(make.book()))


RAIN = {"city": "Xi'an", "date": "2026-10-01", "condition": "rain"}
CLEAR = {**RAIN, "condition": "clear"}


@pytest.mark.row("R4")
def test_a_shared_id_is_judged_where_every_pairing_agrees(make):
    """Both results say rain, so it does not matter whose is whose."""
    assert make.judge(twins(make, RAIN, RAIN)).verdict is PASS


@pytest.mark.row("R4")
def test_a_shared_id_is_not_judged_where_pairings_differ(make):
    """One weather says rain, one clear: which is the latest is unknown, and no other check is touched."""
    report = make.judge(twins(make, RAIN, CLEAR))
    result = report["room_matches_weather"]
    assert (str(result.verdict), result.code, result.at) == ("not_judgeable", "duplicate_id", "/4/tool_calls/0")
    assert result.reason == ("calls of one turn share the id 'same', and the verdict depends on whose result is whose")
    assert [str(each.verdict) for each in report.results] == ["pass", "pass", "pass", "not_judgeable"]


@pytest.mark.row("R4")
def test_a_shared_id_with_one_answer_may_belong_to_either(make):
    """Weather and search share an id and one result came back: neither is known to be complete."""
    asked = [make.weather(), make.search(result=make.missing)]
    for each in asked:
        each["id"] = "same"
    messages = make.talk(make.turn(make.plan()), make.turn(*asked), make.turn(make.book()))
    assert make.verdict(messages, "no_skipped_step")[0] == "not_judgeable"
    assert make.verdict(messages, "plan_first") == ("pass", "ok")


@pytest.mark.row("R4")
def test_too_many_pairings_are_judged_as_if_nothing_was_readable(make):
    """Seven calls under one id have 5,040 pairings; what needs a result of theirs is not judgeable."""
    asked = [make.weather() for _ in range(7)]
    for each in asked:
        each["id"] = "same"
    messages = make.talk(make.turn(make.plan()), make.turn(*asked), make.turn(make.search()), make.turn(make.book()))
    verdicts = [str(result.verdict) for result in make.judge(messages).results]
    assert verdicts == ["pass", "not_judgeable", "pass", "not_judgeable"]


@pytest.mark.row("R3")
def test_ids_used_again_change_no_verdict(make):
    """Every call of a run may carry the same id, one to a turn."""
    steps = (make.plan(), make.weather(), make.search(), make.book())
    messages = make.talk(*(make.turn({**step, "id": "x"}) for step in steps))
    report = make.judge(messages)
    assert report.verdict is PASS
    assert [anomaly.code for anomaly in report.anomalies] == ["id_reused"] * 3


@pytest.mark.parametrize(
    "unreadable",
    [
        7,
        {"role": "assistant", "tool_calls": ["set_plan"]},
        {"role": "assistant", "tool_calls": [{"id": "x", "function": {"arguments": "{}"}}]},
        {"role": "model", "tool_calls": [{"id": "x", "function": {"name": "set_plan"}}]},
    ],
)
def test_what_cannot_be_read_may_have_held_what_is_not_seen(make, unreadable):
    """A plan nobody sees may stand in a message or a call that cannot be read; a wrong room stays wrong."""
    messages = make.good(plan=None, book=make.book(room_type="standard"))
    assert make.verdict(messages, "plan_first") == ("fail", "step_missing")
    messages.insert(2, unreadable)
    assert make.verdict(messages, "plan_first")[0] == "not_judgeable"
    assert make.verdict(messages, "room_matches_weather") == ("fail", "mismatch")


def test_a_strange_role_without_calls_hides_nothing(make):
    """It is noted, and what is not seen did not happen."""
    messages = make.good(plan=None)
    messages.insert(2, {"role": "critic", "content": "Nice."})
    assert make.verdict(messages, "plan_first") == ("fail", "step_missing")


def test_a_judged_run_leaves_no_garbage_behind(make):
    """Nothing that a judgement makes refers to itself, so memory is free as soon as the report is."""
    messages = make.good()
    evaluate(messages, HOTEL_POLICY)
    gc.collect()
    gc.disable()
    try:
        evaluate(messages, HOTEL_POLICY)
        assert gc.collect() == 0
    finally:
        gc.enable()
