"""What the rubric of 12.ToolGuard asks: tools that hang, fail and recover, all in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from toolkit.errors import ToolError, TransientError
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.expect import Wrong, expect, expect_equal
from toolkit.lessons.rubric import Criterion

Work = Callable[[], Coroutine[Any, Any, Any]]
PLACES, FAILURES, WINDOW_S, REST_S = 2, 3, 10.0, 30.0
MANY = 50  # places, where they are not what is asked: one that is never freed is no other criterion's business
REFUSED = "refused"


class _Desk:
    """A guard in virtual time, and what became of the calls sent through it."""

    def __init__(self, tool_guard: Any, places: int = MANY) -> None:
        self.clock = VirtualTime()
        self.guard = tool_guard(self.clock.now, places=places, failures=FAILURES, window_s=WINDOW_S, rest_s=REST_S)
        self.started = 0

    def run(self, story: Coroutine[Any, Any, None]) -> None:
        self.clock.run(story)

    async def call(self, seconds: float = 0.0, error: BaseException | None = None, tool: str = "weather") -> Any:
        """One call that takes its time and then works or raises; the value, the name of its error, or `refused`.

        A refusal is a `TransientError` that is not the tool's own and says that nothing was sent.
        """

        async def work() -> str:
            self.started += 1
            await asyncio.sleep(seconds)
            if error is not None:
                raise error
            return "rain"

        try:
            return await self.guard.run(tool, work)
        except Exception as raised:
            if raised is error:
                return type(raised).__name__
            if isinstance(raised, TransientError) and not raised.sent:
                return REFUSED
            raise

    def begin(self, *arguments: Any, **named: Any) -> asyncio.Task[Any]:
        return asyncio.ensure_future(self.call(*arguments, **named))

    async def fail(self, times: int, tool: str = "weather", kind: type[Exception] = TransientError) -> None:
        for _ in range(times):
            await self.call(error=kind("down"), tool=tool)

    async def rest(self) -> None:
        """Open the breaker, and wait until a probe is due."""
        await self.fail(FAILURES)
        await asyncio.sleep(REST_S + 1)

    async def expect_open(self) -> None:
        """What a criterion rests on, said by itself: else its message would name a cause that is none."""
        await self.fail(FAILURES)
        expect(await self.call() == REFUSED, f"{FAILURES} failures within {WINDOW_S:g} s, and on it goes")


def _passes_on(tool_guard: Any) -> None:
    desk = _Desk(tool_guard)

    async def story() -> None:
        expect_equal(await desk.call(), "rain", "a tool that works: its value")
        expect_equal(await desk.call(error=TransientError("down")), "TransientError", "a tool that fails: its error")
        expect_equal(desk.started, 2, "two calls: how often a tool was started")

    desk.run(story())


def _limits(tool_guard: Any) -> None:
    desk = _Desk(tool_guard, PLACES)

    async def story() -> None:
        slow = [desk.begin(60) for _ in range(PLACES)]
        await asyncio.sleep(1)
        third = await desk.call()
        expect(
            desk.clock.now() < 2, f"the third call was queued, until {desk.clock.now():g} s, and not refused at once"
        )
        expect(third == REFUSED, f"{PLACES} places are taken, and a third call was let in: it got {third!r}")
        expect_equal([await each for each in slow], ["rain"] * PLACES, "the calls that had a place")

    desk.run(story())


def _frees_places(tool_guard: Any) -> None:
    desk = _Desk(tool_guard, PLACES)

    async def story() -> None:
        for number in range(PLACES + 1):
            expect(await desk.call() == "rain", f"{number} calls have come back, and their places were not freed")
        for number in range(PLACES + 1):
            said = await desk.call(error=ToolError("No suite."))
            expect(said != REFUSED, f"{number} calls have raised, and their places were not freed")

    desk.run(story())


def _keeps_tools_apart(tool_guard: Any) -> None:
    desk = _Desk(tool_guard, PLACES)

    async def story() -> None:
        slow = [desk.begin(60) for _ in range(PLACES)]
        await asyncio.sleep(1)
        expect(await desk.call(tool="search") == "rain", "one tool hangs in all its places, and another was refused")
        await asyncio.gather(*slow)
        await desk.fail(FAILURES, tool="booking")
        expect(await desk.call(tool="search") == "rain", "one tool fails, and another was left alone")

    desk.run(story())


def _opens(tool_guard: Any) -> None:
    desk = _Desk(tool_guard)

    async def story() -> None:
        await desk.fail(FAILURES - 1)
        expect(await desk.call() == "rain", f"{FAILURES - 1} failures: it was left alone too soon")
        await desk.fail(1)
        before = desk.started
        said = await desk.call()
        expect(said == REFUSED, f"{FAILURES} failures within {WINDOW_S:g} s, a success among them, and on it goes")
        expect(desk.started == before, "the call was refused, and the tool was started all the same")

    desk.run(story())
    _counts_timeouts(_Desk(tool_guard))
    _forgets(_Desk(tool_guard))


def _counts_timeouts(desk: _Desk) -> None:
    async def story() -> None:
        await desk.fail(FAILURES, kind=TimeoutError)
        expect(
            await desk.call() == REFUSED, f"it timed out {FAILURES} times, and on it goes: so does a tool that hangs"
        )

    desk.run(story())


def _forgets(desk: _Desk) -> None:
    async def story() -> None:
        for _ in range(3 * FAILURES):
            said = await desk.call(error=TransientError("down"))
            expect(said != REFUSED, f"one failure every {WINDOW_S:g} s, never two in a window, and it was left alone")
            await asyncio.sleep(WINDOW_S + 1)

    desk.run(story())


def _blames_the_tool_only(tool_guard: Any) -> None:
    desk = _Desk(tool_guard)

    async def story() -> None:
        for _ in range(2 * FAILURES):
            said = await desk.call(error=ToolError("No suite at HT-001."))
            expect(said == "ToolError", "what the caller asked wrongly was counted against the tool: it was left alone")
        await desk.fail(FAILURES)
        expect(await desk.call() == REFUSED, "failures after refusals of the tool's own: on it goes")

    desk.run(story())


def _probes(tool_guard: Any) -> None:
    for works in (True, False):
        desk = _Desk(tool_guard)

        async def story(desk: _Desk = desk, works: bool = works) -> None:
            await desk.expect_open()
            await asyncio.sleep(REST_S + 1)
            before = desk.started
            probes = [desk.begin(5, None if works else TransientError("down")) for _ in range(4)]
            ended = await asyncio.gather(*probes)
            expect(desk.started > before, f"{REST_S + 1:g} s after it was opened no probe was let through")
            expect(desk.started == before + 1, f"{desk.started - before} probes at once on a tool that was just down")
            expect_equal(ended.count(REFUSED), 3, "calls refused beside the probe")
            after = [await desk.call() for _ in range(2)]
            case = f"after a probe that {'worked' if works else 'failed'}: the next two calls"
            expect_equal(after, ["rain" if works else REFUSED] * 2, case)

        desk.run(story())


def _survives_cancellation(tool_guard: Any) -> None:
    desk = _Desk(tool_guard, PLACES)

    async def leave(count: int) -> None:
        tasks = [desk.begin(60) for _ in range(count)]
        await asyncio.sleep(1)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        if not all(isinstance(each, asyncio.CancelledError) for each in ended):
            raise Wrong(f"the caller went away, and got {ended[0]!r} instead of its cancellation")

    async def story() -> None:
        await leave(PLACES)
        expect(await desk.call() == "rain", "calls were cancelled, and their places were not freed")
        await leave(PLACES)
        expect(await desk.call() == "rain", "callers that went away were counted as failures of the tool")
        await desk.rest()
        await leave(1)
        await asyncio.sleep(REST_S + 1)  # whether another probe is let through at once or after a rest is a choice
        expect(await desk.call() == "rain", "the probe was cancelled, and no other was ever let through")

    desk.run(story())


def _ignores_late_answers(tool_guard: Any) -> None:
    """While it rests or is probed. Whether a late failure is one more once it has recovered is a choice."""
    desk = _Desk(tool_guard)

    async def story() -> None:
        late = desk.begin(5)
        await asyncio.sleep(1)
        await desk.expect_open()
        expect_equal(await late, "rain", "a call that was under way when it was opened: its value")
        expect(await desk.call() == REFUSED, "an answer to a call from before it was opened closed it again")

    desk.run(story())
    desk = _Desk(tool_guard)

    async def fails_late() -> None:
        late = [desk.begin(seconds, TransientError("down")) for seconds in (20, REST_S + 5)]
        await asyncio.sleep(1)
        await desk.rest()
        probe = desk.begin(10)
        await asyncio.sleep(1)
        expect(desk.started == FAILURES + 3, "a failure from before it was opened made its rest longer")
        await asyncio.gather(*late)
        expect(await desk.call() == REFUSED, "a failure from before it was opened let a second probe through")
        expect_equal(await probe, "rain", "a probe, while a call from before it was opened fails: its value")
        expect(await desk.call() == "rain", "a failure from before it was opened was taken for the probe's")

    desk.run(fails_late())


RUBRIC = (
    Criterion("the value or the error of a call goes to its caller", 1, "junior", _passes_on),
    Criterion("a call beyond the places is refused at once, not queued", 2, "junior", _limits),
    Criterion("a place is free again after a value and after an error", 2, "junior", _frees_places),
    Criterion("one tool's trouble is no other's", 2, "senior", _keeps_tools_apart),
    Criterion("enough failures in a window, and only those, and it is left alone", 3, "senior", _opens),
    Criterion("what the caller did wrong says nothing about the tool", 2, "senior", _blames_the_tool_only),
    Criterion("after the rest exactly one probe, and its outcome decides", 3, "senior", _probes),
    Criterion("a caller who goes away takes neither a place nor the probe along", 2, "staff", _survives_cancellation),
    Criterion("an answer from before it was opened decides nothing", 2, "staff", _ignores_late_answers),
)
