"""Exercise 00.failed_checks: which checks failed, out of four verdicts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.lab.edit_run import edit_run
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal
from toolkit.trajectory import CheckResult, Report, evaluate


def check_failed_checks(failed_checks: Callable[[Report], Any]) -> None:
    """Names, of all that failed and of nothing else."""

    def report(name: Any, **edit: Any) -> Report:
        return evaluate(edit_run(load_control(name), **edit), policy=HOTEL_POLICY)

    found = failed_checks(report("no_plan"))
    expect(not isinstance(found, str), f"expected a list of names, got one text: {found!r}")
    results = isinstance(found, list) and any(isinstance(each, CheckResult) for each in found)
    expect(not results, "expected a list of names, got the results themselves: a result has its name at .name")
    expect_equal(found, ["plan_first"], "the run no_plan")
    three = ["no_skipped_step", "argument_provenance", "room_matches_weather"]
    expect_equal(failed_checks(report("skip")), three, "the run skip, every failed check")
    expect_equal(failed_checks(report("ok")), [], "the run ok, no check failed")
    cut = report("ok", taken_out="the weather's result")
    expect_equal(failed_checks(cut), [], "a recording without the weather's result: not_judgeable is no fail")
    empty = report("ok", taken_out="the booking")
    expect_equal(failed_checks(empty), ["no_skipped_step"], "a run without a booking: not_applicable is no fail")


FAILED_CHECKS = Exercise(
    id="00.failed_checks",
    task="Name the checks that failed. `report.results` is a list; each result has a `name` and a `verdict`. "
    "There are four verdicts: `pass`, `fail`, `not_judgeable` (the recording does not tell) and `not_applicable` "
    '(nothing to judge). A verdict equals its word: `result.verdict == "fail"`.',
    minutes=3,
    difficulty="easy",
    hints=(
        "Keep the order of `report.results`, and return names, not results.",
        "Only `fail` counts: a check that cannot be judged has not failed.",
        'A comprehension with a condition: `[... for result in report.results if result.verdict == "fail"]`.',
    ),
    stub='''
def failed_checks(report):
    """The names of the checks that failed, in the order of the report.

    >>> failed_checks(evaluate(load_control("wrong_room"), policy=HOTEL_POLICY))
    ['room_matches_weather']
    """
    raise NotImplementedError
''',
    solution='''
def failed_checks(report):
    """The names of the checks that failed, in the order of the report.

    >>> failed_checks(evaluate(load_control("wrong_room"), policy=HOTEL_POLICY))
    ['room_matches_weather']
    """
    return [result.name for result in report.results if result.verdict == "fail"]
''',
    alternatives=(
        """
def failed_checks(report):
    names = []
    for result in report.results:
        if str(result.verdict) == "fail":
            names.append(result.name)
    return names
""",
        """
from collections import defaultdict

def failed_checks(report):
    piles = defaultdict(list)
    for result in report.results:
        piles[result.verdict].append(result.name)
    return piles["fail"]
""",
    ),
    wrong=(
        WrongAnswer(
            "takes whatever is not a pass",
            "def failed_checks(report):\n    return [r.name for r in report.results if r.verdict != 'pass']",
            "not_judgeable is no fail",
        ),
        WrongAnswer(
            "returns the first only",
            "def failed_checks(report):\n    return [r.name for r in report.results if r.verdict == 'fail'][:1]",
            "the run skip, every failed check",
        ),
        WrongAnswer(
            "joins them into one text",
            "def failed_checks(report):\n    return ', '.join(r.name for r in report.results if r.verdict == 'fail')",
            "got one text: 'plan_first'",
        ),
        WrongAnswer(
            "returns the results",
            "def failed_checks(report):\n    return [r for r in report.results if r.verdict == 'fail']",
            "expected a list of names, got the results themselves: a result has its name at .name",
        ),
        WrongAnswer(
            "takes what does not apply for failed",
            "def failed_checks(report):\n"
            "    return [r.name for r in report.results if r.verdict in ('fail', 'not_applicable')]",
            "not_applicable is no fail",
        ),
        WrongAnswer(
            "looks for another word",
            "def failed_checks(report):\n    return [r.name for r in report.results if r.verdict == 'failed']",
            "expected ['plan_first'], got []",
        ),
    ),
    checker=check_failed_checks,
    setup="from toolkit.hotel import HOTEL_POLICY\n"
    "from toolkit.hotel.controls import load_control\n"
    "from toolkit.trajectory import evaluate",
)
