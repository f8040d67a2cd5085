"""Looking at an answer without trusting it: is there anything in it, and on which line did it raise?"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType

# What every body compiles to, also one that is only a docstring, `pass` or `...`.
BOOKKEEPING = frozenset(
    {"RESUME", "NOP", "CACHE", "RETURN_GENERATOR", "POP_TOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE"}
    | {"MAKE_CELL", "COPY_FREE_VARS", "CALL_INTRINSIC_1", "RERAISE", "NOT_TAKEN"}
)


def is_blank(answer: object) -> bool:
    """True for `...` and for a function whose body does nothing.

    >>> def later(): "a docstring only"
    >>> def constant(): return 1
    >>> is_blank(...), is_blank(later), is_blank(constant), is_blank(None)
    (True, True, False, False)
    """
    if answer is ...:
        return True
    if not isinstance(answer, FunctionType):
        return False
    body = list(dis.get_instructions(answer))
    if any(step.opname not in BOOKKEEPING for step in body):
        return False
    loaded = [step.argval for step in body if step.opname in {"LOAD_CONST", "RETURN_CONST"}]
    return all(value is None or value is ... for value in loaded)


def where_raised(error: BaseException, answer: object) -> int | None:
    """The line of the answer's own cell that raised, or None where the error began outside of it."""
    files = {code.co_filename for code in _codes(answer)}
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in files:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def _codes(answer: object) -> Iterator[CodeType]:
    answer = inspect.unwrap(answer) if callable(answer) else answer
    kind = answer if isinstance(answer, type) else type(answer)
    for member in [answer, *vars(kind).values()]:
        function = getattr(member, "__func__", member)
        if isinstance(function, FunctionType):
            yield function.__code__
