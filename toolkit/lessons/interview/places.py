"""Where a cell stands in a notebook. JupyterLab jumps to `notebook.ipynb#cell-id=...`, and to a heading not always."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from toolkit.lessons.catalogue import NOTEBOOK_FOLDER


class Place(NamedTuple):
    """A code cell: its id, the heading above it, its text."""

    id: str
    heading: str
    source: str


def cell_id(notebook: str, heading: str, text: str) -> str | None:
    """The id of the code cell under this heading that holds this text; None where it cannot be found."""
    try:
        places = _places(NOTEBOOK_FOLDER / notebook)
    except (OSError, ValueError, KeyError):  # not on this computer, half saved, or of a format before cells had ids
        return None
    return next((place.id for place in places if place.heading == heading and text in place.source), None)


@cache
def _places(path: Path) -> tuple[Place, ...]:
    heading, found = "", []
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            headings = [line.lstrip("# ") for line in source.splitlines() if line.startswith("#")]
            heading = headings[-1] if headings else heading
        else:
            found.append(Place(cell["id"], heading, source))
    return tuple(found)
