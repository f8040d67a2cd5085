"""What the suite asks of an implementation: two functions, `declare` and `call`, and a few more if it has them.

    declare(func, **options)    make a function a tool. Everything is passed by name, and only what `declare` takes:
                                func, name, description, parameters (a JSON Schema), and options such as timeout_s
    call(raw) -> message        answer one call as it came from a model: a tool message, its content, or a value;
                                `{"error": "..."}` where there is none. Sync or async
    call_all(raws) -> list      the calls of one turn; without it they are made one after another
    answer(choice) -> list      a whole choice of a completion; without it its `tool_calls` are read, and nothing else
    tools(strict=False) -> list what goes into `tools=`
    reset()                     of a module or of cells: forget all tools; of a class a new object is made each time
    close()                     let go of threads and the like; may be async

`call`, `call_all` and `answer` may take `role`. A class may take `clock`: `clock.now()` gives the suite's virtual
seconds. `asyncio.sleep`, `wait_for` and `to_thread` run on them anyway.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeAlias

from toolkit.errors import ToolkitError
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.conformance.code_lines import lines_of

Functions: TypeAlias = Mapping[str, Callable[..., Any]]

NEEDED = ("declare", "call")
FUNCTIONS = (*NEEDED, "call_all", "answer", "tools", "reset", "close")
OPTIONS = frozenset(
    {"func", "name", "description", "parameters", "model", "idempotent", "timeout_s", "attempts", "idempotency_key"}
    | {"roles", "rate_limit", "concurrency", "max_calls", "fallback", "confirm", "cpu_bound", "recovery"}
)
"""What `declare` may be given: the parts of a tool, and the fields of `toolkit.records.CallPolicy`."""


class NotAnImplementation(ToolkitError):
    """The suite cannot use this; the text says what is missing."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """Something that declares tools and answers calls. `make` gives a new one, as its functions by name.

    `lines` of code, as they are counted or, for a whole layer, in words.
    """

    title: str
    make: Callable[[VirtualTime], Functions]
    lines: int | str | None = None


def implementation(target: Any, title: str | None = None, lines: int | str | None = None) -> Implementation:
    """Read a class, a module, or a mapping of functions (such as `globals()` of a notebook).

    Raises:
        NotAnImplementation: `declare` or `call` is missing, or `declare` needs what the suite does not give.
    """
    if isinstance(target, Implementation):
        return target
    named = title or str(getattr(target, "title", "") or getattr(target, "__name__", "yours"))
    if isinstance(target, type):
        _check(named, _functions_of(target), bound=False)
        return Implementation(named, lambda clock: _methods(target, clock), lines or lines_of(target))
    found = vars(target) if isinstance(target, ModuleType) else target
    if not isinstance(found, Mapping):
        raise NotAnImplementation(f"{named} is neither a class, a module nor a dict of functions, but {target!r}.")
    functions = {name: found[name] for name in FUNCTIONS if callable(found.get(name))}
    _check(named, functions)

    def make(_: VirtualTime) -> Functions:
        if "reset" in functions:
            functions["reset"]()
        return functions

    source = target if isinstance(target, ModuleType) else list(functions.values())
    return Implementation(named, make, lines or lines_of(source))


def taken(function: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that the function takes.

    >>> taken(lambda func, timeout_s=1: None, {"func": print, "timeout_s": 5, "attempts": 3})
    {'func': <built-in function print>, 'timeout_s': 5}
    """
    parameters = inspect.signature(function).parameters
    if any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        return dict(options)
    return {name: value for name, value in options.items() if name in parameters}


def _methods(target: type, clock: VirtualTime) -> Functions:
    return _functions_of(target(**taken(target, {"clock": clock})))


def _functions_of(holder: object) -> Functions:
    found = {name: getattr(holder, name, None) for name in FUNCTIONS}
    return {name: function for name, function in found.items() if callable(function)}


def _check(title: str, functions: Functions, *, bound: bool = True) -> None:
    missing = [name for name in NEEDED if name not in functions]
    if missing:
        raise NotAnImplementation(f"{title} has no {' and no '.join(missing)}. It needs {' and '.join(NEEDED)}.")
    parameters = list(inspect.signature(functions["declare"]).parameters.values())[0 if bound else 1 :]
    needed = [each for each in parameters if each.default is each.empty and each.kind not in (2, 4)]
    unknown = [each.name for each in needed if each.name not in OPTIONS]
    if unknown:
        raise NotAnImplementation(
            f"declare of {title} needs {unknown[0]!r}, which the suite does not give. It gives by name: "
            f"{', '.join(sorted(OPTIONS))}."
        )
