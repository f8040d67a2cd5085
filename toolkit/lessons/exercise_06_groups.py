"""Exercise 06.groups: which calls of a turn may run together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

BOOKS = frozenset({"book"})


def check_groups(groups: Callable[[Sequence[str], Collection[str]], Sequence[Sequence[str]]]) -> None:
    """Reads together, writes alone, nobody lost and nobody overtaken."""

    def got(*calls: str) -> list[list[str]]:
        found = [list(group) for group in groups(list(calls), BOOKS)]
        in_order = [call for group in found for call in group]
        expect(len(in_order) >= len(calls), f"of the turn {list(calls)} a call was lost: {found}")
        expect(in_order == list(calls), f"a call was overtaken: {list(calls)} became {found}")
        return found

    expect_equal(got("a", "b", "c"), [["a", "b", "c"]], "three that change nothing run together")
    before = got("a", "book")
    expect(before != [["a", "book"]], "a booking ran together with the search before it")
    expect_equal(before, [["a"], ["book"]], "a search, then a booking")
    expect_equal(got("book", "a"), [["book"], ["a"]], "a booking, then a search that has to wait for it")
    expect_equal(got("book", "book"), [["book"], ["book"]], "two bookings, each alone")
    expect_equal(got("a", "book", "b", "c"), [["a"], ["book"], ["b", "c"]], "one search, a booking, two searches")
    expect_equal(got(), [], "a turn without calls")


GROUPS = Exercise(
    id="06.groups",
    task=(
        "Divide the calls of a turn into groups that run one after the other. Calls that change nothing run together. "
        "A call whose tool is in `changes` is a group of its own. No call overtakes another: the groups, put together, "
        "are the calls in their order."
    ),
    minutes=7,
    difficulty="medium",
    hints=(
        "Go through the calls once, and decide for each: does it join the last group, or does it begin one?",
        "It may join where it changes nothing, and the last group holds nothing that does.",
        "`itertools.groupby` by `name in changes` gives runs; each run of changes is still to be taken apart.",
    ),
    stub='''\
def groups(calls, changes):
    """The calls of a turn, by name, in groups that run one after the other.

    >>> groups(["search", "weather", "book", "search"], {"book"})
    [['search', 'weather'], ['book'], ['search']]
    """
    raise NotImplementedError''',
    solution='''\
def groups(calls, changes):
    """The calls of a turn, by name, in groups that run one after the other."""
    found = []
    for name in calls:
        if found and name not in changes and found[-1][-1] not in changes:
            found[-1].append(name)
        else:
            found.append([name])
    return found''',
    alternatives=(
        """\
from itertools import groupby


def groups(calls, changes):
    found = []
    for alone, run in groupby(calls, lambda name: name in changes):
        run = list(run)
        found += [[name] for name in run] if alone else [run]
    return found""",
        """\
def groups(calls, changes):
    found, together = [], []
    for name in calls:
        if name in changes:
            found += [group for group in (together, [name]) if group]
            together = []
        else:
            together.append(name)
    return found + ([together] if together else [])""",
    ),
    wrong=(
        WrongAnswer("all at once", "def groups(calls, changes):\n    return [calls] if calls else []", "ran together"),
        WrongAnswer(
            "one by one",
            "def groups(calls, changes):\n    return [[name] for name in calls]",
            "three that change nothing run together",
        ),
        WrongAnswer(
            "reads first",
            """\
def groups(calls, changes):
    reads = [name for name in calls if name not in changes]
    return ([reads] if reads else []) + [[name] for name in calls if name in changes]""",
            "a call was overtaken",
        ),
        WrongAnswer(
            "bookings together",
            """\
from itertools import groupby


def groups(calls, changes):
    return [list(run) for _, run in groupby(calls, lambda name: name in changes)]""",
            "each alone",
        ),
        WrongAnswer(
            "loses the last group",
            """\
def groups(calls, changes):
    found, together = [], []
    for name in calls:
        if name in changes:
            found += [group for group in (together, [name]) if group]
            together = []
        else:
            together.append(name)
    return found""",
            "a call was lost",
        ),
        WrongAnswer(
            "a read joins the booking",
            """\
def groups(calls, changes):
    found = []
    for name in calls:
        if found and name not in changes:
            found[-1].append(name)
        else:
            found.append([name])
    return found""",
            "a search that has to wait",
        ),
        WrongAnswer(
            "leaves an empty group",
            """\
def groups(calls, changes):
    found = [[]]
    for name in calls:
        if name in changes:
            found += [[name], []]
        else:
            found[-1].append(name)
    return [group for group in found if group] or [[]]""",
            "a turn without calls",
        ),
    ),
    checker=check_groups,
)
