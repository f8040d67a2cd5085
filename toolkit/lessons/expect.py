"""What a checker says about an answer. Each raises `Wrong` with a message that names the cause."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Raised = TypeVar("Raised", bound=BaseException)


class Wrong(Exception):
    """The answer is wrong; the text is written for the learner and names the cause."""


def expect(condition: object, message: str) -> None:
    """Go on only where `condition` holds.

    Raises:
        Wrong: with `message`, which names what the answer did, not only what it should have done.
    """
    if not condition:
        raise Wrong(message)


def expect_equal(got: object, wanted: object, case: str) -> None:
    """Compare as JSON values: 1 and 1.0 are one number, but True is not 1.

    >>> expect_equal(True, 1, "the count")
    Traceback (most recent call last):
    toolkit.lessons.expect.Wrong: the count: expected 1, got True
    """
    if not _same(got, wanted):
        raise Wrong(f"{case}: expected {wanted!r}, got {got!r}")


def expect_raises(
    kind: type[Raised], case: str, function: Callable[..., object], *arguments: Any, holds: str = ""
) -> Raised:
    """Call `function` and return the exception it must raise, whose text must hold `holds`.

    >>> expect_raises(ValueError, "int('x')", int, "x", holds="invalid literal").args[0][:15]
    'invalid literal'
    """
    try:
        value = function(*arguments)
    except kind as error:
        expect(holds in str(error), f"{case}: the message should hold {holds!r}; it is {str(error)!r}")
        return error
    raise Wrong(f"{case}: expected {kind.__name__}, got the value {value!r}")


def _same(got: object, wanted: object) -> bool:
    if isinstance(got, bool) or isinstance(wanted, bool):
        return got is wanted
    if isinstance(got, dict) and isinstance(wanted, dict):
        return got.keys() == wanted.keys() and all(_same(got[key], wanted[key]) for key in wanted)
    if isinstance(got, list | tuple) and type(got) is type(wanted):
        return len(got) == len(wanted) and all(map(_same, got, wanted))
    return bool(got == wanted)
