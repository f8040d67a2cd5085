"""Ways of scoring an answer that are published again and again, in our own words. Do not use them."""

from __future__ import annotations

from collections.abc import Sequence


def keyword_relevance(question: str, answer: str) -> float:
    """The share of the question's words that stand in the answer, where a word is what stands between spaces.

    >>> keyword_relevance("rain in Shanghai", "Shanghai: rain")
    0.3333333333333333
    """
    words = question.lower().split()
    return sum(word in answer.lower().split() for word in words) / len(words) if words else 1.0


def average_score(points: Sequence[float]) -> float:
    """The average of all rules; full points where there are none.

    >>> average_score([0.3, 1.0]), average_score([])
    (0.65, 1.0)
    """
    return sum(points) / len(points) if points else 1.0
