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
@world.keeps
def book_here():
    return book()

# %%
await book()
"""


def test_definitions_are_loaded_and_nothing_is_run(tmp_path):
    """Imports, functions and constants are there; what a cell does, and what needs it, is left out."""
    script = tmp_path / "98_lesson.py"
    script.write_text(SOURCE, encoding="utf-8")
    lesson = load_definitions(script)
    assert lesson.book() == '["suite", 2]'
    assert not hasattr(lesson, "world")
    assert not hasattr(lesson, "book_here")


def test_a_dataclass_of_a_lesson_is_read_as_the_notebook_reads_it(tmp_path):
    """Annotations are what they say, not texts: this module's own `from __future__` does not reach the lesson."""
    script = tmp_path / "98_lesson.py"
    code = "# %%\nfrom dataclasses import dataclass\n\n# %%\n@dataclass\nclass Room:\n    nights: int = 2\n"
    script.write_text(code, encoding="utf-8")
    assert load_definitions(script).Room(3).nights == 3
