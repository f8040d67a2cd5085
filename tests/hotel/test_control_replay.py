"""The control trajectories are true to the code: their calls, run again, give the results they record."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolkit import Gateway
from toolkit.hotel import World, hotel_registry
from toolkit.resources import data_path

CONTROLS = sorted(path.name for path in data_path("controls").iterdir() if path.suffix in (".json", ".jsonl"))


def messages_of(name):
    text = data_path("controls", name).read_text(encoding="utf-8")
    if name.endswith(".jsonl"):
        return [json.loads(line)["message"] for line in text.splitlines()]
    return json.loads(text)["messages"]


def replayed(messages, world):
    """Run each turn's calls through the gateway and put the fresh results in place of the recorded ones."""

    async def inside():
        fresh = []
        async with Gateway(hotel_registry(world), log_sink=None) as gateway:
            for message in messages:
                if message["role"] != "tool":
                    fresh.append(message)
                    results = await gateway.call_all(message.get("tool_calls") or [])
                    fresh.extend(result.to_message() for result in results)
        return fresh

    return asyncio.run(inside())


def test_every_control_is_there_in_both_languages():
    """Five controls and the audit log, each in English and in Chinese."""
    names = {name.split(".")[0] for name in CONTROLS}
    assert names == {"ok", "skip", "fabricated_id", "wrong_room", "no_plan", "run-confirm"}
    assert {name.split(".")[1] for name in CONTROLS} == {"en", "zh"}
    assert len(CONTROLS) == 12


@pytest.mark.row("J3")
@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_records_what_the_tools_really_answer(name):
    """Message for message, in a fresh world of the control's language."""
    messages = messages_of(name)
    assert replayed(messages, World(name.split(".")[1])) == messages


@pytest.mark.row("J4")
@pytest.mark.parametrize("name", CONTROLS)
def test_the_store_holds_what_a_control_booked(name):
    """One booking, and none where the id was invented, whatever the final answer says."""
    world = World(name.split(".")[1])
    replayed(messages_of(name), world)
    assert len(world.bookings) == (0 if name.startswith("fabricated_id") else 1)
