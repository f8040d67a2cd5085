"""Exercise 10.worst_argument: which argument do models get wrong most?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

Answer = Callable[[Sequence[dict[str, Any]]], tuple[str, str] | None]


def refused(tool: str, *fields: str, **more: Any) -> dict[str, Any]:
    """A record of a call with wrong arguments."""
    return {
        "tool": tool,
        "status": "validation_error",
        "error_kind": "invalid_arguments",
        "fields": list(fields),
        **more,
    }


FINE = {"tool": "search_hotels", "status": "success"}
BROKEN = {"tool": "search_hotels", "status": "execution_error", "error_kind": "bug", "fields": None}


def check_worst_argument(worst_argument: Answer) -> None:
    """Counted over tool and field together, without the lab's faults, whatever else the log holds."""
    first = [refused("book_hotel", "check_in"), refused("book_hotel", "nights"), refused("book_hotel", "check_in")]
    expect_equal(worst_argument(first), ("book_hotel", "check_in"), "two wrong check_in and one wrong nights")
    one_call = [refused("book_hotel", "nights", "check_in"), refused("book_hotel", "check_in")]
    expect_equal(worst_argument(one_call), ("book_hotel", "check_in"), "a call with two wrong fields counts for both")
    two_tools = [
        *[refused("search_hotels", "check_in")] * 2,
        *[refused("book_hotel", "nights")] * 3,
        *[refused("book_hotel", "check_in")] * 2,
    ]
    told = worst_argument(two_tools)
    expect(
        told is None or tuple(told)[-1] != "check_in",
        "check_in of two tools are two arguments: their descriptions are two texts, and one of them is to be mended",
    )
    expect_equal(told, ("book_hotel", "nights"), "three wrong nights, and check_in twice in each of two tools")
    drill = [refused("get_weather", "city", injected="wrong_type")] * 5 + [refused("book_hotel", "nights")]
    expect_equal(worst_argument(drill), ("book_hotel", "nights"), "five faults of a failure lab and one real mistake")
    expect_equal(
        worst_argument([FINE, BROKEN, *one_call]), ("book_hotel", "check_in"), "a success and a bug among them"
    )
    expect_equal(worst_argument([FINE, BROKEN]), None, "nobody got an argument wrong")


def _answer(body: str) -> str:
    return f"from collections import Counter\n\n\ndef worst_argument(records):\n    {body}"


WORST_ARGUMENT = Exercise(
    id="10.worst_argument",
    task=(
        "Given the records of a log, return the argument that models get wrong most, as `(tool, field)`; None where "
        "nobody got one wrong. `fields` of a record lists the wrong parameters of a call; it may be None or missing. A "
        "record with `injected` is a failure lab's doing."
    ),
    minutes=5,
    difficulty="easy",
    hints=(
        "Only some records count: those without `injected`.",
        "Pair each name in `record.get('fields') or ()` with `record['tool']`, and count the pairs with a `Counter`.",
        "`counter.most_common(1)` is a list of one pair and its count, or an empty list.",
    ),
    setup="from collections import Counter",
    stub='''\
def worst_argument(records: list[dict]) -> tuple[str, str] | None:
    """The argument that models get wrong most.

    >>> worst_argument([{"tool": "book_hotel", "status": "validation_error", "fields": ["nights"]}])
    ('book_hotel', 'nights')
    """
    raise NotImplementedError''',
    solution='''\
def worst_argument(records: list[dict]) -> tuple[str, str] | None:
    """The argument that models get wrong most."""
    real = [record for record in records if not record.get("injected")]
    counts = Counter((record["tool"], name) for record in real for name in record.get("fields") or ())
    return counts.most_common(1)[0][0] if counts else None''',
    alternatives=(
        """\
def worst_argument(records):
    counts = {}
    for record in records:
        if record.get("injected") is None and record.get("fields"):
            for name in record["fields"]:
                key = record["tool"], name
                counts[key] = counts.get(key, 0) + 1
    return max(counts, key=counts.get, default=None)""",
        """\
from itertools import chain


def worst_argument(records):
    pairs = [[(r["tool"], f) for f in r.get("fields") or []] for r in records if "injected" not in r]
    found = list(chain.from_iterable(pairs))
    return max(set(found), key=found.count) if found else None""",
    ),
    wrong=(
        WrongAnswer(
            "counts the fields of all tools together",
            _answer(
                "counts = Counter(n for r in records if not r.get('injected') for n in r.get('fields') or ())\n"
                "    name = counts.most_common(1)[0][0] if counts else None\n"
                "    return next(((r['tool'], name) for r in records if name in (r.get('fields') or ())), None)"
            ),
            "check_in of two tools are two arguments",
        ),
        WrongAnswer(
            "counts a failure lab's faults",
            _answer(
                "counts = Counter((r['tool'], n) for r in records for n in r.get('fields') or ())\n"
                "    return counts.most_common(1)[0][0] if counts else None"
            ),
            "five faults of a failure lab",
        ),
        WrongAnswer(
            "looks at the first wrong field of a call only",
            _answer(
                "counts = Counter((r['tool'], r['fields'][0]) for r in records "
                "if r.get('fields') and not r.get('injected'))\n"
                "    return counts.most_common(1)[0][0] if counts else None"
            ),
            "a call with two wrong fields counts for both",
        ),
        WrongAnswer(
            "expects fields in every record",
            _answer(
                "counts = Counter((r['tool'], n) for r in records if not r.get('injected') for n in r['fields'])\n"
                "    return counts.most_common(1)[0][0] if counts else None"
            ),
            "fields",
            outcome="raised",
        ),
        WrongAnswer(
            "has no answer for a log without mistakes",
            _answer(
                "counts = Counter((r['tool'], n) for r in records if not r.get('injected') "
                "for n in r.get('fields') or ())\n"
                "    return counts.most_common(1)[0][0]"
            ),
            "IndexError",
            outcome="raised",
        ),
        WrongAnswer(
            "returns the count, too",
            _answer(
                "counts = Counter((r['tool'], n) for r in records if not r.get('injected') "
                "for n in r.get('fields') or ())\n"
                "    return counts.most_common(1)[0] if counts else None"
            ),
            "two wrong check_in and one wrong nights",
        ),
    ),
    checker=check_worst_argument,
)
