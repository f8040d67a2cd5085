"""The glossary: in order, each term once, each linked to a lesson that uses it."""

from __future__ import annotations

import re

import pytest

from tools.environment import ROOT

GLOSSARY = ROOT / "docs" / "glossary.md"
ROW = re.compile(r"\| (?P<term>[^|]+) \| (?P<meaning>[^|]+) \| \[(?P<lesson>\d\d)\]\((?P<link>[^)]+)\) \|")
ROWS = [found for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if (found := ROW.fullmatch(line))]


@pytest.mark.row("K1")
def test_terms_are_in_order_and_explained():
    """Every line of the table is read, no term stands twice, and a meaning is a sentence."""
    terms = [row["term"] for row in ROWS]
    lines = [line for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert len(ROWS) == len(lines) - 2 >= 50
    assert terms == sorted(set(terms), key=str.lower)
    assert all(row["meaning"].endswith(".") and row["meaning"] != row["term"] for row in ROWS)


@pytest.mark.row("K1")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["term"])
def test_the_lesson_uses_the_term(row):
    """The link leads to the lesson of that number, and the term is in its text."""
    notebook = (GLOSSARY.parent / row["link"]).resolve()
    assert notebook.name.startswith(row["lesson"])
    source = (ROOT / "notebooks" / "source" / f"{notebook.stem}.py").read_text(encoding="utf-8")
    words = " ".join(source.replace("\n# ", " ").split()).lower()
    assert re.search(rf"\b{re.escape(row['term'].lower())}", words)
