"""Laws that hold for any history: nothing raises, and taking evidence away never makes a run look better."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import EXPECTED, load_control
from toolkit.hotel.policy import HOTEL_MANNERS
from toolkit.trajectory import Verdict, evaluate, extract_calls
from toolkit.trajectory.pointers import resolve

POLICIES = (HOTEL_POLICY, HOTEL_MANNERS)
UNSETTLED = (Verdict.FAIL, Verdict.NOT_JUDGEABLE)

# -- any JSON ------------------------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
ROLES = ("user", "assistant", "tool", "function", "system", "developer", "narrator")
names = st.sampled_from(["set_plan", "get_weather", "search_hotels", "book_hotel"])
ids = st.sampled_from(["a", "b", "", 1]) | st.none()
texts = json_values.map(lambda value: json.dumps(value)) | st.text(max_size=8)
functions = st.fixed_dictionaries({}, optional={"name": names | json_values, "arguments": texts | json_values})
calls = st.fixed_dictionaries({}, optional={"id": ids | json_values, "function": functions | json_values})
parts = st.fixed_dictionaries({}, optional={"type": st.just("text") | json_values, "text": texts | json_values})
messages_like = st.fixed_dictionaries(
    {},
    optional={
        "role": st.sampled_from(ROLES) | json_values,
        "content": texts | st.lists(parts, max_size=2) | json_values,
        "tool_calls": st.lists(calls | json_values, max_size=3) | json_values,
        "tool_call_id": ids | json_values,
        "tool_call_ids": st.lists(ids, max_size=2) | json_values,
        "function_call": functions | json_values,
        "usage": st.fixed_dictionaries({"total_tokens": json_values}) | json_values,
        "_compacted": json_values,
    },
)


@given(st.lists(messages_like | json_values, max_size=8))
@settings(max_examples=200)
def test_no_list_of_json_values_raises(messages):
    """Whatever stands in a history it is read and judged, and every pointer leads somewhere."""
    before = copy.deepcopy(messages)
    for policy in POLICIES:
        report = evaluate(messages, policy)
        for result in report.results:
            resolve(messages, result.at)
            assert result.witness is None or result.verdict in (Verdict.PASS, Verdict.FAIL)
            if result.witness is not None:
                resolve(messages, result.witness)
        for anomaly in report.anomalies:
            resolve(messages, anomaly.at)
    assert repr(messages) == repr(before)


# -- plausible runs ------------------------------------------------------------------------------------------

cities = st.sampled_from(["Xi'an", "西安", "Shanghai"])
days = st.sampled_from(["2026-10-01", "2026-10-02"])
hotel_ids = st.sampled_from(["HT-001", "HT-002", "HT-009"])
refusals = st.just({"error": "try again"})


@st.composite
def steps(draw):
    """One call with a result that fits it: what was asked is what is answered."""
    kind = draw(st.sampled_from(["set_plan", "get_weather", "search_hotels", "book_hotel", "book_hotel"]))
    city, day = draw(cities), draw(days)
    if kind == "set_plan":
        arguments, told = {"steps": draw(st.sampled_from([["a"], []]))}, {"plan": []}
    elif kind == "get_weather":
        arguments = {"city": city, "date": day}
        told = {**arguments, "condition": draw(st.sampled_from(["rain", "clear", "hail"]))}
    elif kind == "search_hotels":
        arguments = {"city": city, "check_in": day}
        told = {**arguments, "hotels": [{"id": id} for id in draw(st.lists(hotel_ids, max_size=2, unique=True))]}
    else:
        room = draw(st.sampled_from(["suite", "standard"]))
        arguments = {"hotel_id": draw(hotel_ids), "room_type": room, "check_in": day, "nights": 2}
        told = {"status": "ok", **arguments}
    result = draw(st.just(told) | refusals | st.just("done") | st.just({**told, "truncated": True}))
    broken = draw(st.integers(0, 9)) == 0
    return kind, "{" if broken else json.dumps(arguments), json.dumps(result)


@st.composite
def runs(draw):
    """A run as an agent loop records it: turns with one to three calls, every call answered once."""
    messages = [{"role": "system", "content": "s"}, {"role": "user", "content": "Book a hotel."}]
    for number, turn in enumerate(draw(st.lists(st.lists(steps(), min_size=1, max_size=3), min_size=1, max_size=6))):
        functions = [
            {"id": f"c{number}_{place}", "function": {"name": name, "arguments": arguments}}
            for place, (name, arguments, _) in enumerate(turn)
        ]
        messages.append({"role": "assistant", "tool_calls": functions})
        for call, (_, _, result) in zip(functions, turn, strict=True):
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    return messages


controls = st.sampled_from([load_control(name, language) for name in EXPECTED for language in ("en", "zh")])
histories = runs() | controls


def verdicts(messages):
    return {result.name: result.verdict for policy in POLICIES for result in evaluate(messages, policy).results}


def assert_no_better(messages, poorer):
    """No check that failed, or could not be judged, passes on the poorer history; nor does the run."""
    before, after = verdicts(messages), verdicts(poorer)
    improved = [name for name, verdict in before.items() if verdict in UNSETTLED and after[name] is Verdict.PASS]
    assert not improved
    for policy in POLICIES:
        if evaluate(messages, policy).verdict in UNSETTLED:
            assert evaluate(poorer, policy).verdict is not Verdict.PASS


@pytest.mark.row("X3", "J8")
@given(histories, st.data())
@settings(max_examples=200)
def test_removing_a_result_never_makes_a_run_pass(messages, data):
    """A fail or a not judgeable stays one of the two when a result is lost."""
    results = [place for place, message in enumerate(messages) if message["role"] == "tool"]
    lost = data.draw(st.sets(st.sampled_from(results), min_size=1, max_size=3))
    assert_no_better(messages, [message for place, message in enumerate(messages) if place not in lost])


@pytest.mark.row("X3", "J8")
@given(histories, st.data())
@settings(max_examples=200)
def test_a_visible_cut_of_the_head_never_makes_a_run_pass(messages, data):
    """Where the cut shows, nothing passes at all."""
    begins = [place for place, message in enumerate(messages) if message["role"] == "tool" or message.get("tool_calls")]
    start = data.draw(st.sampled_from(begins))
    poorer = [messages[0], *messages[start:]]
    assert extract_calls(poorer).head_cut is not None
    assert_no_better(messages, poorer)
    assert Verdict.PASS not in verdicts(poorer).values()


@given(histories, st.text(max_size=20))
@settings(max_examples=100)
def test_the_last_words_change_nothing(messages, text):
    """A final answer, whatever it says, moves no verdict."""
    assert (
        verdicts([*messages, {"role": "assistant", "content": text}])["plan_first"] is verdicts(messages)["plan_first"]
    )
    assert evaluate([*messages, {"role": "assistant", "content": text}], HOTEL_POLICY).results == (
        evaluate([*messages, {"role": "assistant", "content": "Booked."}], HOTEL_POLICY).results
    )
