"""A case: a fault that somebody reported, or a row of our own fault table, as a short script over a bench."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from toolkit.lessons.conformance.bench import Bench

Kind: TypeAlias = Literal["schema", "parse", "validate", "execute", "repeat", "limit"]
Script: TypeAlias = Callable[[Bench], Awaitable[None]]

KINDS: tuple[Kind, ...] = get_args(Kind)
FAULT_TABLE = "fault table"


@dataclass(frozen=True, slots=True)
class Case:
    """`id` is the public report's or the table's, with a word behind it where there are several. `script` raises
    `Wrong` where the implementation does not do what a sensible user would want."""

    id: str
    source: str
    kind: Kind
    title: str
    script: Script

    @property
    def row(self) -> str:
        """The id without the word behind it.

        >>> Case("F3.nan", FAULT_TABLE, "validate", "not a number", None).row
        'F3'
        """
        return self.id.partition(".")[0]


class Cases:
    """Collects the scripts of one module; the docstring of a script is its title.

    >>> cases = Cases("parse")
    >>> @cases.add("P26", "camel-ai/camel#4169")
    ... async def apostrophes(bench):
    ...     "apostrophes survive"
    >>> [(case.id, case.title) for case in cases.found]
    [('P26', 'apostrophes survive')]
    """

    def __init__(self, kind: Kind) -> None:
        self.kind: Kind = kind
        self.found: list[Case] = []

    def add(self, id: str, source: str = FAULT_TABLE) -> Callable[[Script], Script]:
        """Add a script under this id; `source` is the repository and number of the report."""

        def keep(script: Script) -> Script:
            self.found.append(Case(id, source, self.kind, str(script.__doc__).strip().rstrip("."), script))
            return script

        return keep
