"""Mutation of the checks themselves: break the code of a check in one place, and some run must notice.

The source of the modules in `MODULES` is read, one node of its syntax tree is replaced, and the result is compiled
into fresh modules in memory; nothing on disk or in `sys.modules` changes. Left alone is what only words a reason,
what only guards a type (`is None`, `isinstance`, a parameter that is not given), and what no hotel check uses.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from types import CodeType, SimpleNamespace
from typing import Any, Literal, NamedTuple, TypeAlias

from toolkit.trajectory.policy import Check, Policy

Kind: TypeAlias = Literal[
    "drop a condition", "skip a branch", "invert a comparison", "move a bound", "ignore visibility"
]

_PACKAGE = "toolkit.trajectory.checks"
MODULES = ("evidence", "order", "sources", "provenance", "agreement")  # in the order they import each other
_WORDING = frozenset({"shown", "quoted", "known", "searched", "_nearest", "_missing", "_mismatches", "in_doubt"})
_UNUSED = frozenset({"Said", "as_names", "as_paths"})  # by the hotel's checks
_INVERSE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}
_BOUND: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}


class BrokenCheck(NamedTuple):
    """One place at which the code of a check is broken. `number` counts the places of the module."""

    module: str
    number: int
    function: str
    kind: Kind
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.module}.{self.function}: {self.kind}: `{self.before}` becomes `{self.after}`"


@dataclass(frozen=True, slots=True)
class _Place:
    """A node of the tree, where it hangs, and the function it stands in."""

    node: ast.AST
    parent: ast.AST
    field: str
    position: int | None
    function: str

    def put(self, new: ast.AST) -> None:
        if self.position is None:
            setattr(self.parent, self.field, new)
        else:
            getattr(self.parent, self.field)[self.position] = new


def broken_checks() -> list[BrokenCheck]:
    """Every way to break the four checks that this module knows.

    >>> print(next(broken for broken in broken_checks() if broken.kind == "ignore visibility"))
    order.judge: ignore visibility: `self.done.turn < turn` becomes `True`
    """
    return [
        BrokenCheck(module, number, place.function, kind, ast.unparse(place.node), ast.unparse(new))
        for module in MODULES
        for number, (place, kind, new) in enumerate(_sites(_tree(module)))
    ]


def broken_policy(policy: Policy, broken: BrokenCheck) -> Policy:
    """The policy, its checks made of the broken code."""
    names = _load(broken)
    return replace(policy, checks=tuple(_rebuilt(check, names) for check in policy.checks))


def _rebuilt(check: Check, names: SimpleNamespace) -> Check:
    """The same check with function, entity and link of the fresh modules."""
    parameters = dict(check.parameters)
    entity, link = parameters.get("entity"), parameters.get("link")
    if entity is not None:
        parameters["entity"] = names.Entity(entity.field, entity.names)
    if link is not None:
        parameters["link"] = names.Link(link.argument, link.sources)
    return Check(check.name, getattr(names, check.function.__name__), **parameters)


# -- places ---------------------------------------------------------------------------------------------------


def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(import_module(f"{_PACKAGE}.{module}")))


def _sites(tree: ast.Module) -> Iterator[tuple[_Place, Kind, ast.expr]]:
    for place in _places(tree, "module"):
        for kind, new in _changes(place):
            yield place, kind, new


def _places(node: ast.AST, function: str) -> Iterator[_Place]:
    """Every expression that decides something, in the order of the source."""
    for field, value in ast.iter_fields(node):
        for position, child in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr | ast.Assert) or _is_wording(child):
                continue
            inside = child.name if isinstance(child, ast.FunctionDef | ast.ClassDef) else function
            if inside in _WORDING or inside in _UNUSED:
                continue
            yield _Place(child, node, field, position if isinstance(value, list) else None, inside)
            yield from _places(child, inside)


def _is_wording(node: ast.AST) -> bool:
    """True where a verdict is put into words: it is decided already."""
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in ("CheckResult", "in_doubt", "in_gap")


def _changes(place: _Place) -> Iterator[tuple[Kind, ast.expr]]:
    node = place.node
    if not isinstance(node, ast.expr) or _is_guard(node):
        return
    is_test = place.field in ("test", "ifs")
    if is_test:
        yield "drop a condition", ast.Constant(value=True)
        yield "skip a branch", ast.Constant(value=False)
    if isinstance(node, ast.BoolOp):
        for left_out, condition in enumerate(node.values):
            kept = [value for position, value in enumerate(node.values) if position != left_out]
            if not _is_guard(condition) and not _is_default(node):
                yield "drop a condition", kept[0] if len(kept) == 1 else ast.BoolOp(op=node.op, values=kept)
    if isinstance(node, ast.UnaryOp):
        yield "invert a comparison", node.operand
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from _comparisons(node, is_test)


def _is_default(node: ast.BoolOp) -> bool:
    """True for `value or default`, which is no condition."""
    return isinstance(node.op, ast.Or) and not isinstance(node.values[-1], ast.Compare | ast.UnaryOp | ast.BoolOp)


def _is_guard(node: ast.expr) -> bool:
    """True where a condition asks only whether something is there, or of which type it is."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_guard, node.values))
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) or _is_guard(node.operand)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "isinstance"
    if isinstance(node, ast.Compare):
        other = node.comparators[0]
        return isinstance(other, ast.Constant) and other.value is None
    return isinstance(node, ast.Name)


def _comparisons(node: ast.Compare, is_test: bool) -> Iterator[tuple[Kind, ast.expr]]:
    operator = type(node.ops[0])
    if operator in _INVERSE:
        yield "invert a comparison", ast.Compare(node.left, [_INVERSE[operator]()], node.comparators)
    if operator in _BOUND:
        yield "move a bound", ast.Compare(node.left, [_BOUND[operator]()], node.comparators)
    if "turn" in ast.unparse(node) and not is_test:  # as a whole test it is dropped already
        yield "ignore visibility", ast.Constant(value=True)


# -- fresh modules --------------------------------------------------------------------------------------------


def _load(broken: BrokenCheck) -> SimpleNamespace:
    """The names of all modules, one of them broken; each sees the fresh ones before it."""
    fresh: dict[str, Any] = {}
    for module in MODULES:
        names = {**fresh, "__name__": f"{_PACKAGE}.{module}"}
        exec(_broken_code(broken) if module == broken.module else _code(module), names)
        fresh |= {name: value for name, value in names.items() if not name.startswith("__")}
    return SimpleNamespace(**fresh)


@lru_cache(maxsize=len(MODULES))
def _code(module: str) -> CodeType:
    return _compiled(_tree(module), module)


def _broken_code(broken: BrokenCheck) -> CodeType:
    tree = _tree(broken.module)
    place, _, new = list(_sites(tree))[broken.number]
    place.put(ast.copy_location(new, place.node))
    return _compiled(ast.fix_missing_locations(tree), broken.module)


def _compiled(tree: ast.Module, module: str) -> CodeType:
    """Without the imports of the other modules: their names are there already."""
    ours = {f"{_PACKAGE}.{name}" for name in MODULES}
    tree.body = [each for each in tree.body if not (isinstance(each, ast.ImportFrom) and each.module in ours)]
    return compile(tree, f"<{module}, broken>", "exec")
