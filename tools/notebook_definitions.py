"""What a lesson defines, without running the lesson: so a test can compare it with what the package holds."""

from __future__ import annotations

import ast
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import jupytext

from tools.cell_code import parse_cell

KEPT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def load_definitions(script: Path) -> SimpleNamespace:
    """Imports, functions, classes and constants (names in capitals) of a source, in order; nothing else is run.

    A definition that cannot be made without what the lesson does, such as one under `@tool(registry)`, is left out.

    Raises:
        SyntaxError: a cell that is no Python.
    """
    notebook = jupytext.read(script, fmt="py:percent")
    code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    kept = [node for node in parse_cell(code, str(script)).body if isinstance(node, KEPT) or _is_constant(node)]
    namespace: dict[str, object] = {"__name__": script.stem}
    for node in kept:
        with suppress(NameError):
            exec(compile(ast.Module([node], []), str(script), "exec", dont_inherit=True), namespace)
    return SimpleNamespace(**namespace)


def _is_constant(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Assign):
        return False
    names = [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
    return bool(names) and all(name.isupper() for name in names)
