"""A count of the runs judged so far, for a person who waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

Item = TypeVar("Item")


def counted(outcomes: Iterable[Item], console: Console | None = None) -> Iterator[Item]:
    """Hand the outcomes on and show on the error output how many there were; only on a terminal.

    >>> list(counted([1, 2]))
    [1, 2]
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = console or Console(stderr=True)
    columns = (TextColumn("{task.completed:.0f} runs judged"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("judging", total=None)
        for outcome in outcomes:
            yield outcome
            progress.advance(task)
