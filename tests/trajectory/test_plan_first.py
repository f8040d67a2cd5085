"""plan_first: a successful plan with at least one step stands before the first business call."""

from __future__ import annotations

import pytest

from toolkit.trajectory import Call, called_before

NAME = "plan_first"


@pytest.mark.row("J2")
def test_a_plan_in_an_earlier_turn_passes(make):
    """The usual case, with a pointer to the first business call."""
    result = make.check(make.good(), NAME)
    assert (str(result.verdict), result.code, result.at) == ("pass", "ok", "/4/tool_calls/0")
    assert result.reason == "'set_plan' (call 0) ran before call 1 (get_weather)"


def test_a_plan_earlier_in_the_same_turn_passes(make):
    """Plan and weather may be siblings, the plan listed first."""
    messages = make.talk(make.turn(make.plan(), make.weather()), make.turn(make.search()), make.turn(make.book()))
    assert make.verdict(messages, NAME) == ("pass", "ok")


def test_a_plan_later_in_the_same_turn_fails(make):
    """Listed after a business call of its turn it comes too late."""
    messages = make.talk(make.turn(make.weather(), make.plan()), make.turn(make.search()), make.turn(make.book()))
    assert make.verdict(messages, NAME) == ("fail", "step_missing")


def test_a_later_plan_does_not_help(make):
    """The fail stands at the business call that came before it."""
    messages = make.talk(make.turn(make.weather()), make.turn(make.plan()), make.turn(make.search()))
    result = make.check(messages, NAME)
    assert (str(result.verdict), result.at) == ("fail", "/2/tool_calls/0")
    assert result.reason == "call 0 is 'get_weather', but 'set_plan' has not run yet"


def test_a_failed_plan_does_not_count(make):
    """A plan the tool refused is no plan."""
    result = make.check(make.good(plan=make.plan(result={"error": "no"})), NAME)
    assert (str(result.verdict), result.code) == ("fail", "step_failed")
    assert result.reason == "call 1 is 'get_weather', but 'set_plan' (call 0) had failed"


@pytest.mark.parametrize("steps", [[], [""], ["  "]])
def test_an_empty_plan_does_not_count(make, steps):
    """A plan needs at least one step in its arguments, whatever its result says."""
    assert make.verdict(make.good(plan=make.plan(steps)), NAME) == ("fail", "step_empty")


@pytest.mark.parametrize("arguments", [{}, {"steps": None}, {"steps": "look, book"}])
def test_a_plan_without_a_list_of_steps_does_not_count(make, arguments):
    """Steps are a list."""
    assert make.verdict(make.good(plan=make.call("set_plan", arguments, {"plan": []})), NAME) == ("fail", "step_empty")


def test_a_second_try_at_the_plan_counts(make):
    """A plan that failed may be made again before the first business call."""
    messages = make.talk(
        make.turn(make.plan(result={"error": "no"})), make.turn(make.plan()), make.turn(make.weather())
    )
    assert make.verdict(messages, NAME) == ("pass", "ok")


def test_planning_again_is_legal(make):
    """A new plan on the way changes nothing."""
    messages = make.talk(
        *(make.turn(step) for step in (make.plan(), make.weather(), make.plan(["other"]), make.search(), make.book()))
    )
    assert make.verdict(messages, NAME) == ("pass", "ok")


def test_without_a_business_call_it_does_not_apply(make):
    """A plan that leads nowhere is not this check's concern."""
    assert make.verdict(make.talk(make.turn(make.plan())), NAME) == ("not_applicable", "not_called")


def test_another_plan_tool_is_no_plan(make):
    """Only set_plan counts, however well another call went."""
    mark = make.call("mark_step", {"index": 0, "steps": ["book"]}, {"plan": []})
    assert make.verdict(make.talk(make.turn(mark), make.turn(make.weather())), NAME) == ("fail", "step_missing")


def test_mark_step_is_no_business_call(make):
    """Plan tools may come in any order."""
    messages = make.talk(
        make.turn(make.call("mark_step", {"index": 0}, {"error": "no plan"})),
        *map(make.turn, [make.plan(), make.weather()]),
    )
    assert make.verdict(messages, NAME) == ("pass", "ok")


@pytest.mark.parametrize(
    ("result", "code"),
    [("Plan saved.", "result_unstructured"), ([1], "outcome_undeclared"), ("", "result_unstructured")],
)
def test_a_plan_of_unknown_outcome_is_not_judgeable(make, result, code):
    """Nobody can say whether there was a plan."""
    assert make.verdict(make.good(plan=make.plan(result=result)), NAME) == ("not_judgeable", code)


def test_a_plan_whose_result_is_missing_is_not_judgeable(make):
    """A lost result is no failure."""
    assert make.verdict(make.good(plan=make.plan(result=make.missing)), NAME) == ("not_judgeable", "result_missing")


@pytest.mark.row("R11")
def test_an_unreadable_plan_that_succeeded_is_not_judgeable(make):
    """Whether it had a step is unknown."""
    unreadable = make.call("set_plan", "{", {"plan": []})
    assert make.verdict(make.good(plan=unreadable), NAME) == ("not_judgeable", "args_invalid")


def test_steps_may_be_objects(make):
    """A step is whatever the tool takes for one, as long as it is not blank text."""
    assert make.verdict(make.good(plan=make.plan([{"title": "weather"}])), NAME) == ("pass", "ok")


def test_arguments_matter_only_where_the_check_asks_for_them():
    """Without a list that must have entries, an unreadable call that succeeded has run."""
    calls = [Call("search", None), Call("book", {})]
    assert called_before(calls, "search", "book").code == "ok"
    assert called_before(calls, "search", "book", nonempty="steps").code == "args_invalid"


@pytest.mark.row("R10")
def test_an_unreadable_plan_that_failed_is_a_failed_attempt(make):
    """A retry makes it good; without one the check fails."""
    failed = make.call("set_plan", "{", {"error": "not JSON"})
    assert make.verdict(make.good(plan=failed), NAME) == ("fail", "step_failed")
    steps = (failed, make.plan(), make.weather(), make.search(), make.book())
    assert make.verdict(make.talk(*map(make.turn, steps)), NAME) == ("pass", "ok")


@pytest.mark.row("J8")
def test_a_cut_head_without_a_plan_is_not_judgeable(make):
    """The plan may have stood in what was cut."""
    assert make.verdict(make.good()[4:], NAME) == ("not_judgeable", "head_truncated")


@pytest.mark.row("J8")
def test_a_cut_head_with_a_plan_is_not_judgeable(make):
    """What would pass cannot pass while the beginning is missing: a business call may have stood there."""
    result = make.check([make.good()[0], *make.good()[2:]], NAME)
    assert (str(result.verdict), result.code) == ("not_judgeable", "head_truncated")
    assert result.reason == (
        "'set_plan' (call 0) ran before call 1 (get_weather), but the beginning is missing: "
        "the history begins with calls that nobody asked for"
    )
