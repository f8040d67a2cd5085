"""The runs that are mutated: every distinct run that passes, recorded in a few other ways that mean the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from toolkit.hotel.controls import CONTROLS, LANGUAGES, load_control
from toolkit.hotel.mutations.names import BOOKING, WEATHER
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.hotel.recorded import recorded_runs
from toolkit.trajectory import Verdict, evaluate
from toolkit.trajectory.draft import Draft, Exchange, Message


def _as_recorded(run: Draft) -> None:
    """Nothing changes."""


def _with_another_hotel(run: Draft) -> None:
    """HT-003 was found as well, and has the room."""
    run.done(BOOKING).argue(hotel_id="HT-003")
    run.done(BOOKING).tell(hotel_id="HT-003")


def _with_a_retry(run: Draft) -> None:
    """The weather call failed once, and was made again."""
    call = run.calls(WEATHER)[0]
    failed = Exchange(f"{call.id}_failed", call.name, call.arguments, ['{"error": "no connection"}'])
    run.insert(failed, before=call)


VARIANTS: dict[str, Callable[[Draft], None]] = {
    "as recorded": _as_recorded,
    "another hotel": _with_another_hotel,
    "a retry": _with_a_retry,
}


def passing_runs() -> dict[str, list[Message]]:
    """The controls in both languages and the simulated runs that pass; of equal ones the first.

    >>> list(passing_runs())[:3]
    ['ok.en', 'ok.zh', 'simulated-en-2']
    """
    runs = {f"{name}.{language}": load_control(name, language) for name in CONTROLS for language in LANGUAGES}
    runs |= {run.name: list(run.messages) for run in recorded_runs("simulated")}
    passing = {name: run for name, run in runs.items() if evaluate(run, HOTEL_POLICY).verdict is Verdict.PASS}
    first = {json.dumps(run): name for name, run in reversed(passing.items())}
    return {name: run for name, run in passing.items() if name in first.values()}


def base_runs() -> dict[str, list[Message]]:
    """Every passing run in every variant."""
    return dict(_varied())


def _varied() -> Iterator[tuple[str, list[Message]]]:
    for name, messages in passing_runs().items():
        for variant, change in VARIANTS.items():
            draft = Draft(messages)
            change(draft)
            yield f"{name}, {variant}", draft.messages()
