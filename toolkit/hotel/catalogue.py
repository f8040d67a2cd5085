"""What the sample world is made of: cities, hotels and a forecast. Names exist in English and Chinese.

Prices are US dollars a night. The forecast gives a condition and the day's high in degrees Celsius, one
entry a day from `TODAY`. Every figure here is invented for the lessons.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["en", "zh"]
RoomType: TypeAlias = Literal["standard", "suite", "deluxe"]

TODAY = date(2026, 9, 15)
CURRENCY = "USD"


@dataclass(frozen=True, slots=True)
class City:
    """A city: its name by language, and its forecast from `TODAY` on as (condition, high in Celsius)."""

    names: dict[Language, str]
    forecast: tuple[tuple[str, int], ...]

    @property
    def last_day(self) -> date:
        return TODAY + timedelta(days=len(self.forecast) - 1)

    def is_called(self, name: str) -> bool:
        """Compare with the name in either language, whatever the case, the apostrophe or a final 市.

        >>> xian = CITIES[0]
        >>> [xian.is_called(name) for name in ("Xi'an", "XIAN", "Xi’an", "西安市", "上海")]
        [True, True, True, True, False]
        """
        return _plain(name) in {_plain(known) for known in self.names.values()}


@dataclass(frozen=True, slots=True)
class Hotel:
    """A hotel: its id, its name by language, and the price a night of each room type it has."""

    id: str
    names: dict[Language, str]
    city: City
    price_per_night: dict[RoomType, int]


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in letters if letter.isalnum()).removesuffix("市")


def _forecast(days: str) -> tuple[tuple[str, int], ...]:
    entries = (day.split() for day in days.split(","))
    return tuple((condition, int(high)) for condition, high in entries)


_XIAN = City(
    {"en": "Xi'an", "zh": "西安"},
    _forecast(  # 15 to 30 September, then 1 to 14 October
        "clear 27, clear 28, cloudy 25, rain 21, rain 20, cloudy 22, clear 24, clear 25,"
        "clear 26, cloudy 24, rain 20, rain 19, cloudy 21, clear 23, clear 22, cloudy 20,"
        "rain 17, cloudy 18, clear 20, clear 21, clear 22, cloudy 20, rain 16, rain 15,"
        "fog 16, cloudy 18, clear 19, clear 20, cloudy 18, rain 15"
    ),
)
_SHANGHAI = City(
    {"en": "Shanghai", "zh": "上海"},
    _forecast(
        "rain 26, cloudy 27, clear 29, clear 30, clear 29, cloudy 28, rain 25, rain 24,"
        "cloudy 26, clear 28, clear 28, cloudy 27, cloudy 26, rain 24, cloudy 25, clear 26,"
        "clear 26, clear 27, rain 23, rain 22, cloudy 24, clear 25, clear 26, clear 25,"
        "cloudy 24, rain 21, rain 20, cloudy 22, clear 24, clear 24"
    ),
)
_DUNHUANG = City(  # no hotel of ours stands here: a search that succeeds and finds nothing
    {"en": "Dunhuang", "zh": "敦煌"},
    _forecast(
        "clear 25, clear 25, clear 24, clear 24, cloudy 22, clear 23, clear 23, clear 22,"
        "clear 22, cloudy 20, clear 21, clear 21, clear 20, clear 20, fog 17, clear 19,"
        "clear 19, clear 18, cloudy 16, clear 17, clear 17, clear 17, clear 16, snow 2,"
        "snow 1, cloudy 8, clear 12, clear 13, clear 13, clear 14"
    ),
)
CITIES = (_XIAN, _SHANGHAI, _DUNHUANG)

HOTELS = (
    Hotel("HT-001", {"en": "City Wall Inn", "zh": "城墙客栈"}, _XIAN, {"standard": 90, "deluxe": 140}),
    Hotel(
        "HT-002",
        {"en": "Sofitel at the Bell Tower", "zh": "钟楼索菲特"},
        _XIAN,
        {"standard": 180, "suite": 400, "deluxe": 260},
    ),
    Hotel("HT-003", {"en": "Big Goose Garden", "zh": "雁塔花园酒店"}, _XIAN, {"standard": 210, "suite": 460}),
    Hotel(
        "HT-004",
        {"en": "Riverside on the Bund", "zh": "外滩江景酒店"},
        _SHANGHAI,
        {"standard": 230, "suite": 520, "deluxe": 310},
    ),
    Hotel("HT-005", {"en": "Lane House", "zh": "里弄小筑"}, _SHANGHAI, {"standard": 110, "deluxe": 170}),
)
