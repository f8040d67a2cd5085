"""Mistakes in the log, in scores and in metrics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolkit.lab.mistakes.scoring import average_score, keyword_relevance
from toolkit.lessons.bug_hunt.card import Card, source_of

_SETUP = "import hashlib\nimport json\nimport re\nfrom collections.abc import Sequence"


def _hashes(input_hash: Callable[..., Any]) -> dict[str, object]:
    one = input_hash({"city": "Xi'an", "nights": 2})
    return {
        "same in another order": one == input_hash({"nights": 2, "city": "Xi'an"}),
        "other for another city": one != input_hash({"city": "Lhasa", "nights": 2}),
        "at least 16 digits": len(one) >= 16,
    }


def _relevance(relevance: Callable[..., Any]) -> dict[str, bool]:
    return {
        "English": relevance("rain in Xi'an", "Rain in Xi'an all day") >= 0.5,
        "Chinese": relevance("西安十月一日下雨吗", "西安十月一日有雨") >= 0.5,
        "beside the point": relevance("西安十月一日下雨吗", "请稍后再试") >= 0.5,
    }


def _scores(score: Callable[..., Any]) -> list[object]:
    return [score([0.3, 1.0]) >= 0.6, score([0.8, 1.0]) >= 0.6, score([])]


def _completeness(complete: Callable[..., Any]) -> list[float]:
    return [complete({"city": "Xi'an", "high": high}) for high in (17, 0)] + [complete({"city": "Xi'an"})]


# Seconds of operation, and whether the call at that moment failed: two failures in a hundred seconds.


_CALLS = [(0, False), (10, False), (20, True), (30, False), (40, False), (50, False), (80, True), (100, False)]


def _latencies(latency: Callable[..., Any]) -> list[float]:
    one, two = latency(), latency()
    one.add(30_000, failed=True)
    one.add(100, failed=False)
    for milliseconds in (100, 300):
        two.add(milliseconds, failed=False)
    return [one.mean, two.mean]


CARDS = (
    Card(
        id="B30",
        topic="scoring",
        title="Find equal inputs in the log",
        name="input_hash",
        setup=_SETUP,
        broken="""
def input_hash(arguments):
    return hashlib.sha256(str(arguments).encode()).hexdigest()[:8]
""",
        mended="""
def input_hash(arguments):
    text = json.dumps(arguments, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
""",
        probe=_hashes,
        fails={"same in another order": False, "other for another city": True, "at least 16 digits": False},
        works={"same in another order": True, "other for another city": True, "at least 16 digits": True},
        asks="Two calls with the same arguments, the keys in another order. Are their hashes equal?",
        predicted=("No, the two hashes differ", "A dict's text follows the order of its keys."),
        others=(
            ("Yes, dicts are compared by content", "The dicts are equal. Their texts are not."),
            ("Yes, for sha256 is deterministic", "It is, given the same text."),
            ("It depends on the process", "With sets it would."),
        ),
        cause="The text of a dict is hashed, not its content; and eight digits collide after some 80,000 inputs.",
    ),
    Card(
        id="B31",
        topic="scoring",
        title="Is the answer about the question?",
        name="keyword_relevance",
        setup=_SETUP,
        broken=source_of(keyword_relevance),
        mended='''
def keyword_relevance(question, answer):
    """The share of the question's words, or characters of a script without spaces, that the answer holds."""
    words = re.findall(r"[\\u4e00-\\u9fff]|[^\\W\\u4e00-\\u9fff]+", question.lower())
    said = answer.lower()
    return sum(word in said for word in words) / len(words) if words else 1.0
''',
        probe=_relevance,
        fails={"English": True, "Chinese": False, "beside the point": False},
        works={"English": True, "Chinese": True, "beside the point": False},
        asks="The question 西安十月一日下雨吗, the answer 西安十月一日有雨, which is right. Which score?",
        predicted=("0.0, the lowest", "Without spaces the whole question is one word, and it is not in the answer."),
        others=(
            ("1.0", "Then every word of the question would have to be there."),
            ("about 0.8", "So it would be, counted by characters."),
            ("0.5, for half of it", "There is one word in all."),
        ),
        cause="Words are taken to be what stands between spaces, which Chinese does not use.",
    ),
    Card(
        id="B32",
        topic="scoring",
        title="One score of many",
        name="average_score",
        setup=_SETUP,
        broken=source_of(average_score),
        mended='''
def average_score(points):
    """The lowest of all rules; None where there are none, as nothing was looked at."""
    return min(points) if points else None
''',
        probe=_scores,
        fails=[True, True, 1.0],
        works=[False, True, None],
        asks="Format 1.0, relevance 0.3, threshold 0.6. Does the answer pass?",
        predicted=("Yes, with 0.65", "A good format makes up for an answer that is beside the point."),
        others=(
            ("No, with 0.65", "0.65 is more than 0.6."),
            ("No, with 0.3", "That would be the lowest, not the average."),
            ("Yes, with 1.0", "Both rules count."),
        ),
        cause="An average lets one rule pay for another, and calls it perfect where no rule was asked.",
    ),
    Card(
        id="B33",
        topic="scoring",
        title="Is the forecast complete?",
        name="complete",
        broken='''
def complete(value):
    """1.0 where the forecast has a temperature."""
    return 1.0 if value.get("temperature") else 0.0
''',
        mended='''
def complete(value):
    """1.0 where the forecast has a temperature."""
    return 1.0 if value.get("high") is not None else 0.0
''',
        probe=_completeness,
        fails=[0.0, 0.0, 0.0],
        works=[1.0, 1.0, 0.0],
        asks='The tool returns {"city": "Xi\'an", "high": 17}. Which score?',
        predicted=("0.0", "The field is called high. And at 0 degrees it would fail under its right name, too."),
        others=(
            ("1.0", "Compare the two names."),
            ("0.5", "There is nothing in between."),
            ("a KeyError", "get asks politely."),
        ),
        cause="The rule reads a field that the tool never returns, and takes zero for nothing.",
    ),
    Card(
        id="B34",
        topic="scoring",
        title="Mean time between failures",
        name="mtbf",
        broken='''
def mtbf(calls):
    """Mean time between failures, from (second, failed)."""
    worked = [second for second, failed in calls if not failed]
    gaps = [later - earlier for earlier, later in zip(worked, worked[1:])]
    return sum(gaps) / len(gaps)
''',
        mended='''
def mtbf(calls):
    """Mean time between failures, from (second, failed): operating time over failures."""
    seconds, failures = [second for second, _ in calls], sum(failed for _, failed in calls)
    return (max(seconds) - min(seconds)) / failures if failures else float("inf")
''',
        probe=lambda mtbf: mtbf(_CALLS),
        fails=20.0,
        works=50.0,
        asks="100 seconds of operation, 8 calls, 2 of them failed. What does mtbf say?",
        predicted=("20 seconds or so", "It measures the time between successes, of which there are six."),
        others=(
            ("50 seconds", "That is 100 over 2, as it should be."),
            ("60 seconds", "That is the time between the two failures. Look which calls it keeps."),
            ("about 14 seconds", "That is the time between any two calls."),
        ),
        cause="The time between successes is measured; it gets better the more often the tool is called.",
    ),
    Card(
        id="B35",
        topic="scoring",
        title="A running mean",
        name="Latency",
        broken='''
class Latency:
    """Mean latency of the calls that worked, in milliseconds."""

    def __init__(self):
        self.count, self.mean = 0, 0.0

    def add(self, milliseconds, failed):
        self.count += 1
        if not failed:
            self.mean += (milliseconds - self.mean) / self.count
''',
        mended='''
class Latency:
    """Mean latency of the calls that worked, in milliseconds."""

    def __init__(self):
        self.count, self.mean = 0, 0.0

    def add(self, milliseconds, failed):
        if not failed:
            self.count += 1
            self.mean += (milliseconds - self.mean) / self.count
''',
        probe=_latencies,
        fails=[50.0, 200.0],
        works=[100.0, 200.0],
        asks="A timeout, and then a call of 100 ms. What is the mean of the calls that worked?",
        predicted=("50 ms", "The timeout is counted in the divisor, with nothing in the sum."),
        others=(
            ("100 ms", "Only one call worked, and it took 100 ms. What is count?"),
            ("0 ms", "The second call does change the mean."),
            ("15,050 ms", "The milliseconds of a failure are not added."),
        ),
        cause="Failures count in the divisor; the more of them, the faster it looks.",
    ),
)
