"""This kit and agentevals on one corpus of labelled runs: how often each says what the label says, and the time.

    python tests/benchmarks/bench_evaluators.py

in an environment that has agentevals; the package itself needs none of it. In fairness: agentevals compares a run with
a golden one and says yes or no. It was not made to tell what a damaged recording leaves open, so runs whose label is
"not judgeable" stand in a column of their own. Its golden run here is the control `ok` in the language of the run, as a
user would record it; all its modes are shown. And the labels follow from the rules that this kit's checks implement, so
that it agrees with them is what its tests demand, not a finding; the finding is what a golden run can and cannot tell.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import EXPECTED, LANGUAGES, load_control
from toolkit.hotel.mutations import OPERATORS, passing_runs
from toolkit.hotel.recorded import read_labels, recorded_runs
from toolkit.lab.odd_runs import odd_runs
from toolkit.trajectory import evaluate
from toolkit.trajectory.mutate import mutants
from toolkit.trajectory.records import overall

CHECKS = [check.name for check in HOTEL_POLICY.checks]
Judge = Callable[[list[dict[str, Any]], str], str]
ROUNDS = 5


class Labelled(NamedTuple):
    """A run, its language, and the word it should get."""

    group: str
    language: str
    messages: list[dict[str, Any]]
    label: str


def corpus() -> Iterator[Labelled]:
    """Controls, odd recordings, one mutant of each operator and place, recorded runs with their labels."""
    for name, expected in EXPECTED.items():
        for language in LANGUAGES:
            yield Labelled("controls", language, load_control(name, language), "fail" if expected.fails else "pass")
    for odd in odd_runs():
        yield Labelled("odd recordings", "en", odd.messages, odd.should_be)
    for mutant in mutants({"ok.en": passing_runs()["ok.en"]}, OPERATORS):
        label = overall([mutant.expected(check) for check in CHECKS])
        yield Labelled("mutants of ok", "en", mutant.messages, str(label))
    labels = read_labels()
    for kind in ("real", "simulated"):
        for run in recorded_runs(kind):
            is_chinese = "zh" in run.name or "chinese" in run.name
            label = overall(list(labels[run.name].values()))
            yield Labelled(f"{kind} runs", "zh" if is_chinese else "en", list(run.messages), str(label))


def kit(messages: list[dict[str, Any]], language: str) -> str:
    """The word of this kit."""
    return str(evaluate(messages, HOTEL_POLICY).verdict)


def agentevals_judges() -> dict[str, Judge]:
    """Each mode of the match evaluator, with arguments compared and ignored; empty where it is not installed."""
    try:
        from agentevals.trajectory.match import create_trajectory_match_evaluator
    except ImportError:
        return {}
    golden = {language: load_control("ok", language) for language in LANGUAGES}

    def judge_of(mode: str, arguments: str) -> Judge:
        evaluator = create_trajectory_match_evaluator(trajectory_match_mode=mode, tool_args_match_mode=arguments)

        def judge(messages: list[dict[str, Any]], language: str) -> str:
            found = evaluator(outputs=messages, reference_outputs=golden[language])
            return "pass" if found["score"] else "fail"

        return judge

    modes, arguments = ("strict", "unordered", "subset", "superset"), ("exact", "ignore")
    return {f"agentevals {mode}, arguments {each}": judge_of(mode, each) for mode in modes for each in arguments}


def word_of(judge: Judge, run: Labelled) -> str:
    """What a judge says; what it raises is a word, too."""
    try:
        return judge(run.messages, run.language)
    except Exception as error:  # noqa: BLE001 - an evaluator that raises has given no verdict
        return f"raises {type(error).__name__}"


def milliseconds(judge: Judge, runs: list[Labelled]) -> float:
    """Processor time of one run, the best of some rounds over all."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for run in runs:
            word_of(judge, run)
        best = min(best, time.process_time() - start)
    return best / len(runs) * 1e3


def main() -> None:
    """Print the corpus, then a row for each judge."""
    runs = list(corpus())
    judges: dict[str, Judge] = {"this kit, four checks": kit, **agentevals_judges()}
    try:
        print("agentevals", version("agentevals"))
    except PackageNotFoundError:
        print("agentevals is not installed: only this kit is tried")
    print(len(runs), "runs:", dict(Counter(run.group for run in runs)), dict(Counter(run.label for run in runs)))
    groups = list(dict.fromkeys(run.group for run in runs))
    heads = ["judge", "right on pass", "right on fail", "right on not judgeable", *groups, "raised", "ms a run"]
    print(f"\n| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for name, judge in judges.items():
        words = [(run.label, word_of(judge, run)) for run in runs]
        cells = [name]
        for label in ("pass", "fail", "not_judgeable"):
            mine = [word for should_be, word in words if should_be == label]
            cells.append(f"{mine.count(label)} of {len(mine)}")
        for group in groups:
            mine = [(run.label, word) for run, (_, word) in zip(runs, words, strict=True) if run.group == group]
            cells.append(f"{sum(label == word for label, word in mine)} of {len(mine)}")
        raised = sum(word.startswith("raises") for _, word in words)
        print(f"| {' | '.join([*cells, str(raised), f'{milliseconds(judge, runs):.2f}'])} |")


if __name__ == "__main__":
    main()
