"""Exercise 12.call_with_retry: every call comes to an end, and is made again only where that may help."""

from __future__ import annotations

from toolkit.lessons.checkers_12_call_with_retry import RUBRIC
from toolkit.lessons.exercise import Exercise, WrongAnswer

_HEAD = """\
async def call_with_retry(
    work, *, deadline_s, attempt_s, repeatable, now, sleep, random, attempts=3, base_s=0.5, cap_s=8.0
):
"""
_SOLUTION = (
    _HEAD
    + '''\
    """The value of the first attempt of `work()` that works, before `deadline_s` seconds are over."""
    ends, wait_s = now() + deadline_s, 0.0
    failure = TimeoutError(f"there was no time for an attempt within {deadline_s:g} s")
    for number in range(attempts):
        if number:
            await sleep(wait_s)
        left_s = ends - now()
        if left_s <= 0:
            raise failure
        try:
            async with asyncio.timeout(min(attempt_s, left_s)):
                return await work()
        except (TransientError, TimeoutError) as error:
            failure = error
        may_be_done = getattr(failure, "sent", True)  # a timeout says nothing about that
        if may_be_done and not repeatable:
            raise failure
        wait_s = random() * min(cap_s, base_s * 2**number)
        wait_s = max(wait_s, getattr(failure, "retry_after_s", None) or 0)
        if now() + wait_s >= ends:
            raise failure
    raise failure'''
)

_ONE_SCOPE = (
    _HEAD
    + '''\
    """The deadline is one scope around everything: what is under way when it ends is cancelled, whatever it is."""
    if deadline_s <= 0:
        raise TimeoutError
    ends, waits = now() + deadline_s, [random() * min(cap_s, base_s * 2**n) for n in range(attempts - 1)]
    async with asyncio.timeout(deadline_s):
        for wait_s in [*waits, None]:
            try:
                return await asyncio.wait_for(work(), attempt_s)
            except TimeoutError:
                if not repeatable or wait_s is None:
                    raise
            except TransientError as error:
                if wait_s is None or error.sent and not repeatable:
                    raise
                wait_s = max(wait_s, error.retry_after_s or 0)
                if now() + wait_s >= ends:
                    raise
            await sleep(wait_s)'''
)

_DECIDED_APART = (
    '''\
def wait_before_next(error, drawn_s, left_s, repeatable):
    """Seconds to wait before another attempt, None for no other: a decision without a clock or a loop."""
    match error:
        case TransientError(sent=sent, retry_after_s=asked_s):
            allowed = repeatable or not sent
        case TimeoutError():
            allowed, asked_s = repeatable, None
        case _:
            return None
    wait_s = max(drawn_s, asked_s or 0)
    return wait_s if allowed and wait_s < left_s else None


async def ended(work, limit_s):
    """The task of an attempt, done; None where it had to be cancelled."""
    task = asyncio.ensure_future(work())
    try:
        await asyncio.wait({task}, timeout=limit_s)
        return task if task.done() else None
    finally:
        task.cancel()


'''
    + _HEAD
    + """\
    ends, error = now() + deadline_s, TimeoutError("no time")
    for number in range(attempts):
        if now() >= ends:
            break
        task = await ended(work, min(attempt_s, ends - now()))
        error = task.exception() if task else TimeoutError("given up")
        if error is None:
            return task.result()
        drawn_s = random() * min(cap_s, base_s * 2**number)
        wait_s = wait_before_next(error, drawn_s, ends - now(), repeatable)
        if wait_s is None or number == attempts - 1:
            break
        await sleep(wait_s)
    raise error"""
)


def _but(mistake: str, says: str, part: str, other: str) -> WrongAnswer:
    """The solution with one part written otherwise."""
    return WrongAnswer(mistake, _SOLUTION.replace(part, other), says)


CALL_WITH_RETRY = Exercise(
    id="12.call_with_retry",
    task="**Our tools hang, fail for a moment, and sometimes book twice. Write the call that every other call goes "
    "through, so that each comes to an end. Twenty minutes.**\n\n"
    f"```python\n{_HEAD}    ...\n```\n\n"
    "`await work()` is one attempt. A `TransientError` says that something failed for now; its `retry_after_s` says "
    "when to come back at the earliest (or is None), its `sent` is False where it is certain that nothing was sent. An "
    "attempt may take `attempt_s` seconds, and all of it `deadline_s`; what takes longer ends in a `TimeoutError`, and "
    "that may pass as well. `repeatable` says that the call may be made twice without harm: a read, or a write with an "
    "idempotency key.\n\n"
    "There are `attempts` attempts, and between them exponential backoff with full jitter, from `base_s`, up to "
    "`cap_s`. `now()`, `await sleep(seconds)` and `random()`, from 0 to 1, are given; with `asyncio.timeout` you have "
    "all you need.",
    minutes=20,
    difficulty="hard",
    hints=(
        "Work out the moment of the end once, `ends = now() + deadline_s`, and ask of every step how much is left. A "
        "deadline that is counted anew in each attempt is none.",
        "In one round: no time left, then raise; try, with `min(attempt_s, left_s)`; what may pass is kept as the "
        "failure, anything else goes by itself, a cancellation too.",
        "Then three questions about the failure: may it have taken effect, and is that harmless? How long to wait? Is "
        "there still time after that? If not, raise what you have now.",
        "Full jitter is `random() * min(cap_s, base_s * 2**number)`, from nothing to all of it. `retry_after_s` is a "
        "lower bound, and no cap applies to it.",
    ),
    setup="import asyncio\nfrom toolkit import ToolError, TransientError",
    stub=_HEAD
    + '''\
    """The value of the first attempt of `work()` that works, before `deadline_s` seconds are over."""
    raise NotImplementedError''',
    solution=_SOLUTION,
    alternatives=(_ONE_SCOPE, _DECIDED_APART),
    wrong=(
        _but(
            "makes one attempt too few",
            "attempts=3, and the third works: got TransientError('down') after 2",
            *("range(attempts)", "range(attempts - 1)"),
        ),
        _but(
            "repeats whatever fails",
            "ToolError does not say that it may pass, and was tried 3 times",
            *("except (TransientError, TimeoutError)", "except Exception"),
        ),
        _but(
            "lets one attempt take all the time",
            "the first attempt hangs, the second would work: got TimeoutError()",
            *("min(attempt_s, left_s)", "left_s"),
        ),
        _but(
            "leaves an attempt running when it gives it up",
            "an attempt that was given up went on beside the next one",
            *("return await work()", "return await asyncio.shield(work())"),
        ),
        _but("waits the same in all callers", "and come back together", "random() * min(", "min("),
        _but(
            "waits at least half",
            "and random() gives 0.5: the first waits: expected [0.5, 1, 2, 2], got [0.75,",
            *("random() * min(", "(1 + random()) / 2 * min("),
        ),
        _but(
            "does not hear when to come back",
            "told to come back after 2.5 s, cap_s=8: it came after 0.25 s",
            *('getattr(failure, "retry_after_s", None) or 0', "0"),
        ),
        _but(
            "caps what the other side asked for",
            "told to come back after 20 s, cap_s=8: it came after 8 s",
            *(
                'max(wait_s, getattr(failure, "retry_after_s", None) or 0)',
                'min(cap_s, max(wait_s, getattr(failure, "retry_after_s", None) or 0))',
            ),
        ),
        _but(
            "sends a booking again that may have been made",
            "a booking without a key hangs: it was sent 2 times",
            *("if may_be_done and not repeatable", "if False"),
        ),
        _but(
            "never sends a booking again",
            "nothing was sent, so even a booking may be tried again",
            *("if may_be_done and not repeatable", "if not repeatable"),
        ),
        _but(
            "takes a caller who leaves for a failure",
            "instead of its cancellation",
            *("(TransientError, TimeoutError)", "(TransientError, TimeoutError, asyncio.CancelledError)"),
        ),
        _but(
            "looks at the deadline only between attempts",
            "deadline_s=5, attempt_s=100, and every attempt hangs: the caller heard at 100 s",
            *("min(attempt_s, left_s)", "attempt_s"),
        ),
        _but(
            "trusts the sleep to take as long as it was asked",
            "and an attempt was begun",
            *("if left_s <= 0", "if False"),
        ),
        _but(
            "waits for nothing", "the caller was kept until 60 s for nothing", "if now() + wait_s >= ends", "if False"
        ),
    ),
    rubric=RUBRIC,
)
