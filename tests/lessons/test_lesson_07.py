"""What lesson 07 builds is what the package holds: the notebook's own definitions, on the same runs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit import trajectory
from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import CONTROLS, EXPECTED, LANGUAGES, load_control
from toolkit.hotel.policy import BUSINESS_TOOLS, ROOM_FOR_WEATHER
from toolkit.lab.edit_run import TAKEN_OUT, edit_run
from toolkit.lab.odd_runs import odd_runs, try_judge
from toolkit.trajectory import Call, Entity, Outcome, Trace, Verdict, evaluate, extract_calls
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

LESSON = load_definitions(ROOT / "notebooks" / "source" / "07_judging_a_trajectory.py")
SUCCESS, ERROR, UNKNOWN, MISSING = Outcome
PROBLEMS = {UNKNOWN: "result_unstructured", MISSING: "result_missing"}
CITY = Entity("city", LESSON.XIAN[1])

# A cut head is beyond the lesson's own judge; it shows the package's.
WHOLE = [taken_out for taken_out in TAKEN_OUT if taken_out != "all before the search"]
EDITS = [
    *({"taken_out": taken_out} for taken_out in WHOLE),
    *({"hotel_id": hotel} for hotel in ("HT-003", "HT-004", "HT-200")),
    {"room_type": "standard"},
]
RUNS = {
    **{f"{name}.{language}": load_control(name, language) for name in CONTROLS for language in LANGUAGES},
    **{str(edit): edit_run(load_control("ok"), **edit) for edit in EDITS},
    **{odd.what: odd.messages for odd in odd_runs()},
}
each_run = pytest.mark.parametrize("messages", RUNS.values(), ids=RUNS)

ARGUMENTS = {
    "set_plan": st.just({"steps": ["search"]}),
    "get_weather": st.fixed_dictionaries(
        {"city": st.sampled_from(["Xi'an", "西安", "Shanghai"]), "date": st.sampled_from(["10-01", "10-02"])}
    ),
    "search_hotels": st.fixed_dictionaries({"city": st.sampled_from(["Xi'an", "西安", "Shanghai"])}),
    "book_hotel": st.fixed_dictionaries(
        {
            "hotel_id": st.sampled_from(["HT-1", "HT-2", "HT-9"]),
            "room_type": st.sampled_from(["suite", "standard"]),
            "check_in": st.sampled_from(["10-01", "10-02"]),
        }
    ),
}
IDS = st.lists(st.sampled_from(["HT-1", "HT-2"]), min_size=1)
RESULTS = {
    "set_plan": st.just({"plan": []}),
    "get_weather": st.fixed_dictionaries({"condition": st.sampled_from(["rain", "clear", "hail"])}),
    "search_hotels": IDS.map(lambda ids: {"hotels": [{"id": id} for id in ids]}),
    "book_hotel": st.just({"status": "ok"}),
}
OTHERWISE = {ERROR: {"error": "no connection"}, UNKNOWN: "It went well.", MISSING: None}


@st.composite
def call_lists(draw):
    """Calls of one run in any order, siblings among them, their results right, failed, unreadable or missing."""
    calls, turn = [], 0
    for index in range(draw(st.integers(0, 7))):
        turn += draw(st.integers(0, 1))
        name = draw(st.sampled_from(list(ARGUMENTS)))
        ends = [SUCCESS, SUCCESS, ERROR] + [UNKNOWN, MISSING] * (name != "book_hotel")
        outcome = draw(st.sampled_from(ends))
        result = draw(RESULTS[name]) if outcome is SUCCESS else OTHERWISE[outcome]
        at, problem = f"/{index}", PROBLEMS.get(outcome)
        end = {"result": result, "outcome": outcome, "result_at": at, "content_at": at, "problem": problem}
        calls.append(Call(name, draw(ARGUMENTS[name]), index, turn, str(index), at=at, **end))
    return calls


@each_run
@pytest.mark.row("R2", "R3", "R9", "R14")
def test_read_calls_reads_what_extract_calls_reads(messages):
    """Name, arguments, turn, result, outcome and pointer of every call are the same."""
    read = [
        [(call.index, call.turn, call.name, call.arguments, call.result, call.outcome, call.at) for call in calls]
        for calls in (LESSON.read_calls(messages), extract_calls(messages).calls)
    ]
    assert read[0] == read[1]


@each_run
@pytest.mark.row("J2", "K1")
def test_the_lessons_judge_gives_the_packages_verdicts(messages):
    """Each of the four checks, and all of them together, say the same word of the same run."""
    mine, report = LESSON.judge(messages, LESSON.MY_POLICY), evaluate(messages, policy=HOTEL_POLICY)
    differ = {name for name, result in mine.items() if result.verdict is not report[name].verdict}
    # The package asks for the weather where the booked hotel stands; the lesson asks for that of the goal's city.
    assert differ == ({"room_matches_weather"} if messages == RUNS["the hotel is of another city"] else set())
    assert LESSON.worst(mine.values()).verdict is report.verdict


@settings(max_examples=300, deadline=None)
@given(call_lists())
def test_the_small_checks_are_the_packages_on_any_run(calls):
    """The same verdict on runs nobody thought of; where one fails, it points to the same call."""
    trace = Trace(tuple(calls), turns=calls[-1].turn + 1 if calls else 0)
    sources = {"search_hotels": "hotels[*].id"}
    weather = {"expected": ROOM_FOR_WEATHER, "match": {"date": "check_in"}}
    pairs = {
        "called_before": trajectory.called_before(trace, "set_plan", BUSINESS_TOOLS),
        "steps_in_order": trajectory.steps_in_order(trace, BUSINESS_TOOLS),
        "value_from_result": trajectory.value_from_result(trace, "book_hotel", "hotel_id", sources, entity=CITY),
        "values_agree": trajectory.values_agree(
            trace, "book_hotel", "room_type", "get_weather", "condition", entity=CITY, **weather
        ),
    }
    names = zip(LESSON.MY_POLICY.values(), pairs.items(), strict=True)
    for mine, (name, theirs) in ((ask(calls), pair) for ask, pair in names):
        assert mine.verdict is theirs.verdict, name
        if theirs.verdict is Verdict.FAIL and name != "values_agree":
            assert mine.at == theirs.at, name


def test_the_quick_judge_is_right_on_the_controls_and_wrong_on_the_world():
    """The failure that opens the lesson: it finds what it was written for, and none of nine odd recordings."""
    assert [name for name in CONTROLS if not LESSON.quick_judge(load_control(name))] == ["skip", "fabricated_id"]
    assert try_judge(LESSON.quick_judge).summary == "Right on 0 of 9."


@pytest.mark.row("J3")
@pytest.mark.parametrize("control", CONTROLS)
def test_the_lessons_policy_gives_each_control_its_own_fails(control):
    """Exactly the declared set, for the policy a reader has built."""
    results = LESSON.judge(load_control(control), LESSON.MY_POLICY)
    assert {name for name, result in results.items() if result.verdict is Verdict.FAIL} == EXPECTED[control].fails


def test_the_packages_judge_is_right_on_every_odd_recording():
    """What each recording should get is what `evaluate` gives."""
    assert try_judge(lambda messages: evaluate(messages, policy=HOTEL_POLICY).verdict).summary == "Right on 9 of 9."
