"""Recorded runs under test in a project of one's own. In a test file:

    from pathlib import Path
    from toolkit.trajectory.pytest_runs import judge_runs
    test_recorded_runs = judge_runs(Path("recordings"), policy=Path("policy.json"))

Every run is a test of its own. It fails where a check fails or the file cannot be read, and is skipped with the codes
where nothing could be judged or nothing applied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from toolkit.trajectory.formats import Format
from toolkit.trajectory.judging import Judged, Unreadable, judge_files
from toolkit.trajectory.policy import Policy
from toolkit.trajectory.policy_file import load_policy
from toolkit.trajectory.records import Report, Verdict


def judge_runs(
    source: Path | Iterable[Path], policy: Policy | Path, format: Format = "auto"
) -> Callable[[Judged | Unreadable], None]:
    """A test function with a case for every run in these files and folders.

    Args:
        policy: A policy, or the file of one.

    Raises:
        PolicyError: the file is no policy.
    """
    import pytest

    paths = [source] if isinstance(source, Path) else source
    outcomes = list(judge_files(paths, load_policy(policy) if isinstance(policy, Path) else policy, format))

    @pytest.mark.parametrize("outcome", outcomes, ids=[_name(outcome) for outcome in outcomes])
    def test_recorded_run(outcome: Judged | Unreadable) -> None:
        """The run passes every check of the policy that applies to it."""
        __tracebackhide__ = True
        if isinstance(outcome, Unreadable):
            pytest.fail(outcome.reason, pytrace=False)
        said = findings(outcome.report)
        if outcome.report.verdict is Verdict.FAIL:
            pytest.fail(said, pytrace=False)
        if outcome.report.verdict is not Verdict.PASS:
            pytest.skip(said)

    return test_recorded_run


def findings(report: Report) -> str:
    """Every verdict of the kind that decided, a line each, with its code, its place and its reason."""
    decisive = [result for result in report.results if result.verdict is report.verdict]
    return "\n".join(f"{each.name} [{each.code}] {each.at}: {each.reason}" for each in decisive)


def _name(outcome: Judged | Unreadable) -> str:
    file = Path(outcome.file).name
    return f"{file}:{outcome.run}" if isinstance(outcome, Judged) else file
