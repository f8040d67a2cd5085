"""What the rubric of 12.room_check asks: the controls, and mutants with the verdict that their operator declares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from toolkit.hotel.catalogue import Language
from toolkit.hotel.controls import CONTROLS, EXPECTED, load_control
from toolkit.hotel.mutations import OPERATORS
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.lessons.expect import expect
from toolkit.lessons.rubric import Criterion
from toolkit.trajectory import Call, evaluate, extract_calls
from toolkit.trajectory.draft import Message
from toolkit.trajectory.mutate import mutants

RoomCheck = Callable[[Sequence[Call]], Any]
CHECK = "room_matches_weather"


class Case(NamedTuple):
    """A run and the verdict it must get."""

    what: str
    verdict: str
    messages: list[Message]


@lru_cache(maxsize=1)
def _mutated() -> dict[str, list[Case]]:
    """The mutants of the run ok, by operator. In English: an answer that knows no Chinese fails one criterion only."""
    cases: dict[str, list[Case]] = {}
    for mutant in mutants({"ok": load_control("ok")}, OPERATORS):
        case = Case(mutant.operator, str(mutant.expected(CHECK)), mutant.messages)
        cases.setdefault(mutant.operator, []).append(case)
    return cases


def _controls(language: Language) -> list[Case]:
    verdicts = {name: "fail" if CHECK in EXPECTED[name].fails else "pass" for name in CONTROLS}
    return [
        Case(f"the run {name} ({language})", verdict, load_control(name, language))
        for name, verdict in verdicts.items()
    ]


def _expect_verdicts(room_check: RoomCheck, cases: Sequence[Case]) -> None:
    """A verdict without a reason is heard as well; the reason has a criterion of its own."""
    for what, verdict, messages in cases:
        said = room_check(extract_calls(messages).calls)
        given, reason = said if isinstance(said, tuple) and len(said) == 2 else (said, None)
        because = f" ({reason})" if reason else ""
        expect(str(given) == verdict, f"{what}: expected {verdict!r}, got {str(given)!r}{because}")


def _runs_of(*operators: str) -> Callable[[RoomCheck], None]:
    """A checker that asks about the mutants of these operators, in this order."""

    def checker(room_check: RoomCheck) -> None:
        _expect_verdicts(room_check, [case for operator in operators for case in _mutated()[operator]])

    return checker


def _judges_the_controls(room_check: RoomCheck) -> None:
    _expect_verdicts(room_check, _controls("en"))


def _knows_the_city_by_any_name(room_check: RoomCheck) -> None:
    _expect_verdicts(room_check, [*_controls("zh"), *_mutated()["name the city otherwise"]])


def _gives_a_reason(room_check: RoomCheck) -> None:
    """The sentence says which booking, which room, and which weather: somebody has to look it up."""
    messages = load_control("wrong_room")
    calls = extract_calls(messages).calls
    said = room_check(calls)
    expect(isinstance(said, tuple) and len(said) == 2, f"expected a verdict and its reason, got {said!r}")
    index = next(call.index for call in calls if call.name == "book_hotel")
    good = evaluate(messages, HOTEL_POLICY)[CHECK].reason
    for word in (str(index), "standard", "rain"):
        expect(word in str(said[1]), f"the reason {said[1]!r} does not hold {word!r}; one that helps: {good}")


RUBRIC = (
    Criterion("the five controls", 2, "junior", _judges_the_controls),
    Criterion(
        "no booking: there is nothing to judge",
        1,
        "junior",
        _runs_of("drop the booking", "find nothing and book nothing", "cut the tail in the search"),
    ),
    Criterion("a fail says which booking, which room, which weather", 1, "senior", _gives_a_reason),
    Criterion("the city is known by any of its names, in Chinese too", 2, "senior", _knows_the_city_by_any_name),
    Criterion(
        "the weather in force is the latest of the right city and day",
        3,
        "senior",
        _runs_of(
            *("flip the weather", "the weather turns before booking", "weather of another city"),
            *("weather of another day", "book another day", "look at the weather elsewhere as well"),
            *("write the weather otherwise", "write the room otherwise", "results that repeat no question"),
        ),
    ),
    Criterion(
        "a weather that failed, or came after the booking or beside it, was not known",
        3,
        "senior",
        _runs_of(
            *("look at the weather after booking", "weather and booking as siblings", "look again beside the booking"),
            *("drop the weather call", "the weather call fails", "a call fails once"),
        ),
    ),
    Criterion(
        "of several bookings those count that took effect; where none did, the last attempt",
        2,
        "senior",
        _runs_of(
            *("book another room as well", "be refused another room", "the booking fails"),
            *("be refused both rooms, the wrong one last", "be refused both rooms, the right one last"),
        ),
    ),
    Criterion(
        "a weather that was lost, damaged or that nobody knows is neither rain nor none",
        3,
        "staff",
        _runs_of(
            *("lose the weather's result", "garble the weather's result", "contradict the weather's result"),
            *("compact the weather's result", "lose the weather twice", "an unknown weather"),
            *("a weather of no city", "then a weather of no city", "first a weather of no city"),
        ),
    ),
    Criterion(
        "a booking that was lost, or asked nobody knows for what, leaves open only what it can turn",
        3,
        "staff",
        _runs_of(
            *("lose the booking's result", "lose a booking of another room", "lose a booking of the right room"),
            *("lose one booking, be refused another", "book with spoiled arguments as well"),
            *("spoil the booking's arguments", "be refused for spoiled arguments"),
        ),
    ),
)
