"""Lesson 08, test the checks and count many runs: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.exercise_08_bounds import BOUNDS
from toolkit.lessons.exercise_08_kill_blind import KILL_BLIND
from toolkit.lessons.exercise_08_pass_power import PASS_POWER
from toolkit.lessons.prediction import Question

QUESTIONS = (
    Question(
        id="08.blind",
        text="The check of steps no longer asks what was visible. How many of the five controls get a wrong verdict?",
        options={
            "None of the five": "In each control every step has a turn of its own, so visibility decides nothing.",
            "Only skip": "In skip the steps were never made at all, and that is still noticed.",
            "All four bad ones": "Three of them fail by other checks, and skip by steps that are missing.",
        },
        answer="None of the five",
    ),
    Question(
        id="08.lost",
        text="The weather's result is lost from the recording of ok. Which verdicts may the checks give?",
        options={
            "Not judgeable, or still pass": "What rests on the weather cannot be told; plan and id are as before.",
            "Fail: no weather is seen": "The call is there, and its answer may have been rain. Nothing proves a fault.",
            "Pass: the agent did right": "It did, but this recording does not show it. Nobody can know it from here.",
        },
        answer="Not judgeable, or still pass",
    ),
    Question(
        id="08.controls",
        text="Which share of the broken checks do the controls notice, without any mutant?",
        options={
            "Nearly all": "That would be so if the controls had been made with the code of the checks in view.",
            "About a third": "They hold one fault each, in tidy recordings; most conditions are about untidy ones.",
            "None at all": "They do notice a check that fails ok, or that passes what it was made to find.",
        },
        answer="About a third",
    ),
    Question(
        id="08.as_asked",
        text="Eight real runs pass all four checks. How many of them booked exactly what the goal asks?",
        options={
            "Not a single one": "Wrong nights, a refused booking, nothing in the store: none of it is in the checks.",
            "About half of them": "It is a small model; it gets the order right more often than the details.",
            "All eight of them": "The checks ask how a booking came about, not whether it is the one asked for.",
        },
        answer="Not a single one",
    ),
)

EXERCISES = (KILL_BLIND, BOUNDS, PASS_POWER)
