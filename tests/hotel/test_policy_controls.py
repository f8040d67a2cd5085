"""The controls and their exact failing sets: the table everything else is measured by."""

from __future__ import annotations

import pytest

from toolkit.hotel import HOTEL_POLICY, World
from toolkit.hotel.catalogue import HOTELS
from toolkit.hotel.control_table import judge_controls
from toolkit.hotel.controls import CONTROLS, LANGUAGES, load_control, record, write_all
from toolkit.hotel.policy import HOTEL_MANNERS, HOTEL_OUTCOME, ROOM_FOR_WEATHER
from toolkit.resources import data_path
from toolkit.trajectory import Verdict, evaluate

COLUMNS = ("answer", "outcome", "plan_first", "no_skipped_step", "argument_provenance", "room_matches_weather")
TABLE = {
    "ok": "pass pass pass pass pass pass",
    "skip": "pass pass pass fail fail fail",
    "fabricated_id": "pass fail pass pass fail pass",
    "wrong_room": "pass pass pass pass pass fail",
    "no_plan": "pass pass fail pass pass pass",
}


@pytest.mark.row("J3", "J4", "X3")
def test_each_control_gives_exactly_its_verdicts():
    """Answer, outcome and the four checks, in both languages."""
    rows = judge_controls()
    assert {(row.control, row.language) for row in rows} == {(name, lang) for name in TABLE for lang in LANGUAGES}
    for row in rows:
        assert tuple(result.name for result in row.results) == COLUMNS
        assert " ".join(str(result.verdict) for result in row.results) == TABLE[row.control]
        assert row.is_as_expected


@pytest.mark.row("J3")
@pytest.mark.parametrize("language", LANGUAGES)
def test_only_ok_passes_at_trajectory_level(language):
    """The other four fail, though every answer looks right."""
    verdicts = {name: evaluate(load_control(name, language), HOTEL_POLICY).verdict for name in CONTROLS}
    assert verdicts == {name: Verdict.PASS if name == "ok" else Verdict.FAIL for name in CONTROLS}


@pytest.mark.row("J5")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_run_stopped_for_confirmation_fails_three_checks(language):
    """Resumed and booked with a real id, but without plan and weather; its booking was confirmed."""
    messages = load_control("run-confirm", language)
    report = evaluate(messages, HOTEL_POLICY)
    assert {result.name: str(result.verdict) for result in report.results} == {
        "plan_first": "fail",
        "no_skipped_step": "fail",
        "argument_provenance": "pass",
        "room_matches_weather": "fail",
    }
    assert evaluate(messages, HOTEL_MANNERS)["writes_confirmed"].verdict is Verdict.PASS


@pytest.mark.row("J3")
@pytest.mark.parametrize("language", LANGUAGES)
def test_skip_books_without_looking(language):
    """It plans, and book_hotel is its only business call."""
    trace = evaluate(load_control("skip", language), HOTEL_POLICY).trace
    assert [call.name for call in trace.calls] == ["set_plan", "book_hotel", *["mark_step"] * 3]


@pytest.mark.row("J4")
@pytest.mark.parametrize("answer", ["Nothing is booked.", "I could not reach the hotel.", ""])
def test_another_answer_moves_the_answer_column_only(answer):
    """Change what `skip` says, and outcome and checks stay as they are."""
    from toolkit.hotel.goal import ANSWER_WORDS
    from toolkit.trajectory.levels import answer_level

    messages = load_control("skip")
    changed = [*messages[:-1], {"role": "assistant", "content": answer}]
    assert answer_level(messages, ANSWER_WORDS).verdict is Verdict.PASS
    assert answer_level(changed, ANSWER_WORDS).verdict is Verdict.FAIL
    for policy in (HOTEL_POLICY, HOTEL_MANNERS):
        assert evaluate(changed, policy).results == evaluate(messages, policy).results


@pytest.mark.row("J3")
def test_the_files_are_what_the_tools_recorded(tmp_path):
    """Recorded anew, every control file comes out the same to the byte."""
    write_all(tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 12
    for name in names:
        assert (tmp_path / name).read_bytes() == data_path("controls", name).read_bytes()


async def _record_into(world):
    return await record("ok", "en", world)


def test_recording_a_control_books_in_its_world():
    """The results are the world's: after `ok` the store holds the suite, two nights, 800 USD."""
    import asyncio

    world = World()
    asyncio.run(_record_into(world))
    assert [(each["hotel_id"], each["room_type"], each["total"]) for each in world.bookings] == [
        ("HT-002", "suite", 800)
    ]


def test_the_policy_knows_every_condition_of_the_forecast():
    """Whatever the world's weather, the policy names a room for it that some hotel of the goal's city has."""
    from toolkit.hotel.catalogue import CITIES

    conditions = {condition for city in CITIES for condition, _ in city.forecast}
    assert conditions <= set(ROOM_FOR_WEATHER)
    rooms = {room for hotel in HOTELS if hotel.city is CITIES[0] for room in hotel.price_per_night}
    assert set(ROOM_FOR_WEATHER.values()) <= rooms


@pytest.mark.row("J4")
@pytest.mark.parametrize(("control", "verdict"), [("ok", "pass"), ("skip", "pass"), ("fabricated_id", "fail")])
def test_the_outcome_can_be_asked_of_any_run(control: str, verdict: str) -> None:
    """`--policy hotel-outcome` asks only whether exactly one booking came about."""
    assert str(evaluate(load_control(control), policy=HOTEL_OUTCOME).verdict) == verdict
