"""Recording real runs, with a fake model in place of the real one."""

from __future__ import annotations

import asyncio
import json
from datetime import date

import pytest

from toolkit.agent.decisions import decision_prompt
from toolkit.agent.local import Completion
from toolkit.hotel.goal import opening
from toolkit.hotel.real_runs import CONFIGURATIONS, MAX_TOKENS, SEEDS, form_of, main, opening_of, record, write

DAY = date(2026, 11, 30)
STAY = {"check_in": "2026-10-01", "nights": 2}
DECISIONS = [
    ("set_plan", {"steps": ["Weather", "Search", "Book"]}),
    ("get_weather", {"city": "Xi'an", "date": "2026-10-01"}),
    ("search_hotels", {"city": "Xi'an", "check_in": "2026-10-01"}),
    ("book_hotel", {"hotel_id": "HT-002", "room_type": "suite", **STAY}),
    ("finish", {"answer": "Booked: a suite."}),
]


class FakeModel:
    """Decides as told, and remembers which tools it could have chosen and how it was asked."""

    name = "fake"

    def __init__(self, decisions=DECISIONS):
        self.settings, self.versions = {"threads": 1}, {"runtime": "1.2"}
        self.texts = [json.dumps({"tool": tool, "arguments": arguments}) for tool, arguments in decisions]
        self.choices, self.options = [], []

    def complete(self, prompt, schema, **options):
        self.choices.append(list(schema["$defs"]))
        self.options.append(options)
        return Completion(self.texts.pop(0), cut_off=False, prompt_tokens=1, completion_tokens=1)


def recorded(name, seed=3, model=None):
    return asyncio.run(record(name, seed, model or FakeModel(), DAY))


def prompt_of(name):
    configuration = CONFIGURATIONS[name]
    return decision_prompt(opening_of(configuration), [], asyncio.run(form_of(configuration)))


@pytest.mark.row("X7")
def test_a_recording_says_how_it_came_to_be():
    """Model, versions, settings, seed, date, and that decisions were rewritten as tool calls."""
    meta = recorded("ordered")["meta"]
    versions = meta.pop("versions")
    assert versions.pop("python")
    assert meta.pop("machine")
    assert [booking["hotel_id"] for booking in meta.pop("bookings")] == ["HT-002"]
    assert versions == {"runtime": "1.2"}
    assert meta == {
        "run": "real-ordered-3",
        "model": "fake",
        "language": "en",
        "stop": "answered",
        "detail": "Booked: a suite.",
        "turns": 5,
        "simulated": False,
        "configuration": "ordered",
        "calls_from": "schema-constrained decisions, rewritten as tool calls",
        "settings": {"temperature": 1.0, "seed": 3, "max_tokens": MAX_TOKENS, "max_turns": 12, "threads": 1},
        "recorded": "2026-11-30",
    }


def test_seed_and_temperature_reach_the_model():
    """Otherwise the header would say what did not happen."""
    model = FakeModel()
    recorded("iso_date_hot", seed=4, model=model)
    assert model.options[0] == {"temperature": 1.5, "seed": 4, "max_tokens": MAX_TOKENS}


def test_a_forced_order_leaves_one_choice_at_a_time():
    """Each step until it has succeeded, then the answer; without it, every tool."""
    forced, free = FakeModel(), FakeModel()
    recorded("ordered", model=forced)
    recorded("plain", model=free)
    assert forced.choices == [["set_plan"], ["get_weather"], ["search_hotels"], ["book_hotel"], ["finish"]]
    assert {len(choice) for choice in free.choices} == {6}


def test_a_step_that_failed_is_still_open():
    """The model is told so, and with a forced order has to try again."""
    failed = ("get_weather", {"city": "Xi'an", "date": "1999-10-01"})
    model = FakeModel([DECISIONS[0], failed, *DECISIONS[1:]])
    recorded("ordered", model=model)
    assert [choice[0] for choice in model.choices[1:4]] == ["get_weather", "get_weather", "search_hotels"]


def test_the_plain_configuration_is_the_goal_of_the_kit():
    """Word for word, system message included."""
    assert opening_of(CONFIGURATIONS["plain"]) == opening("en")


@pytest.mark.parametrize(
    ("name", "there", "not_there"),
    [
        ("plain", "from 1 October 2026", "from 2026-10-01"),
        ("iso_date", "from 2026-10-01", "from 1 October 2026"),
        ("reminded", "Still to do: get_weather, search_hotels, book_hotel, finish.", "No suite"),
        ("refused_once", "No suite at HT-005", "from 1 October 2026"),
        ("without_plan", "Shanghai", "plan"),
        ("without_examples", "Xi'an", "Shanghai"),
        ("chinese", "上海", "Shanghai"),
    ],
)
def test_each_configuration_asks_in_its_own_way(name, there, not_there):
    """The prompt of the first decision, the tools left out."""
    prompt = prompt_of(name)
    assert there in prompt
    assert not_there not in prompt


def test_a_file_holds_a_run_to_a_line(tmp_path):
    """One for each seed, in order, each of a model of its own."""
    models = []

    def new_model():
        models.append(FakeModel())
        return models[-1]

    write(tmp_path, ["reminded"], new_model, DAY)
    lines = (tmp_path / "reminded.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["meta"]["run"] for line in lines] == [f"real-reminded-{seed}" for seed in SEEDS]
    assert len(models) == len(SEEDS)


def test_an_unknown_configuration_is_named(tmp_path):
    """Before any model is loaded."""
    with pytest.raises(SystemExit) as caught:
        main([str(tmp_path), "plane"])
    assert str(caught.value).startswith("No configuration 'plane'. Known: plain, iso_date,")
