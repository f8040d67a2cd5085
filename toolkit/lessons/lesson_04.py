"""Lesson 04, keep one bad tool from stopping the others: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.exercise_04_guarded import GUARDED
from toolkit.lessons.exercise_04_is_async import IS_ASYNC
from toolkit.lessons.exercise_04_wait_s import WAIT_S
from toolkit.lessons.prediction import Question

EXERCISES = (IS_ASYNC, WAIT_S, GUARDED)

QUESTIONS = (
    Question(
        id="04.cancelled_thread",
        text="The caller gave up after 1 s. The thread meant to book after 5 s. What stands in the store after 10 s?",
        options={
            "Nothing, it was cancelled": "The task that waited for it was. Nobody can cancel a thread.",
            "Nothing, the thread was stopped": "Python has no way to stop a thread from outside.",
            "One booking, written at 1 s": "The thread is asleep at 1 s, and nothing wakes it early.",
            "One booking, written at 5 s": "The thread never heard of the limit. It slept on, woke, and booked.",
        },
        answer="One booking, written at 5 s",
    ),
    Question(
        id="04.reached",
        text="20 calls, up to 3 attempts each; a breaker inside the retry opens after 5 failures. How often is the "
        "dead tool reached?",
        options={
            "5 times": "Every attempt asks the breaker, so the second call is cut short at its second attempt.",
            "15 times": "So it is with the breaker outside: it counts calls, and five calls are fifteen attempts.",
            "20 times": "After five failures the rest are refused without being tried.",
            "60 times": "That is the number without a breaker.",
        },
        answer="5 times",
    ),
)
