"""E3: completeness, relevance and format, each with points that can be recomputed from the reason."""

from __future__ import annotations

import pytest

from toolkit import Registry, ToolDefinitionError, tool
from toolkit.hotel.catalogue import CITIES
from toolkit.quality import Rule, Scorecard, complete, echoes, speaks_of, well_formed
from toolkit.quality.promised import check_fields

ROOMS = {"hotels": [{"id": "HT-001", "price": 90}, {"id": " ", "price": None}]}


@pytest.mark.row("E3")
@pytest.mark.parametrize(
    ("rule", "value", "points", "reason"),
    [
        (complete("condition", "high"), {"condition": "rain", "high": 0}, 1.0, "nothing is missing"),
        (complete("condition", "high"), {"condition": "", "high": 17}, 0.5, "missing: condition"),
        (complete("condition", "high"), {}, 0.0, "missing: condition, high"),
        (complete("id", "price", each="hotels"), ROOMS, 0.5, "missing: hotels[1].id, hotels[1].price"),
        (complete("id", each="hotels"), {"hotels": []}, 1.0, "nothing is missing"),
        (
            complete("id", each="hotels"),
            {"hotels": [{}] * 7},
            0.0,
            "missing: hotels[0].id, hotels[1].id, hotels[2].id, hotels[3].id, hotels[4].id and 2 more",
        ),
    ],
)
def test_completeness(rule, value, points, reason):
    """The share of the fields that are there, and the names of those that are not; zero is there, blank is not."""
    assert rule.judge({}, value) == (points, reason)


def same_city(one, other):
    return any(city.is_called(one) and city.is_called(other) for city in CITIES)


@pytest.mark.row("E3")
@pytest.mark.parametrize(
    ("same", "asked", "got", "points", "reason"),
    [
        (None, {"city": "XI'AN"}, {"city": "Xi’an"}, 1.0, "about what was asked"),
        (None, {"city": "西安"}, {"city": "Xi'an"}, 0.0, 'asked for city "西安", got "Xi\'an"'),
        (same_city, {"city": "西安"}, {"city": "Xi'an"}, 1.0, "about what was asked"),
        (same_city, {"city": "西安"}, {"city": "上海"}, 0.0, 'asked for city "西安", got "上海"'),
        (None, {}, {"city": "Xi'an"}, 1.0, "about what was asked"),
        (None, {"city": "Xi'an"}, {}, 0.0, 'asked for city "Xi\'an", got null'),
    ],
)
def test_relevance_of_a_record(same, asked, got, points, reason):
    """A result that is about another city than was asked for is not relevant, however complete it is."""
    assert echoes("city", same=same).judge(asked, got) == (points, reason)


@pytest.mark.row("E3")
@pytest.mark.parametrize(
    ("query", "text", "points", "reason"),
    [
        ("西安 天气", "今天西安的天气：小雨", 1.0, "every word of the query is mentioned"),
        ("西安天气", "今天西安的天气：小雨", 2 / 3, "not mentioned: 安天"),
        ("西安天气", "上海美食地图", 0.0, "not mentioned: 天气, 安天, 西安"),
        ("the weather in Xi'an", "Xi’an: light rain, WEATHER warning", 1.0, "every word of the query is mentioned"),
        ("weather in Xi'an", "西安今天小雨", 0.0, "not mentioned: weather, xi'an"),  # where the rule errs
        ("of the", "anything", 1.0, "the query has no word to look for"),
    ],
)
def test_relevance_of_a_text(query, text, points, reason):
    """The share of the query's words in the text, Chinese in pairs; a pair across two words is a false one."""
    judged = speaks_of("query", "title", "text", each="pages").judge({"query": query}, {"pages": [{"text": text}]})
    assert judged == (pytest.approx(points), reason)


@pytest.mark.row("E3")
def test_format():
    """The share of values that have the form, and those that have not, with their places."""
    rule = well_formed("price", lambda price: (price or 0) > 0, expected="a price above 0", each="hotels")
    assert rule.judge({}, ROOMS) == (0.5, "expected a price above 0: hotels[1].price is null")
    one = well_formed("currency", str.isupper, expected="three capitals")
    assert one.judge({}, {"currency": "USD"}) == (1.0, "well formed")


@pytest.mark.parametrize("value", [None, "rain", ["rain"], {"hotels": None}, {"hotels": ["HT-001"]}])
def test_a_value_of_another_form_scores_nothing(value):
    """The rule stops at it, and the scorecard makes that 0 with a reason."""
    score = Scorecard({"t": [complete("id", each="hotels")]}).judge("t", {}, value)
    assert (score.overall, score.findings[0].reason) == (0.0, "the rule crashed with TypeError")


@pytest.mark.parametrize("make", [complete, echoes, lambda: speaks_of("query")])
def test_a_rule_without_fields_is_refused(make):
    """It would be content with anything."""
    with pytest.raises(ToolDefinitionError, match="names no field, so it would be content with anything"):
        make()


@pytest.mark.row("E3")
@pytest.mark.parametrize(
    ("tool_name", "rule", "message"),
    [
        (
            "get_weather",
            complete("temperature"),
            "Rule 'completeness' of 'get_weather' reads 'temperature', but the result never has it. "
            "It has: city, date, condition, high.",
        ),
        (
            "search_hotels",
            complete("price", each="hotels"),
            "Rule 'completeness' of 'search_hotels' reads 'price', but an element of 'hotels' never has it. "
            "It has: id, name, city, room_types, price_per_night.",
        ),
        (
            "search_hotels",
            complete("id", each="rooms"),
            "Rule 'completeness' of 'search_hotels' reads 'id', but an element of 'rooms' never has it. "
            "It has: no fields.",
        ),
        (
            "get_wether",
            complete("city"),
            "There are rules for 'get_wether', which is no tool. "
            "Tools: set_plan, mark_step, get_weather, search_hotels, book_hotel.",
        ),
    ],
)
def test_a_field_the_tool_never_returns(hotel, tool_name, rule, message):
    """A rule that reads it would score every result alike, so it is refused where the scorecard meets the tools."""
    with pytest.raises(ToolDefinitionError) as refused:
        check_fields(Scorecard({tool_name: [rule]}), hotel)
    assert str(refused.value) == message


def test_a_tool_that_promises_nothing_allows_any_field(hotel):
    """A plain dict, a layer 1 tool, a rule of one's own: there is nothing to hold them against."""
    registry = Registry()

    @tool(registry)
    async def look_up(word: str) -> dict[str, str]:
        """Look up."""
        return {}

    registry.register(name="plain", description="Plain.", parameters={"type": "object"}, func=print)
    own = Rule(name="own", judge=lambda arguments, value: (1.0, "so"))
    check_fields(Scorecard({"look_up": [complete("meaning"), own], "plain": [complete("x")]}), registry)
    check_fields(Scorecard({"get_weather": [complete("high"), own]}), hotel)
