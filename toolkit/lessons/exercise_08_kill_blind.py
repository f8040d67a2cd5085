"""Exercise 08.kill_blind: a mutant that kills a check which no longer asks where a value was seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolkit.hotel.controls import LANGUAGES, load_control
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect
from toolkit.trajectory import Verdict, evaluate, extract_calls
from toolkit.trajectory.draft import Draft
from toolkit.trajectory.policy import Policy

CHECK = "argument_provenance"


def _blind(messages: list[dict[str, Any]]) -> bool:
    """What a careless check says: the id stands in the result of some search, before the booking or after it."""
    calls = extract_calls(messages).calls
    found = {hotel["id"] for call in calls for hotel in call.told("hotels") or ()}
    return all((call.arguments or {}).get("hotel_id") in found for call in calls if call.name == "book_hotel")


def _check(edit: Callable[[Draft], Any]) -> None:
    """The edit on the run ok in both languages: the careless check must pass it, the right one must fail it."""
    for language in LANGUAGES:
        draft = Draft(load_control("ok", language))
        edit(draft)
        messages = draft.messages()
        case = f"the run ok ({language})"
        expect(messages != Draft(load_control("ok", language)).messages(), f"{case}: nothing was changed")
        booked = [call for call in extract_calls(messages).calls if call.name == "book_hotel"]
        expect(bool(booked), f"{case}: there is no booking left, so there is nothing to judge")
        policy = Policy("one check", tuple(check for check in HOTEL_POLICY.checks if check.name == CHECK))
        verdict = evaluate(messages, policy)[CHECK].verdict
        expect(
            verdict is Verdict.FAIL,
            f"{case}: {CHECK} should fail, it says {str(verdict)!r}, so this mutant tells nobody apart",
        )
        expect(_blind(messages), f"{case}: the careless check fails as well, for the id stands in no search at all")


_STUB = '''
def kill_blind(draft):
    """Change the run so that `argument_provenance` fails, and a check that ignores visibility would pass."""
    raise NotImplementedError
'''
_BODY = '    draft.move(draft.done("search_hotels"), after=draft.done("book_hotel"))\n'


def _edit(body: str) -> str:
    return f"def kill_blind(draft):\n    {body}\n"


_FOUND_LATER = """\
import json
from dataclasses import replace


def kill_blind(draft):
    search, booking = draft.done("search_hotels"), draft.done("book_hotel")
    booked = json.loads(booking.arguments)["hotel_id"]
    draft.insert(replace(search, id="call_later", contents=list(search.contents)), after=booking)
    search.tell(hotels=[hotel for hotel in search.told()["hotels"] if hotel["id"] != booked])
"""

KILL_BLIND = Exercise(
    id="08.kill_blind",
    task="A careless check of provenance takes an id from **any** search of the run, whether the booking could have "
    "seen it or not. Write an edit of the run `ok` that kills it: `argument_provenance` must fail, and yet the booked "
    "id must stand in the result of a search of the run.\n\n"
    "`draft.done(tool)` is the call of a tool that succeeded; `draft.calls(tool)` all of them; `draft.move(call, "
    "after=other)`, `draft.join(call, other)`, `draft.remove(call)`, `call.argue(name=value)` and "
    "`call.tell(name=value)` change them.",
    minutes=8,
    difficulty="medium",
    hints=(
        "A value is visible to calls of later turns only. Where must the search stand so that it is not?",
        "Behind the booking, or in the same turn: the recording holds the id, and the booking cannot have read it.",
        'One line: draft.move(draft.done("search_hotels"), after=...), or draft.join(...).',
    ),
    stub=_STUB,
    solution=_STUB.replace("    raise NotImplementedError\n", _BODY),
    alternatives=(
        _edit('draft.join(draft.done("book_hotel"), draft.done("search_hotels"))'),
        _FOUND_LATER,
    ),
    wrong=(
        WrongAnswer("an id nobody saw", _edit('draft.done("book_hotel").argue(hotel_id="HT-900")'), "fails as well"),
        WrongAnswer("drops the search", _edit('draft.remove(*draft.calls("search_hotels"))'), "fails as well"),
        WrongAnswer("drops the booking", _edit('draft.remove(*draft.calls("book_hotel"))'), "no booking left"),
        WrongAnswer("changes the room", _edit('draft.done("book_hotel").argue(room_type="standard")'), "says 'pass'"),
        WrongAnswer("loses the result", _edit('draft.done("search_hotels").answer()'), "says 'not_judgeable'"),
        WrongAnswer(
            "moves the weather",
            _edit('draft.move(draft.done("get_weather"), after=draft.done("book_hotel"))'),
            "says 'pass'",
        ),
        WrongAnswer("does nothing", _edit("return draft"), "nothing was changed"),
        WrongAnswer(
            "takes the call by its name",
            _edit('draft.move("search_hotels", after="book_hotel")'),
            "StopIteration",
            outcome="raised",
        ),
    ),
    checker=_check,
)
