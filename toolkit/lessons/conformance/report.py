"""What came of a suite: by kind as a table, case by case as a table and a figure, and what an implementation misses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, get_args

from toolkit.lab.figure import Chart, draw
from toolkit.lab.panel import Picture
from toolkit.lessons.conformance.case import KINDS, Case
from toolkit.lessons.conformance.implementation import Implementation, implementation
from toolkit.lessons.conformance.suite import CASES, Finding, Word, run_case, three_layers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WORDS: tuple[Word, ...] = get_args(Word)


@dataclass(frozen=True, slots=True)
class Conformance:
    """Cases by implementations. `report["P32", "1 dict of tools"]` is one finding, by case id and title."""

    cases: Sequence[Case]
    implementations: Sequence[Implementation]
    findings: Mapping[tuple[str, str], Finding]

    def __getitem__(self, key: tuple[str, str]) -> Finding:
        return self.findings[key]

    def caught(self, title: str) -> list[str]:
        """The ids of the cases that this implementation catches."""
        return [case.id for case in self.cases if self[case.id, title].word == "caught"]

    @property
    def picture(self) -> Picture:
        """A row per kind of case with what is caught of it, then the price: lines of code, calls, tools reached."""
        titles = [each.title for each in self.implementations]
        rows: list[list[object]] = []
        for kind in KINDS:
            asked = [case for case in self.cases if case.kind == kind]
            if asked:
                rows.append([kind, *(self._share(title, asked) for title in titles)])
        rows.append(["all", *(self._share(title, self.cases) for title in titles)])
        rows.append(["lines of code", *("?" if each.lines is None else each.lines for each in self.implementations)])
        rows.append(["calls sent", *(self._sum(title, "sent") for title in titles)])
        rows.append(["tools reached", *(self._sum(title, "reached") for title in titles)])
        said = ", ".join(f"{title} {len(self.caught(title))}" for title in titles)
        return Picture(f"Of {len(self.cases)} cases, caught: {said}.", ["", *titles], rows, self.chart)

    @property
    def table(self) -> Picture:
        """A row per case."""
        titles = [each.title for each in self.implementations]
        rows = [[case.id, case.title, *(self[case.id, title] for title in titles), case.source] for case in self.cases]
        return Picture(self.picture.summary, ["case", "what should be", *titles, "source"], rows)

    def misses(self, title: str) -> Picture:
        """The cases an implementation does not catch, and why not."""
        missed = [case for case in self.cases if self[case.id, title].word not in ("caught", "not asked")]
        rows = [[case.id, case.title, f"{self[case.id, title]}: {self[case.id, title].reason}"] for case in missed]
        said = f"{title} misses {len(missed)} of {len(self.cases)} cases."
        return Picture(said, ["case", "what should be", "what is"] if rows else (), rows)

    @property
    def chart(self) -> Chart:
        """The matrix as a figure: a line per implementation, a mark per case."""
        said = "; ".join(f"{each.title} {self._share(each.title, self.cases)}" for each in self.implementations)
        height = 1.3 + 0.42 * len(self.implementations)
        return draw(self._paint, f"a mark per case, a line per implementation; caught: {said}", width=10, height=height)

    def _share(self, title: str, cases: Sequence[Case]) -> str:
        words = [self[case.id, title].word for case in cases]
        asked = len(words) - words.count("not asked")
        return f"{words.count('caught')} of {asked}" if asked else "not asked"

    def _sum(self, title: str, name: str) -> int:
        return sum(int(getattr(self[case.id, title], name)) for case in self.cases)

    def _paint(self, axes: Axes) -> None:
        for word, marker in zip(WORDS, ("o", "x", "s", "v", "."), strict=True):
            at = [
                (x, y)
                for y, each in enumerate(self.implementations)
                for x, case in enumerate(self.cases)
                if self[case.id, each.title].word == word
            ]
            if at:
                size = 12 if marker == "." else 34
                axes.scatter([x for x, _ in at], [y for _, y in at], marker=marker, s=size, lw=1.2, label=word)
        edges = [x for x in range(1, len(self.cases)) if self.cases[x].kind != self.cases[x - 1].kind]
        for edge in edges:
            axes.axvline(edge - 0.5, color="0.7", lw=0.8)
        starts = [0, *edges, len(self.cases)]
        middles = [(left + right - 1) / 2 for left, right in pairwise(starts)]
        axes.set_xticks(middles, [self.cases[left].kind for left in starts[:-1]])
        axes.tick_params(axis="x", length=0)
        axes.set_xlim(-1, len(self.cases))
        axes.set_yticks(range(len(self.implementations)), [each.title for each in self.implementations])
        axes.set_ylim(len(self.implementations) - 0.5, -0.5)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=5, frameon=False)

    def __repr__(self) -> str:
        return repr(self.picture)

    def _repr_html_(self) -> str:
        return self.picture._repr_html_()


def conformance(*targets: Any, layers: bool = True, cases: Sequence[Case] = CASES, **named: Any) -> Conformance:
    """Run the suite on the three layers and on implementations of the reader's own.

    Args:
        targets: Classes, modules, or dicts of functions; see `toolkit.lessons.conformance.implementation`.
        layers: Run the three layers, too.
        cases: Which cases; all of them if not given.
        named: More of the same, each under a name: `conformance(mine=globals())`.

    Raises:
        NotAnImplementation: one of them cannot be used; the text says why.

    >>> conformance(cases=[case for case in CASES if case.id == "P32"]).picture.summary
    'Of 1 cases, caught: 1 dict of tools 0, 2 one source 1, 3 gateway 1.'
    """
    made = three_layers() if layers else []
    made += [implementation(target) for target in targets]
    made += [implementation(target, name.replace("_", " ")) for name, target in named.items()]
    findings = {(case.id, each.title): run_case(case, each) for each in made for case in cases}
    return Conformance(cases, made, findings)
