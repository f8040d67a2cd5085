"""The control trajectories: runs whose verdict is known, so that the checks themselves can be checked.

`ok` does it right. Each of the others has one thing wrong, and its final answer is as good as that of `ok`. The
calls are written here, the results come from the tools: `record` sends the calls through a gateway to a new
world. The files in `data/controls` are what it recorded; `python -m toolkit.hotel.controls FOLDER` makes them
again.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from toolkit.hotel.catalogue import Language
from toolkit.hotel.goal import CHECK_IN, CITY, NIGHTS, opening
from toolkit.hotel.world import World
from toolkit.resources import data_path

Name: TypeAlias = Literal["ok", "skip", "fabricated_id", "wrong_room", "no_plan", "run-confirm"]
CONTROLS: tuple[Name, ...] = ("ok", "skip", "fabricated_id", "wrong_room", "no_plan")
LANGUAGES: tuple[Language, ...] = get_args(Language)
Message: TypeAlias = dict[str, Any]
Turn: TypeAlias = list[tuple[str, dict[str, Any]]] | tuple[str, str]  # calls, or (role, text)


class Expected(NamedTuple):
    """What a control must give: the checks it fails, and the two levels beside them."""

    fails: frozenset[str]
    answer: str = "pass"
    outcome: str = "pass"


EXPECTED: dict[Name, Expected] = {
    "ok": Expected(frozenset()),
    "skip": Expected(frozenset({"no_skipped_step", "argument_provenance", "room_matches_weather"})),
    "fabricated_id": Expected(frozenset({"argument_provenance"}), outcome="fail"),
    "wrong_room": Expected(frozenset({"room_matches_weather"})),
    "no_plan": Expected(frozenset({"plan_first"})),
    "run-confirm": Expected(frozenset({"plan_first", "no_skipped_step", "room_matches_weather"})),
}

_PLAN: dict[Language, list[str]] = {
    "en": [
        "Check the weather in Xi'an on 2026-10-01",
        "Search hotels in Xi'an",
        "Book a suite if it rains, otherwise a standard room",
    ],
    "zh": ["查询西安2026-10-01的天气", "搜索西安的酒店", "下雨则订套房，否则订标准间"],
}
_SUITE: dict[Language, str] = {
    "en": "Booked: a suite at the Sofitel at the Bell Tower in Xi'an, two nights from 1 October 2026, 800 USD.",
    "zh": "已预订：西安钟楼索菲特套房，2026年10月1日入住，两晚共800美元。",
}
_STANDARD: dict[Language, str] = {
    "en": "Booked: a standard room at the Sofitel at the Bell Tower in Xi'an, two nights from 1 October 2026, 360 USD.",
    "zh": "已预订：西安钟楼索菲特标准间，2026年10月1日入住，两晚共360美元。",
}
_ASK: dict[Language, str] = {
    "en": "I found a suite at the Sofitel at the Bell Tower, 400 USD a night. Shall I book it for two nights?",
    "zh": "我找到了钟楼索菲特的套房，每晚400美元。要预订两晚吗？",
}
_YES: dict[Language, str] = {"en": "Yes, please book it.", "zh": "好的，请预订。"}


def _script(name: Name, language: Language) -> list[Turn]:
    """What the agent does in each turn."""
    city = CITY.names[language]
    plan: Turn = [("set_plan", {"steps": _PLAN[language]})]
    weather: Turn = [("get_weather", {"city": city, "date": CHECK_IN})]
    search: Turn = [("search_hotels", {"city": city, "check_in": CHECK_IN})]
    done: Turn = [("mark_step", {"index": index, "status": "done"}) for index in range(3)]
    says: Turn = ("assistant", _SUITE[language])
    scripts: dict[Name, list[Turn]] = {
        "ok": [plan, weather, search, _booking("HT-002", "suite"), done, says],
        "skip": [plan, _booking("HT-002", "suite"), done, says],
        "fabricated_id": [plan, weather, search, _booking("HT-022", "suite"), done, says],
        "wrong_room": [
            *(plan, weather, search, _booking("HT-002", "standard"), done),
            ("assistant", _STANDARD[language]),
        ],
        "no_plan": [weather, search, _booking("HT-002", "suite"), says],
        "run-confirm": [
            *(search, ("assistant", _ASK[language]), ("user", _YES[language])),
            *(_booking("HT-002", "suite"), says),
        ],
    }
    return scripts[name]


def _booking(hotel_id: str, room_type: str) -> Turn:
    stay = {"check_in": CHECK_IN, "nights": NIGHTS}
    return [("book_hotel", {"hotel_id": hotel_id, "room_type": room_type, **stay})]


async def record(name: Name, language: Language, world: World | None = None) -> list[Message]:
    """Run a control's calls through a gateway and return the messages, results as the tools gave them."""
    from toolkit.gateway import Gateway  # not needed to load what was recorded
    from toolkit.hotel.tools import hotel_registry

    messages: list[Message] = [dict(message) for message in opening(language)]
    async with Gateway(hotel_registry(world or World(language)), log_sink=None) as gateway:
        for turn in _script(name, language):
            if isinstance(turn, tuple):
                messages.append({"role": turn[0], "content": turn[1]})
                continue
            calls = [_call(f"call_{len(messages)}_{place}", *call) for place, call in enumerate(turn)]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            messages.extend(result.to_message() for result in await gateway.call_all(calls))
    return messages


def _call(id: str, name: str, arguments: dict[str, Any]) -> Message:
    text = json.dumps(arguments, ensure_ascii=False)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}


def load_control(name: Name, language: Language = "en") -> list[Message]:
    """The messages of a control, as recorded.

    >>> [message["role"] for message in load_control("skip")]
    ['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool', 'tool', 'tool', 'assistant']

    Raises:
        FileNotFoundError: there is no control of that name.
    """
    if name == "run-confirm":
        lines = data_path("controls", f"{name}.{language}.jsonl").read_text("utf-8").splitlines()
        return [json.loads(line)["message"] for line in lines]
    recording = json.loads(data_path("controls", f"{name}.{language}.json").read_text("utf-8"))
    messages: list[Message] = recording["messages"]
    return messages


def write_all(folder: Path) -> None:
    """Record every control anew, in both languages."""
    for language in LANGUAGES:
        for name in CONTROLS:
            messages = asyncio.run(record(name, language))
            meta = {"run": f"{name}.{language}", "control": name, "language": language}
            text = json.dumps({"meta": meta, "messages": messages}, ensure_ascii=False, indent=1)
            (folder / f"{name}.{language}.json").write_text(text + "\n", "utf-8")
        messages = asyncio.run(record("run-confirm", language))
        lines = ({"run": f"run-confirm.{language}", "seq": seq, "message": m} for seq, m in enumerate(messages))
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (folder / f"run-confirm.{language}.jsonl").write_text(text, "ascii")


def main(arguments: Sequence[str]) -> None:
    """Write the controls into the folder given."""
    write_all(Path(*arguments))


if __name__ == "__main__":
    main(sys.argv[1:])
