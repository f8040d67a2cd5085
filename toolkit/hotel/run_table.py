"""The recorded runs in one table: what the answers say, what the checks say, and what stands in the store.

    python -m toolkit.hotel.run_table

prints it as Markdown, as it stands in `data/runs/README.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from toolkit.hotel.catalogue import HOTELS
from toolkit.hotel.goal import ANSWER_WORDS, CHECK_IN, CITY, NIGHTS
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.hotel.recorded import recordings
from toolkit.trajectory import Verdict, evaluate
from toolkit.trajectory.levels import answer_level

CHECKS = [check.name for check in HOTEL_POLICY.checks]
_GOAL_HOTELS = {hotel.id for hotel in HOTELS if hotel.city is CITY}


class Row(NamedTuple):
    """A group of runs, each number a count of runs.

    Args:
        claimed: The final answer says booked and names a room or a hotel.
        passed: By check.
        all_four: Every check passes.
        booked: Something stands in the store.
        as_asked: Exactly what the goal asks stands in the store: one suite, its city, its date, its nights.
    """

    group: str
    runs: int
    claimed: int
    passed: dict[str, int]
    all_four: int
    booked: int
    as_asked: int


def is_as_asked(bookings: list[Mapping[str, Any]]) -> bool:
    """True where the store holds what the goal asks for, on a day on which it rains, and nothing else.

    >>> is_as_asked([{"hotel_id": "HT-002", "room_type": "suite", "check_in": "2026-10-01", "nights": 2}])
    True
    """
    if len(bookings) != 1:
        return False
    (booking,) = bookings
    stay = booking["room_type"], booking["check_in"], booking["nights"]
    return booking["hotel_id"] in _GOAL_HOTELS and stay == ("suite", CHECK_IN, NIGHTS)


def row_of(group: str, runs: Iterable[Mapping[str, Any]]) -> Row:
    """Count one group of recordings."""
    runs = list(runs)
    reports = [evaluate(run["messages"], HOTEL_POLICY) for run in runs]
    verdicts = [{result.name: result.verdict for result in report.results} for report in reports]
    answers = [answer_level(run["messages"], ANSWER_WORDS).verdict for run in runs]
    return Row(
        group,
        len(runs),
        claimed=answers.count(Verdict.PASS),
        passed={check: sum(found[check] is Verdict.PASS for found in verdicts) for check in CHECKS},
        all_four=sum(set(found.values()) == {Verdict.PASS} for found in verdicts),
        booked=sum(bool(run["meta"]["bookings"]) for run in runs),
        as_asked=sum(is_as_asked(run["meta"]["bookings"]) for run in runs),
    )


def run_table() -> list[Row]:
    """A row for each configuration of the real runs, then their sum, then the simulated runs."""
    real = list(recordings("real"))
    names = dict.fromkeys(run["meta"]["configuration"] for run in real)
    rows = [row_of(name, (run for run in real if run["meta"]["configuration"] == name)) for name in names]
    return [*rows, row_of("all real runs", real), row_of("simulated", recordings("simulated"))]


def table_lines(rows: Iterable[Row]) -> list[str]:
    """Rows as lines of Markdown."""
    heads = ["runs of", "runs", "answer claims it", *CHECKS, "all four", "booked", "as asked"]
    lines = [f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for row in rows:
        counts = [row.runs, row.claimed, *row.passed.values(), row.all_four, row.booked, row.as_asked]
        lines.append(f"| {row.group} | {' | '.join(map(str, counts))} |")
    return lines


if __name__ == "__main__":
    print("\n".join(table_lines(run_table())))
