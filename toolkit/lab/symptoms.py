"""From what one sees to where one looks first: the layers of this kit as a table for a bad day."""

from __future__ import annotations

from typing import NamedTuple

from toolkit.lab.panel import Picture


class Symptom(NamedTuple):
    """What is seen, the module to look at first, what to look for there, and the lesson about it."""

    seen: str
    module: str
    look_for: str
    lesson: str


SYMPTOMS = (
    Symptom(
        "the model names a tool that is not there", "registry", "known_tools fails; the name in the list sent", "01"
    ),
    Symptom(
        "the model never calls a tool it should", "schema", "its description, and whether it was sent at all", "02"
    ),
    Symptom(
        "wrong types, missing or invented arguments", "schema", "the schema as sent, and the refusal as read", "02"
    ),
    Symptom("a call never comes back", "gateway.deadline", "status timeout; a tool without a deadline", "03"),
    Symptom("the same booking stands twice", "gateway.idempotency", "booked_once fails; a retry without a key", "03"),
    Symptom("one slow tool makes all tools slow", "gateway.workers", "calls waiting for a worker", "04"),
    Symptom("a dead service is asked again and again", "gateway.breaker", "the breaker never opens", "04"),
    Symptom("a tool runs for someone who may not", "gateway.access", "the role of the context", "05"),
    Symptom("a write nobody agreed to", "gateway.confirmation", "writes_confirmed fails; a tool without confirm", "05"),
    Symptom("the result is there, but thin or off the point", "quality.scoring", "the score of the call", "06"),
    Symptom("the answer says done, and nothing is", "trajectory.levels", "answer level pass, outcome level fail", "00"),
    Symptom("booked before anything was looked up", "trajectory.checks.order", "no_skipped_step fails", "07"),
    Symptom(
        "an id that nobody has seen", "trajectory.checks.provenance", "argument_provenance fails; the nearest id", "07"
    ),
    Symptom("looked up right, chosen wrong", "trajectory.checks.agreement", "room_matches_weather fails", "07"),
    Symptom("much is not judgeable", "trajectory.extract", "anomalies: the recorder, not the agent", "07"),
    Symptom("all checks pass, and it is still wrong", "trajectory.policy", "a check that is missing", "08"),
    Symptom("good yesterday, bad today, nothing changed", "trajectory.statistics", "the interval of both rates", "08"),
    Symptom("the same call over and over", "agent.loop", "no_spin fails; the guard of the loop", "01"),
)


def symptom_table() -> Picture:
    """The table as a picture."""
    rows = [[each.seen, each.module, each.look_for, each.lesson] for each in SYMPTOMS]
    return Picture("What you see, and where to look first", ["symptom", "layer", "look for", "lesson"], rows)
