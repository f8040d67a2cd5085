"""Runs of a small real model on the goal, asked in several ways; `data/runs/real` is what came out.

    python -m toolkit.hotel.real_runs data/runs/real

makes every file again, `... data/runs/real plain chinese` only these. It takes about half an hour of one processor
and needs the extra `local-llm`. Every run has a model of its own, newly loaded, so none depends on the one before.
"""

from __future__ import annotations

import asyncio
import json
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from toolkit.agent.decisions import FINISH, DecisionForm
from toolkit.agent.decisions import Message as AnyMessage
from toolkit.agent.local import LocalModel, TextModel, local_client
from toolkit.hotel.catalogue import Language
from toolkit.hotel.goal import CHECK_IN, CITY, NIGHTS, SYSTEM
from toolkit.hotel.run import run_goal
from toolkit.hotel.worked_examples import CLEAR, RAIN, REFUSED, Stay, goal_text, worked_example
from toolkit.trajectory import Outcome, extract_calls

SEEDS = range(1, 6)
MAX_TURNS = 12
MAX_TOKENS = 300  # of one decision

_STEPS = ("set_plan", "get_weather", "search_hotels", "book_hotel")
_STILL_OPEN: dict[Language, str] = {"en": "Still to do", "zh": "尚未完成"}
_SYSTEM_WITHOUT_PLAN = SYSTEM["en"].replace(" Make a plan first.", "")


@dataclass(frozen=True, slots=True)
class Configuration:
    """One way of asking the model.

    Args:
        language: Of goal, tools, world and examples.
        iso: The goal and the examples give their dates as YYYY-MM-DD instead of in words.
        examples: The worked examples shown.
        planned: The system's message and the examples speak of a plan.
        reminded: The steps still open are repeated after each result.
        ordered: Only the first step still open can be decided.
        temperature: 0 always takes the likeliest token.
    """

    language: Language = "en"
    iso: bool = True
    examples: tuple[Stay, ...] = (RAIN, CLEAR)
    planned: bool = True
    reminded: bool = False
    ordered: bool = False
    temperature: float = 1.0


CONFIGURATIONS: dict[str, Configuration] = {
    "plain": Configuration(iso=False),
    "iso_date": Configuration(),
    "iso_date_hot": Configuration(temperature=1.5),
    "reminded": Configuration(reminded=True),
    "ordered": Configuration(reminded=True, ordered=True),
    "refused_once": Configuration(examples=(REFUSED, CLEAR), reminded=True),
    "without_plan": Configuration(planned=False),
    "without_examples": Configuration(examples=()),
    "chinese": Configuration(language="zh"),
}


def steps_open(messages: Sequence[AnyMessage]) -> list[str]:
    """The steps of the goal that no call has completed yet, in order, and `finish`.

    >>> steps_open([{"role": "user", "content": "Book a hotel."}])
    ['set_plan', 'get_weather', 'search_hotels', 'book_hotel', 'finish']
    """
    done = {call.name for call in extract_calls(list(messages)).calls if call.outcome is Outcome.SUCCESS}
    return [*(step for step in _STEPS if step not in done), FINISH]


def opening_of(configuration: Configuration) -> list[dict[str, str]]:
    """The system's and the user's messages of a run."""
    language = configuration.language
    system = SYSTEM[language] if configuration.planned else _SYSTEM_WITHOUT_PLAN
    goal = goal_text(CITY, date.fromisoformat(CHECK_IN), NIGHTS, language, iso=configuration.iso)
    return [{"role": "system", "content": system}, {"role": "user", "content": goal}]


async def form_of(configuration: Configuration) -> DecisionForm:
    """How the model is asked for each decision of a run."""
    language = configuration.language

    def remind(messages: Sequence[AnyMessage]) -> str:
        return f"{_STILL_OPEN[language]}: {', '.join(steps_open(messages))}."

    form: dict[str, Callable[[Sequence[AnyMessage]], Any]] = {}
    if configuration.reminded:
        form["remind"] = remind
    if configuration.ordered:
        form["allow"] = lambda messages: steps_open(messages)[:1]
    style = {"iso": configuration.iso, "planned": configuration.planned}
    return DecisionForm([await worked_example(stay, language, **style) for stay in configuration.examples], **form)


async def record(name: str, seed: int, model: TextModel, day: date) -> dict[str, Any]:
    """Let a model run the goal once in the configuration of this name; `day` is the date of the recording."""
    configuration = CONFIGURATIONS[name]
    client = local_client(model, await form_of(configuration))
    recording = await run_goal(
        client,
        model=model.name,
        run=f"real-{name}-{seed}",
        language=configuration.language,
        start=opening_of(configuration),
        max_turns=MAX_TURNS,
        temperature=configuration.temperature,
        seed=seed,
        max_tokens=MAX_TOKENS,
    )
    settings = {"temperature": configuration.temperature, "seed": seed, "max_tokens": MAX_TOKENS}
    recording["meta"] |= {
        "simulated": False,
        "configuration": name,
        "calls_from": "schema-constrained decisions, rewritten as tool calls",
        "settings": {**settings, "max_turns": MAX_TURNS, **model.settings},
        "versions": {"python": platform.python_version(), **model.versions},
        "machine": platform.machine(),
        "recorded": day.isoformat(),
    }
    return {"meta": recording["meta"], "messages": recording["messages"]}


def write(folder: Path, names: Sequence[str], new_model: Callable[[], TextModel], day: date) -> None:
    """Record every seed of these configurations, one file of lines for each; a line is written as its run ends."""
    for name in names:
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8", newline="\n") as file:
            for seed in SEEDS:
                recording = asyncio.run(record(name, seed, new_model(), day))
                file.write(json.dumps(recording, ensure_ascii=False) + "\n")
                file.flush()
                print(f"{name} {seed}: {recording['meta']['stop']}: {recording['meta']['detail'][:100]}")


def main(arguments: Sequence[str]) -> None:
    """Write into the folder given the configurations named after it, or all."""
    folder, *names = arguments
    unknown = [name for name in names if name not in CONFIGURATIONS]
    if unknown:
        raise SystemExit(f"No configuration {unknown[0]!r}. Known: {', '.join(CONFIGURATIONS)}.")
    write(Path(folder), names or list(CONFIGURATIONS), LocalModel, date.today())


if __name__ == "__main__":
    main(sys.argv[1:])
