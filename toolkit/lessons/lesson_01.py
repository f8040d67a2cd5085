"""Lesson 01: a dict of tools and the loop around it."""

from __future__ import annotations

from toolkit.lessons.exercise_01_answer_call import ANSWER_CALL
from toolkit.lessons.exercise_01_cancel_contract import CANCEL_CONTRACT
from toolkit.lessons.exercise_01_tool_loop import TOOL_LOOP
from toolkit.lessons.prediction import Question

EXERCISES = (CANCEL_CONTRACT, ANSWER_CALL, TOOL_LOOP)

QUESTIONS = (
    Question(
        id="01.who_runs",
        text="The model's turn asks for book_hotel. How many bookings does the hotel have now?",
        options={
            "None: a turn is a message, and we have not acted on it.": (
                "A model never runs anything. It writes a name and arguments; your program decides what follows."
            ),
            "One: the client runs the tool when the reply comes in.": (
                "The client has no function to run. It was sent the contract, and that is all it knows."
            ),
            "One, held: it counts once the tool message is sent.": (
                "Nothing is held anywhere. The hotel has not heard of it yet."
            ),
        },
        answer="None: a turn is a message, and we have not acted on it.",
    ),
    Question(
        id="01.forget",
        text="A loop keeps the tool messages but never appends the assistant's turn. What does the model do next?",
        options={
            "It asks for the weather once more, as if for the first time.": (
                "It sees only the messages it is sent, and in those it has never asked for anything."
            ),
            "It searches hotels, as the weather stands in the history.": (
                "An answer without its question is nothing it asked for. Most servers even refuse such a history."
            ),
            "It searches hotels, as the server remembers its own turn.": (
                "This API keeps nothing between two requests: the whole history goes out each time."
            ),
        },
        answer="It asks for the weather once more, as if for the first time.",
    ),
    Question(
        id="01.text",
        text='add_nights declares two integers. The model sends {"a": "5", "b": "2"}. What comes back?',
        options={
            "7, because the schema says integer": "Nobody reads the schema when a call comes. Python adds what came.",
            "'52', because Python adds two texts": "Fifty-two nights, as a text, and no error anywhere.",
            "an error that names the two arguments": "Who would raise it? `+` works on texts too.",
        },
        answer="'52', because Python adds two texts",
    ),
)
