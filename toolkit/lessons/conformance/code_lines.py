"""Lines of code: what is left without blank lines, comments and docstrings."""

from __future__ import annotations

import ast
import inspect
import io
import textwrap
import tokenize
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def count_lines(source: str) -> int:
    '''How many lines of a source hold code.

    >>> count_lines('def double(number):\\n    """Twice."""\\n\\n    # easy\\n    return 2 * number\\n')
    2
    '''
    source = textwrap.dedent(source)
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            held.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            text = node.body[0]
            held.difference_update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    return len(held)


def lines_of(target: Any) -> int | None:
    """Lines of code of a class, a module or a list of functions; None where the source cannot be found."""
    try:
        if isinstance(target, list):
            return sum(count_lines(inspect.getsource(function)) for function in target)
        if isinstance(target, type) and target.__module__ == "__main__":
            return 1 + sum(count_lines(inspect.getsource(method)) for method in _methods(target))
        return count_lines(inspect.getsource(target))
    except (OSError, TypeError, SyntaxError, tokenize.TokenError):
        return None


def _methods(target: type) -> Iterator[Any]:
    """A class made in a notebook has no file to be found in, its methods have."""
    return (member for member in vars(target).values() if inspect.isfunction(member))


def lines_behind(modules: Sequence[str]) -> int:
    """Lines of code of these modules of the package and of all they import from it."""
    files: dict[str, str] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name in files or (found := _source_of(name)) is None:
            continue
        files[name] = found
        waiting += [each for each in _imports(found) if each.startswith("toolkit.")]
    return sum(count_lines(source) for source in files.values())


def _source_of(name: str) -> str | None:
    spec = find_spec(name)
    return Path(spec.origin).read_text("utf-8") if spec is not None and spec.origin is not None else None


def _imports(source: str) -> Iterator[str]:
    """Modules that a module imports anywhere, but not those it needs for annotations only."""
    tree = ast.parse(source)
    branches = [node for node in ast.walk(tree) if isinstance(node, ast.If)]
    skipped = {id(inner) for node in branches if "TYPE_CHECKING" in ast.dump(node.test) for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in skipped:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names if _is_module(node.module, alias.name))


def _is_module(package: str, name: str) -> bool:
    if not package.startswith("toolkit"):
        return False
    try:
        return find_spec(f"{package}.{name}") is not None
    except ModuleNotFoundError:  # the package is a module
        return False
