"""A simulated agent that books hotels: it reads the conversation, decides, and can be given bad habits.

It is no model and no fixed tape: like a model it sees only the messages, and what it does next depends on what
the tools answered. A seed decides which of its possible faults it has, so the same seed and the same messages
give the same reply, in any order and from any number of runs at once.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from toolkit.agent.models import Request, asks_for, client_answering, says
from toolkit.hotel.phrases import Goal, phrase, read_goal
from toolkit.trajectory import Call, Outcome, extract_calls

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Fault: TypeAlias = Literal["no_plan", "skip_weather", "invent_id", "wrong_room", "bad_json", "loop"]
FAULTS: tuple[Fault, ...] = get_args(Fault)
"""Plans nothing; never looks at the weather; books an id no search returned and claims success; takes the room
for the other weather; sends one search cut off in the middle; asks for the same thing again and again."""

_BUSINESS = ("get_weather", "search_hotels", "book_hotel")  # in the order of the plan's steps
_MOST_ATTEMPTS = 3  # at one step, where the answer says that another try makes sense


def simulated_client(seed: int = 0, faults: Mapping[Fault, float] | None = None) -> AsyncOpenAI:
    """Make an openai client whose model is the simulated agent.

    Args:
        seed: Decides which of the possible faults this agent has.
        faults: Probability, 0 to 1, of each fault; a fault not named never happens.

    Raises:
        ValueError: an unknown fault, or a probability outside 0 to 1.
    """
    drawn = draw_faults(seed, faults or {})
    return client_answering(lambda request: simulated_reply(request, drawn, seed))


def draw_faults(seed: int, faults: Mapping[Fault, float]) -> frozenset[Fault]:
    """Decide which faults the agent of this seed has. Each is drawn by itself.

    Raises:
        ValueError: an unknown fault, or a probability outside 0 to 1.
    """
    for fault, probability in faults.items():
        if fault not in FAULTS:
            raise ValueError(f"No fault is called {fault!r}. Faults: {', '.join(FAULTS)}.")
        if not 0 <= probability <= 1:
            raise ValueError(f"The probability of {fault!r} is {probability}; it must lie between 0 and 1.")
    return frozenset(fault for fault in faults if random.Random(f"{seed}/{fault}").random() < faults[fault])


def simulated_reply(request: Request, faults: frozenset[Fault], seed: int = 0) -> dict[str, Any]:
    """Answer a chat completion request with the assistant message of an agent that has these faults."""
    messages = list(request["messages"])
    goal = read_goal(messages)
    if goal is None:
        return says(phrase("unclear", "en"))
    user_spoke = messages[-1].get("role") == "user"
    return _Situation(goal, extract_calls(messages).calls, user_spoke, faults, seed).next_turn()


@dataclass(frozen=True, slots=True)
class _Situation:
    """Everything a turn is decided from."""

    goal: Goal
    calls: tuple[Call, ...]
    user_spoke: bool
    faults: frozenset[Fault]
    seed: int

    def next_turn(self) -> dict[str, Any]:
        for step in self._steps():
            if self._last_success(step) and not self._repeats(step):
                continue
            attempts = [call for call in self.calls if call.name == step]
            if attempts and not self._last_success(step) and not self._may_try_again(attempts):
                return says(self._failed(attempts[-1]))
            if step == "book_hotel" and self._choice() is None:
                return says(self._phrase("no_room"))
            return asks_for(*self._marks(step), (step, self._arguments(step, attempts)))
        marks = self._marks()
        return asks_for(*marks) if marks else says(self._phrase("booked"))

    def _steps(self) -> list[str]:
        left_out = {"no_plan": "set_plan", "skip_weather": "get_weather"}
        skipped = {left_out[fault] for fault in self.faults if fault in left_out}
        return [step for step in ("set_plan", *_BUSINESS) if step not in skipped]

    def _repeats(self, step: str) -> bool:
        """A looping agent never gets beyond its first business step."""
        return "loop" in self.faults and step == next(name for name in self._steps() if name in _BUSINESS)

    def _last_success(self, *tools: str) -> Call | None:
        return next(
            (call for call in reversed(self.calls) if call.name in tools and call.outcome is Outcome.SUCCESS),
            None,
        )

    def _may_try_again(self, attempts: list[Call]) -> bool:
        told = attempts[-1].result if isinstance(attempts[-1].result, dict) else {}
        if told.get("status") == "needs_confirmation":
            return self.user_spoke
        mendable = told.get("retryable") is True or told.get("status") == "validation_error"
        return mendable and len(attempts) < _MOST_ATTEMPTS

    def _arguments(self, step: str, attempts: list[Call]) -> Mapping[str, Any] | str:
        goal = self.goal
        match step:
            case "set_plan":
                return {"steps": [self._phrase(f"plan_{name}") for name in ("weather", "search", "book")]}
            case "get_weather":
                return {"city": goal.city, "date": goal.check_in}
            case "search_hotels":
                search = {"city": goal.city, "check_in": goal.check_in}
                cut = "bad_json" in self.faults and not attempts
                return json.dumps(search, ensure_ascii=False)[:-5] if cut else search
            case _:
                hotel, room = self._choice() or {}, self._room()
                number = random.Random(self.seed).randint(600, 999)
                hotel_id = f"HT-{number}" if "invent_id" in self.faults else hotel.get("id")
                stay = {"check_in": goal.check_in, "nights": goal.nights}
                return {"hotel_id": hotel_id, "room_type": room, **stay}

    def _room(self) -> str:
        """Suite when it rains, standard otherwise; who never looked takes it for rain."""
        weather = self._last_success("get_weather")
        rains = weather is None or weather.result.get("condition") == "rain"
        return "suite" if rains != ("wrong_room" in self.faults) else "standard"

    def _choice(self) -> Mapping[str, Any] | None:
        """The cheapest hotel of the last search that has the room, or None."""
        search, room = self._last_success("search_hotels"), self._room()
        offers = [offer for offer in (search.result.get("hotels", []) if search else []) if room in offer["room_types"]]
        return min(offers, key=lambda offer: offer["price_per_night"][room], default=None)

    def _marks(self, before: str | None = None) -> list[tuple[str, dict[str, Any]]]:
        """Mark as done every step of the plan that lies behind, done or not, and was not marked yet."""
        plan = self._last_success("set_plan")
        if plan is None:
            return []
        behind = _BUSINESS.index(before) if before in _BUSINESS else len(_BUSINESS)
        marked = {call.arguments.get("index") for call in self.calls if call.name == "mark_step" and call.arguments}
        return [
            ("mark_step", {"index": step["index"], "status": "done"})
            for step in plan.result.get("plan", [])[:behind]
            if step["index"] not in marked
        ]

    def _failed(self, call: Call) -> str:
        """What to say of a step that failed for good. The agent that invents ids does not notice."""
        told = call.result if isinstance(call.result, dict) else {}
        if call.name == "book_hotel" and "invent_id" in self.faults:
            return self._phrase("booked")
        if told.get("status") == "needs_confirmation":
            return self._phrase("confirm")
        return self._phrase("gave_up", tool=call.name, error=told.get("error", ""))

    def _phrase(self, name: str, **values: object) -> str:
        hotel = (self._choice() or {}).get("name")
        city, check_in, nights, language = self.goal
        stay = {"city": city, "check_in": check_in, "nights": nights, "room": self._room(), "hotel": hotel}
        return phrase(name, language, **stay, **values)
