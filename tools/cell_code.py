"""The code of a cell: as a tree, and the lines of it that count."""

from __future__ import annotations

import ast


def parse_cell(code: str, name: str = "<cell>") -> ast.Module:
    """Parse code as a notebook does, where `await` may stand outside a function.

    Raises:
        SyntaxError: it is no Python.
    """
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = compile(code, name, "exec", flags, dont_inherit=True)  # not this module's own future imports
    assert isinstance(tree, ast.Module)
    return tree


def code_lines(code: str) -> int:
    """How many lines are neither blank nor a comment.

    >>> code_lines("# why\\n\\nbook()  # once")
    1
    """
    lines = (line.strip() for line in code.splitlines())
    return sum(bool(line) and not line.startswith("#") for line in lines)
