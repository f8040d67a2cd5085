"""A function or class as its source, shown under a cell: what a lesson looks at but does not build."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import Any

_STYLE = "font-family: monospace; font-size: 13px; border-left: 3px solid #999; padding-left: 1em"


@dataclass(frozen=True, slots=True)
class Listing:
    """Source code as a notebook shows it."""

    code: str

    def __repr__(self) -> str:
        return self.code

    def _repr_html_(self) -> str:
        return f'<pre style="{_STYLE}">{escape(self.code)}</pre>'


def listing(source: Callable[..., Any]) -> Listing:
    """The source of a function or class of this package.

    >>> print(listing(listing).code.splitlines()[0])
    def listing(source: Callable[..., Any]) -> Listing:
    """
    return Listing(inspect.getsource(source).rstrip())
