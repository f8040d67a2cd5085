"""The matrix every lesson ends with: the control runs by the protections built so far.

It is produced, not written down: the calls of each control are replayed, turn by turn, in a new hotel world
through the protection; results are what the tools give there. Whether a call was stopped is read from the
tools themselves, which note that they were reached.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from toolkit.hotel.catalogue import Language
from toolkit.hotel.controls import CONTROLS, Name, load_control
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.hotel.world import World
from toolkit.lab.panel import Picture
from toolkit.lab.protections import ON_REQUEST, PROTECTIONS, Protection, Replayed
from toolkit.lab.waiting import finish
from toolkit.trajectory import Verdict, evaluate


@dataclass(frozen=True, slots=True)
class Cell:
    """What became of one control under one protection. `bookings` is what stands in the store afterwards."""

    outcome: Literal["ran", "stopped before execution", "found afterwards"]
    by: tuple[str, ...] = ()
    bookings: int = 0

    def __str__(self) -> str:
        return f"{self.outcome} ({', '.join(self.by)})" if self.by else self.outcome


@dataclass(frozen=True, slots=True)
class Matrix:
    """Controls by protections; `matrix["skip", "schema"]` is one cell."""

    protections: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]

    def __getitem__(self, key: tuple[str, str]) -> Cell:
        return self.cells[key]

    @property
    def picture(self) -> Picture:
        """The matrix as a table with a sentence that counts the bad runs."""
        bad = [name for name in CONTROLS if name != "ok"]
        caught = [
            f"{protection} {sum(self.cells[name, protection].outcome != 'ran' for name in bad)}"
            for protection in self.protections
        ]
        rows = [[name, *(self.cells[name, each] for each in self.protections)] for name in CONTROLS]
        return Picture(
            f"Of {len(bad)} bad runs, caught: {', '.join(caught)}.",
            ["control", *((PROTECTIONS | ON_REQUEST)[name].title for name in self.protections)],
            rows,
        )

    def __repr__(self) -> str:
        return repr(self.picture)

    def _repr_html_(self) -> str:
        return self.picture._repr_html_()


def control_matrix(*protections: str, language: Language = "en") -> Matrix:
    """Replay every control through each protection.

    >>> control_matrix("schema")["wrong_room", "schema"].outcome
    'ran'

    Raises:
        LookupError: an unknown protection; the text lists those there are.
    """
    known = PROTECTIONS | ON_REQUEST
    unknown = [name for name in protections if name not in known]
    if unknown:
        raise LookupError(f"no protection {unknown[0]!r}; there are: {', '.join(known)}")
    cells: dict[tuple[str, str], Cell] = {
        (control, name): replay(control, known[name], language)
        for control in CONTROLS
        for name in protections or PROTECTIONS
    }
    return Matrix(protections or tuple(PROTECTIONS), cells)


def replay(control: Name, protection: Protection, language: Language = "en") -> Cell:
    """Replay one control in a new world and say what became of it."""
    world = World(language)
    replayed = finish(protection.replay(load_control(control, language), world))
    return _cell(replayed, len(world.bookings), protection)


def _cell(replayed: Replayed, bookings: int, protection: Protection) -> Cell:
    stopped = [result.status.value for result in replayed.results if result.call_id not in replayed.reached]
    if stopped:
        return Cell("stopped before execution", _each_once(stopped), bookings)
    report = evaluate(replayed.messages, HOTEL_POLICY) if protection.judges else None
    failed = [result.name for result in report.results if result.verdict is Verdict.FAIL] if report else []
    failed += protection.objects(replayed.messages) if protection.objects else ()
    return Cell("found afterwards", _each_once(failed), bookings) if failed else Cell("ran", (), bookings)


def _each_once(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
