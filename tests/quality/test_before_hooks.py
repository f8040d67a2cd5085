"""E1: what cannot be meant, and what does not follow, is refused before the call, with a text for the model."""

from __future__ import annotations

from datetime import date

import pytest

from toolkit import Context, Status, tool
from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.catalogue import CITIES
from toolkit.hotel.controls import load_control
from toolkit.quality import follows, in_conversation, mentioned, plausible
from toolkit.trajectory.hook import provenance_hook

PLACES = ("get_weather", "search_hotels")
WEATHER = ("weather", "rain", "天气", "下雨")


def names_of(city):
    return [name for place in CITIES if place.is_called(city) for name in place.names.values()]


def says(text):
    return Context(messages=[{"role": "user", "content": text}])


@pytest.mark.row("E1")
async def test_no_weather_for_mars(hotel, pipeline_for, raw):
    """A value the schema allows and nobody can mean: the tool is not reached, the model is told what may be meant."""
    on_earth = plausible("get_weather", "city", lambda city: city != "Mars", expected="a city on Earth")
    pipeline = pipeline_for(hotel, before=[on_earth])
    refused = await pipeline.call(raw("get_weather", city="Mars", date="2026-10-01"))
    assert (refused.status, refused.attempts) == (Status.CONTEXT_ERROR, 0)
    assert refused.to_content() == (
        '{"error": "city \\"Mars\\" cannot be meant: expected a city on Earth.", "status": "context_error", '
        '"next_step": "correct it from what the user wrote, or ask the user"}'
    )
    assert (await pipeline.call(raw("search_hotels", city="Mars", check_in="2026-10-01"))).status is not refused.status


async def test_a_plausible_value_is_asked_of_the_validated_argument(hotel, pipeline_for, raw):
    """A day arrives as a day, not as a text; an argument that was not given is not asked."""
    seen = []
    from_today = plausible("search_hotels", "check_in", lambda day: seen.append(day) or True, expected="a day ahead")
    absent = plausible("search_hotels", "nights", lambda nights: False, expected="a few nights")
    result = await pipeline_for(hotel, before=[from_today, absent]).call(
        raw("search_hotels", city="Xi'an", check_in="2026-10-01")
    )
    assert (result.status, seen) == (Status.SUCCESS, [date(2026, 10, 1)])


@pytest.mark.row("E1")
@pytest.mark.parametrize(
    ("said", "city", "error", "next_step"),
    [
        ("Will it rain on 1 October?", "Xi'an", 'The user has not mentioned city \\"Xi\'an\\".', "ask for the city"),
        ("十月一日会下雨吗？", "西安", 'The user has not mentioned city \\"西安\\".', "ask for the city"),
        ("上海十月一日会下雨吗？", "上晦", 'The user wrote \\"上海\\", not \\"上晦\\".', "copy the city exactly"),
        (
            "Rain in Shanghai?",
            "Shanghei",
            'The user wrote \\"Shanghai\\", not \\"Shanghei\\".',
            "copy the city exactly",
        ),
    ],
)
async def test_a_city_nobody_mentioned(hotel, pipeline_for, raw, said, city, error, next_step):
    """The user is asked first; where one character differs, the model is shown what the user wrote."""
    pipeline = pipeline_for(hotel, before=[in_conversation(mentioned(PLACES, "city", names_of))])
    refused = await pipeline.call(raw("get_weather", city=city, date="2026-10-01"), says(said))
    assert refused.to_content() == f'{{"error": "{error}", "status": "context_error", "next_step": "{next_step}"}}'


@pytest.mark.parametrize(
    ("said", "city"),
    [
        ("Rain in Xi’an?", "Xi'an"),
        ("rain in XI'AN", "Xi'an"),
        ("西安会下雨吗", "Xi'an"),
        ("Rain in Xi'an?", "西安"),
        ("上海天气", "上海"),
    ],
)
async def test_a_city_that_was_mentioned_passes(hotel, pipeline_for, raw, said, city):
    """In any case, with either apostrophe, and under its other name."""
    pipeline = pipeline_for(hotel, before=[in_conversation(mentioned(PLACES, "city", names_of))])
    assert (await pipeline.call(raw("get_weather", city=city, date="2026-10-01"), says(said))).ok


async def test_the_assistants_own_words_are_no_mention(hotel, pipeline_for, raw):
    """A city that only the model spoke of was not mentioned."""
    pipeline = pipeline_for(hotel, before=[in_conversation(mentioned(PLACES, "city"))])
    talk = [{"role": "user", "content": "Rain?"}, {"role": "assistant", "content": "In Xi'an, I guess."}]
    refused = await pipeline.call(raw("get_weather", city="Xi'an", date="2026-10-01"), Context(messages=talk))
    assert refused.status is Status.CONTEXT_ERROR


@pytest.fixture
def desk(hotel):
    """The hotel's tools and a calculator."""

    @tool(hotel, idempotent=True)
    async def calculate(expression: str) -> float:
        """Calculate."""
        return 7.0

    return hotel


def has_arithmetic(text):
    return any(sign in text for sign in "+*/")


@pytest.mark.row("E1")
async def test_a_calculator_right_after_a_weather_question(desk, pipeline_for, raw):
    """It is suspicious, so it is refused; once the weather has answered, the same call runs."""
    check = follows("calculate", WEATHER, first="get_weather", unless=has_arithmetic)
    pipeline = pipeline_for(desk, before=[in_conversation(check)])
    talk = [{"role": "user", "content": "How warm will it be in Xi'an, and what is the weather like?"}]
    call = raw("calculate", expression="3 + 4")
    refused = await pipeline.call(call, Context(messages=talk))
    assert refused.to_content() == (
        '{"error": "calculate does not follow from the user\'s last message, and get_weather has not answered since.", '
        '"status": "context_error", "next_step": "call get_weather first; calculate may run after it"}'
    )
    asked = {"role": "assistant", "tool_calls": [raw("get_weather", "w", city="Xi'an", date="2026-10-01")]}
    talk += [asked, {"role": "tool", "tool_call_id": "w", "content": '{"high": 17}'}]
    assert (await pipeline.call(call, Context(messages=talk))).ok


@pytest.mark.parametrize("said", ["西安天气怎么样，顺便算一下 3+4", "What is three plus four?", ""])
async def test_a_calculator_that_was_asked_for(desk, pipeline_for, raw, said):
    """A question that holds a sum, or is about no weather, may go to the calculator at once."""
    check = follows("calculate", WEATHER, first="get_weather", unless=has_arithmetic)
    pipeline = pipeline_for(desk, before=[in_conversation(check)])
    assert (await pipeline.call(raw("calculate", expression="3 + 4"), says(said))).ok


@pytest.mark.row("E1")
async def test_an_invented_hotel_is_stopped_before_it_is_booked(hotel, world, pipeline_for):
    """The trajectory check's own function, composed in by the caller, refuses the id; no booking stands."""
    talk = load_control("fabricated_id")
    place = next(place for place, message in enumerate(talk) if "book_hotel" in str(message.get("tool_calls")))
    hooks = [in_conversation(mentioned(PLACES, "city", names_of)), provenance_hook(HOTEL_POLICY)]
    pipeline = pipeline_for(hotel, before=hooks)
    results = await pipeline.call_all(talk[place]["tool_calls"], Context(messages=talk[:place]))
    refused = [result for result in results if result.tool == "book_hotel"]
    assert [result.status for result in refused] == [Status.CONTEXT_ERROR]
    assert refused[0].error.message == (
        "hotel_id 'HT-022' stands in no result you have seen. Copy one exactly: HT-001, HT-002, HT-003."
    )
    assert world.bookings == []
