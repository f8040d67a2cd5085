"""Exercise 12.ToolGuard: a bulkhead and a breaker for each tool, so that one bad tool takes no other down."""

from __future__ import annotations

from toolkit.lessons.checkers_12_tool_guard import RUBRIC
from toolkit.lessons.exercise import Exercise, WrongAnswer

_SOLUTION = """\
class Health:  # of one tool, since it was last opened or closed; each change makes a new one
    def __init__(self, opened_at=None):
        self.opened_at, self.probing, self.failed = opened_at, False, []


class ToolGuard:
    def __init__(self, clock, *, places, failures, window_s, rest_s):
        self.clock, self.places, self.failures, self.window_s, self.rest_s = clock, places, failures, window_s, rest_s
        self.running, self.tools = defaultdict(int), defaultdict(Health)

    async def run(self, tool, work):
        health = self.tools[tool]
        if self.running[tool] >= self.places:
            raise TransientError(f"{tool} is busy", sent=False)
        if health.opened_at is not None:
            if health.probing or self.clock() < health.opened_at + self.rest_s:
                raise TransientError(f"{tool} is left alone for now", sent=False)
            health.probing = True
        self.running[tool] += 1
        try:
            value = await work()
            if health.opened_at is not None:  # this was the probe
                self.tools[tool] = Health()
            return value
        except (TransientError, TimeoutError):  # nothing else is the tool's doing
            now = self.clock()
            health.failed = [each for each in health.failed if each > now - self.window_s] + [now]
            # a call that began before the last change says nothing about now
            if health is self.tools[tool] and (health.opened_at is not None or len(health.failed) >= self.failures):
                self.tools[tool] = Health(opened_at=now)
            raise
        finally:
            self.running[tool] -= 1
            health.probing = False"""

_TWO_PARTS = '''\
class Breaker:
    """Closed, open or probing is one tuple, replaced as a whole; who holds an old one has nothing to say."""

    def __init__(self, clock, failures, window_s, rest_s):
        self.clock, self.failures, self.window_s, self.rest_s = clock, failures, window_s, rest_s
        self.state = ("closed", [])

    def admit(self):
        kind, since = self.state
        if kind == "open" and self.clock() >= since + self.rest_s:
            self.state = ("probing", since)
        elif kind != "closed":
            raise TransientError("left alone", sent=False)
        return self.state

    def report(self, permit, failed):
        if permit is not self.state:
            return
        kind, since = permit
        if kind == "probing":
            self.state = ("open", since if failed is None else self.clock()) if failed is not False else ("closed", [])
        elif failed:
            since[:] = [each for each in since if each > self.clock() - self.window_s] + [self.clock()]
            if len(since) >= self.failures:
                self.state = ("open", self.clock())


class ToolGuard:
    def __init__(self, clock, *, places, failures, window_s, rest_s):
        make = lambda: (asyncio.Semaphore(places), Breaker(clock, failures, window_s, rest_s))
        self.tools = defaultdict(make)

    async def run(self, tool, work):
        places, breaker = self.tools[tool]
        if places.locked():
            raise TransientError("busy", sent=False)
        permit, failed = breaker.admit(), None
        try:
            async with places:
                value = await work()
            failed = False
            return value
        except (TransientError, TimeoutError):
            failed = True
            raise
        finally:
            breaker.report(permit, failed)'''

_BY_TIME = '''\
class ToolGuard:
    """Of each tool: places taken, times of failures, and until when it is quiet, which is for ever while one probes."""

    def __init__(self, clock, *, places, failures, window_s, rest_s):
        self.clock, self.places, self.failures, self.window_s, self.rest_s = clock, places, failures, window_s, rest_s
        self.taken, self.failed, self.quiet_until = Counter(), defaultdict(list), {}

    async def run(self, tool, work):
        if self.taken[tool] == self.places or self.clock() < self.quiet_until.get(tool, 0):
            raise TransientError("not now", sent=False)
        probes, failed = tool in self.quiet_until, None
        if probes:
            self.quiet_until[tool] = inf
        self.taken[tool] += 1
        try:
            value, failed = await work(), False
            return value
        except (TransientError, TimeoutError):
            failed = True
            raise
        finally:
            self.taken[tool] -= 1
            if probes or tool not in self.quiet_until:  # a quiet tool is judged by its probe, by no older call
                self.learn(tool, failed, probes)

    def learn(self, tool, failed, probed):
        now = self.clock()
        if failed:
            self.failed[tool] = [each for each in self.failed[tool] if each > now - self.window_s] + [now]
        if failed and (probed or len(self.failed[tool]) >= self.failures):
            self.quiet_until[tool] = now + self.rest_s
            self.failed[tool].clear()
        elif probed:
            self.quiet_until[tool] = now
            if failed is False:
                del self.quiet_until[tool]'''


def _but(*parts: str) -> str:
    """The solution with some parts, each followed by what stands there instead."""
    code = _SOLUTION
    for part, other in zip(parts[::2], parts[1::2], strict=True):
        assert part in code, part
        code = code.replace(part, other)
    return code


_CAUGHT = "except (TransientError, TimeoutError)"
_FREES = "            self.running[tool] -= 1\n"
_RETURNS = "            return value\n"


TOOL_GUARD = Exercise(
    id="12.ToolGuard",
    task="Our agent server runs many tools in one event loop. Last week the weather server hung, and hotel search went "
    "down with it. **Write the class that stands between the agent and its tools and keeps one bad tool from taking "
    "the others along.**\n\n"
    "`ToolGuard(clock, *, places, failures, window_s, rest_s)`; `clock()` gives monotonic seconds. "
    "`await guard.run(tool, work)` awaits `work()` and hands on its value or its error. At most `places` calls of a "
    "tool run at once. After `failures` failures within `window_s` seconds a tool is left alone for `rest_s`; then a "
    "probe decides whether it is well again.\n\n"
    'What you do not start you refuse at once with `TransientError("...", sent=False)`: nothing was sent, so that even '
    "a write may be repeated. `work()` raises `TransientError` or `TimeoutError` where the tool fails, and `ToolError` "
    "(no kin of these) where it refuses what it was asked. Everything runs in one loop; you need no lock.",
    minutes=20,
    difficulty="hard",
    hints=(
        "Write down what you know of one tool (how many run, which failures are recent, since when it is open, whether "
        "a probe is under way), and keep one such record for each tool.",
        "Ask in one place, before anything is awaited; learn in one place, in a `finally`. Three things end a call: a "
        "value, an error, and a caller who goes away.",
        "A call ended well, ended badly, or says nothing: True, False, None. A `ToolError` shows a tool that answers; "
        "a cancellation shows nothing. Both free the place, and the probe.",
        "A call that began before the breaker opened may end long after. Begin a new record at each change of "
        "state, keep hold of the one a call starts with, and do not learn from a call whose record is an old one.",
    ),
    setup="import asyncio\nfrom collections import defaultdict\nfrom toolkit import ToolError, TransientError",
    stub='''\
class ToolGuard:
    """Runs calls of tools; each tool has places of its own, and is left alone where it keeps failing."""

    def __init__(self, clock, *, places, failures, window_s, rest_s):
        raise NotImplementedError

    async def run(self, tool, work):
        """The value of `work()`.

        Raises:
            TransientError: with `sent=False`, where the call was not started.
        """
        raise NotImplementedError''',
    solution=_SOLUTION,
    alternatives=(_TWO_PARTS, "from collections import Counter\nfrom math import inf\n\n\n" + _BY_TIME),
    wrong=(
        WrongAnswer(
            "lets calls queue for a place",
            _TWO_PARTS.replace("if places.locked():", "if False:"),
            "the third call was queued, until 60 s",
        ),
        WrongAnswer(
            "keeps one record for all tools",
            _but("[tool]", '["all"]'),
            "one tool hangs in all its places, and another was refused",
        ),
        WrongAnswer(
            "takes no timeout for a failure",
            _but(_CAUGHT, "except TransientError"),
            "timed out 3 times, and on it goes",
        ),
        WrongAnswer(
            "frees the place of a call that worked only",
            _but(_FREES, "", _RETURNS, _FREES + _RETURNS),
            "calls have raised, and their places were not freed",
        ),
        WrongAnswer(
            "counts failures in a row",
            _but(_RETURNS, "            health.failed.clear()\n" + _RETURNS),
            "a success among them, and on it goes",
        ),
        WrongAnswer(
            "never forgets a failure",
            _but(" if each > now - self.window_s", ""),
            "never two in a window",
        ),
        WrongAnswer(
            "takes a refusal of the tool for its failure",
            _but(_CAUGHT, "except Exception"),
            "was counted against the tool",
        ),
        WrongAnswer(
            "lets everybody probe at once",
            _but("health.probing or ", ""),
            "4 probes at once",
        ),
        WrongAnswer(
            "takes a caller who goes away for a failure",
            _but(_CAUGHT, "except (TransientError, TimeoutError, asyncio.CancelledError)"),
            "callers that went away were counted",
        ),
        WrongAnswer(
            "loses the probe of a caller who goes away",
            _but("            health.probing = False", ""),
            "no other was ever let through",
        ),
        WrongAnswer(
            "listens to late answers",
            _but(
                "if health.opened_at is not None:  #",
                "if self.tools[tool].opened_at is not None:  #",
                "health is self.tools[tool] and ",
                "",
            ),
            "an answer to a call from before it was opened closed it again",
        ),
        WrongAnswer(
            "returns the error",
            _but("            raise\n", '            return "failed"\n'),
            "a tool that fails: its error: expected 'TransientError', got 'failed'",
        ),
    ),
    rubric=RUBRIC,
)
