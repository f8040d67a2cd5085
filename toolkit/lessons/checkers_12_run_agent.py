"""What the rubric of 12.run_agent asks: a model that reads from a tape, and tools that note what they got."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from toolkit.lessons.expect import Wrong, expect, expect_equal
from toolkit.lessons.rubric import Criterion

Message: TypeAlias = dict[str, Any]
RunAgent: TypeAlias = Callable[..., Any]
BOOKED: Message = {"role": "assistant", "content": "Booked.", "tool_calls": None}


@dataclass
class _Run:
    """What one run came to: its text and why it ended, the history, what the model saw, what the tools got."""

    text: Any
    why: Any
    history: list[Message]
    seen: list[list[Message]]
    given: list[tuple[str, Message]]

    @property
    def roles(self) -> str:
        return " ".join(str(message.get("role")) for message in self.history)

    @property
    def answered(self) -> list[Any]:
        return [message.get("tool_call_id") for message in self.history if message.get("role") == "tool"]

    def content(self, call_id: str) -> Any:
        """The content that answers this call, read as JSON."""
        texts = [message["content"] for message in self.history if message.get("tool_call_id") == call_id]
        expect(len(texts) > 0, f"the call {call_id} was left without an answer")
        try:
            return json.loads(texts[0])
        except (TypeError, ValueError):
            raise Wrong(f"the content that answers {call_id} is not JSON text: {texts[0]!r}") from None


class _History(list[Message]):
    """The conversation; no run here fills a hundred messages, and a loop that only appends would fill the memory."""

    def append(self, message: Message) -> None:
        if len(self) == 100:
            raise _Endless("the conversation has 100 messages: is the model asked again, after each turn's answers?")
        super().append(message)


def _run(run_agent: RunAgent, *turns: Message, case: str, max_turns: int = 8) -> _Run:
    """Let the model say these turns, the last one again and again; what goes far beyond `max_turns` is ended."""
    history = _History([{"role": "user", "content": "Book a room."}])
    seen: list[list[Message]] = []
    given: list[tuple[str, Message]] = []

    def ask(messages: Sequence[Message]) -> Message:
        if len(seen) == max_turns + 5:
            raise _Endless(f"{case}: the model was asked {len(seen)} times under max_turns={max_turns}")
        seen.append([dict(message) for message in messages])
        return dict(turns[min(len(seen), len(turns)) - 1])

    def search(city: str) -> list[str]:
        given.append(("search", {"city": city}))
        return [f"HT of {city}"]

    def book(hotel_id: str, nights: int = 1) -> Message:
        given.append(("book", {"hotel_id": hotel_id, "nights": nights}))
        return {"booked": hotel_id}

    def crash() -> None:
        given.append(("crash", {}))
        raise KeyError("guests")

    def odd() -> set[int]:
        given.append(("odd", {}))
        return {1}

    try:
        ended = run_agent(ask, {"search": search, "book": book, "crash": crash, "odd": odd}, history, max_turns)
    except _Endless as error:
        raise Wrong(str(error)) from None
    except KeyError as error:
        if error.args != ("guests",):
            raise
        raise Wrong(f"{case}: the tool's KeyError got out, and ends the run") from None
    expect(isinstance(ended, tuple) and len(ended) == 2, f"{case}: expected the pair (text, why), got {ended!r}")
    text, why = ended
    return _Run(text, why, history, seen, given)


class _Endless(BaseException):
    """Not an Exception, so that an answer which catches those cannot go on for ever."""


def _asks(*calls: tuple[str, str, str]) -> Message:
    """A turn that asks for these calls, each as (id, name, arguments)."""
    wire = [{"id": id, "type": "function", "function": {"name": name, "arguments": text}} for id, name, text in calls]
    return {"role": "assistant", "content": None, "tool_calls": wire}


def _search(id: str, city: str = "x") -> Message:
    return _asks((id, "search", json.dumps({"city": city})))


def _ends_where_nothing_is_asked_for(run_agent: RunAgent) -> None:
    shapes: tuple[Message, ...] = ({}, {"tool_calls": None}, {"tool_calls": []})
    for shape in shapes:
        case = f"a turn without calls ({shape or 'no key tool_calls'})"
        run = _run(run_agent, {"role": "assistant", "content": "Hello.", **shape}, case=case)
        expect_equal((run.text, run.why), ("Hello.", "answered"), f"{case}: text and why")


def _shows_the_turn_before_its_results(run_agent: RunAgent) -> None:
    run = _run(
        run_agent,
        _search("a", "Xi'an"),
        _asks(("b", "book", '{"hotel_id": "HT-1", "nights": 2}')),
        BOOKED,
        case="three turns",
    )
    wanted = [("search", {"city": "Xi'an"}), ("book", {"hotel_id": "HT-1", "nights": 2})]
    expect_equal(run.given, wanted, "the tools, and their arguments")
    expect_equal(len(run.seen), 3, "how often the model was asked in a run of three turns")
    shown = " ".join(str(message.get("role")) for message in run.seen[1])
    expect_equal(shown, "user assistant tool", "the roles that the model is shown the second time")
    expect_equal(run.roles, "user assistant tool assistant tool assistant", "the roles in the history at the end")
    expect_equal(run.content("b"), {"booked": "HT-1"}, "the result of the second call, as JSON")


def _ends_after_max_turns(run_agent: RunAgent) -> None:
    turns = [{**_search(f"c{n}", f"city {n}"), "content": "Let me look."} for n in range(8)]
    run = _run(run_agent, *turns, max_turns=4, case="a model that never answers")
    expect_equal(len(run.seen), 4, "max_turns=4: how often the model was asked")
    expect(run.text == "", f"what the model said beside its calls is no answer, and it was returned: {run.text!r}")
    expect_equal(run.why, "max_turns", "why it ended")


def _answers_each_once(run_agent: RunAgent) -> None:
    for name, how in (("crash", "raises"), ("odd", "returns a set")):
        case = f"the second of three calls {how}"
        turn = _asks(("a", "search", '{"city": "x"}'), ("b", name, "{}"), ("c", "search", '{"city": "y"}'))
        run = _run(run_agent, turn, BOOKED, case=case)
        expect_equal(run.answered, ["a", "b", "c"], f"{case}: the ids answered, in order")
        told = run.content("b")  # of a set: an error, or a JSON text for it, as `default=list` makes
        expect(name == "odd" or (isinstance(told, dict) and "error" in told), f"{case}: it was told as a value")
        expect_equal(run.content("c"), ["HT of y"], f"{case}: the result of the third")
        twice = {name: times for (name, _), times in Counter(map(_key, run.given)).items() if times > 1}
        expect(not twice, f"{case}: a call was run more than once: {twice}")


def _key(given: tuple[str, Message]) -> tuple[str, str]:
    return given[0], json.dumps(given[1])


def _tells_what_cannot_be_run(run_agent: RunAgent) -> None:
    unreadable = [("crash", text) for text in ('{"hotel', "[1]", '"go"')]
    for name, text in [("boook", "{}"), ("book", "{}"), *unreadable]:
        case = f"a call of {name} with {text}"
        try:
            run = _run(run_agent, _asks(("a", name, text)), BOOKED, case=case)
        except (KeyError, ValueError, TypeError) as error:
            raise Wrong(f"{case}: {type(error).__name__} got out, and ends the run") from error
        expect(not run.given, f"{case}: the tool was run, with arguments that nobody sent")
        told = run.content("a")
        error_text = told.get("error") if isinstance(told, dict) else None
        expect(isinstance(error_text, str), f"{case}: expected an object with a text under 'error', got {told!r}")
        expect(name != "boook" or "search" in str(error_text), f"{case}: the error does not say which tools there are")
        expect_equal((run.text, run.why), ("Booked.", "answered"), f"{case}, and then an answer: text and why")


def _takes_no_silence_for_an_answer(run_agent: RunAgent) -> None:
    for content in (None, ""):
        run = _run(run_agent, {**BOOKED, "content": content}, case=f"a turn with the content {content!r}")
        expect_equal((run.text, run.why), ("", "empty"), f"no calls and the content {content!r}: text and why")


def _stops_a_repetition(run_agent: RunAgent) -> None:
    run = _run(run_agent, *(_search(f"c{n}") for n in range(8)), case="one call again and again")
    expect(run.why == "repeated", f"three turns in a row asked for the same, and it went on; it ended by {run.why!r}")
    expect_equal(len(run.seen), 3, "one call again and again: how often the model was asked")
    expect(len(run.given) < 3, "the third of three equal turns was run all the same")
    expect_equal(len(run.given), 2, "one call again and again: how often the tool ran")


def _leaves_no_call_open(run_agent: RunAgent) -> None:
    repeated = _run(run_agent, *(_search(f"c{n}") for n in range(8)), case="one call again and again")
    turns = [_search(f"c{n}", f"city {n}") for n in range(8)]
    too_long = _run(run_agent, *turns, max_turns=2, case="a model that never answers")
    for run in (repeated, too_long):
        calls = [call for message in run.history for call in message.get("tool_calls") or []]
        missing = [call["id"] for call in calls if call["id"] not in run.answered]
        expect(not missing, f"it ended by {run.why!r}, and no message answers {missing}: the API refuses this history")


def _knows_the_same_when_it_sees_it(run_agent: RunAgent) -> None:
    texts = ('{"hotel_id": "HT-1", "nights": 2}', '{"nights": 2, "hotel_id": "HT-1"}', '{"nights":2,"hotel_id":"HT-1"}')
    run = _run(run_agent, *(_asks((f"c{n}", "book", text)) for n, text in enumerate(texts)), BOOKED, case="one order")
    expect(run.why == "repeated", "the same arguments in another order, or with other spaces, were taken for others")
    for what, cities in {"other arguments": "xyz", "another call between": "xxyx", "two equal turns": "xx"}.items():
        turns = [_search(f"c{n}", city) for n, city in enumerate(cities)]
        run = _run(run_agent, *turns, BOOKED, case=what)
        expect(run.why == "answered", f"{what}: that is no repetition, and the run was ended as {run.why!r}")
    dice = _asks(*((f"c{n}", "search", '{"city": "x"}') for n in range(3)))
    run = _run(run_agent, dice, BOOKED, case="three equal calls of one turn")
    expect(run.why == "answered", f"three equal calls of one turn are no three turns; it ended by {run.why!r}")


RUBRIC = (
    Criterion(
        "a turn without calls is the answer, however it says that", 2, "junior", _ends_where_nothing_is_asked_for
    ),
    Criterion(
        "a tool gets its arguments, and the model its own turn before the results",
        *(3, "junior", _shows_the_turn_before_its_results),
    ),
    Criterion("it ends after max_turns, and says so", 2, "junior", _ends_after_max_turns),
    Criterion("each call of a turn is answered once, in order, though one fails", 3, "senior", _answers_each_once),
    Criterion(
        "what cannot be run is told, with the names there are, and it goes on", 2, "senior", _tells_what_cannot_be_run
    ),
    Criterion("silence is not taken for an answer", 1, "senior", _takes_no_silence_for_an_answer),
    Criterion("the third equal turn in a row ends it, and is not run", 2, "senior", _stops_a_repetition),
    Criterion("however it ends, no call is left without an answer", 2, "staff", _leaves_no_call_open),
    Criterion(
        "the same is the same by its arguments, and three in a row are three turns",
        *(2, "staff", _knows_the_same_when_it_sees_it),
    ),
)
