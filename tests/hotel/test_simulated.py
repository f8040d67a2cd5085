"""The simulated agent: it acts on what it sees, and its faults are found by the checks they belong to."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import openai
import pytest

from toolkit import Context, Gateway, ToolError, tool
from toolkit.agent import run_agent
from toolkit.hotel import HOTEL_POLICY, World, hotel_registry
from toolkit.hotel.goal import opening
from toolkit.hotel.run import run_simulated
from toolkit.hotel.simulated import FAULTS, draw_faults, simulated_client
from toolkit.trajectory import evaluate, extract_calls

FAILS = {
    "no_plan": {"plan_first"},
    "skip_weather": {"no_skipped_step", "room_matches_weather"},
    "invent_id": {"argument_provenance"},
    "wrong_room": {"room_matches_weather"},
    "bad_json": set(),
    "loop": {"no_skipped_step"},
}


def simulate(*faults, language="en", seed=0):
    return asyncio.run(run_simulated(seed, dict.fromkeys(faults, 1.0), language))


def failed(messages):
    report = evaluate(messages, policy=HOTEL_POLICY)
    return {result.name for result in report.results if str(result.verdict) == "fail"}


def converse(registry, messages):
    """Let the agent without faults work on a conversation, on the tools given."""

    async def inside():
        async with Gateway(registry, log_sink=None) as gateway:
            return await run_agent(simulated_client(), gateway, messages, model="simulated")

    return asyncio.run(inside())


@pytest.mark.row("X1")
def test_it_is_the_openai_client_and_says_that_it_is_simulated():
    """Replies come through the real client and are labelled."""
    client = simulated_client()
    reply = asyncio.run(client.chat.completions.create(model="any", messages=opening()))
    assert type(client) is openai.AsyncOpenAI
    assert reply.model == "simulated"


@pytest.mark.row("T13")
@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "Booked: a suite at Sofitel at the Bell Tower from 2026-10-01 for 2 nights."),
        ("zh", "已预订：钟楼索菲特，套房，2026-10-01 入住，共 2 晚。"),
    ],
)
def test_without_faults_it_reaches_the_goal(language, answer):
    """All four checks pass, the suite at the Sofitel is in the store, the answer is in the user's language."""
    recording = simulate(language=language)
    report = evaluate(recording["messages"], policy=HOTEL_POLICY)
    assert [str(result.verdict) for result in report.results] == ["pass"] * 4
    (booking,) = recording["meta"]["bookings"]
    assert recording["meta"]["detail"] == answer
    assert (booking["hotel_id"], booking["room_type"], booking["nights"]) == ("HT-002", "suite", 2)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_fails_the_checks_it_should(fault, language):
    """Exactly these checks fail; where none does, the gateway let the agent recover."""
    assert failed(simulate(fault, language=language)["messages"]) == FAILS[fault]


@pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"loop"}))
def test_a_faulty_agent_claims_success_all_the_same(fault):
    """The final answer says booked, so it proves nothing."""
    assert simulate(fault)["meta"]["detail"].startswith("Booked: ")


def test_an_invented_id_is_not_in_the_search_and_books_nothing():
    """The store is empty although the agent says booked."""
    recording = simulate("invent_id")
    calls = extract_calls(recording["messages"]).calls
    (booking,) = [call for call in calls if call.name == "book_hotel"]
    assert booking.arguments["hotel_id"] not in json.dumps([c.result for c in calls if c.name == "search_hotels"])
    assert recording["meta"]["bookings"] == []


def test_bad_json_is_answered_and_the_agent_recovers():
    """The cut-off search is refused, sent again whole, and the booking is made."""
    recording = simulate("bad_json")
    trace = extract_calls(recording["messages"])
    searches = [(call.arguments is None, str(call.outcome)) for call in trace.calls if call.name == "search_hotels"]
    assert searches == [(True, "error"), (False, "success")]
    assert "args_invalid" in {anomaly.code for anomaly in trace.anomalies}
    assert len(recording["meta"]["bookings"]) == 1


@pytest.mark.row("J10")
def test_a_looping_agent_is_stopped():
    """The guard ends the run at the second equal call; nothing is booked."""
    recording = simulate("loop")
    assert (recording["meta"]["stop"], recording["meta"]["bookings"]) == ("repeated_call", [])


@pytest.mark.parametrize("faults", [(), ("invent_id", "no_plan")])
def test_the_same_seed_gives_the_same_run(faults):
    """Byte for byte, tokens and ids included."""
    assert json.dumps(simulate(*faults, seed=7)) == json.dumps(simulate(*faults, seed=7))


def test_runs_at_the_same_time_do_not_disturb_each_other():
    """Twenty runs of twenty seeds together are the twenty runs one by one."""
    faults = dict.fromkeys(FAULTS, 0.4)

    async def together():
        return await asyncio.gather(*(run_simulated(seed, faults) for seed in range(20)))

    one_by_one = [asyncio.run(run_simulated(seed, faults)) for seed in range(20)]
    assert asyncio.run(together()) == one_by_one


def test_a_fault_happens_about_as_often_as_its_probability():
    """Of 2,000 seeds, within four standard deviations of 30 %; the faults are drawn apart."""
    drawn = [draw_faults(seed, {"loop": 0.3, "no_plan": 0.3}) for seed in range(2_000)]
    assert abs(sum("loop" in faults for faults in drawn) - 600) < 82
    assert abs(sum(len(faults) == 2 for faults in drawn) - 180) < 52


@pytest.mark.parametrize(
    ("faults", "text"),
    [
        (
            {"lazy": 1.0},
            "No fault is called 'lazy'. Faults: no_plan, skip_weather, invent_id, wrong_room, bad_json, loop.",
        ),
        ({"loop": 1.5}, "The probability of 'loop' is 1.5; it must lie between 0 and 1."),
        ({"loop": float("nan")}, "The probability of 'loop' is nan; it must lie between 0 and 1."),
    ],
)
def test_a_fault_that_cannot_be_is_refused(faults, text):
    """An unknown name or an impossible probability, named with the rule."""
    with pytest.raises(ValueError) as refused:
        simulated_client(faults=faults)
    assert str(refused.value) == text


# -- it acts on what it sees ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("Book a hotel in Xi'an for two nights from 3 October 2026.", ("HT-001", "standard", "2026-10-03", 2)),
        ("A room in Shanghai from 2026-10-03, 1 night", ("HT-004", "suite", "2026-10-03", 1)),
        ("请预订上海的酒店，2026年10月1日入住，共三晚。", ("HT-005", "standard", "2026-10-01", 3)),
    ],
)
def test_another_goal_and_other_weather_lead_to_another_booking(goal, expected):
    """City, date and nights come from the user, the room from the forecast, the hotel from the search."""
    world = World()
    converse(hotel_registry(world), [{"role": "user", "content": goal}])
    (booking,) = world.bookings
    assert tuple(booking[name] for name in ("hotel_id", "room_type", "check_in", "nights")) == expected


def test_it_asks_where_the_goal_is_not_clear():
    """No date, no call."""
    ended = converse(hotel_registry(World()), [{"role": "user", "content": "A room in Xi'an, please."}])
    assert (ended.turns, ended.detail) == (1, "Which city, from which date, and for how many nights?")


def test_where_there_is_no_hotel_it_books_nothing_and_says_so():
    """A search that finds nothing is a result too."""
    world = World()
    goal = "Book a hotel in Dunhuang for two nights from 1 October 2026."
    ended = converse(hotel_registry(world), [{"role": "user", "content": goal}])
    assert ended.detail == ("Nothing is booked: no hotel in Dunhuang offers a standard room from 2026-10-01.")
    assert world.bookings == []


def test_it_gives_up_on_an_error_that_will_not_pass():
    """A date beyond the forecast: the tool's own words reach the user, nothing is booked."""
    world = World()
    goal = "Book a hotel in Xi'an for two nights from 1 December 2026."
    ended = converse(hotel_registry(world), [{"role": "user", "content": goal}])
    assert ended.detail == (
        "Nothing is confirmed: get_weather failed. No forecast for Xi'an on 2026-12-01. "
        "The forecast covers 2026-09-15 to 2026-10-14. Ask for a date in that range."
    )
    assert world.bookings == []


@pytest.mark.parametrize(("failures", "stop"), [(2, "Booked: "), (3, "Nothing is confirmed: get_weather failed.")])
def test_it_tries_again_where_the_answer_invites_it(failures, stop):
    """Three attempts at a step, then it gives up."""
    registry, left = hotel_registry(World()), [failures]
    registry.remove("get_weather")

    @tool(registry)
    async def get_weather(city: str, date: str) -> dict[str, str]:
        """Fail a few times first."""
        left[0] -= 1
        if left[0] >= 0:
            raise ToolError("The station does not answer. Try again.", retryable=True)
        return {"city": city, "date": date, "condition": "rain"}

    assert converse(registry, opening()).detail.startswith(stop)


@pytest.mark.row("J5")
@pytest.mark.row("J10")
def test_a_run_stops_for_a_confirmation_and_goes_on_once_it_is_given():
    """The agent asks instead of claiming; the user's word lets exactly this booking through, once."""
    world = World()
    registry = hotel_registry(world)
    booking = registry["book_hotel"]
    registry.replace(replace(booking, policy=replace(booking.policy, confirm=True)))

    async def inside():
        async with Gateway(registry, log_sink=None) as gateway:
            asked = await run_agent(simulated_client(), gateway, opening(), model="simulated")
            before = world.bookings
            agreed = Context(confirmed={result.error.confirmation for result in asked.unconfirmed})
            messages = [*asked.messages, {"role": "user", "content": "Yes, please."}]
            done = await run_agent(simulated_client(), gateway, messages, model="simulated", context=agreed)
        return asked, before, done

    asked, before, done = asyncio.run(inside())
    assert asked.detail == "Shall I book a suite at Sofitel at the Bell Tower from 2026-10-01 for 2 nights?"
    assert (before, [result.tool for result in asked.unconfirmed]) == ([], ["book_hotel"])
    assert done.detail.startswith("Booked: ")
    assert (len(world.bookings), done.unconfirmed) == (1, ())
    assert failed(done.messages) == set()
