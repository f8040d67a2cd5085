"""The corpus of the side-by-side benchmark: large, of every kind, and judged right by this kit."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path

import pytest

SPEC = importlib.util.spec_from_file_location("bench_evaluators", Path(__file__).with_name("bench_evaluators.py"))
bench = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench)


@pytest.mark.row("X11", "J5")
def test_the_kit_gives_every_label_of_the_corpus():
    """At least 80 labelled runs, with all words but one among the labels, and no verdict beside its label."""
    runs = list(bench.corpus())
    assert len(runs) >= 80
    labels = Counter(run.label for run in runs)
    assert min(labels["pass"], labels["fail"], labels["not_judgeable"]) >= 20
    assert [(run.group, run.label) for run in runs if bench.word_of(bench.kit, run) != run.label] == []


def test_a_judge_that_raises_has_given_no_verdict():
    """It is counted, and the others go on."""
    run = next(bench.corpus())
    assert bench.word_of(lambda messages, language: messages["no"], run) == "raises TypeError"
