"""Arithmetic from a text, without `eval`: a list of what is allowed, and bounds on how large anything may get.

`eval` with an empty `__builtins__` still reaches everything through attributes, and `9**9**9` needs no attribute to
stop a program. Here a node that is not on the list is refused, and a number is measured before it is computed.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable

from toolkit.errors import ToolError

MAX_LENGTH = 500
MAX_BITS = 1024  # of any number on the way
RESULT_BITS = 63  # of a whole number in the end: what fits into JSON everywhere

Number = int | float
_NAMES: dict[str, Number] = {"pi": math.pi, "e": math.e}
_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "abs": abs,
    "max": max,
    "min": min,
    "round": lambda number, digits=None: round(number, digits),
    "sqrt": math.sqrt,
}
_OPERATORS: dict[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_TOKEN = re.compile(r"\s+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])|[A-Za-z]+(?!\w)|\*\*|//|[-+*/%(),]", re.ASCII)
_INSTEAD = {"^": "**", "×": "*", "÷": "/", "−": "-", "=": "an expression without it", "π": "pi"}


def calculate(expression: str) -> Number:
    """The value of an arithmetic expression: + - * / // % **, brackets, pi, e, abs, max, min, round, sqrt.

    Raises:
        ToolError: it is no such expression, or a number in it gets too large. The text is written for the model.

    >>> calculate("2 * (400 + 19.5)")
    839.0
    """
    if len(expression) > MAX_LENGTH:
        raise ToolError(f"The expression is {len(expression)} characters long; the limit is {MAX_LENGTH}.")
    _check_tokens(expression)
    try:
        tree = ast.parse(" ".join(expression.split()), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise ToolError(f"{expression!r} is no complete arithmetic expression.") from None
    try:
        value = _value(tree.body)
    except ZeroDivisionError:
        raise ToolError(f"{expression!r} divides by zero.") from None
    except (OverflowError, ValueError, TypeError):
        raise ToolError(f"{expression!r} has no finite real value.") from None
    if isinstance(value, int) and value.bit_length() > RESULT_BITS:
        raise ToolError(f"The result has {len(str(abs(value)))} digits; whole numbers have at most 18 here.")
    return value


def _check_tokens(expression: str) -> None:
    position = 0
    while position < len(expression):
        token = _TOKEN.match(expression, position)
        if token is None:
            found = expression[position]
            use = f" Use {_INSTEAD[found]}." if found in _INSTEAD else ""
            raise ToolError(f"{found!r} at position {position} is not allowed in an arithmetic expression.{use}")
        if token[0].isalpha() and token[0] not in _NAMES and token[0] not in _FUNCTIONS:
            names = ", ".join([*_NAMES, *_FUNCTIONS])
            raise ToolError(f"{token[0]!r} is not known here. Known: {names}.")
        position = token.end()


def _value(node: ast.expr) -> Number:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _bounded(number)
        case ast.Name(id=name) if name in _NAMES:
            return _NAMES[name]
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _combined(type(op), _value(left), _value(right))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _bounded(_FUNCTIONS[name](*map(_value, args)))
        case _:
            raise ToolError(f"{ast.unparse(node)!r} is not arithmetic. For 1,234 write 1234.")


def _combined(op: type[ast.operator], left: Number, right: Number) -> Number:
    if isinstance(left, int) and isinstance(right, int):
        if op is ast.Pow and abs(left) > 1 and abs(right) * math.log2(abs(left)) > MAX_BITS:
            raise ToolError(f"{_short(left)} ** {_short(right)} is too large.")
        if op is ast.Mult and left.bit_length() + right.bit_length() > MAX_BITS:
            raise ToolError(f"{_short(left)} * {_short(right)} is too large.")
    return _bounded(_OPERATORS[op](left, right))


def _bounded(value: Number) -> Number:
    if not isinstance(value, int | float):  # a root of a negative number is complex
        raise ValueError
    if isinstance(value, float) and not math.isfinite(value):
        raise OverflowError
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise ToolError(f"A number of {value.bit_length()} bits is too large.")
    return value


def _short(value: int) -> str:
    text = str(value)
    return text if len(text) <= 12 else f"(a number of {len(text)} digits)"
