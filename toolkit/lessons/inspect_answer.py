"""Looking at an answer without trusting it: does it return anything, and on which line did it raise?"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType, FunctionType


def returns_nothing(answer: object) -> bool:
    """True for a function of which every way out returns None, as where the `return` was forgotten.

    A body that only raises has no way out.

    >>> def forgot(number): number + 1
    >>> def raises(number): raise ValueError
    >>> returns_nothing(forgot), returns_nothing(raises), returns_nothing(lambda: 0), returns_nothing(None)
    (True, False, False, False)
    """
    if not isinstance(answer, FunctionType) or inspect.isgeneratorfunction(answer):
        return False
    steps = [step for step in dis.get_instructions(answer) if step.opname != "CACHE"]
    ends = [
        step.argval if step.opname == "RETURN_CONST" else _constant(before)
        for before, step in pairwise(steps)
        if step.opname in {"RETURN_VALUE", "RETURN_CONST"}
    ]
    return bool(ends) and all(value is None for value in ends)


def _constant(step: dis.Instruction) -> object:
    return step.argval if step.opname == "LOAD_CONST" else ...


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
