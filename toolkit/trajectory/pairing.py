"""Pairing calls with answers. Each format tells a `TraceBuilder` what it reads, in order; the rules stand here.

An id is unique within a turn, not within a run, so an answer belongs to the latest turn that made calls.
Nothing is ever attached by position or name, except where the calls of a turn carry no id at all.
"""

from __future__ import annotations

from typing import Any

from toolkit.trajectory.reading import Content, read_arguments, read_result, same_key
from toolkit.trajectory.records import Anomaly, Answer, Call, Outcome, Pairing, Trace, Utterance

_PROBLEMS = {
    "result_unreadable": "the result holds parts that are no text",
    "result_unstructured": "the result is plain text, so no value can be taken from it",
    "outcome_undeclared": "the result is no JSON object, so it does not say whether the call succeeded",
    "result_compacted": "the result was compacted",
    "result_truncated": "the result is one part of a longer one",
}


class _Draft:
    """A call while its turn is still open."""

    __slots__ = ("answer", "arguments", "at", "id", "index", "name", "turn")

    def __init__(self, index: int, turn: int, id: str | None, name: str, arguments: Any, at: str) -> None:
        self.index, self.turn, self.id, self.name, self.arguments, self.at = index, turn, id, name, arguments, at
        self.answer: Answer | None = None

    def finished(self, last_turn: int) -> Call:
        answer = self.answer
        if answer is None:
            answer = Answer(None, Outcome.MISSING, problem=missing_code(self.turn, last_turn))
        return Call(
            self.name,
            self.arguments,
            self.index,
            self.turn,
            self.id,
            answer.result,
            answer.outcome,
            self.at,
            answer.at,
            answer.content_at,
            answer.problem,
        )


class _Group:
    """The calls of the latest turn that share an id, or carry none, and the answers so far."""

    __slots__ = ("answers", "drafts", "paired")

    def __init__(self) -> None:
        self.drafts: list[_Draft] = []
        self.answers: list[Answer] = []
        self.paired = 0

    def pair(self, answer: Answer) -> bool:
        """Give the answer to the first call that waits for one; False where none does."""
        self.answers.append(answer)
        if self.paired == len(self.drafts):
            return False
        self.drafts[self.paired].answer = answer
        self.paired += 1
        return True


class TraceBuilder:
    """Collects what a format reads and makes the trace of it.

    Args:
        at: Pointer to the list of messages.
    """

    def __init__(self, at: str = "") -> None:
        self._at = at
        self._turn = -1
        self._drafts: list[_Draft] = []
        self._open: dict[str, _Group] = {}  # by id; of the latest turn that made calls
        self._without_id = _Group()
        self._seen: set[str] = set()
        self._anomalies: list[Anomaly] = []
        self._gaps: list[tuple[int, Anomaly]] = []
        self._cuts: set[str] = set()
        self._said: list[Utterance] = []
        self._shared: list[_Group] = []
        self._tokens: int | None = None

    def note(self, code: str, at: str, detail: str) -> Anomaly:
        """Remember something odd."""
        anomaly = Anomaly(code, at, detail)
        self._anomalies.append(anomaly)
        return anomaly

    def cut_head(self, at: str, detail: str) -> None:
        """Remember that the beginning is visibly missing; said once for one place."""
        if at not in self._cuts:
            self._cuts.add(at)
            self._gaps.append((-1, self.note("head_truncated", at, detail)))

    def lose(self, code: str, at: str, detail: str) -> None:
        """Remember something that is missing or cannot be read, and may have held anything."""
        self._gaps.append((self._turn, self.note(code, at, detail)))

    def say(self, text: str, at: str) -> None:
        """The user said something."""
        self._said.append(Utterance(self._turn, at, text))

    def use_tokens(self, total: int) -> None:
        """A message reports what it cost."""
        self._tokens = (self._tokens or 0) + total

    def begin_turn(self) -> None:
        """An assistant message begins."""
        self._turn += 1

    def continue_turn(self) -> None:
        """The same turn in another message; where messages are missing in between, it may be another turn."""
        if self._gaps and self._gaps[-1][0] == self._turn and self._gaps[-1][1].code == "messages_missing":
            self._turn += 1

    def go_on(self) -> None:
        """The model goes on after a result it was given inside its message: what it does now has seen the result."""
        if not any(draft.turn == self._turn and draft.answer is None for draft in reversed(self._drafts)):
            self._turn += 1

    def call(self, id: Any, name: Any, arguments: Any, at: str, *, takes_object: bool = False) -> None:
        """The turn makes a call; `takes_object` where the format keeps arguments as an object, not as its text."""
        if not self._drafts or self._drafts[-1].turn != self._turn:
            self._open, self._without_id = {}, _Group()
        value, code, detail = read_arguments(arguments)
        if code is not None and not (takes_object and code == "args_object"):
            self.note(code, at, detail)
        if not isinstance(name, str) or not name:
            name = ""
            self.lose("name_missing", at, "the call names no tool")
        key = _id_of(id)
        draft = _Draft(len(self._drafts), self._turn, key, name, value, at)
        self._drafts.append(draft)
        if key is None:
            self._without_id.drafts.append(draft)
        else:
            self._join(key, draft)

    def _join(self, key: str, draft: _Draft) -> None:
        group = self._open.get(key)
        if group is None:
            group = self._open[key] = _Group()
            if key in self._seen:
                self.note("id_reused", draft.at, f"an earlier turn has used the id {key!r}")
            self._seen.add(key)
        else:
            self.note("duplicate_id", draft.at, f"the id {key!r} stands more than once in this turn")
            if len(group.drafts) == 1:
                self._shared.append(group)
        group.drafts.append(draft)

    def answer(self, id: Any, content: Content, at: str, *, failed: bool = False) -> None:
        """A result comes back; `failed` where the message itself, not its content, says so."""
        key = _id_of(id)
        group = self._open.get(key) if key is not None else None
        if group is None:
            group = self._group_without_id(key)
        if group is None:
            self._lose_call(key, at)
            return
        answer = self._read(content, at, failed)
        if not group.pair(answer):
            self._answer_again(group, answer)

    def _group_without_id(self, key: str | None) -> _Group | None:
        """Calls that carry no id at all are answered in order, whatever id the answer carries."""
        group = self._without_id
        waits = group.paired < len(group.drafts)
        return group if waits and (key is None or not self._open) else None

    def _lose_call(self, key: str | None, at: str) -> None:
        named = "carries no id" if key is None else f"answers {key!r}"
        if not self._drafts:
            self.cut_head(at, f"a result {named}, and no call stands before it")
            return
        known = ", an id of an earlier turn," if key in self._seen else ""
        detail = f"a result {named}{known} and the latest turn with calls has no such call"
        self.lose("orphan_result", at, detail)

    def _answer_again(self, group: _Group, answer: Answer) -> None:
        """An answer too many: harmless where it says the same as one before."""
        at = answer.at or ""
        key = same_key(answer.result)
        if any(same_key(known.result) == key for known in group.answers[: len(group.drafts)]):
            self.note("duplicate_result", at, "the call had the same result before")
            return
        self.note("conflicting_results", at, "the call had another result before")
        for draft in group.drafts:
            known = draft.answer or answer
            draft.answer = Answer(known.result, Outcome.UNKNOWN, known.at, known.content_at, "conflicting_results")

    def _read(self, content: Content, at: str, failed: bool) -> Answer:
        text, suffix, readable = content
        value, outcome, problem = read_result(text, readable)
        if failed:
            outcome = Outcome.ERROR
        elif problem is not None:
            self.note(problem, at, _PROBLEMS[problem])
        return Answer(value, outcome, at, at + suffix, None if failed else problem)

    def build(self) -> Trace:
        """The finished trace."""
        for draft in self._drafts:
            if draft.answer is None:
                code = missing_code(draft.turn, self._turn)
                self.note(code, draft.at, f"the call of {draft.name!r} has no result")
        shared = [Pairing(tuple([d.index for d in g.drafts]), tuple(g.answers)) for g in self._shared]
        return Trace(
            calls=tuple([draft.finished(self._turn) for draft in self._drafts]),
            anomalies=tuple(self._anomalies),
            turns=self._turn + 1,
            gaps=tuple(sorted(self._gaps, key=lambda gap: gap[0])),
            said=tuple(self._said),
            tokens=self._tokens,
            pairings=tuple(shared),
            at=self._at,
        )


def missing_code(turn: int, last_turn: int) -> str:
    """Why a call of this turn has no result: the run ended there, or the result was lost."""
    return "run_ended" if turn == last_turn else "result_missing"


def _id_of(raw: Any) -> str | None:
    """An id as text; numbers are written out, anything else is no id."""
    if isinstance(raw, str):
        return raw or None
    return str(raw) if isinstance(raw, int) and not isinstance(raw, bool) else None
