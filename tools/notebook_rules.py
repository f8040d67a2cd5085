"""What a committed notebook must hold to, read from the file alone: no kernel is started.

Each rule is a function from a notebook to a list of complaints.
"""

from __future__ import annotations

import ast
import re
import statistics
from collections.abc import Callable, Iterator

from nbformat import NotebookNode

from tools.cell_code import code_lines, parse_cell

CELLS = range(30, 61)
MEDIAN_LINES, NINE_IN_TEN_LINES, MOST_LINES = 4, 12, 30
CHECKED_SHARE = 0.4

# nbval acts no front end, so these give other outputs there than in the build.
OTHER_UNDER_NBVAL = ("clear_output(", "update_display(", "update=True", "interact(", ".capture(", "Output(")
FORBIDDEN = {
    "a machine's path": re.compile(r"(?<![\w.])/(?:work|root|home|Users|tmp)/|[A-Z]:\\Users\\"),
    "a model's id": re.compile(
        r"\b(?:gpt-?\d|chatgpt|claude|gemini|gemma|llama|mistral|mixtral|qwen|deepseek|phi-\d|smollm|o[1345]-)",
        re.IGNORECASE,
    ),
    "a package registry's host": re.compile(r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|anaconda\.org"),
    "an unfinished place": re.compile(r"\b(?:TODO|FIXME|XXX)\b"),
}

Rule = Callable[[NotebookNode], list[str]]


def complaints(notebook: NotebookNode) -> list[str]:
    """Everything that is wrong with this notebook, by every rule."""
    return [complaint for rule in RULES for complaint in rule(notebook)]


def ran_in_order(notebook: NotebookNode) -> list[str]:
    """Counts are 1..n. A cell without a count compares nothing under nbval, whatever changes."""
    counts = [cell.execution_count for cell in _code(notebook)]
    if None in counts:
        return [f"code cell {counts.index(None)} was never run, so nbval compares nothing"]
    return [] if counts == list(range(1, len(counts) + 1)) else [f"not run 1..n but {counts}"]


def errors_are_tagged(notebook: NotebookNode) -> list[str]:
    """An error stands only where the lesson shows one, and there it stands."""
    found = []
    for number, cell in enumerate(_code(notebook)):
        raised = any(output.output_type == "error" for output in cell.outputs)
        tagged = "raises-exception" in _tags(cell)
        if raised and not tagged:
            found.append(f"code cell {number} holds an error, but no tag raises-exception")
        if tagged and not raised:
            found.append(f"code cell {number} is tagged raises-exception, but raised nothing")
    return found


def runs_alike_under_nbval(notebook: NotebookNode) -> list[str]:
    """No cell uses what prints differently without a front end, and none is exempt from comparison."""
    found = []
    for number, cell in enumerate(_code(notebook)):
        found += [f"code cell {number} uses {word!r}" for word in OTHER_UNDER_NBVAL if word in cell.source]
        exempt = [tag for tag in _tags(cell) if tag.startswith("nbval-") or tag == "skip-execution"]
        exempt += ["# NBVAL_ comment"] if re.search(r"#\s*NBVAL_", cell.source) else []
        found += [f"code cell {number} escapes comparison by {tag!r}" for tag in exempt]
    return found


def names_nothing_foreign(notebook: NotebookNode) -> list[str]:
    """No machine's path, model id, registry host or unfinished place, in a cell or an output."""
    found = []
    for number, cell in enumerate(notebook.cells):
        for text in _texts(cell):
            for what, pattern in FORBIDDEN.items():
                if hit := pattern.search(text):
                    found.append(f"cell {number} holds {what}: {hit[0]!r}")
    return found


def cells_are_small(notebook: NotebookNode) -> list[str]:
    """Median, nine in ten and longest, in lines that are neither blank nor a comment.

    An exercise's answer counts for the longest only: it is what a reader writes, not a step that is explained.
    """
    cells = [(code_lines(cell.source), "exercise" in _tags(cell)) for cell in _code(notebook)]
    steps = [count for count, is_answer in cells if not is_answer]
    if not steps:
        return ["no code cell"]
    found = []
    if statistics.median(steps) > MEDIAN_LINES:
        found.append(f"the median code cell has {statistics.median(steps)} lines, not {MEDIAN_LINES}")
    short = sum(count <= NINE_IN_TEN_LINES for count in steps)
    if short < 0.9 * len(steps):
        found.append(f"only {short} of {len(steps)} code cells have at most {NINE_IN_TEN_LINES} lines")
    if max(cells)[0] > MOST_LINES:
        found.append(f"the longest code cell has {max(cells)[0]} lines, not {MOST_LINES}")
    return found


def code_is_explained(notebook: NotebookNode) -> list[str]:
    """At most two code cells in a row."""
    found, run = [], 0
    for number, cell in enumerate(notebook.cells):
        run = run + 1 if cell.cell_type == "code" else 0
        if run == 3:
            found.append(f"cell {number} is the third code cell in a row")
    return found


def enough_is_checked(notebook: NotebookNode) -> list[str]:
    """At least four in ten code cells hold an assert, a checker's call or an expected error."""
    cells = _code(notebook)
    checked = sum(_is_checked(cell) for cell in cells)
    if checked >= CHECKED_SHARE * len(cells):
        return []
    return [f"only {checked} of {len(cells)} code cells carry a check"]


def one_definition_per_cell(notebook: NotebookNode) -> list[str]:
    """A cell defines one function or one class."""
    found = []
    for number, cell in enumerate(_code(notebook)):
        names = [node.name for node in parse_cell(cell.source).body if isinstance(node, DEFINITIONS)]
        if len(names) > 1 and "exercise" not in _tags(cell):
            found.append(f"code cell {number} defines {', '.join(names)}")
    return found


def has_a_lessons_length(notebook: NotebookNode) -> list[str]:
    """30 to 60 cells."""
    count = len(notebook.cells)
    return [] if count in CELLS else [f"{count} cells, not {CELLS[0]} to {CELLS[-1]}"]


def uses_the_python3_kernel(notebook: NotebookNode) -> list[str]:
    """Any reader has a kernel of this name."""
    name = notebook.metadata.get("kernelspec", {}).get("name")
    return [] if name == "python3" else [f"kernel {name!r}, not 'python3'"]


RULES: tuple[Rule, ...] = (
    ran_in_order,
    errors_are_tagged,
    runs_alike_under_nbval,
    names_nothing_foreign,
    cells_are_small,
    code_is_explained,
    enough_is_checked,
    one_definition_per_cell,
    has_a_lessons_length,
    uses_the_python3_kernel,
)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _tags(cell: NotebookNode) -> list[str]:
    return list(cell.metadata.get("tags", []))


def _texts(cell: NotebookNode) -> Iterator[str]:
    yield cell.source
    for output in cell.get("outputs", []):
        yield output.get("text", "")
        yield output.get("evalue", "")
        yield from (value for kind, value in output.get("data", {}).items() if kind.startswith("text/"))


def _is_checked(cell: NotebookNode) -> bool:
    if "raises-exception" in _tags(cell):
        return True
    for node in ast.walk(parse_cell(cell.source)):
        if isinstance(node, ast.Assert):
            return True
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "check":
            return True
    return False
