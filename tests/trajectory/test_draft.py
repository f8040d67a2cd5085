"""A run taken apart and put together again."""

from __future__ import annotations

import pytest

from toolkit.hotel.controls import EXPECTED, LANGUAGES, load_control
from toolkit.hotel.recorded import recorded_runs
from toolkit.trajectory import extract_calls
from toolkit.trajectory.draft import Draft, Exchange


def names_of(draft):
    return [[call.name for call in turn.exchanges] for turn in draft.turns()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("control", EXPECTED)
def test_a_draft_that_is_not_changed_gives_the_run(control, language):
    """Nothing is lost on the way there and back; a key more or less of the assistant's message does not count."""
    messages = load_control(control, language)
    assert extract_calls(Draft(messages).messages()) == extract_calls(messages)


def test_recorded_runs_survive_being_taken_apart():
    """The same calls, turns, results and pointers."""
    for run in recorded_runs("simulated"):
        assert extract_calls(Draft(run.messages).messages()) == extract_calls(run.messages)


def test_a_draft_is_a_copy():
    """Changing it leaves the recording as it was."""
    messages = load_control("ok")
    draft = Draft(messages)
    draft.done("book_hotel").argue(room_type="standard")
    draft.remove(*draft.calls("set_plan"))
    assert messages == load_control("ok")


def test_calls_are_moved_joined_and_removed():
    """Where they stand in turns is what changed; a turn without calls is gone."""
    draft = Draft(load_control("ok"))
    draft.remove(*draft.calls("mark_step"))
    draft.move(draft.done("get_weather"), after=draft.done("search_hotels"))
    draft.join(draft.done("set_plan"), draft.done("book_hotel"), first=True)
    assert names_of(draft) == [["search_hotels"], ["get_weather"], ["set_plan", "book_hotel"]]


def test_an_inserted_call_stands_in_a_turn_of_its_own():
    """Before or after the turn of another call; with neither it has no place."""
    draft = Draft(load_control("skip"))
    draft.remove(*draft.calls("mark_step"))
    draft.insert(Exchange.of("get_weather", {"city": "Xi'an"}, {"condition": "rain"}), before=draft.done("book_hotel"))
    assert names_of(draft) == [["set_plan"], ["get_weather"], ["book_hotel"]]
    with pytest.raises(ValueError, match="insert needs a call to stand before or after"):
        draft.insert(Exchange.of("get_weather", {}))


def test_the_call_done_is_the_last_that_succeeded():
    """A refused booking is not done; where none succeeded the last one is given."""
    draft = Draft(load_control("fabricated_id"))
    booking = draft.done("book_hotel")
    assert not booking.succeeded
    again = Exchange("again", "book_hotel", booking.arguments, ['{"status": "ok"}'])
    draft.insert(again, before=booking)
    assert draft.done("book_hotel") is again
