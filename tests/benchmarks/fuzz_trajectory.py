"""A hundred thousand message lists that nobody would record: none may raise, every pointer must lead somewhere.

Half are mutants of controls, damaged by random edits of their JSON; half are made of the pieces that messages consist
of, put together at random. The same seed gives the same lists. `python tests/benchmarks/fuzz_trajectory.py [COUNT]`.
"""

from __future__ import annotations

import copy
import random
import sys
import time
from collections import Counter
from typing import Any

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import EXPECTED, LANGUAGES, load_control
from toolkit.hotel.policy import HOTEL_MANNERS
from toolkit.trajectory import evaluate
from toolkit.trajectory.pointers import resolve

CONTROLS = [load_control(name, language) for name in EXPECTED for language in LANGUAGES]
ROLES = ("user", "assistant", "tool", "function", "system", "developer", "narrator", None, 3)
TOOLS = ("set_plan", "get_weather", "search_hotels", "book_hotel", "", None, 7, [])
IDS = ("a", "b", "", None, 1, True, {}, "call_2_0")
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, float("nan"), float("inf"), 10**30, "", " ", "ok", "\ud800", "西安", "HT-002"),
    *([], {}, [[]], [None], {"error": None}, {"status": []}, {"hotels": [{"id": []}]}, {"hotels": {"id": "HT-002"}}),
    *("{", "[]", "null", "NaN", '{"a": 1, "a": 2}', '{"city": "Xi\'an"}', '{"error": 0}', "[" * 3_000, "1" * 5_000),
    *('{"_compacted": true}', "[messages omitted]", {"type": "text", "text": None}, [{"type": "text", "text": "{}"}]),
)
KEYS = (
    "role",
    "content",
    "tool_calls",
    "tool_call_id",
    "tool_call_ids",
    "function_call",
    "usage",
    "_compacted",
    "type",
)


def value(chance: random.Random) -> Any:
    """Any value of the list above; a copy, for edits are made in place."""
    return copy.deepcopy(chance.choice(VALUES))


def call(chance: random.Random) -> Any:
    """Something like a call."""
    function = {"name": chance.choice(TOOLS), "arguments": value(chance)}
    raw = {"id": chance.choice(IDS), "function": function if chance.random() < 0.8 else value(chance)}
    return raw if chance.random() < 0.9 else value(chance)


def message(chance: random.Random) -> Any:
    """Something like a message."""
    if chance.random() < 0.05:
        return value(chance)
    made: dict[str, Any] = {"role": chance.choice(ROLES)}
    for key in chance.sample(KEYS, chance.randint(0, 4)):
        made[key] = value(chance)
    if chance.random() < 0.5:
        made["tool_calls"] = [call(chance) for _ in range(chance.randint(0, 3))]
    if chance.random() < 0.5:
        made["tool_call_id"] = chance.choice(IDS)
    return made


def damaged(chance: random.Random) -> list[Any]:
    """A control with one to six places of its JSON changed, removed or repeated."""
    messages: list[Any] = copy.deepcopy(chance.choice(CONTROLS))
    for _ in range(chance.randint(1, 6)):
        where: Any = messages
        while isinstance(where, dict | list) and where:
            key = chance.choice(list(where) if isinstance(where, dict) else range(len(where)))
            if chance.random() < 0.1 or not isinstance(where[key], dict | list) or not where[key]:
                break
            where = where[key]
        else:
            continue
        match chance.randint(0, 2):
            case 0:
                where[key] = value(chance)
            case 1:
                del where[key]
            case _ if isinstance(where, list):
                where.insert(chance.randint(0, len(where)), copy.deepcopy(where[key]))
    return messages


def fuzzed(chance: random.Random) -> list[Any]:
    """A list of either kind."""
    if chance.random() < 0.5:
        return damaged(chance)
    return [message(chance) for _ in range(chance.randint(0, 9))]


def try_one(messages: list[Any]) -> list[str]:
    """Judge a list by both policies and follow every pointer; returns the verdicts of the hotel's checks."""
    for policy in (HOTEL_MANNERS, HOTEL_POLICY):
        report = evaluate(messages, policy)
        for result in report.results:
            resolve(messages, result.at)
            if result.witness is not None:
                resolve(messages, result.witness)
        for anomaly in report.anomalies:
            resolve(messages, anomaly.at)
    return [str(report.verdict), *(anomaly.code for anomaly in report.anomalies)]


def main(count: int) -> None:
    """Try that many lists and print what they were, by overall verdict and by anomaly."""
    chance, seen = random.Random(20261130), Counter[str]()
    start = time.perf_counter()
    for number in range(count):
        messages = fuzzed(chance)
        try:
            seen.update(set(try_one(messages)))
        except Exception:
            print(f"list {number} raises: {messages!r}")
            raise
    print(f"{count} lists judged by two policies, none raised; {time.perf_counter() - start:.0f} s")
    for word, times in seen.most_common():
        print(f"{word:24}{times:8}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
