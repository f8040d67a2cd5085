"""What the rubric of 12.ship_gate asks: verdicts of many runs, scored against the kit's own statistics."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.hotel.recorded import recorded_runs
from toolkit.lessons.expect import expect, expect_equal
from toolkit.lessons.rubric import Criterion
from toolkit.trajectory import Verdict, evaluate
from toolkit.trajectory.statistics import Tally, pass_power

ShipGate = Callable[..., Any]
Tasks = Mapping[str, Sequence[Verdict | None]]
PASS, FAIL, NOT_JUDGEABLE, NOT_APPLICABLE = Verdict
SHIP, HOLD, OPEN = "ship", "hold", "not enough runs"
BAR = 0.9


def _runs(passed: int = 0, failed: int = 0, unjudged: Sequence[Verdict | None] = ()) -> list[Verdict | None]:
    return [*[FAIL] * failed, *[PASS] * passed, *unjudged]


@lru_cache(maxsize=1)
def _recorded() -> dict[str, list[Verdict | None]]:
    """The runs of a small real model that come with the kit, by what it was told."""
    tasks: dict[str, list[Verdict | None]] = {}
    for run in recorded_runs("real"):
        tasks.setdefault(run.name.rsplit("-", 1)[0], []).append(evaluate(run.messages, HOTEL_POLICY).verdict)
    return tasks


def _told(ship_gate: ShipGate, tasks: Tasks, k: int = 1) -> Any:
    said = ship_gate({name: list(verdicts) for name, verdicts in tasks.items()}, BAR, k)
    expect(isinstance(said, dict), f"expected a dict, got {said!r}")
    return said


def _expect_decision(ship_gate: ShipGate, tasks: Tasks, decision: str, case: str) -> None:
    expect_equal(_told(ship_gate, tasks).get("decision"), decision, f"{case}, bar {BAR}: the decision")


def _expect_near(got: Any, wanted: float, case: str) -> None:
    is_number = isinstance(got, int | float) and not isinstance(got, bool)
    expect(is_number and abs(got - wanted) < 1e-3, f"{case}: expected {wanted:.3f}, got {got!r}")


def _decides_what_is_clear(ship_gate: ShipGate) -> None:
    _expect_decision(ship_gate, {"book": _runs(200)}, SHIP, "200 of 200 passed")
    _expect_decision(ship_gate, {"book": _runs(40, 60)}, HOLD, "40 of 100 passed")
    total = Tally.of(verdict for verdicts in _recorded().values() for verdict in verdicts)
    _expect_decision(
        ship_gate, _recorded(), HOLD, f"the recorded runs of a small model, {total.passed} of {total.judged}"
    )


def _rates_what_was_judged(ship_gate: ShipGate) -> None:
    tasks = {"book": _runs(3, 1, [NOT_JUDGEABLE]), "cancel": _runs(3, 1, [None, NOT_APPLICABLE])}
    rate = _told(ship_gate, tasks).get("rate")
    case = "6 passed, 2 failed, 1 not judgeable, 1 lost, 1 not applicable"
    expect(rate != 6 / 11, f"{case}: those that were not judged were counted as failures")
    expect(rate != 9 / 11, f"{case}: those that were not judged were counted as passes")
    _expect_near(rate, 0.75, f"{case}: the rate of those judged")


def _says_how_sure(ship_gate: ShipGate) -> None:
    for passed, failed in ((10, 0), (8, 2), (0, 5)):
        said = _told(ship_gate, {"book": _runs(passed, failed)}).get("interval")
        case = f"{passed} of {passed + failed} passed: the interval"
        expect(isinstance(said, tuple | list) and len(said) == 2, f"{case}: expected (low, high), got {said!r}")
        expect(said[0] != said[1], f"{case} has no width, as if {passed + failed} runs were proof")
        interval = Tally(passed=passed, failed=failed).interval
        for end, wanted in zip(said, interval or (), strict=True):
            _expect_near(end, wanted, f"{case}, {said!r}")


def _needs_enough_runs(ship_gate: ShipGate) -> None:
    _expect_decision(
        ship_gate, {"book": _runs(10)}, OPEN, "10 of 10 passed, as with an agent that passes 8 of 10 now and then"
    )
    _expect_decision(ship_gate, {"book": _runs(8, 2)}, OPEN, "8 of 10 passed, as with an agent at the bar now and then")
    _expect_decision(ship_gate, {"book": _runs(20), "cancel": _runs(20)}, SHIP, "40 of 40 passed, in two tasks")


def _powers(ship_gate: ShipGate) -> None:
    cases: list[tuple[Tasks, int, str]] = [
        ({"book": _runs(3, 1)}, 2, "3 of 4 passed, k = 2"),
        ({"book": _runs(2, 2)}, 3, "2 of 4 passed, k = 3"),
        ({"book": _runs(4), "cancel": _runs(1, 3)}, 2, "one task 4 of 4, another 1 of 4, k = 2"),
        ({"book": _runs(4, 0, [NOT_JUDGEABLE, None])}, 4, "4 of 4 judged passed, 2 not judged, k = 4"),
    ]
    for tasks, k, case in cases:
        wanted = pass_power(map(Tally.of, tasks.values()), k)
        _expect_near(_told(ship_gate, tasks, k).get("pass_power"), wanted or 0.0, f"{case}: pass_power")
    few = {"book": _runs(9), "cancel": _runs(2, 0, [None])}
    expect_equal(_told(ship_gate, few, 3).get("pass_power"), None, "a task with 2 judged runs, k = 3: pass_power")


def _lets_no_unjudged_run_decide(ship_gate: ShipGate) -> None:
    for verdict, what in ((NOT_JUDGEABLE, "not judgeable"), (None, "lost by the harness"), (NOT_APPLICABLE, "idle")):
        few, many = _runs(100, 0, [verdict]), _runs(100, 0, [verdict] * 20)
        _expect_decision(ship_gate, {"book": few}, SHIP, f"100 passed, 1 {what}, however it came out")
        _expect_decision(ship_gate, {"book": many}, OPEN, f"100 passed, 20 {what} that may all have failed")
        bad = _runs(0, 30, [verdict] * 400)
        _expect_decision(ship_gate, {"book": bad}, OPEN, f"30 failed, 400 {what} that may all have passed")


def _survives_nothing(ship_gate: ShipGate) -> None:
    nothing: list[Tasks] = [{}, {"book": []}]
    for tasks in nothing:
        said = _told(ship_gate, tasks)
        got = [said.get(key, ...) for key in ("decision", "rate", "interval", "pass_power")]
        expect_equal(got, [OPEN, None, None, None], f"no runs, {tasks!r}: decision, rate, interval, pass_power")
    said = _told(ship_gate, {"book": [None, NOT_JUDGEABLE]})
    got = [said.get(key, ...) for key in ("interval", "pass_power")]
    expect_equal(got, [None, None], "two runs, and none was judged: interval, pass_power")


def _gives_the_counts(ship_gate: ShipGate) -> None:
    tasks = {"book": _runs(20, 1, [NOT_JUDGEABLE] * 3), "cancel": _runs(11, 5, [None] * 2)}
    reason = str(_told(ship_gate, tasks).get("reason"))
    given = _numbers_in(reason)
    wanted: dict[str, list[set[str]]] = {
        "31 passed": [{"31"}],
        "37 were judged, or 6 failed": [{"37"}, {"6"}],
        "5 of 42 were not judged, or 3 and 2": [{"5"}, {"42"}, {"3", "2"}],
    }
    for what, ways in wanted.items():
        expect(any(way <= given for way in ways), f"the reason {reason!r} does not say that {what}")


def _numbers_in(text: str) -> set[str]:
    """The whole numbers of a sentence; 5 does not stand in 0.75 or in 5%."""
    return set(re.findall(r"(?<![\d.,])\d+(?![\d%]|[.,]\d)", text))


def _names_the_worst_task(ship_gate: ShipGate) -> None:
    tasks = {"book a room": _runs(190, 10), "cancel a booking": _runs(4, 6), "find a hotel": _runs(300)}
    reason = str(_told(ship_gate, tasks).get("reason"))
    hidden = "cancel a booking fails 6 of 10 times, hidden by 500 other runs"
    expect("cancel a booking" in reason, f"{hidden}; the reason does not name it: {reason!r}")


RUBRIC = (
    Criterion("it ships what is clearly good and holds what is clearly bad", 2, "junior", _decides_what_is_clear),
    Criterion("the rate is of the runs that were judged", 2, "junior", _rates_what_was_judged),
    Criterion("the interval holds for few runs and for none that failed", 2, "senior", _says_how_sure),
    Criterion("few runs decide nothing, in neither direction", 2, "senior", _needs_enough_runs),
    Criterion("pass^k draws without putting back, task by task", 2, "senior", _powers),
    Criterion("it can be asked when nothing was judged", 2, "senior", _survives_nothing),
    Criterion("the reason holds the counts one would check it by", 1, "senior", _gives_the_counts),
    Criterion("no run that could not be judged tips the decision", 3, "staff", _lets_no_unjudged_run_decide),
    Criterion("the reason names the task that an average hides", 2, "staff", _names_the_worst_task),
)
