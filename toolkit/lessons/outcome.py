"""What becomes of an answer that a checker is asked about: one of four outcomes, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from toolkit.lessons.expect import Wrong
from toolkit.lessons.inspect_answer import where_raised
from toolkit.lessons.must_end import must_end

Outcome = Literal["right", "wrong", "raised", "not attempted"]


def ask(checker: Callable[[Any], None], answer: object, limit_s: float) -> tuple[Outcome, str]:
    """Ask a checker about an answer, for at most so many seconds. Raises nothing that an answer raises.

    >>> ask(lambda answer: answer("x"), lambda word: 1 / 0, 1.0)
    ('raised', 'ZeroDivisionError: division by zero (line 1 of the cell)')
    """
    try:
        with must_end(answer, limit_s):
            checker(answer)
    except Wrong as wrong:
        return "wrong", str(wrong)
    except NotImplementedError:
        return "not attempted", ""
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever an answer raises is shown to its author
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        line = where_raised(error, answer)
        if line is None:
            return "wrong", f"The check could not use the answer. {said}"
        return "raised", f"{said} (line {line} of the cell)"
    return "right", ""
