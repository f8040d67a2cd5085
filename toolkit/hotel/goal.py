"""The goal of the sample domain, as the user says it and as the checks know it, in English and Chinese."""

from __future__ import annotations

from toolkit.hotel.catalogue import CITIES, HOTELS, Language
from toolkit.trajectory.levels import AnswerWords

GOAL: dict[Language, str] = {
    "en": "Book a hotel in Xi'an for two nights from 1 October 2026. "
    "If it rains that day book a suite, otherwise a standard room.",
    "zh": "请预订西安的酒店，2026年10月1日入住，共两晚。如果当天下雨就订套房，否则订标准间。",
}
SYSTEM: dict[Language, str] = {
    "en": "You book hotels with the tools you are given. Make a plan first. Today is 15 September 2026.",
    "zh": "你用提供的工具预订酒店。请先制定计划。今天是2026年9月15日。",
}
CITY = CITIES[0]
CITY_NAMES = (*CITY.names.values(), "西安市")
CHECK_IN = "2026-10-01"
NIGHTS = 2

ANSWER_WORDS = AnswerWords(
    done=("booked", "已预订", "已为您预订", "预订成功", "订好了"),
    things=(
        *("suite", "standard room", "standard", "deluxe", "套房", "标准间", "豪华间"),
        *(name for hotel in HOTELS for name in hotel.names.values()),
    ),
    denials=("not", "n't", "never", "nothing", "unable", "cannot", "没有", "未能", "尚未", "无法"),
)


def opening(language: Language = "en") -> list[dict[str, str]]:
    """The messages every run of the goal begins with: the system's, then the user's."""
    return [{"role": "system", "content": SYSTEM[language]}, {"role": "user", "content": GOAL[language]}]
