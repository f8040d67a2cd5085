"""Mistakes around a model that validates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolkit.lessons.bug_hunt.card import Card

_SETUP = "import hashlib\nimport json\nimport re\nfrom collections.abc import Sequence"


# Seconds of operation, and whether the call at that moment failed: two failures in a hundred seconds.


def _verdicts(passed: Callable[..., Any]) -> list[object]:
    texts = ("PASS: the city was copied", "FAIL: this must not PASS", "FAIL: it would bypass the check", "I cannot say")
    return [passed(text) for text in texts]


def _chatting(is_model: Callable[..., Any]) -> list[bool]:
    class Number:
        chat = 5

    class Model:
        def chat(self, prompt: str) -> str:
            return prompt

    return [is_model(each()) for each in (Model, Number)]


CARDS = (
    Card(
        id="B36",
        topic="scoring",
        title="What did the validator say?",
        name="passed",
        setup=_SETUP,
        broken="""
def passed(text):
    return "PASS" in text.upper()
""",
        mended=r"""
def passed(text):
    words = set(re.findall(r"^\s*(PASS|FAIL)\b", text, re.MULTILINE))
    return words == {"PASS"} if len(words) == 1 else None
""",
        probe=_verdicts,
        fails=[True, True, True, False],
        works=[True, False, False, None],
        asks='The model answers "FAIL: it would bypass the check". What does passed say?',
        predicted=("True", "There is a pass in bypass."),
        others=(
            ("False", "Look for the four letters anywhere in the text."),
            ("None", "It says yes or no to everything."),
            ("an error", "Nothing here can fail."),
        ),
        cause="A word is looked for anywhere in a sentence, instead of a verdict at its beginning.",
    ),
    Card(
        id="B37",
        topic="scoring",
        title="How good is the validator?",
        name="accuracy",
        broken='''
def accuracy(verdicts, labels):
    """The share of verdicts that are right."""
    return verdicts.count("PASS") / len(verdicts)
''',
        mended='''
def accuracy(verdicts, labels):
    """The share of verdicts that are right."""
    return sum(map(str.__eq__, verdicts, labels)) / len(labels)
''',
        probe=lambda accuracy: [
            accuracy(["PASS", "FAIL", "PASS", "FAIL"], ["PASS", "FAIL", "PASS", "FAIL"]),
            accuracy(["PASS"] * 4, ["PASS", "FAIL", "PASS", "FAIL"]),
        ],
        fails=[0.5, 1.0],
        works=[1.0, 0.5],
        asks="Four calls, two of them bad; the validator finds exactly these two. What is its accuracy here?",
        predicted=("0.5", "It counts how often the validator says PASS, and never looks at the labels."),
        others=(
            ("1.0", "So it should be: four of four."),
            ("0.0", "It does say PASS twice."),
            ("2.0", "It is divided by the number of verdicts."),
        ),
        cause="Passes are counted as hits; a validator that says PASS to everything comes out best.",
    ),
    Card(
        id="B38",
        topic="scoring",
        title="Any model will do",
        name="is_model",
        setup="""
from typing import Protocol, runtime_checkable

@runtime_checkable
class ChatModel(Protocol):
    def chat(self, prompt: str) -> str: ...
""",
        broken="""
def is_model(candidate):
    return isinstance(candidate, ChatModel)
""",
        mended="""
def is_model(candidate):
    return callable(getattr(candidate, "chat", None))
""",
        probe=_chatting,
        fails=[True, True],
        works=[True, False],
        asks="An object whose attribute chat is the number 5. Is it a ChatModel?",
        predicted=("Yes", "A runtime check of a protocol asks only whether the name is there."),
        others=(
            ("No", "That would take a look at what the name holds."),
            ("It raises", "The check itself is allowed."),
            ("Only if 5 is callable", "Nobody asks that."),
        ),
        cause="isinstance with a protocol looks at names, not at what they hold.",
    ),
)
