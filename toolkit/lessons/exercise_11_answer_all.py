"""Exercise 11.answer_all: the calls of a turn, run together, each answered once, whatever becomes of its siblings."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from toolkit.errors import ToolError
from toolkit.lab.callers import leave_early
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import Wrong, expect, expect_equal

AnswerAll = Callable[..., Coroutine[Any, Any, Sequence[Any]]]
SECRET = "hunter2"


async def _run(call: dict[str, Any]) -> Any:
    """Takes as many seconds as the call says, and then ends as its name says."""
    await asyncio.sleep(call["seconds"])
    match call["name"]:
        case "refuse":
            raise ToolError("No suite at HT-001.")
        case "crash":
            raise RuntimeError(f"login failed for admin:{SECRET}")
        case "cancelled":
            raise asyncio.CancelledError
    return {"hotel": call["id"]}


def _call(id: str, name: str = "search", seconds: float = 1.0) -> dict[str, Any]:
    return {"id": id, "name": name, "seconds": seconds}


def check_answer_all(answer_all: AnswerAll) -> None:
    """Together, in request order, one message each; a failing call costs its siblings nothing."""
    expect_equal(list(_answers(answer_all, [], "no calls")[0]), [], "a turn without calls")
    answers, clock = _answers(
        answer_all, [_call("a", seconds=3), _call("b", seconds=1), _call("c", seconds=2)], "three"
    )
    ids = [answer["tool_call_id"] for answer in answers]
    expect(ids != ["b", "c", "a"], "the answers stand in the order they came, not in that of the calls")
    expect_equal(ids, ["a", "b", "c"], "three calls: the ids answered")
    expect_equal(json.loads(answers[0]["content"]), {"hotel": "a"}, "three calls: the content of the first, as JSON")
    expect(clock.now() < 6, f"three calls of 3, 1 and 2 s took {clock.now():g} s: they ran one after another")
    expect_equal(clock.now(), 3.0, "three calls of 3, 1 and 2 s run together: seconds")
    _check_failing(answer_all)
    gone = VirtualTime().outcome(leave_early(answer_all([_call("a"), _call("b")], _run)))
    expect(
        isinstance(gone, asyncio.CancelledError), f"the caller went away, and got {gone!r} instead of its cancellation"
    )


def _check_failing(answer_all: AnswerAll) -> None:
    for name, seconds in (("refuse", 0.5), ("crash", 0.5), ("cancelled", 0.5)):
        calls = [_call("a"), _call("b", name, seconds), _call("c")]
        answers, _ = _answers(answer_all, calls, f"a sibling that ends in {name!r}")
        case = f"a sibling that ends in {name!r}"
        expect_equal([answer["tool_call_id"] for answer in answers], ["a", "b", "c"], f"{case}: the ids answered")
        told = json.loads(answers[1]["content"]).get("error")
        expect(
            isinstance(told, str) and told.strip(), f"{case}: its content should be an object with a text under 'error'"
        )
        expect(SECRET not in told, f"{case}: the text of an unknown exception went to the model, with a password")
        expect_equal(json.loads(answers[2]["content"]), {"hotel": "c"}, f"{case}: the content of the one behind it")
        if name == "refuse":
            expect_equal(told, "No suite at HT-001.", f"{case}: a ToolError was written for the model, so its text")


def _answers(answer_all: AnswerAll, calls: list[dict[str, Any]], case: str) -> tuple[list[Any], VirtualTime]:
    clock = VirtualTime()
    outcome = clock.outcome(answer_all(calls, _run))
    got_out = isinstance(outcome, BaseExceptionGroup | ToolError | RuntimeError | asyncio.CancelledError)
    if got_out and not isinstance(outcome, NotImplementedError):
        raise Wrong(f"{case}: {type(outcome).__name__} got out, and the answers of the others are lost")
    if isinstance(outcome, BaseException):
        raise outcome
    expect(all(isinstance(answer, dict) for answer in outcome), f"{case}: expected tool messages, got {outcome!r}")
    return list(outcome), clock


_MESSAGE = """\
def message(call, value):
    return {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(value)}


"""
_TOLD = """\
def told(error):
    return {"error": error.message if isinstance(error, ToolError) else "The tool failed."}


"""

ANSWER_ALL = Exercise(
    id="11.answer_all",
    task=(
        "Answer the calls of one turn. `await run(call)` gives a value or raises. Run them together and return one "
        'tool message for each, in the order of the calls: `{"role": "tool", "tool_call_id": call["id"], "content": '
        "...}`, the content as JSON text.\n\n"
        'Where a call raises, its content is `{"error": "..."}`: the text of a `ToolError`, a sentence of your own for '
        "anything else, also where a tool cancels itself. If *you* are cancelled, so is everything."
    ),
    minutes=12,
    difficulty="hard",
    hints=(
        "`asyncio.gather` keeps the order of what it is given. What does it do with the first exception?",
        "`return_exceptions=True` hands exceptions over as values, a tool's own cancellation too.",
        "Then go through `zip(calls, outcomes)`: a `ToolError`, another `BaseException`, or a value. Your own "
        "cancellation is raised by the `await` and needs no line.",
    ),
    setup="import asyncio\nimport json\nfrom toolkit import ToolError",
    stub='''\
async def answer_all(calls, run):
    """One tool message for each call of a turn, in their order, whatever becomes of the others."""
    raise NotImplementedError''',
    solution='''\
def told(outcome):
    if isinstance(outcome, ToolError):
        return {"error": outcome.message}
    if isinstance(outcome, BaseException):
        return {"error": f"The tool failed ({type(outcome).__name__})."}
    return outcome


async def answer_all(calls, run):
    """One tool message for each call of a turn, in their order, whatever becomes of the others."""
    outcomes = await asyncio.gather(*map(run, calls), return_exceptions=True)
    return [
        {"role": "tool", "tool_call_id": call["id"], "content": json.dumps(told(outcome))}
        for call, outcome in zip(calls, outcomes, strict=True)
    ]''',
    alternatives=(
        _MESSAGE
        + _TOLD
        + """\
async def answer_all(calls, run):
    tasks = [asyncio.ensure_future(run(call)) for call in calls]
    if tasks:
        await asyncio.wait(tasks)
    answers = []
    for call, task in zip(calls, tasks):
        error = asyncio.CancelledError() if task.cancelled() else task.exception()
        answers.append(message(call, told(error) if error else task.result()))
    return answers""",
        _MESSAGE
        + _TOLD
        + """\
async def answer_all(calls, run):
    async def one(call):
        task = asyncio.ensure_future(run(call))
        await asyncio.wait([task])
        if task.cancelled():
            return message(call, {"error": "The tool gave up."})
        error = task.exception()
        return message(call, told(error) if error else task.result())

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(call)) for call in calls]
    return [task.result() for task in tasks]""",
    ),
    wrong=(
        WrongAnswer(
            "loses the others",
            _MESSAGE
            + """\
async def answer_all(calls, run):
    values = await asyncio.gather(*map(run, calls))
    return [message(call, value) for call, value in zip(calls, values)]""",
            "the answers of the others are lost",
        ),
        WrongAnswer(
            "runs one after another",
            _MESSAGE
            + _TOLD
            + """\
async def answer_all(calls, run):
    answers = []
    for call in calls:
        try:
            answers.append(message(call, await run(call)))
        except Exception as error:
            answers.append(message(call, told(error)))
    return answers""",
            "one after another",
        ),
        WrongAnswer(
            "answers in the order they come",
            _MESSAGE
            + _TOLD
            + """\
async def answer_all(calls, run):
    async def one(call):
        try:
            return message(call, await run(call))
        except Exception as error:
            return message(call, told(error))

    return [await answer for answer in asyncio.as_completed([one(call) for call in calls])]""",
            "in the order they came",
        ),
        WrongAnswer(
            "forgets that a tool may cancel itself",
            _MESSAGE
            + _TOLD
            + """\
async def answer_all(calls, run):
    async def one(call):
        try:
            return message(call, await run(call))
        except Exception as error:
            return message(call, told(error))

    return await asyncio.gather(*map(one, calls))""",
            "CancelledError got out",
        ),
        WrongAnswer(
            "swallows its own cancellation",
            _MESSAGE
            + _TOLD
            + """\
async def answer_all(calls, run):
    tasks = [asyncio.ensure_future(run(call)) for call in calls]
    outcomes = []
    for task in tasks:
        try:
            outcomes.append(await task)
        except BaseException as error:
            outcomes.append(told(error))
    return [message(call, outcome) for call, outcome in zip(calls, outcomes)]""",
            "the caller went away",
        ),
        WrongAnswer(
            "tells the text of any exception",
            _MESSAGE
            + """\
async def answer_all(calls, run):
    outcomes = await asyncio.gather(*map(run, calls), return_exceptions=True)
    return [
        message(call, {"error": str(outcome) or "failed"} if isinstance(outcome, BaseException) else outcome)
        for call, outcome in zip(calls, outcomes)
    ]""",
            "with a password",
        ),
    ),
    checker=check_answer_all,
)
