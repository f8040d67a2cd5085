"""Against a golden run: which expected calls were made, which are missing, and which are there beside them.

Every call answers at most one expected call, and the pairing is the best there is, so repeats are counted and the
order in which calls are tried decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from toolkit.trajectory.extract import extract_calls
from toolkit.trajectory.reading import same_key
from toolkit.trajectory.records import Call, CheckResult, Trace, Verdict

Order: TypeAlias = Literal["exact", "in_order", "any"]
Arguments: TypeAlias = Literal["exact", "subset", "ignore"]
Comparison: TypeAlias = Callable[[dict[str, Any], dict[str, Any]], bool]  # expected and made arguments
Run: TypeAlias = Trace | Sequence[Any]

_ORDINALS = ("first", "second", "third")


class Alignment(NamedTuple):
    """Which expected call was answered by which call, as pairs of positions, and what is left over on both sides."""

    pairs: tuple[tuple[int, int], ...]
    missing: tuple[int, ...]
    extra: tuple[int, ...]

    @property
    def score(self) -> float | None:
        """Pairs, divided by pairs, missing and extra calls: from 0 to 1, None where nothing stands on either side.

        >>> Alignment(((0, 0),), (), (1,)).score
        0.5
        """
        total = len(self.pairs) + len(self.missing) + len(self.extra)
        return len(self.pairs) / total if total else None


def align(
    run: Run,
    reference: Run,
    *,
    order: Order = "in_order",
    arguments: Arguments = "exact",
    compare: Mapping[str, Comparison] = MappingProxyType({}),
    unreadable: bool = False,
) -> Alignment:
    """Pair the calls of a run with those of a reference, as many as possible.

    Args:
        run: Messages, a trace, or calls; so is `reference`.
        order: `exact` pairs position by position, `in_order` keeps the order, `any` does not.
        arguments: `exact` are equal, `subset` holds at least what is expected, `ignore` looks at names only.
        compare: Name of a tool to the function that compares its arguments instead.
        unreadable: Whether arguments that cannot be read are taken for the expected ones.
    """
    made, expected = _calls(run), _calls(reference)

    def fits(wanted: Call, call: Call) -> bool:
        if wanted.name != call.name:
            return False
        if arguments == "ignore" and call.name not in compare:
            return True
        if wanted.arguments is None or call.arguments is None:
            return unreadable
        function = compare.get(call.name, _equal if arguments == "exact" else _holds)
        return function(wanted.arguments, call.arguments)

    fitting = [[fits(wanted, call) for call in made] for wanted in expected]
    pair = {"exact": _by_position, "in_order": _in_order, "any": _in_any_order}[order]
    pairs = tuple(sorted(pair(fitting)))
    answered, used = {wanted for wanted, _ in pairs}, {call for _, call in pairs}
    missing = tuple(index for index in range(len(expected)) if index not in answered)
    return Alignment(pairs, missing, tuple(index for index in range(len(made)) if index not in used))


def match_reference(
    run: Run,
    reference: Run,
    *,
    order: Order = "in_order",
    extra: Literal["allow", "forbid"] = "forbid",
    arguments: Arguments = "exact",
    compare: Mapping[str, Comparison] = MappingProxyType({}),
    name: str = "match_reference",
) -> CheckResult:
    """The calls of a golden run were made, and no others where those are forbidden; parameters as for `align`.

    >>> book = Call("book_hotel", {"hotel_id": "HT-002"})
    >>> match_reference([book, book], [book]).reason
    "1 of 1 expected calls made; extra: call 1 'book_hotel'"
    """
    made, expected = _trace(run), _calls(reference)
    if not expected and (not made.calls or extra == "allow"):
        reason = "nothing was expected" if made.calls else "nothing was expected and nothing was called"
        return CheckResult(name, Verdict.NOT_APPLICABLE, "nothing_expected", reason)
    strict, lenient = (
        align(made, expected, order=order, arguments=arguments, compare=compare, unreadable=unreadable)
        for unreadable in (False, True)
    )
    result = _judged(strict, made, expected, extra, order, name)
    if _judged(lenient, made, expected, extra, order, name).verdict is not result.verdict:
        at = next((call.at for call in made.calls if call.arguments is None), "")
        reason = f"{result.reason}; it depends on arguments that cannot be read"
        return CheckResult(name, Verdict.NOT_JUDGEABLE, "args_invalid", reason, at)
    return result


def _judged(
    found: Alignment, made: Trace, expected: Sequence[Call], extra: str, order: Order, name: str
) -> CheckResult:
    in_order = " in order" if found.missing and order != "any" else ""
    said = [f"{len(found.pairs)} of {len(expected)} expected calls made{in_order}"]
    if found.missing:
        said.append("missing: " + ", ".join(_described(expected, index, order) for index in found.missing))
    if found.extra:
        said.append("extra: " + ", ".join(f"call {index} {made.calls[index].name!r}" for index in found.extra))
    reason = "; ".join(said)
    too_many = bool(found.extra) and extra == "forbid"
    # Where messages are missing, an extra call is a fact all the same, but an expected one may have stood there.
    surplus = len(made.calls) > len(expected) and extra == "forbid"
    if made.gaps and not surplus and (found.missing or extra == "forbid"):
        gap = made.gaps[0][1]
        return CheckResult(name, Verdict.NOT_JUDGEABLE, gap.code, f"{reason}; {gap.detail}", gap.at)
    if found.missing:
        return CheckResult(name, Verdict.FAIL, "call_missing", reason, made.at)
    if too_many:
        return CheckResult(name, Verdict.FAIL, "call_extra", reason, made.calls[found.extra[0]].at)
    return CheckResult(name, Verdict.PASS, "ok", reason, made.at)


def _described(expected: Sequence[Call], index: int, order: Order) -> str:
    """An expected call, with its number among those of its name and what it should come after."""
    wanted = expected[index]
    before = sum(call.name == wanted.name for call in expected[:index])
    repeated = sum(call.name == wanted.name for call in expected) > 1
    ordinal = (_ORDINALS[before] if before < len(_ORDINALS) else f"{before + 1}th") if repeated else ""
    told = f"the {ordinal} {wanted.name!r}" if ordinal else repr(wanted.name)
    arguments = f" {wanted.arguments}" if wanted.arguments else ""
    after = f" after {expected[index - 1].name!r}" if index and order != "any" else ""
    return f"{told}{arguments} expected{after}" if after else f"{told}{arguments}"


# -- the best pairing ----------------------------------------------------------------------------------------


def _by_position(fitting: Sequence[Sequence[bool]]) -> Iterable[tuple[int, int]]:
    return [(index, index) for index, row in enumerate(fitting) if index < len(row) and row[index]]


def _in_order(fitting: Sequence[Sequence[bool]]) -> Iterable[tuple[int, int]]:
    """The longest common subsequence; of several the one that answers the earliest expected calls."""
    width = len(fitting[0]) if fitting else 0
    longest = [[0] * (width + 1) for _ in range(len(fitting) + 1)]
    for row in reversed(range(len(fitting))):
        for column in reversed(range(width)):
            skipped = max(longest[row + 1][column], longest[row][column + 1])
            taken = longest[row + 1][column + 1] + 1 if fitting[row][column] else 0
            longest[row][column] = max(skipped, taken)
    pairs, row, column = [], 0, 0
    while row < len(fitting) and column < width:
        if fitting[row][column] and longest[row][column] == longest[row + 1][column + 1] + 1:
            pairs.append((row, column))
            row, column = row + 1, column + 1
        elif longest[row][column + 1] == longest[row][column]:
            column += 1
        else:
            row += 1
    return pairs


def _in_any_order(fitting: Sequence[Sequence[bool]]) -> Iterable[tuple[int, int]]:
    """A largest pairing, found by augmenting paths, breadth first and so without recursion."""
    owner: dict[int, int] = {}  # call to expected call
    for start in range(len(fitting)):
        came_from: dict[int, int] = {}  # call to the expected call it was reached from
        waiting, free = [start], None
        while waiting and free is None:
            row = waiting.pop(0)
            for column, fits in enumerate(fitting[row]):
                if fits and column not in came_from:
                    came_from[column] = row
                    if column not in owner:
                        free = column
                        break
                    waiting.append(owner[column])
        pairs = {row: column for column, row in owner.items()}
        while free is not None:
            row = came_from[free]
            owner[free] = row
            free = pairs.get(row) if row != start else None
    return [(row, column) for column, row in owner.items()]


# -- what is compared ----------------------------------------------------------------------------------------


def _equal(expected: dict[str, Any], made: dict[str, Any]) -> bool:
    return bool(same_key(expected) == same_key(made))


def _holds(expected: dict[str, Any], made: dict[str, Any]) -> bool:
    return all(key in made and same_key(made[key]) == same_key(value) for key, value in expected.items())


def _trace(run: Run) -> Trace:
    if isinstance(run, Trace) or all(isinstance(each, Call) for each in run):
        return Trace.of(run)
    return extract_calls(run)


def _calls(run: Run) -> Sequence[Call]:
    return _trace(run).calls
