"""What a run has shown and said, indexed once, so a look-up costs the same in a short run and in a long one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, TypeAlias

from toolkit.trajectory.checks.evidence import calls_of, plain_name
from toolkit.trajectory.pointers import PathText, compile_path, values_at
from toolkit.trajectory.reading import same_key
from toolkit.trajectory.records import Call, Outcome, Trace

Sources: TypeAlias = Mapping[str, PathText | Sequence[PathText]]
_WORD = re.compile(r"\w+(?:[-.@:]\w+)*", re.ASCII)
_MOST_COMPARED = 200  # values looked through for the nearest one
_MOST_PLACES = 4  # results named in a sentence


def as_paths(paths: PathText | Sequence[PathText]) -> Sequence[PathText]:
    """One path or many, as a sequence."""
    return (paths,) if isinstance(paths, str) else paths


@dataclass(frozen=True, slots=True)
class Entity:
    """What the run is about, such as a city: the field that tells it, and every name it goes by."""

    field: str
    names: tuple[str, ...]
    __pydantic_config__: ClassVar = {"extra": "forbid"}

    @property
    def goal(self) -> str:
        """The goal's entity: what `of` gives for each of its names."""
        return plain_name(self.names[0])

    def of(self, call: Call) -> str | None:
        """The entity of a call, from its result, else from its arguments, as a plain name; None: not said."""
        value = call.told(self.field)
        if not isinstance(value, str) and call.arguments is not None:
            value = call.arguments.get(self.field)
        return _one_name(value, self.names) if isinstance(value, str) else None


@lru_cache(maxsize=4096)
def _one_name(name: str, names: tuple[str, ...]) -> str:
    """The plain name, and the same one for all names of the goal's entity."""
    plain = plain_name(name)
    return plain_name(names[0]) if any(plain == plain_name(known) for known in names) else plain


class Seen:
    """Every value that the sources of a run have shown, with the first call that showed it."""

    def __init__(self, trace: Trace, sources: Sources, entity: Entity | None = None) -> None:
        self.sources, self.entity = sources, entity  # not the trace: it holds this index
        self.right: dict[Any, Call] = {}
        self.wrong: dict[Any, Call] = {}
        self.unplaced: dict[Any, Call] = {}
        self.answered: list[Call] = []
        self.doubtful: list[Call] = []
        for call in calls_of(trace, sources):
            if call.problem is not None:
                self.doubtful.append(call)
            if call.outcome is not Outcome.SUCCESS:
                continue
            table = self.right
            if entity is not None:
                place = entity.of(call)
                table = self.unplaced if place is None else self.right if place == entity.goal else self.wrong
            self.answered.append(call)
            for path in as_paths(sources[call.name]):
                for value in values_at(call.result, compile_path(path)):
                    table.setdefault(same_key(value), call)

    @classmethod
    def of(cls, trace: Trace, sources: Sources, entity: Entity | None = None) -> Seen:
        """The index of these sources, made once for a trace however many checks ask for it."""
        key = (id(sources), id(entity))  # both stay alive in the index, so an id stands for one thing
        if key not in trace.indexes:
            trace.indexes[key] = cls(trace, sources, entity)
        found: Seen = trace.indexes[key]
        return found

    def find(self, value: Any, turn: int) -> tuple[Call, str] | None:
        """The call that showed the value before this turn, and whether it is of the right entity."""
        key = same_key(value)
        for standing, table in (("right", self.right), ("unplaced", self.unplaced), ("wrong", self.wrong)):
            call = table.get(key)
            if call is not None and call.turn < turn:
                return call, standing
        return None

    def doubt_before(self, turn: int) -> Call | None:
        """A result that may have shown anything, before this turn."""
        return self.doubtful[0] if self.doubtful and self.doubtful[0].turn < turn else None

    def known(self, turn: int) -> list[str | int | float]:
        """Values of the right entity shown before this turn, for a message; not all of a very long run."""
        values = (key for key, call in self.right.items() if call.turn < turn and isinstance(key, str | int | float))
        return list(islice(values, _MOST_COMPARED))

    def searched(self, turn: int) -> str:
        """Where was looked, as it stands in a sentence: each path, and the results it was looked for in."""
        places = []
        for tool, paths in self.sources.items():
            answered = [call.index for call in self.answered if call.name == tool and call.turn < turn]
            latest = ", ".join(map(str, answered[-_MOST_PLACES:]))
            where = f"call {latest}" if len(answered) == 1 else f"calls {latest}" if answered else "no result"
            if len(answered) > _MOST_PLACES:
                where = f"{len(answered)} calls, the latest {latest}"
            places += [f"{path} of {tool} ({where})" for path in as_paths(paths)]
        return " and ".join(places)


class Said:
    """Every word the user said, with the first turn after which it was known."""

    def __init__(self, trace: Trace) -> None:
        self._said = trace.said
        self._words: dict[str, tuple[int, str]] = {}
        for turn, at, text in trace.said:
            for word in _WORD.findall(text):
                self._words.setdefault(word, (turn, at))

    def find(self, value: Any, turn: int) -> str | None:
        """Pointer to the message in which the user gave this value, as a whole word, before this turn."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return None
        text = str(value)
        if _WORD.fullmatch(text):
            known = self._words.get(text)
            return known[1] if known is not None and known[0] < turn else None
        whole = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.ASCII)
        return next((at for said, at, words in self._said if said < turn and text and whole.search(words)), None)
