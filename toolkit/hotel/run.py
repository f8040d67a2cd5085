"""One run of the agent on the goal, in a world of its own, as a recording that `toolkit check` judges."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolkit.agent.loop import Message, run_agent
from toolkit.agent.models import SIMULATED
from toolkit.endpoint import Endpoint
from toolkit.gateway import Gateway
from toolkit.hotel.catalogue import Language
from toolkit.hotel.goal import opening
from toolkit.hotel.simulated import Fault, draw_faults, simulated_client
from toolkit.hotel.tools import hotel_registry
from toolkit.hotel.world import World
from toolkit.records import Context

if TYPE_CHECKING:
    from openai import AsyncOpenAI


async def run_goal(
    client: AsyncOpenAI,
    *,
    model: str,
    run: str,
    language: Language = "en",
    world: World | None = None,
    start: Sequence[Mapping[str, Any]] | None = None,
    on_message: Callable[[Message], None] = lambda message: None,
    **options: Any,
) -> dict[str, Any]:
    """Run any model on the goal and return the recording: `messages`, and `meta` about how they came to be.

    Args:
        client: Any openai client.
        model: The model's name, as the client's server knows it.
        run: Id of the run.
        language: Of goal, tools and world.
        world: Where it takes place; a new one if not given.
        start: The system's and the user's messages, where the goal is put in other words than `opening`.
        on_message: Told of each message, the opening ones included, such as `AuditLog.append`.
        options: More for the requests, such as `temperature`.
    """
    world = World(language) if world is None else world
    messages: list[Message] = [dict(message) for message in start or opening(language)]
    for message in messages:
        on_message(message)
    async with Gateway(hotel_registry(world), log_sink=None) as gateway:
        ended = await run_agent(
            client,
            gateway,
            messages,
            model=model,
            context=Context(session=run),
            language=language,
            on_message=on_message,
            **options,
        )
    meta = {
        "run": run,
        "model": model,
        "language": language,
        "stop": ended.stop,
        "detail": ended.detail,
        "turns": ended.turns,
        "bookings": world.bookings,
    }
    return {"messages": messages, "meta": meta}


async def run_simulated(
    seed: int = 0,
    faults: Mapping[Fault, float] | None = None,
    language: Language = "en",
    on_message: Callable[[Message], None] = lambda message: None,
) -> dict[str, Any]:
    """Run the simulated agent on the goal. The same arguments give the same recording.

    >>> import asyncio
    >>> recording = asyncio.run(run_simulated(faults={"wrong_room": 1.0}))
    >>> [(booking["hotel_id"], booking["room_type"]) for booking in recording["meta"]["bookings"]]
    [('HT-001', 'standard')]

    Raises:
        ValueError: an unknown fault, or a probability outside 0 to 1.
    """
    drawn = draw_faults(seed, faults or {})
    run = run_id(seed, drawn, language)
    client = simulated_client(seed, faults)
    recording = await run_goal(client, model=SIMULATED, run=run, language=language, on_message=on_message)
    recording["meta"] |= {"simulated": True, "seed": seed, "faults": sorted(drawn)}
    return recording


async def run_asked(
    endpoint: Endpoint,
    run: str,
    language: Language = "en",
    on_message: Callable[[Message], None] = lambda message: None,
) -> dict[str, Any]:
    """Run the model of an endpoint on the goal."""
    async with endpoint.client() as client:
        recording = await run_goal(client, model=endpoint.model, run=run, language=language, on_message=on_message)
    recording["meta"]["simulated"] = False
    return recording


def run_id(seed: int, faults: frozenset[Fault], language: Language) -> str:
    """Name a run of the simulated agent.

    >>> run_id(7, frozenset({"loop"}), "zh")
    'simulated-zh-7-loop'
    """
    return "-".join(["simulated", language, str(seed), *sorted(faults)])


def save(recording: Mapping[str, Any], path: Path) -> None:
    """Write a recording as JSON, in UTF-8."""
    path.write_text(json.dumps(recording, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
