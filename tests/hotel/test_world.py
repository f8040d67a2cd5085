"""The store: what it keeps after a success, and that a refusal leaves it as it was."""

from __future__ import annotations

import threading
import time
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.errors import ToolError
from toolkit.hotel import CITIES, HOTELS, TODAY, World

FIRST_OF_OCTOBER = date(2026, 10, 1)
BOOKING = {
    "status": "ok",
    "booking_id": "BK-0001",
    "hotel_id": "HT-002",
    "hotel_name": "Sofitel at the Bell Tower",
    "room_type": "suite",
    "check_in": "2026-10-01",
    "nights": 2,
    "total": 800,
    "currency": "USD",
}


def test_a_booking_is_in_the_store_as_it_was_answered():
    """What `book` returns is what the store gives back."""
    world = World()
    answer = world.book("HT-002", "suite", FIRST_OF_OCTOBER, 2)
    assert answer == BOOKING
    assert world.bookings == [BOOKING]


def test_booking_ids_count_on():
    """Each booking has an id of its own, oldest first."""
    world = World()
    for nights in (1, 2, 3):
        world.book("HT-001", "standard", FIRST_OF_OCTOBER, nights)
    assert [(kept["booking_id"], kept["total"]) for kept in world.bookings] == [
        ("BK-0001", 90),
        ("BK-0002", 180),
        ("BK-0003", 270),
    ]


REFUSED_BOOKINGS = [
    (
        ("HT-999", "suite", FIRST_OF_OCTOBER, 2),
        "No hotel 'HT-999'. Use an id from the result of search_hotels.",
        "没有酒店 'HT-999'。请使用 search_hotels 结果中的 id。",
    ),
    (
        ("HT-001", "suite", FIRST_OF_OCTOBER, 2),
        "No suite at HT-001. It has: standard, deluxe. Book one of these, or choose another hotel.",
        "HT-001 没有 suite 房型。现有：standard, deluxe。请预订其中一种，或另选酒店。",
    ),
    (
        ("HT-002", "suite", date(2026, 9, 14), 2),
        "check_in 2026-09-14 cannot be booked. Bookable days: 2026-09-15 (today) to 2027-09-15. "
        "Use the date the user gave, or ask the user for another.",
        "入住日期 2026-09-14 不可预订。可预订日期：2026-09-15（今天）至 2027-09-15。"
        "请使用用户给出的日期，或请用户另选。",
    ),
    (
        ("HT-002", "suite", FIRST_OF_OCTOBER, 15),
        "nights is 15. A booking is for 1 to 14 nights. Use a number in that range, or ask the user.",
        "nights 为 15。一次可预订 1 至 14 晚。请使用该范围内的数字，或询问用户。",
    ),
]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(("order", "english", "chinese"), REFUSED_BOOKINGS)
def test_a_refused_booking_changes_nothing(order, english, chinese, language):
    """A refusal says value, rule and next step in the world's language, and the store stays equal."""
    world = World(language)
    world.book("HT-002", "suite", FIRST_OF_OCTOBER, 2)
    before = world.bookings
    with pytest.raises(ToolError) as refused:
        world.book(*order)
    assert str(refused.value) == {"en": english, "zh": chinese}[language]
    assert world.bookings == before


@pytest.mark.parametrize("nights", [0, -1, 15])
def test_nights_outside_1_to_14_are_refused(nights):
    """The nearest numbers outside the range are refused."""
    world = World()
    with pytest.raises(ToolError, match=rf"^nights is {nights}\. "):
        world.book("HT-002", "suite", FIRST_OF_OCTOBER, nights)
    assert world.bookings == []


@given(
    hotel=st.sampled_from(HOTELS),
    ahead=st.integers(0, 365),
    nights=st.integers(1, 14),
    language=st.sampled_from(["en", "zh"]),
    data=st.data(),
)
def test_every_offered_room_can_be_booked(hotel, ahead, nights, language, data):
    """Any room of any hotel, any bookable day, 1 to 14 nights: booked, at nights times its price."""
    room = data.draw(st.sampled_from(list(hotel.price_per_night)))
    world = World(language)
    booking = world.book(hotel.id, room, TODAY + timedelta(days=ahead), nights)
    assert booking["total"] == nights * hotel.price_per_night[room]
    assert world.bookings == [booking]


def test_the_last_bookable_day_is_a_year_ahead():
    """The day after it is refused."""
    world = World()
    world.book("HT-001", "standard", TODAY + timedelta(days=365), 1)
    with pytest.raises(ToolError, match="check_in 2027-09-16 cannot be booked"):
        world.book("HT-001", "standard", TODAY + timedelta(days=366), 1)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (
            "en",
            "No city 'Mars'. Known cities: Xi'an, Shanghai, Dunhuang. "
            "Copy the city from the user's message, or ask the user.",
        ),
        ("zh", "没有城市 'Mars'。已知城市：西安, 上海, 敦煌。请照抄用户消息中的城市，或询问用户。"),
    ],
)
def test_an_unknown_city_is_refused_in_both_languages(language, text):
    """Weather and search refuse it with the same words."""
    world = World(language)
    for ask in (world.weather, world.search):
        with pytest.raises(ToolError) as refused:
            ask("Mars", FIRST_OF_OCTOBER)
        assert str(refused.value) == text


def test_a_city_one_character_off_is_unknown():
    """上晦 is not 上海, and a long value is not repeated whole."""
    with pytest.raises(ToolError, match=r"^没有城市 '上晦'"):
        World("zh").search("上晦", FIRST_OF_OCTOBER)
    with pytest.raises(ToolError) as refused:
        World().search("x" * 10_000, FIRST_OF_OCTOBER)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(("language", "name"), [("en", "Xi'an"), ("zh", "西安")])
def test_cities_are_understood_in_both_languages(language, name):
    """Whichever language the model writes, the answer is in the world's."""
    world = World(language)
    for asked in ("Xi'an", "xi’an", "XIAN", " 西安 ", "西安市"):
        assert world.weather(asked, FIRST_OF_OCTOBER)["city"] == name
        assert world.search(asked, FIRST_OF_OCTOBER)["city"] == name


def test_it_rains_in_xian_on_the_first_of_october():
    """The goal's condition holds, and other days and cities differ."""
    world = World()
    assert world.weather("Xi'an", FIRST_OF_OCTOBER) == {
        "city": "Xi'an",
        "date": "2026-10-01",
        "condition": "rain",
        "high": 17,
    }
    assert world.weather("Xi'an", date(2026, 10, 3))["condition"] == "clear"
    assert world.weather("Shanghai", FIRST_OF_OCTOBER)["condition"] == "clear"


def test_every_forecast_has_a_known_condition():
    """The trajectory checks know five conditions; the forecast uses all of them and no other."""
    used = {condition for city in CITIES for condition, _ in city.forecast}
    assert used == {"rain", "clear", "cloudy", "snow", "fog"}
    assert {len(city.forecast) for city in CITIES} == {30}


@pytest.mark.parametrize("day", [date(2026, 9, 14), date(2026, 10, 15)])
def test_a_day_outside_the_forecast_is_refused(day):
    """There is no guessing before the first or after the last day."""
    with pytest.raises(ToolError) as refused:
        World().weather("Xi'an", day)
    assert str(refused.value) == (
        f"No forecast for Xi'an on {day}. The forecast covers 2026-09-15 to 2026-10-14. Ask for a date in that range."
    )


def test_a_search_shows_rooms_and_a_price_for_each():
    """The whole answer, the Sofitel among three hotels of Xi'an."""
    found = World("zh").search("西安", FIRST_OF_OCTOBER)
    assert [hotel["id"] for hotel in found["hotels"]] == ["HT-001", "HT-002", "HT-003"]
    assert found["hotels"][1] == {
        "id": "HT-002",
        "name": "钟楼索菲特",
        "city": "西安",
        "room_types": ["standard", "suite", "deluxe"],
        "price_per_night": {"standard": 180, "suite": 400, "deluxe": 260},
    }
    assert all(hotel["room_types"] == list(hotel["price_per_night"]) for hotel in found["hotels"])


def test_a_search_may_succeed_and_find_nothing():
    """Dunhuang is known, but has no hotel."""
    found = World().search("Dunhuang", FIRST_OF_OCTOBER)
    assert found == {"city": "Dunhuang", "check_in": "2026-10-01", "hotels": []}


def test_a_search_for_a_past_day_is_refused():
    """The rule for days is the one of booking."""
    with pytest.raises(ToolError, match="check_in 2026-09-14 cannot be booked"):
        World().search("Xi'an", date(2026, 9, 14))


def test_what_is_handed_out_is_a_copy():
    """Changing an answer does not change the store or the catalogue."""
    world = World()
    world.book("HT-002", "suite", FIRST_OF_OCTOBER, 2)["total"] = 0
    world.bookings[0]["total"] = 0
    world.search("Xi'an", FIRST_OF_OCTOBER)["hotels"][1]["price_per_night"]["suite"] = 0
    world.set_plan(["look"])["plan"][0]["title"] = "changed"
    assert world.bookings == [BOOKING]
    assert world.book("HT-002", "suite", FIRST_OF_OCTOBER, 2)["total"] == 800
    assert world.plan[0]["title"] == "look"


def test_reset_makes_the_world_as_new():
    """Bookings, their numbering and the plan are gone."""
    world = World()
    world.set_plan(["look"])
    world.book("HT-002", "suite", FIRST_OF_OCTOBER, 2)
    world.reset()
    assert (world.bookings, world.plan) == ([], [])
    assert world.book("HT-002", "suite", FIRST_OF_OCTOBER, 2) == BOOKING


def test_worlds_do_not_share_bookings():
    """One world's booking is not another's."""
    one, other = World(), World()
    one.book("HT-002", "suite", FIRST_OF_OCTOBER, 2)
    assert other.bookings == []


class YieldingDay(date):
    """A day that lets another thread run in the middle of a booking."""

    def isoformat(self):
        time.sleep(0)
        return super().isoformat()


def test_bookings_from_many_threads_are_all_kept_once():
    """Eight threads book fifty times each: 400 bookings, 400 different ids."""
    world, day = World(), YieldingDay(2026, 10, 1)
    start = threading.Barrier(8)

    def book_fifty() -> None:
        start.wait()
        for _ in range(50):
            world.book("HT-001", "standard", day, 1)

    threads = [threading.Thread(target=book_fifty) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({booking["booking_id"] for booking in world.bookings}) == 400


def test_a_plan_is_kept_and_its_steps_are_marked():
    """Steps start as pending, take their mark and the note, and stay readable."""
    world = World()
    world.set_plan(["look at the weather", " book "])
    answer = world.mark_step(1, "failed", "sold out")
    assert answer == {
        "plan": [
            {"index": 0, "title": "look at the weather", "status": "pending"},
            {"index": 1, "title": "book", "status": "failed", "note": "sold out"},
        ]
    }
    assert world.plan == answer["plan"]


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([], "The plan has no step. Send at least one step, each a short non-empty text."),
        (["look", " "], "Step 1 of the plan is empty. Send at least one step, each a short non-empty text."),
    ],
)
def test_an_empty_plan_is_refused_and_the_old_one_stays(steps, text):
    """No step, or a blank one: refused."""
    world = World()
    world.set_plan(["look"])
    with pytest.raises(ToolError) as refused:
        world.set_plan(steps)
    assert str(refused.value) == text
    assert [step["title"] for step in world.plan] == ["look"]


@pytest.mark.parametrize(
    ("planned", "index", "text"),
    [
        ([], 0, "There is no step 0: no plan is set. Call set_plan first."),
        (["a", "b"], 2, "There is no step 2. The plan has steps 0 to 1. Use one of these."),
        (["a", "b"], -1, "There is no step -1. The plan has steps 0 to 1. Use one of these."),
    ],
)
def test_marking_a_step_that_is_not_there_is_refused(planned, index, text):
    """The text names the steps there are; none is marked."""
    world = World()
    if planned:
        world.set_plan(planned)
    with pytest.raises(ToolError) as refused:
        world.mark_step(index, "done")
    assert str(refused.value) == text
    assert all(step["status"] == "pending" for step in world.plan)
