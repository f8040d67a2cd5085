"""The 90-minute route through the lessons: how a marked heading looks, and what it says without the mark."""

from __future__ import annotations

ROUTE_MARK = "◆"


def without_mark(heading: str) -> str:
    """The heading's own words, as a card or a link names them.

    >>> without_mark("Two answers ◆")
    'Two answers'
    """
    return heading.removesuffix(ROUTE_MARK).rstrip()
