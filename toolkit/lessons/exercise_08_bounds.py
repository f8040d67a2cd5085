"""Exercise 08.bounds: rate and bounds of many runs, with nothing left out of the count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal
from toolkit.trajectory import Verdict

PASS, FAIL, NOT_JUDGEABLE, NOT_APPLICABLE = Verdict


def _check(report: Callable[[list[Verdict | None]], Any]) -> None:
    """Runs of every kind, each alone and together."""
    expect_equal(report([PASS, FAIL]), (0.5, 0.5, 0.5), "one passed, one failed")
    _check_unjudged(report([PASS, FAIL, NOT_JUDGEABLE, None]))
    case = "one passed, one in which nothing applied: that one was not judged"
    expect_equal(report([PASS, NOT_APPLICABLE]), (1.0, 0.5, 1.0), case)
    expect_equal(report([FAIL, FAIL, FAIL, None]), (0.0, 0.0, 0.25), "three failed, one lost by the harness")
    expect_equal(report([None, NOT_JUDGEABLE]), (None, 0.0, 1.0), "none was judged, so there is no rate")
    expect_equal(report([PASS] * 3), (1.0, 1.0, 1.0), "all passed")


def _check_unjudged(got: Any) -> None:
    """One of each kind: what each mistake makes of them is another number."""
    rate, low, high = got
    case = "one passed, one failed, one not judgeable, one lost by the harness"
    expect(rate != 1 / 4, f"{case}: the rate was divided by all four, but only two of them were judged")
    expect(rate != 1 / 3, f"{case}: a lost run was counted as a fail in the rate, but nobody judged it")
    expect(low != 1 / 3, f"{case}: the lost run is missing from the bounds, but four were attempted")
    expect(high <= 1, f"{case}: an upper bound of {high} is more than all: it is a share of the runs attempted")
    expect_equal(got, (0.5, 0.25, 0.75), case)


def _answer(judged: str, rate: str = "passed / judged if judged else None", high: str = "unjudged") -> str:
    return (
        "def bounds(verdicts):\n"
        "    passed = verdicts.count(PASS)\n"
        f"    judged = {judged}\n"
        "    unjudged = len(verdicts) - judged\n"
        f"    rate = {rate}\n"
        f"    return rate, passed / len(verdicts), (passed + {high}) / len(verdicts)\n"
    )


_JUDGED = "passed + verdicts.count(FAIL)"
_STUB = '''
def bounds(verdicts):
    """Rate, lower and upper bound of many runs; a verdict of None is a run that left no recording.

    >>> bounds([PASS, FAIL, NOT_JUDGEABLE, None])
    (0.5, 0.25, 0.75)
    """
    raise NotImplementedError
'''

BOUNDS = Exercise(
    id="08.bounds",
    task="Report many runs. Of a list of verdicts (`None`: the harness left no recording) return a tuple: the "
    "**rate**, passed of judged, or `None` where none was judged; the **lower bound**, if every run that was not "
    "judged had failed; the **upper bound**, if every one had passed. Judged is what passed or failed, nothing else. "
    "The list is never empty.",
    minutes=6,
    difficulty="easy",
    hints=(
        "Count three things: passed, judged (passed or failed), and the rest.",
        "The bounds are shares of all runs attempted, so both are divided by len(verdicts).",
        "rate = passed / judged; low = passed / attempted; high = (passed + attempted - judged) / attempted.",
    ),
    setup="from toolkit.trajectory import Verdict\nPASS, FAIL, NOT_JUDGEABLE, NOT_APPLICABLE = Verdict",
    stub=_STUB,
    solution=_STUB.replace("    raise NotImplementedError\n", _answer(_JUDGED).split("\n", 1)[1].rstrip("\n") + "\n"),
    alternatives=(
        "from toolkit.trajectory.statistics import Tally\n\n"
        "def bounds(verdicts):\n    tally = Tally.of(verdicts)\n    return (tally.rate, *tally.bounds)\n",
        "def bounds(verdicts):\n"
        "    judged = [v for v in verdicts if v in (PASS, FAIL)]\n"
        "    as_if = lambda word: [v if v in (PASS, FAIL) else word for v in verdicts]\n"
        "    share = lambda found: found.count(PASS) / len(found) if found else None\n"
        "    return share(judged), share(as_if(FAIL)), share(as_if(PASS))\n",
    ),
    wrong=(
        WrongAnswer("rate over all attempted", _answer(_JUDGED, "passed / len(verdicts)"), "was divided by all four"),
        WrongAnswer(
            "not applicable is judged",
            _answer("len(verdicts) - verdicts.count(NOT_JUDGEABLE) - verdicts.count(None)"),
            "that one was not judged",
        ),
        WrongAnswer(
            "lost runs are fails", _answer(_JUDGED + " + verdicts.count(None)"), "counted as a fail in the rate"
        ),
        WrongAnswer(
            "rate 0 where none was judged",
            _answer(_JUDGED, "passed / judged if judged else 0.0"),
            "so there is no rate",
        ),
        WrongAnswer(
            "bounds over judged only",
            _answer(_JUDGED).replace("(passed + unjudged) / len(verdicts)", "(passed + unjudged) / max(1, judged)"),
            "is more than all",
        ),
        WrongAnswer(
            "lost runs dropped",
            _answer(_JUDGED).replace("    passed =", "    verdicts = [v for v in verdicts if v]\n    passed =", 1),
            "missing from the bounds",
        ),
        WrongAnswer("divides by nothing", _answer(_JUDGED, "passed / judged"), "ZeroDivisionError", outcome="raised"),
    ),
    checker=_check,
)
