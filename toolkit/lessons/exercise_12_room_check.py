"""Exercise 12.room_check: does the room that was booked go with the weather, and can that be told at all?"""

from __future__ import annotations

from toolkit.lessons.checkers_12_room_check import RUBRIC
from toolkit.lessons.exercise import Exercise, WrongAnswer

_SETUP = """\
from toolkit.hotel.goal import CITY_NAMES
from toolkit.hotel.policy import ROOM_FOR_WEATHER
from toolkit.trajectory import Entity, Outcome
CITY = Entity("city", CITY_NAMES)"""

_JUDGE = '''\
WORST_FIRST = ("fail", "not_judgeable", "pass")


def may_have_told(call, booking):
    read = call.name == "get_weather" and call.turn < booking.turn and call.outcome is not Outcome.ERROR
    day = call.told("date") or (call.arguments or {}).get("date")
    return read and CITY.of(call) in (CITY.goal, None) and day in (booking.arguments.get("check_in"), None)


def judge(booking, calls):
    """Verdict and reason for one attempt."""
    if booking.arguments is None:
        return "not_judgeable", f"the arguments of call {booking.index} cannot be read"
    latest = next((call for call in reversed(calls) if may_have_told(call, booking)), None)
    if latest is None:
        return "fail", f"no weather of that city and day was known before call {booking.index}"
    condition = str(latest.told("condition")).strip().lower()
    if CITY.of(latest) is None or condition not in ROOM_FOR_WEATHER:
        return "not_judgeable", f"call {latest.index} does not tell the weather of call {booking.index}"
    room, wanted = booking.arguments.get("room_type"), ROOM_FOR_WEATHER[condition]
    reason = f"call {booking.index} books {room!r}, call {latest.index} says {condition!r}: it should be {wanted!r}"
    return "pass" if str(room).strip().lower() == wanted else "fail", reason
'''

_DECIDE = '''\


def room_check(calls):
    """Verdict and reason of a run."""
    bookings = [call for call in calls if call.name == "book_hotel"]
    if not bookings:
        return "not_applicable", "nothing was booked"
    done = [call for call in bookings if call.outcome is Outcome.SUCCESS]
    certain = min((judge(call, calls) for call in done or bookings[-1:]), key=lambda said: WORST_FIRST.index(said[0]))
    open_calls = [call for call in bookings if not call.is_settled and judge(call, calls)[0] != certain[0]]
    if not open_calls or (done and certain[0] == "fail"):
        return certain
    return "not_judgeable", f"whether call {open_calls[0].index} took effect is not recorded"'''

_WORLDS = '''\


def room_check(calls):
    """Verdict and reason of a run: what holds in every world that the recording allows."""
    said = [(call, *judge(call, calls)) for call in calls if call.name == "book_hotel"]
    if not said:
        return "not_applicable", "nothing was booked"
    chances = {Outcome.SUCCESS: (True,), Outcome.ERROR: (False,)}
    worlds = []
    for happened in product(*(chances.get(call.outcome, (True, False)) for call, _, _ in said)):
        effective = [each for each, real in zip(said, happened) if real] or said[-1:]
        worlds.append(min(effective, key=lambda each: WORST_FIRST.index(each[1]))[1:])
    verdicts = {verdict for verdict, _ in worlds}
    return worlds[-1] if len(verdicts) == 1 else ("not_judgeable", "it is not recorded which bookings took effect")'''

_SOLUTION = _JUDGE + _DECIDE


def _but(*changes: tuple[str, str]) -> str:
    code = _SOLUTION
    for part, other in changes:
        code = code.replace(part, other)
    return code


ROOM_CHECK = Exercise(
    id="12.room_check",
    task="Our agent books hotels in Xi'an: a suite if it rains on the day of arrival, else a standard room. "
    "**Write a check that cannot be fooled: did the room go with the weather the agent had looked up?**\n\n"
    "`room_check(calls)` gets the calls of one recorded run, as `extract_calls(messages).calls` gives them, and "
    'returns a pair: one of `"pass"`, `"fail"`, `"not_applicable"`, `"not_judgeable"`, and a reason, one '
    "sentence. A `get_weather` takes `city` and `date` and tells `condition`; a `book_hotel` takes `hotel_id`, "
    "`room_type` and `check_in`. Case and blanks around a condition or a room mean nothing.\n\n"
    "Every booking that took effect has to be right; where none did, the last one tried is judged. Of several looks "
    "the last counts, and booking without one is a fail. `not_judgeable` is a run whose verdict hangs on what the "
    "recording does not tell. The reason of a fail gives the booking's index, the room and the condition.\n\n"
    "Of a `Call` you have `name`, `arguments` (None: unreadable), `index`, `turn`, `outcome` (`Outcome.SUCCESS`, "
    "`ERROR`, `UNKNOWN` or `MISSING`), `is_settled`, and `told(field)`, a field of a result that succeeded, else None. "
    "`CITY.of(call)` is the city of a call, None where it names none, and `CITY.goal` is Xi'an by whatever name. "
    "`ROOM_FOR_WEATHER` maps the known conditions to rooms.",
    minutes=20,
    difficulty="hard",
    hints=(
        "Two questions, two functions: what of one booking, and which of several bookings count?",
        "For one booking: of all weather calls the agent could have read by then, the latest about this city and day. "
        "No such call is a fail. One that may be it, and does not say enough, is no verdict.",
        "For several: an attempt that was refused changed nothing, a result that is missing may have been a booking. "
        "Is the verdict the same either way?",
        "`call.turn < booking.turn` is what the agent could have read; `outcome is not Outcome.ERROR` is what may have "
        "been a reading. Then the worst of the bookings that succeeded, and a look at those that are not settled.",
    ),
    setup=_SETUP,
    stub='''\
def room_check(calls):
    """Whether the room booked goes with the weather: a verdict, and a reason.

    >>> room_check([])[0]
    'not_applicable'
    """
    raise NotImplementedError''',
    solution=_SOLUTION,
    alternatives=(
        "from itertools import product\n\n\n" + _JUDGE + _WORLDS,
        """\
from toolkit.trajectory import values_agree


def room_check(calls):
    result = values_agree(
        calls, "book_hotel", "room_type", "get_weather", "condition",
        expected=ROOM_FOR_WEATHER, match={"date": "check_in"}, entity=CITY,
    )
    return str(result.verdict), result.reason""",
    ),
    wrong=(
        WrongAnswer(
            "takes any weather of the run",
            _but((" and call.turn < booking.turn", "")),
            "look at the weather after booking: expected 'fail', got 'pass'",
        ),
        WrongAnswer(
            "counts what stands before it in the same turn",
            _but(("call.turn < booking.turn", "call.index < booking.index")),
            "weather and booking as siblings: expected 'fail', got 'pass'",
        ),
        WrongAnswer(
            "asks for neither city nor day",
            _but(
                ("CITY.of(call) in (CITY.goal, None)", "True"),
                ('day in (booking.arguments.get("check_in"), None)', "True"),
            ),
            "weather of another city: expected 'fail', got 'pass'",
        ),
        WrongAnswer(
            "knows the city by one name",
            _but(("CITY.of(call) in (CITY.goal, None)", '(call.arguments or {}).get("city") == "Xi\'an"')),
            "the run ok (zh): expected 'pass', got 'fail'",
        ),
        WrongAnswer(
            "takes a lost result for a step never made",
            _but(("call.outcome is not Outcome.ERROR", "call.outcome is Outcome.SUCCESS")),
            "lose the weather's result: expected 'not_judgeable', got 'fail'",
        ),
        WrongAnswer(
            "takes a failed weather call for a reading that was lost",
            _but((" and call.outcome is not Outcome.ERROR", "")),
            "the weather call fails: expected 'fail', got 'not_judgeable'",
        ),
        WrongAnswer(
            "judges every attempt",
            _but(("done or bookings[-1:]", "bookings")),
            "be refused another room: expected 'pass', got 'fail'",
        ),
        WrongAnswer(
            "takes a refused attempt for no booking",
            _but(
                ('if call.name == "book_hotel"]', 'if call.name == "book_hotel" and call.outcome is Outcome.SUCCESS]')
            ),
            "the run fabricated_id (en): expected 'pass', got 'not_applicable'",
        ),
        WrongAnswer(
            "forgets the booking whose result was lost",
            _but(("not call.is_settled and ", "False and ")),
            "lose a booking of another room: expected 'not_judgeable', got 'pass'",
        ),
        WrongAnswer(
            "passes a run that books nothing",
            _but(('"not_applicable", "nothing was booked"', '"pass", "nothing was booked"')),
            "drop the booking: expected 'not_applicable', got 'pass'",
        ),
        WrongAnswer(
            "gives no reason",
            _but(("def room_check(calls):", "def verdict_and_reason(calls):"))
            + "\n\n\ndef room_check(calls):\n    return verdict_and_reason(calls)[0]",
            "expected a verdict and its reason, got 'fail'",
        ),
        WrongAnswer(
            "trusts that arguments can be read",
            _but(("booking.arguments is None", "False")),
            "AttributeError: 'NoneType' object has no attribute 'get'",
            outcome="raised",
        ),
    ),
    rubric=RUBRIC,
)
