"""The five tools, run through the gateway: exact results, refusals that change nothing, a contract a model can read."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolkit import Gateway, Status
from toolkit.hotel import HOTELS, World, hotel_registry
from toolkit.hotel.goal import CHECK_IN

BOOK = {"hotel_id": "HT-002", "room_type": "suite", "check_in": "2026-10-01", "nights": 2}


def call_all(world, *wanted):
    async def inside():
        async with Gateway(hotel_registry(world), log_sink=None) as gateway:
            return await gateway.call_all(
                [
                    {"id": f"call_{index}", "function": {"name": name, "arguments": json.dumps(arguments)}}
                    for index, (name, arguments) in enumerate(wanted)
                ]
            )

    return asyncio.run(inside())


def call(world, name, **arguments):
    (result,) = call_all(world, (name, arguments))
    return result


@pytest.mark.row("T12")
def test_every_tool_answers_in_its_documented_shape():
    """The five results in full."""
    results = call_all(
        World(),
        ("set_plan", {"steps": ["look", "book"]}),
        ("mark_step", {"index": 0, "status": "done", "note": "rain"}),
        ("get_weather", {"city": "Xi'an", "date": "2026-10-01"}),
        ("search_hotels", {"city": "Shanghai", "check_in": "2026-10-01"}),
        ("book_hotel", BOOK),
    )
    plan, marked, weather, search, booking = [result.value for result in results]
    assert plan["plan"][0] == {"index": 0, "title": "look", "status": "pending"}
    assert marked["plan"][0] == {"index": 0, "title": "look", "status": "done", "note": "rain"}
    assert weather == {"city": "Xi'an", "date": "2026-10-01", "condition": "rain", "high": 17}
    assert search["hotels"][1] == {
        "id": "HT-005",
        "name": "Lane House",
        "city": "Shanghai",
        "room_types": ["standard", "deluxe"],
        "price_per_night": {"standard": 110, "deluxe": 170},
    }
    assert (booking["status"], booking["total"], booking["currency"]) == ("ok", 800, "USD")


def test_a_booking_can_be_read_back():
    """What the model was told stands in the store."""
    world = World("zh")
    result = call(world, "book_hotel", **BOOK)
    assert world.bookings == [result.value]
    assert result.value["hotel_name"] == "钟楼索菲特"


REFUSED = {
    "unknown hotel": (
        {"hotel_id": "HT-022"},
        Status.EXECUTION_ERROR,
        "No hotel 'HT-022'. Use an id from the result of search_hotels.",
    ),
    "room it does not have": (
        {"hotel_id": "HT-001"},
        Status.EXECUTION_ERROR,
        "No suite at HT-001. It has: standard, deluxe. Book one of these, or choose another hotel.",
    ),
    "day that has passed": (
        {"check_in": "2026-09-14"},
        Status.EXECUTION_ERROR,
        "check_in 2026-09-14 cannot be booked. Bookable days: 2026-09-15 (today) to 2027-09-15. "
        "Use the date the user gave, or ask the user for another.",
    ),
}


@pytest.mark.row("T7")
@pytest.mark.parametrize(("change", "status", "text"), REFUSED.values(), ids=REFUSED)
def test_a_refused_booking_says_why_and_leaves_the_store(change, status, text):
    """A business error: value, rule and next step for the model, no booking."""
    world = World()
    result = call(world, "book_hotel", **(BOOK | change))
    assert (result.status, result.error.message) == (status, text)
    assert world.bookings == []


@pytest.mark.parametrize(
    "change",
    [
        {"nights": 0},
        {"nights": 15},
        {"nights": True},
        {"nights": None},
        {"room_type": "penthouse"},
        {"check_in": "1 October"},
        {"hotel_id": ""},
        {"guests": 2},
    ],
    ids=str,
)
def test_a_call_outside_the_contract_never_reaches_the_world(change):
    """The schema stops it and names the field."""
    world = World()
    result = call(world, "book_hotel", **(BOOK | change))
    assert result.status is Status.VALIDATION_ERROR
    assert next(iter(change)) in result.error.message
    assert world.bookings == []


@pytest.mark.parametrize("nights", [1, 14])
def test_one_and_fourteen_nights_are_booked(nights):
    """The edges of the range are inside it."""
    world = World()
    assert call(world, "book_hotel", **(BOOK | {"nights": nights})).value["nights"] == nights
    assert len(world.bookings) == 1


@pytest.mark.parametrize(("language", "start"), [("en", "No city 'Mars'."), ("zh", "没有城市 'Mars'。")])
@pytest.mark.parametrize(
    ("name", "day"), [("get_weather", "date"), ("search_hotels", "check_in")], ids=["weather", "search"]
)
def test_an_unknown_city_is_refused_in_the_language_of_the_world(name, day, language, start):
    """The text lists the cities there are."""
    result = call(World(language), name, **{"city": "Mars", day: "2026-10-01"})
    assert result.status is Status.EXECUTION_ERROR
    assert result.error.message.startswith(start)


@pytest.mark.row("E6")
def test_only_the_booking_is_not_idempotent():
    """What may be repeated blindly is declared; a booking may not."""
    tools = hotel_registry(World()).snapshot()
    assert [name for name, tool in tools.items() if not tool.policy.idempotent] == ["book_hotel"]


def test_registries_do_not_share_a_world():
    """Each registry books in its own world."""
    one, other = World(), World()
    call(one, "book_hotel", **BOOK)
    call(other, "get_weather", city="Xi'an", date="2026-10-01")
    assert (len(one.bookings), other.bookings) == (1, [])


@pytest.mark.row("T6")
def test_every_parameter_is_described():
    """A model never has to guess what a field means."""
    for entry in hotel_registry(World()).openai_tools():
        properties = entry["function"]["parameters"]["properties"]
        assert all(each.get("description") for each in properties.values()), entry["function"]["name"]


def test_the_contract_gives_nothing_of_the_answer_away():
    """No id that exists and no value of the goal: these have to come from a search and from the user."""
    contract = json.dumps(hotel_registry(World()).openai_tools(), ensure_ascii=False)
    given_away = [*(hotel.id for hotel in HOTELS), "Xi'an", "西安", CHECK_IN]
    assert [value for value in given_away if value in contract] == []


@pytest.mark.row("T9")
def test_descriptions_exist_in_chinese():
    """Exported in Chinese, every tool's description is."""
    for entry in hotel_registry(World()).openai_tools(language="zh"):
        assert any("一" <= letter <= "鿿" for letter in entry["function"]["description"])


def test_every_tool_has_a_strict_form():
    """Endpoints that enforce schemas take all five."""
    exported = hotel_registry(World()).openai_tools(strict=True)
    assert [entry["function"]["strict"] for entry in exported] == [True] * 5
