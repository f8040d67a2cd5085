"""`toolkit conformance`: which layer catches what, and what your own code does."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from toolkit.lab.panel import Picture


def conformance(
    target: Annotated[
        str | None,
        typer.Argument(metavar="[MODULE[:NAME]]", help="Your own code: a module, or a class in it. None: the layers."),
    ] = None,
    every: Annotated[bool, typer.Option("--cases", help="Print every case, not only the sums by kind.")] = False,
) -> None:
    """Run the conformance suite on the three layers and on your own code.

    A module or class offers `declare` and `call`. Exit codes: 0 yours misses nothing (without yours: layer 3), 1 it
    misses some, 2 it cannot be used.
    """
    from rich.console import Console

    from toolkit.lessons.conformance.implementation import NotAnImplementation
    from toolkit.lessons.conformance.report import conformance as run

    try:
        report = run(*([load(target)] if target else []))
    except NotAnImplementation as error:
        raise typer.BadParameter(str(error), param_hint="MODULE:NAME") from None
    console = Console(highlight=False)
    console.print(_table(report.table if every else report.picture))
    title = report.implementations[-1].title
    missed = report.misses(title)
    if missed.rows and target:
        console.print(_table(missed))
    console.print(report.picture.summary, soft_wrap=True)
    if target:
        console.print(missed.summary, soft_wrap=True)
    raise typer.Exit(1 if missed.rows else 0)


def load(target: str) -> Any:
    """The module, or what it holds under the name behind the colon. The current folder is looked in first.

    Raises:
        NotAnImplementation: there is no such module, or no such name in it.
    """
    from toolkit.lessons.conformance.implementation import NotAnImplementation

    module_name, _, name = target.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = import_module(module_name)
    except ModuleNotFoundError as error:
        raise NotAnImplementation(f"There is no module {error.name!r}.") from None
    if not name:
        return module
    if not hasattr(module, name):
        raise NotAnImplementation(f"Module {module_name!r} has no {name!r}.")
    return getattr(module, name)


def _table(picture: Picture) -> Table:
    from rich.box import SIMPLE
    from rich.table import Table

    table = Table(*map(str, picture.columns), box=SIMPLE)
    for row in picture.rows:
        table.add_row(*map(str, row))
    return table
