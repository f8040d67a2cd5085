"""The six runs of the build that is judged by eye: each wrong in its own way, and their answers no help."""

from __future__ import annotations

from toolkit.lab.run_view import show_run
from toolkit.lab.runs_to_judge import reports_of_runs, runs_to_judge
from toolkit.trajectory import Verdict


def failing() -> dict[str, set[str]]:
    return {
        name: {result.name for result in report.results if result.verdict is Verdict.FAIL}
        for name, report in reports_of_runs().items()
    }


def test_the_runs_are_the_same_on_every_call():
    """Two calls give equal messages, and none of the lists is shared."""
    first, second = runs_to_judge(), runs_to_judge()
    assert first == second
    assert all(first[name] is not second[name] for name in first)


def test_every_kind_of_verdict_occurs():
    """One run passes, one cannot be judged, and the others fail a check each, three checks in all."""
    verdicts = [str(report.verdict) for report in reports_of_runs().values()]
    assert sorted(verdicts) == ["fail"] * 4 + ["not_judgeable", "pass"]
    assert set.union(*failing().values()) >= {"plan_first", "argument_provenance", "room_matches_weather"}


def test_the_last_words_are_no_guide():
    """The one run whose last words say that nothing is booked is the one that passes."""
    sorry = [name for name, run in runs_to_judge().items() if "Sorry, nothing is booked." in show_run(run).summary]
    assert sorry == [name for name, report in reports_of_runs().items() if report.verdict is Verdict.PASS]
