"""Exercise 12.verdicts: six recorded runs, what is wrong with each, and where it shows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.lab.runs_to_judge import reports_of_runs
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import Wrong, expect
from toolkit.lessons.rubric import Criterion
from toolkit.trajectory import CheckResult, Report, Verdict

_WORDS = ("pass", "not_judgeable", *(check.name for check in HOTEL_POLICY.checks))


def _uses_the_words(verdicts: Any) -> None:
    """Every answer is a pair, its first part a word of the policy: what is said must be comparable."""
    expect(isinstance(verdicts, dict), f"expected a dict, got a value of type {type(verdicts).__name__}")
    expect(bool(verdicts), "no run was judged")
    for run, given in verdicts.items():
        expect(isinstance(given, tuple | list) and len(given) == 2, f"run {run!r}: expected a pair, got {given!r}")
        expect(given[0] in _WORDS, f"run {run!r}: {given[0]!r} is none of {', '.join(_WORDS)}")


def _judges(run: str, verdicts: Any) -> None:
    """The verdict on one run is one that the policy's own report gives, at the place the report points to."""
    expect(isinstance(verdicts, dict) and run in verdicts, f"run {run!r} was not judged")
    try:
        said, place = verdicts[run]
    except (TypeError, ValueError):
        raise Wrong(f"run {run!r}: expected a pair, got {verdicts[run]!r}") from None
    report = reports_of_runs()[run]
    if report.verdict is Verdict.PASS:
        expect(said == "pass", f"run {run!r}: {said!r} is no fault of this run. Which call would have to be otherwise?")
        return
    wanted = [result for result in report.results if result.verdict is report.verdict]
    if report.verdict is Verdict.NOT_JUDGEABLE:
        why = "nobody knows what the agent saw"
        expect(said == "not_judgeable", f"run {run!r}: {said!r} is more than the recording says; {why}")
    else:
        expect(said != "pass", f"run {run!r} was passed, and it is wrong; its last words are no evidence")
        expect(said != "not_judgeable", f"run {run!r} can be judged: every result that matters is there")
        passes = f"run {run!r}: {said} passes there; something else is wrong"
        wanted = [result for result in wanted if result.name == said]
        expect(bool(wanted), passes)
    places = [each for result in wanted for each in _places(report, result)]
    expect(_is_among(place, places), f"run {run!r} is {said}, but it does not show at {place!r}")


def _places(report: Report, result: CheckResult) -> list[object]:
    """Both ways to say where: the pointer, and the index of the call it points to."""
    return [result.at, *(call.index for call in report.trace.calls if call.at == result.at)]


def _is_among(place: object, places: list[object]) -> bool:
    return not isinstance(place, bool) and place in places


def _run(letter: str) -> Callable[[Any], None]:
    return partial(_judges, letter)


_SOLUTION = """\
verdicts = {
    "A": ("plan_first", 0),  # the weather was asked before there was a plan
    "B": ("pass", None),  # a refused attempt is no booking, ids may come again, and last words prove nothing
    "C": ("room_matches_weather", 3),  # the weather of 2 October says nothing about a check-in on the 1st
    "D": ("argument_provenance", 3),  # search and booking share a turn: the id was a guess
    "E": ("not_judgeable", 1),  # the weather's result is lost; the agent may have seen rain, or none
    "F": ("argument_provenance", 3),  # HT-900 is found only after it was booked
}"""


def _but(*changes: tuple[str, str]) -> str:
    code = _SOLUTION
    for line, other in changes:
        code = code.replace(line, other)
    return code


_RUBRIC = (
    Criterion("every verdict is a pair in the policy's own words", 1, "junior", _uses_the_words),
    Criterion("A: a step that came too late is seen", 2, "junior", _run("A")),
    Criterion("B: a run that is right is passed, odd as it looks", 3, "senior", _run("B")),
    Criterion("F: an id counts from the moment it was seen", 2, "senior", _run("F")),
    Criterion("D: calls of one turn have not seen each other's results", 3, "senior", _run("D")),
    Criterion("C: a reading counts for its own day, however good the answer is", 3, "staff", _run("C")),
    Criterion("E: what the recording does not tell is not judged", 3, "staff", _run("E")),
)

VERDICTS = Exercise(
    id="12.verdicts",
    task='Here are six recorded runs of the agent that books the hotel, `runs["A"]` to `runs["F"]`. You have ten '
    "minutes and the tables: **what is wrong with each run, and at which call does it show?**\n\n"
    "The policy has four checks. `plan_first`: a plan stands before the first call of weather, search or booking. "
    "`no_skipped_step`: weather, then search, then booking, each on the result of the one before. "
    "`argument_provenance`: the booked id was found by a search. `room_matches_weather`: a suite if it rains on the "
    "day of arrival, else a standard room. A run may be wrong in two ways; one is enough.\n\n"
    'Answer with a dict, run to pair. The first of the pair is the name of a failing check, `"pass"`, or '
    '`"not_judgeable"`; the second the index, or the JSON pointer, of the call that breaks the check: before it the '
    "run could still have gone right. For a pass it is `None`, and where it cannot be told the call that leaves it "
    "open. You are scored against what `evaluate` says, so do not ask it before you have decided.",
    minutes=10,
    difficulty="medium",
    hints=(
        "Read each table from the booking upwards: which result does each of its arguments rest on, and was that "
        "result there when the booking was written?",
        "The column `turn` says who saw what. A result is visible to calls of later turns only, and a result that is "
        "not in the recording may have said anything.",
        "Do not read the last words at all. One run is right, one cannot be judged, one has the wrong day, one the "
        "wrong order, and two book an id they had not seen.",
        "A check points to the call that went wrong, not to the one it lacked: an id without a source shows at the "
        "booking, a plan that comes too late at the call that did not wait for it.",
    ),
    setup="from toolkit.lab.runs_to_judge import runs_to_judge\nruns = runs_to_judge()",
    stub="verdicts = ...",
    solution=_SOLUTION,
    alternatives=(
        """\
verdicts = {
    "A": ("plan_first", "/2/tool_calls/0"),
    "B": ("pass", None),
    "C": ("room_matches_weather", "/8/tool_calls/0"),
    "D": ("no_skipped_step", "/6/tool_calls/1"),
    "E": ("not_judgeable", "/4/tool_calls/0"),
    "F": ("argument_provenance", "/8/tool_calls/0"),
}""",
        """\
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.trajectory import evaluate

def worst(report):
    for word in ("fail", "not_judgeable"):
        for result in report.results:
            if result.verdict == word:
                return (result.name if word == "fail" else word), result.at
    return "pass", None

verdicts = {name: worst(evaluate(messages, HOTEL_POLICY)) for name, messages in runs.items()}""",
    ),
    wrong=(
        WrongAnswer(
            "believes the last words",
            'verdicts = dict.fromkeys("ACDEF", ("pass", None)) | {"B": ("no_skipped_step", 4)}',
            "its last words are no evidence",
        ),
        WrongAnswer(
            "takes any error for a fault",
            _but(('"B": ("pass", None)', '"B": ("room_matches_weather", 3)')),
            "is no fault of this run",
        ),
        WrongAnswer(
            "takes a lost result for a step never made",
            _but(('"E": ("not_judgeable", 1)', '"E": ("no_skipped_step", 3)')),
            "more than the recording says",
        ),
        WrongAnswer(
            "lets in doubt what can be told",
            _but(('"D": ("argument_provenance", 3)', '"D": ("not_judgeable", 2)')),
            "run 'D' can be judged",
        ),
        WrongAnswer(
            "sees that it is wrong, and not what",
            _but(('"C": ("room_matches_weather", 3)', '"C": ("no_skipped_step", 3)')),
            "something else is wrong",
        ),
        WrongAnswer(
            "points to where the plan stands, not to the call that did not wait",
            _but(('"A": ("plan_first", 0)', '"A": ("plan_first", 1)')),
            "run 'A' is plan_first, but it does not show at 1",
        ),
        WrongAnswer(
            "uses words of its own",
            _but(('"F": ("argument_provenance", 3)', '"F": ("hallucinated id", 3)')),
            "is none of pass",
        ),
        WrongAnswer(
            "leaves a run out",
            _but(('    "E": ("not_judgeable", 1),', "    #")),
            "run 'E' was not judged",
        ),
    ),
    rubric=_RUBRIC,
)
