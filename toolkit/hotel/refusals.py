"""What the hotel says when it cannot do as asked: the value, the rule and the next step, in two languages."""

from __future__ import annotations

from toolkit.errors import ToolError
from toolkit.hotel.catalogue import Language

_LONGEST_VALUE = 60  # characters of a refused value that are repeated to the model

_TEXTS: dict[str, dict[Language, str]] = {
    "unknown_city": {
        "en": "No city {city}. Known cities: {cities}. Copy the city from the user's message, or ask the user.",
        "zh": "没有城市 {city}。已知城市：{cities}。请照抄用户消息中的城市，或询问用户。",
    },
    "no_forecast": {
        "en": "No forecast for {city} on {day}. The forecast covers {first} to {last}. Ask for a date in that range.",
        "zh": "没有{city} {day} 的天气预报。预报范围是 {first} 至 {last}。请查询该范围内的日期。",
    },
    "date_not_bookable": {
        "en": "check_in {day} cannot be booked. Bookable days: {first} (today) to {last}. "
        "Use the date the user gave, or ask the user for another.",
        "zh": "入住日期 {day} 不可预订。可预订日期：{first}（今天）至 {last}。请使用用户给出的日期，或请用户另选。",
    },
    "unknown_hotel": {
        "en": "No hotel {hotel}. Use an id from the result of search_hotels.",
        "zh": "没有酒店 {hotel}。请使用 search_hotels 结果中的 id。",
    },
    "no_such_room": {
        "en": "No {room} at {hotel}. It has: {rooms}. Book one of these, or choose another hotel.",
        "zh": "{hotel} 没有 {room} 房型。现有：{rooms}。请预订其中一种，或另选酒店。",
    },
    "nights_out_of_range": {
        "en": "nights is {nights}. A booking is for 1 to 14 nights. Use a number in that range, or ask the user.",
        "zh": "nights 为 {nights}。一次可预订 1 至 14 晚。请使用该范围内的数字，或询问用户。",
    },
    "no_steps": {
        "en": "The plan has no step. Send at least one step, each a short non-empty text.",
        "zh": "计划没有步骤。请至少给出一步，每一步为一句简短的非空文字。",
    },
    "blank_step": {
        "en": "Step {index} of the plan is empty. Send at least one step, each a short non-empty text.",
        "zh": "计划的第 {index} 步为空。请至少给出一步，每一步为一句简短的非空文字。",
    },
    "no_plan": {
        "en": "There is no step {index}: no plan is set. Call set_plan first.",
        "zh": "没有第 {index} 步：尚未制定计划。请先调用 set_plan。",
    },
    "no_such_step": {
        "en": "There is no step {index}. The plan has steps {first} to {last}. Use one of these.",
        "zh": "没有第 {index} 步。计划包含第 {first} 至 {last} 步。请使用其中之一。",
    },
}


def refusal(rule: str, language: Language, **values: object) -> ToolError:
    """Build the error for a broken rule, its values filled in.

    >>> str(refusal("no_such_room", "en", room="suite", hotel="HT-001", rooms="standard, deluxe"))
    'No suite at HT-001. It has: standard, deluxe. Book one of these, or choose another hotel.'
    """
    return ToolError(_TEXTS[rule][language].format_map(values))


def quoted(value: str) -> str:
    """Quote a value that came from the model, cut where it is too long to repeat.

    >>> quoted("Mars")
    "'Mars'"
    """
    return repr(value if len(value) <= _LONGEST_VALUE else value[:_LONGEST_VALUE] + "...")
