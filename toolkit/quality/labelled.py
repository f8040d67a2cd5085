"""Calls with labels: what a person would say of each, twice. `data/calibration` holds them and says who labelled.

They are for measuring only. None of them stands in a prompt, or the model would be asked what it was just told.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from toolkit.quality.case import Case
from toolkit.resources import data_path

Label: TypeAlias = Literal["good", "bad"]


class LabelledCall(NamedTuple):
    """A call and its labels. `made_as` is what it was written to be, `label` the one that counts."""

    id: str
    kind: str
    language: str
    case: Case
    made_as: str
    first: Label
    second: Label
    label: Label
    note: str = ""

    @property
    def is_trap(self) -> bool:
        """Wrong arguments, and a result in which nothing looks wrong."""
        result = self.case.result
        failed = isinstance(result, dict) and ("error" in result or result == {"pages": []})
        return self.made_as == "wrong_arguments" and not failed


def labelled_calls(folder: Path | None = None) -> list[LabelledCall]:
    """Read the labelled calls; those of `data/calibration` if no folder is given.

    >>> len(labelled_calls())
    120
    """
    folder = folder or data_path("calibration")
    labels = {line["id"]: line for line in _lines(folder / "labels.jsonl")}
    return [_labelled(line, labels[line["id"]]) for line in _lines(folder / "calls.jsonl")]


def _labelled(call: dict[str, Any], label: dict[str, Any]) -> LabelledCall:
    case = Case(*(call[name] for name in Case._fields))
    told = {name: label[name] for name in ("made_as", "first", "second", "label")}
    return LabelledCall(call["id"], call["kind"], call["language"], case, **told, note=label.get("note", ""))


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
