"""Mistakes in running a tool: batches, threads, what is awaited and what is not."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from toolkit.lab.mistakes.pools import run_batch
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.bug_hunt.card import Card, source_of
from toolkit.lessons.bug_hunt.probing import ASYNC_SETUP, CLOCK_SETUP, ended

_USER: ContextVar[str] = ContextVar("the user of the bug hunt", default="nobody")


def _three_calls(run_batch: Callable[..., Any]) -> str:
    clock = VirtualTime()
    return ended(clock, clock.outcome(run_batch([asyncio.sleep(1, number) for number in range(3)])))


def _whose(in_thread: Callable[..., Any]) -> str:
    async def ask() -> Any:
        _USER.set("guest 7")
        return await in_thread(_USER.get)

    return str(VirtualTime().run(ask()))


class _Weather:
    async def __call__(self) -> str:
        return "rain"


def _awaited(run: Callable[..., Any]) -> list[str]:
    async def forecast() -> str:
        return "rain"

    said = []
    for tool in (lambda: "rain", forecast, _Weather()):
        value = VirtualTime().run(run(tool))
        if inspect.iscoroutine(value):
            value.close()
            value = "a coroutine"
        said.append(value)
    return said


def _base_class(run: Callable[..., Any]) -> list[object]:
    base = run.__globals__["Tool"]
    price = type("Price", (base,), {"execute": lambda self: 400})

    async def aexecute(self: Any) -> str:
        return "rain"

    weather = type("Weather", (base,), {"aexecute": aexecute})
    outcomes = [VirtualTime().outcome(run(tool())) for tool in (price, weather)]
    return [type(each).__name__ if isinstance(each, BaseException) else each for each in outcomes]


def _changed_meanwhile(list_tools: Callable[..., Any]) -> object:
    tools = {"get_weather": 1, "search_hotels": 2}

    def render(name: str) -> str:
        tools.setdefault("book_hotel", 3)  # as a hot update does, in between
        return name

    try:
        return list_tools(tools, render)
    except RuntimeError as error:
        return f"RuntimeError: {error}"


CARDS = (
    Card(
        id="B16",
        topic="running",
        title="Gather the calls of a turn",
        name="run_batch",
        setup=CLOCK_SETUP,
        broken=source_of(run_batch),
        mended='''
async def run_batch(calls):
    """Gather the calls of one turn."""
    return list(await asyncio.gather(*calls))
''',
        probe=_three_calls,
        fails="[0, 1, 2] after 3 s",
        works="[0, 1, 2] after 1 s",
        asks="Three calls of one second each. How long does run_batch take?",
        predicted=("3 seconds", "Each await waits for its call before the next is begun."),
        others=(
            ("1 second", "So its docstring says."),
            ("0 seconds", "Somebody has to wait for the answers."),
            ("It depends on the order", "All of them take one second."),
        ),
        cause="Awaiting in a list runs one call after another; nothing is gathered.",
    ),
    Card(
        id="B17",
        topic="running",
        title="Whose call is it?",
        name="in_thread",
        setup=ASYNC_SETUP,
        broken="""
async def in_thread(func):
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(None, func)
""",
        mended="""
async def in_thread(func):
    return await asyncio.to_thread(func)
""",
        probe=_whose,
        fails="nobody",
        works="guest 7",
        asks='A context variable holds "guest 7", and "nobody" by default. What does a tool in the thread see?',
        predicted=('the default, "nobody"', "run_in_executor starts the function in an empty context."),
        others=(
            ('"guest 7"', "to_thread copies the context, run_in_executor does not."),
            ("a LookupError", "The variable has a default."),
            ("the user of the last call", "A pool's thread has no memory of contexts."),
        ),
        cause="Context variables are not carried into an executor by themselves.",
    ),
    Card(
        id="B18",
        topic="running",
        title="Await what is async",
        name="run",
        setup=ASYNC_SETUP,
        broken="""
async def run(tool, **arguments):
    if inspect.iscoroutinefunction(tool):
        return await tool(**arguments)
    return tool(**arguments)
""",
        mended="""
async def run(tool, **arguments):
    value = tool(**arguments)
    return await value if inspect.isawaitable(value) else value
""",
        probe=_awaited,
        fails=["rain", "rain", "a coroutine"],
        works=["rain", "rain", "rain"],
        asks="A tool is an object with an async __call__. What does run return?",
        predicted=("a coroutine object", "The object is no coroutine function, so what it returns is not awaited."),
        others=(
            ('the value, "rain"', "The question is asked of the object, not of what it returns."),
            ("a TypeError", "It can be called."),
            ("nothing at all", "The call does return something."),
        ),
        cause="iscoroutinefunction is asked of the object; async objects and wrappers are not recognised.",
    ),
    Card(
        id="B19",
        topic="running",
        title="Async if there is a way",
        name="run",
        setup="""
class Tool:
    def execute(self):
        raise NotImplementedError

    async def aexecute(self):
        raise NotImplementedError
""",
        broken="""
async def run(tool):
    if hasattr(tool, "aexecute"):
        return await tool.aexecute()
    return tool.execute()
""",
        mended="""
async def run(tool):
    if type(tool).aexecute is not Tool.aexecute:
        return await tool.aexecute()
    return tool.execute()
""",
        probe=_base_class,
        fails=["NotImplementedError", "rain"],
        works=[400, "rain"],
        asks="The base class Tool has both methods. Price, below it, has an execute that returns 400. And run?",
        predicted=(
            "It raises an exception",
            "Every tool inherits aexecute. The second branch is dead code.",
        ),
        others=(
            ("It returns 400", "hasattr finds what is inherited, too."),
            ("It returns a coroutine, not awaited", "It awaits."),
            ("It returns None", "The base class raises."),
        ),
        cause="hasattr is always true for what the base class declares.",
    ),
    Card(
        id="B21",
        topic="running",
        title="A lock around the registry",
        name="list_tools",
        setup="import threading\nLOCK = threading.RLock()",
        broken="""
def list_tools(tools, render):
    with LOCK:
        return [render(name) for name in tools]
""",
        mended="""
def list_tools(tools, render):
    return [render(name) for name in tuple(tools)]
""",
        probe=_changed_meanwhile,
        fails="RuntimeError: dictionary changed size during iteration",
        works=["get_weather", "search_hotels"],
        asks="While the first tool is rendered, the same thread registers another. What does list_tools do?",
        predicted=("It raises a RuntimeError", "An RLock lets its own thread in again; iteration needs a snapshot."),
        others=(
            ("It lists two tools", "It would, over a snapshot."),
            ("It lists all three", "A dict may not grow while it is iterated."),
            ("It waits for ever on the lock", "An RLock does not stop the thread that holds it."),
        ),
        cause="A lock is taken where a snapshot is needed.",
    ),
)
