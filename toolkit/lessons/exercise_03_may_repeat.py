"""Exercise 03.may_repeat: what an exception says about a second try."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.errors import ToolError, TransientError
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect_equal


def check_may_repeat(may_repeat: Callable[[Exception, bool], bool]) -> None:
    """Only what failed for now, and only where a second run does no harm."""
    for error, idempotent, wanted, case in cases():
        expect_equal(may_repeat(error, idempotent), wanted, case)


def cases() -> list[tuple[Exception, bool, bool, str]]:
    """An exception, whether the tool is idempotent, whether it may be repeated, and the case in words."""
    refused, unsent = ConnectionRefusedError("nobody listens"), TransientError("queue full", sent=False)
    return [
        (TimeoutError(), True, True, "a timeout of a search, which may be repeated"),
        (TimeoutError(), False, False, "a timeout of a booking: it may have taken effect"),
        (ConnectionResetError(), True, True, "a lost connection of a search"),
        (ConnectionResetError(), False, False, "a lost connection of a booking: the request may have arrived"),
        (TransientError("server down"), True, True, "a server that is down, asked for a search"),
        (TransientError("server down"), False, False, "a server that went down after the booking was sent"),
        (refused, True, True, "a refused connection of a search"),
        (refused, False, True, "a refused connection of a booking: nothing was sent, so nothing can have happened"),
        (unsent, False, True, "a booking that says itself that nothing was sent (sent=False)"),
        (ToolError("No suite at HT-001."), True, False, "a business error: the answer will be the same"),
        (ToolError("No suite at HT-001."), False, False, "a business error of a booking"),
        (KeyError("price"), True, False, "a bug: it fails the same way each time"),
        (KeyError("price"), False, False, "a bug in a booking"),
    ]


_HEAD = """\
def may_repeat(error, idempotent):
    if not isinstance(error, (TransientError, ConnectionError, TimeoutError)):
        return False
"""

MAY_REPEAT = Exercise(
    id="03.may_repeat",
    task=(
        "An attempt raised `error`. May the same call be made again without asking anybody?\n\n"
        "Yes, if it failed *for now* (`TransientError`, or Python's own `ConnectionError` and `TimeoutError`), and "
        "either the tool is idempotent or nothing was sent. Nothing was sent where the connection was refused "
        "(`ConnectionRefusedError`) and where a `TransientError` says so: its `sent` is False."
    ),
    minutes=6,
    difficulty="medium",
    hints=(
        "Two questions, one after the other: did it fail for now? And may it run twice?",
        "`ConnectionRefusedError` is a kind of `ConnectionError`, so `isinstance` finds it among those.",
        '`getattr(error, "sent", True)` gives True where the exception says nothing. A refused connection is the one '
        "exception that says it by its type.",
    ),
    setup="from toolkit import ToolError, TransientError",
    stub='''\
def may_repeat(error: Exception, idempotent: bool) -> bool:
    """Whether the same call may be made again without asking anybody.

    >>> may_repeat(TimeoutError(), idempotent=True), may_repeat(TimeoutError(), idempotent=False)
    (True, False)
    """
    raise NotImplementedError''',
    solution='''\
def may_repeat(error: Exception, idempotent: bool) -> bool:
    """Whether the same call may be made again without asking anybody."""
    if not isinstance(error, (TransientError, ConnectionError, TimeoutError)):
        return False
    sent = getattr(error, "sent", not isinstance(error, ConnectionRefusedError))
    return idempotent or not sent''',
    alternatives=(
        """\
def may_repeat(error, idempotent):
    match error:
        case ConnectionRefusedError() | TransientError(sent=False):
            return True
        case TransientError() | ConnectionError() | TimeoutError():
            return idempotent
    return False""",
        """\
def may_repeat(error, idempotent):
    try:
        raise error
    except ConnectionRefusedError:
        return True
    except TransientError as failed:
        return idempotent or not failed.sent
    except (ConnectionError, TimeoutError):
        return idempotent
    except Exception:
        return False""",
    ),
    wrong=(
        WrongAnswer(
            "repeats whatever failed for now",
            "def may_repeat(error, idempotent):\n"
            "    return isinstance(error, (TransientError, ConnectionError, TimeoutError))",
            "a timeout of a booking",
        ),
        WrongAnswer(
            "repeats whatever an idempotent tool raises",
            "def may_repeat(error, idempotent):\n"
            "    return idempotent or isinstance(error, ConnectionRefusedError) or not getattr(error, 'sent', True)",
            "a business error",
        ),
        WrongAnswer(
            "repeats all but business errors",
            "def may_repeat(error, idempotent):\n"
            "    unsent = isinstance(error, ConnectionRefusedError) or not getattr(error, 'sent', True)\n"
            "    return not isinstance(error, ToolError) and (idempotent or unsent)",
            "a bug",
        ),
        WrongAnswer("never repeats a write", _HEAD + "    return idempotent", "nothing was sent"),
        WrongAnswer(
            "does not read what the error says",
            _HEAD + "    return idempotent or isinstance(error, ConnectionRefusedError)",
            "sent=False",
        ),
        WrongAnswer(
            "takes every lost connection for unsent",
            _HEAD + "    return idempotent or isinstance(error, ConnectionError)",
            "the request may have arrived",
        ),
    ),
    checker=check_may_repeat,
)
