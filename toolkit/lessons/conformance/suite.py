"""All cases, and how one of them is run: on a new instance, in virtual time, with a word for how it ended."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolkit.lab.three_layers import LAYERS, DictOfTools, Executor, OneSource
from toolkit.lab.virtual_time import Hang
from toolkit.lessons.conformance import (
    cases_answer,
    cases_execute,
    cases_limit,
    cases_parse,
    cases_repeat,
    cases_schema,
    cases_validate,
)
from toolkit.lessons.conformance.bench import Bench, Died, NotOffered
from toolkit.lessons.conformance.case import Case
from toolkit.lessons.conformance.code_lines import lines_behind
from toolkit.lessons.conformance.implementation import Implementation, implementation
from toolkit.lessons.expect import Wrong

Word: TypeAlias = Literal["caught", "missed", "died", "hung", "not asked"]

CASES: tuple[Case, ...] = tuple(
    case
    for module in (cases_schema, cases_parse, cases_validate, cases_execute, cases_answer, cases_repeat, cases_limit)
    for case in module.CASES.found
)
_ENTRIES: Mapping[type, tuple[str, ...]] = {
    DictOfTools: ("toolkit.registry",),
    OneSource: ("toolkit.decorator", "toolkit.validation"),
    Executor: ("toolkit.decorator", "toolkit.gateway.gateway"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """How one case ended on one implementation; `sent` calls were made, and a tool was reached so often."""

    word: Word
    reason: str = ""
    sent: int = 0
    reached: int = 0

    def __str__(self) -> str:
        return self.word


def three_layers() -> list[Implementation]:
    """The three layers, each with the lines of code it takes: its own modules and all they import."""
    about = {layer: f"about {round(lines_behind(_ENTRIES[layer]) / 250) * 250}" for layer in LAYERS}
    return [implementation(layer, layer.title, about[layer]) for layer in LAYERS]


def run_case(case: Case, made_from: Implementation) -> Finding:
    """Run one case on a new instance, in virtual time."""
    try:
        bench = Bench(made_from)
    except Exception as error:  # noqa: BLE001 - the reader's own constructor
        return Finding("died", f"cannot be made: {type(error).__name__}: {error}")

    async def run() -> None:
        try:
            await case.script(bench)
        finally:
            await bench.close()

    with warnings.catch_warnings():  # a tool's coroutine that an implementation forgot is a finding, not a warning
        warnings.filterwarnings("ignore", message="coroutine .* was never awaited", category=RuntimeWarning)
        outcome = bench.clock.outcome(run())
        word, reason = _judged(outcome)
        _let_go(outcome)
    return Finding(word, reason, bench.sent, bench.reached)


def _let_go(outcome: object) -> None:
    """An exception keeps the frames it came through alive, and with them what was never awaited."""
    while isinstance(outcome, BaseException):
        inner = outcome.__cause__ or outcome.__context__
        outcome.__traceback__ = outcome.__cause__ = outcome.__context__ = None
        outcome = inner


def _judged(outcome: object) -> tuple[Word, str]:
    if isinstance(outcome, Wrong):
        return "missed", str(outcome)
    if isinstance(outcome, NotOffered):
        return "not asked", str(outcome)
    if isinstance(outcome, Hang):
        return "hung", "no answer, ever"
    if isinstance(outcome, Died):
        return "died", str(outcome)
    if isinstance(outcome, BaseException):
        return "died", f"{type(outcome).__name__}: {outcome}".removesuffix(": ")
    return "caught", ""
