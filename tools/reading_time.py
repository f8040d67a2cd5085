"""How long a cell takes a reader, by this rule:

- prose and questions, 200 words a minute. Adults read English non-fiction silently at 238 words a minute:
  M. Brysbaert, "How many words do we read per minute? A review and meta-analysis of reading rate", Journal of Memory
  and Language 109 (2019), 104047. A sixth less here, for a text with code words in it;
- code, 4 s a line that is neither blank, nor a comment, nor an import; an output, 1.5 s a line, at most twelve lines of
  it, and 10 s for a figure; 2 s to run a cell; 15 s to choose an answer; 15 s to try what a cell moves in a panel.
  These are ours: with them a lesson takes about what its first cell says, and a test holds it to that.
"""

from __future__ import annotations

import ast
import re

from nbformat import NotebookNode

from tools.cell_code import code_lines, parse_cell

WORDS_A_MINUTE = 200
CODE_LINE_S, OUTPUT_LINE_S, OUTPUT_LINES_READ, FIGURE_S = 4.0, 1.5, 12, 10.0
RUN_S, CHOOSE_S, MOVE_S = 2.0, 15.0, 15.0
OPTION = "\n  ( ) "  # before each option of a question, in its plain text
MOVES = re.compile(r"\.value = |\.value, .* = |\.click\(\)")


def prose_seconds(markdown: str) -> float:
    """Seconds to read a text; of a link its words are read, not its address.

    >>> prose_seconds("A [dict](01_dict_of_tools.ipynb) of *tools*: `run_loop`.")
    1.5
    """
    shown = re.sub(r"\]\([^)]*\)", "]", markdown)
    return 60 * len(re.findall(r"\w[\w'’.-]*", shown)) / WORDS_A_MINUTE


def code_seconds(cell: NotebookNode) -> float:
    """Seconds to read a code cell, to run it, and to look at what it shows."""
    seconds = RUN_S + CODE_LINE_S * _lines_read(cell.source) + MOVE_S * bool(MOVES.search(cell.source))
    return seconds + sum(_output_seconds(output) for output in cell.outputs)


def _output_seconds(output: NotebookNode) -> float:
    data = output.get("data", {})
    text = output.get("text") or data.get("text/plain") or output.get("evalue") or ""
    if "image/png" in data:
        return FIGURE_S
    if OPTION in text:
        return CHOOSE_S + prose_seconds(text)
    return OUTPUT_LINE_S * min(len(text.strip().splitlines()), OUTPUT_LINES_READ)


def _lines_read(source: str) -> int:
    imports = [node for node in ast.walk(parse_cell(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    skipped = {line for node in imports for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return code_lines("\n".join(line for at, line in enumerate(source.splitlines(), 1) if at not in skipped))
