"""What lesson 01 builds is what the package holds: the notebook's own definitions, on the same cases."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolkit import Gateway, Registry, ToolError
from toolkit.agent import asks_for, run_agent, says, scripted_client
from toolkit.hotel import World, hotel_registry
from toolkit.hotel.goal import opening
from toolkit.hotel.simulated import simulated_client
from toolkit.lab.ten_calls import CALLS, WAYS, survival
from toolkit.lessons.exercise_01_answer_call import ANSWER_CALL
from toolkit.trajectory import extract_calls
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

LESSON = load_definitions(ROOT / "notebooks" / "source" / "01_dict_of_tools.py")
HABITS = [(), ("skip_weather",), ("wrong_room",)]


def registry_of(world):
    registry = Registry()
    for tool in LESSON.hotel_tools(world).values():
        registry.register(**tool)
    return registry


def history_by_hand(client, world, **options):
    messages = opening()
    asyncio.run(LESSON.run_loop(client, "simulated", LESSON.hotel_tools(world), messages, **options))
    return messages


def history_by_package(client, world, **options):
    messages = opening()

    async def inside():
        async with Gateway(registry_of(world), log_sink=None) as gateway:
            await run_agent(client, gateway, messages, model="simulated", **options)

    asyncio.run(inside())
    return messages


def told(messages):
    """What happened, without how the messages were written down."""
    calls = [
        (call.turn, call.name, call.arguments, call.result, call.outcome) for call in extract_calls(messages).calls
    ]
    return calls, messages[-1].get("content")


@pytest.mark.row("T1", "K1")
def test_declare_is_the_registrys_export():
    """The list by hand is what `Registry.openai_tools` gives for the same tools."""
    assert LESSON.declare(LESSON.hotel_tools(World())) == registry_of(World()).openai_tools()


@pytest.mark.row("T1")
def test_the_hand_written_contract_has_the_parameters_of_the_hotels_own():
    """The lesson about drift must not have drifted: same names, same required ones as the decorated tool."""
    own = hotel_registry(World())["get_weather"].parameters
    by_hand = LESSON.WEATHER["parameters"]
    assert list(by_hand["properties"]) == list(own["properties"])
    assert by_hand["required"] == own["required"]


@pytest.mark.row("T1", "K1")
@pytest.mark.parametrize("sent", CALLS, ids=lambda sent: sent.what)
def test_dispatch_is_the_registrys_dispatch(sent):
    """Same value or same exception, for calls as models send them."""

    def outcome(run):
        try:
            return run()
        except (KeyError, TypeError, ValueError, ToolError) as error:
            return type(error), str(error)

    tools = LESSON.hotel_tools(World())
    by_hand = outcome(lambda: LESSON.dispatch(tools, sent.name, sent.arguments))
    assert by_hand == outcome(lambda: registry_of(World()).dispatch(sent.name, sent.arguments))


@pytest.mark.row("T1", "T13", "K1")
@pytest.mark.parametrize("habits", HABITS, ids=lambda habits: "+".join(habits) or "good")
def test_the_loop_is_the_packages_loop_where_no_call_is_wrong(habits):
    """Same calls, results and last words as `run_agent`, and the same bookings."""
    faults = dict.fromkeys(("no_plan", *habits), 1.0)
    worlds = World(), World()
    by_hand = history_by_hand(simulated_client(faults=faults), worlds[0])
    by_package = history_by_package(simulated_client(faults=faults), worlds[1])
    assert told(by_hand) == told(by_package)
    assert worlds[0].bookings == worlds[1].bookings != []


@pytest.mark.row("T1")
def test_two_calls_in_one_turn_are_answered_alike():
    """Siblings are answered in order, before the model is asked again."""
    calls = [("get_weather", {"city": city, "date": "2026-10-01"}) for city in ("Xi'an", "Shanghai")]
    script = [asks_for(*calls), says("Rain and sun.")]
    by_hand = history_by_hand(scripted_client(script), World())
    assert told(by_hand) == told(history_by_package(scripted_client(script), World()))
    assert [message["role"] for message in by_hand[2:]] == ["assistant", "tool", "tool", "assistant"]


@pytest.mark.row("T1")
def test_both_loops_stop_a_model_that_never_answers():
    """After `max_turns` replies the run is over, every call answered."""
    script = [asks_for(("get_weather", {"city": "Xi'an", "date": f"2026-10-0{day}"})) for day in range(1, 9)]
    by_hand = history_by_hand(scripted_client(script), World(), max_turns=3)
    assert told(by_hand) == told(history_by_package(scripted_client(script), World(), max_turns=3))
    assert len(extract_calls(by_hand).calls) == 3


@pytest.mark.row("T1")
def test_where_a_tool_refuses_the_loops_differ_as_the_lesson_says():
    """By hand the run dies with the refusal; in the package the model reads it."""
    script = [asks_for(("book_hotel", {**LESSON.STAY, "hotel_id": "HT-001"})), says("I could not book it.")]
    with pytest.raises(ToolError, match="No suite at HT-001"):
        history_by_hand(scripted_client(script), World())
    by_package = history_by_package(scripted_client(script), World())
    assert json.loads(by_package[3]["content"])["error"].startswith("No suite at HT-001")


@pytest.mark.row("T1")
def test_the_exercise_gives_the_dict_that_tells_errors():
    """The solution of 01.answer_call ends all ten calls as the column "errors told" does."""
    answer_call = ANSWER_CALL.answer(ANSWER_CALL.solution)

    def way(world):
        tools = LESSON.hotel_tools(world)

        def run(name, arguments):
            call = {"id": "a", "function": {"name": name, "arguments": arguments}}
            return json.loads(answer_call(tools, call)["content"])

        return run

    assert [one.ending for one in survival(way)] == [one.ending for one in survival(WAYS["errors told"])]
