"""Definitions of a lesson, loaded without running it."""

from __future__ import annotations

from tools.notebook_definitions import load_definitions

SOURCE = """# %% [markdown]
# # A lesson

# %%
import json

ROOM, NIGHTS = "suite", 2
world = 1 / 0

# %%
def book(nights=NIGHTS):
    return json.dumps([ROOM, nights])

# %%
await book()
"""


def test_definitions_are_loaded_and_nothing_is_run(tmp_path):
    """Imports, functions and constants are there; what a cell does is left out."""
    script = tmp_path / "98_lesson.py"
    script.write_text(SOURCE, encoding="utf-8")
    lesson = load_definitions(script)
    assert lesson.book() == '["suite", 2]'
    assert not hasattr(lesson, "world")
