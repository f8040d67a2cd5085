"""The five builds of lesson 12: every criterion tells a real mistake, and the points are worth their levels."""

from __future__ import annotations

import pytest

from toolkit.lessons.exercise import Exercise, judge
from toolkit.lessons.exercise_12_call_with_retry import CALL_WITH_RETRY
from toolkit.lessons.exercise_12_registry import REGISTRY
from toolkit.lessons.exercise_12_run_agent import RUN_AGENT
from toolkit.lessons.exercise_12_tool_schema import TOOL_SCHEMA
from toolkit.lessons.exercise_12_verdicts import VERDICTS
from toolkit.lessons.lesson_12 import EXERCISES
from toolkit.lessons.rubric import LEVELS, mark
from tools.cell_code import code_lines

BUILDS = EXERCISES
each_build = pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.id)


@pytest.mark.row("X9")
@each_build
def test_every_criterion_is_failed_by_a_mistake(build):
    """For each line of the rubric there is a known wrong answer that does not meet it, so none is decoration."""
    failed = set()
    for wrong in build.wrong:
        marks = mark(build.rubric, build.answer(wrong.code))
        failed |= {each.criterion.states for each in marks if not each.is_met}
    assert [criterion.states for criterion in build.rubric if criterion.states not in failed] == []


@pytest.mark.row("X9")
@each_build
def test_a_mistake_costs_its_own_criterion_and_few_others(build):
    """Criteria stand alone: most mistakes cost one of them, and none costs more than half.

    Of the six runs to judge a key may be wrong in all: there a criterion is a run.
    """
    unmet = [sum(not each.is_met for each in mark(build.rubric, build.answer(wrong.code))) for wrong in build.wrong]
    assert sorted(unmet)[len(unmet) // 2] == 1
    assert max(unmet) <= (len(build.rubric) - 1 if build is VERDICTS else (len(build.rubric) + 1) // 2)


@pytest.mark.row("X9")
@each_build
def test_points_and_levels(build):
    """5 to 9 criteria, 10 to 20 points, each level at least once, juniors' lines first."""
    levels = [LEVELS.index(criterion.level) for criterion in build.rubric]
    assert set(levels) == {0, 1, 2}
    assert levels == sorted(levels)
    assert 5 <= len(build.rubric) <= 9
    assert 10 <= sum(criterion.points for criterion in build.rubric) <= 20


@pytest.mark.row("X9")
@each_build
def test_a_build_can_be_written_in_its_time(build):
    """The solution has at most 30 lines of code, there are two other ideas, and the limit is that of an interview."""
    assert code_lines(build.solution) <= 30
    assert len(build.alternatives) >= 2
    assert len({wrong.says for wrong in build.wrong}) >= 5
    assert 10 <= build.minutes <= 20


@pytest.mark.row("X9")
@each_build
def test_a_solution_reaches_the_highest_level(build):
    """All points and a staff engineer's level, said in the first line."""
    score = judge(build, build.answer(build.solution))
    total = sum(criterion.points for criterion in build.rubric)
    assert score.message.splitlines()[0] == f"{total} of {total} points; level: staff"


LEFT_OPEN = (
    (REGISTRY, "another sentence for a name", "{name!r} is taken, or no name: 1", "1"),
    (
        REGISTRY,
        "another sentence for a name twice",
        'f"{name!r} is taken, or no name: 1 to 64 letters, digits, underscores or hyphens"',
        '"each needs its own name"',
    ),
    (REGISTRY, "another word for an object", "no JSON object: {text}", "no dictionary"),
    (REGISTRY, "null for NaN", "json.dumps(value, ensure_ascii=False, allow_nan=False)", "without_nan(value)"),
    (RUN_AGENT, "a set as a list", "(**arguments), ensure_ascii", "(**arguments), default=list, ensure_ascii"),
    (RUN_AGENT, "the names, and not the one asked for", "There is no tool {name!r}. ", ""),
    (
        RUN_AGENT,
        "the turn that is not run is not kept",
        "        for call, (name",
        '        if repeated:\n            messages.pop()\n            return "", "repeated"\n        for call, (name',
    ),
    (TOOL_SCHEMA, "another sentence where it is declared", "{parameter.name}: Annotated", "Annotated"),
    (
        TOOL_SCHEMA,
        "a whole number for int",
        "{problem['msg']},",
        "{problem['msg'].replace('integer', 'whole number').replace('a valid number', 'a float')},",
    ),
    (
        CALL_WITH_RETRY,
        "a TimeoutError where there is no time to wait",
        "if now() + wait_s >= ends:\n            raise failure",
        'if now() + wait_s >= ends:\n            raise TimeoutError("no time")',
    ),
)
WITHOUT_NAN = """

def without_nan(value):
    return json.dumps(json.loads(json.dumps(value), parse_constant=lambda word: None))
"""


@pytest.mark.row("X9")
@pytest.mark.parametrize(("build", "what", "part", "other"), LEFT_OPEN, ids=lambda value: getattr(value, "id", value))
def test_what_the_task_leaves_open_is_left_open(build: Exercise, what: str, part: str, other: str):
    """An honest answer in other words, or with another choice that the task allows, has all points."""
    assert part in build.solution
    code = build.solution.replace(part, other) + (WITHOUT_NAN if build is REGISTRY else "")
    score = judge(build, build.answer(code))
    assert score, score


SPINS = """\
        until = now() + wait_s
        while now() < until:
            pass
"""
CATCHES_ALL = """\
async def call_with_retry(work, **settings):
    while True:
        try:
            return await work()
        except GeneratorExit:  # so that nothing is left for the next test
            raise
        except:
            pass
"""


@pytest.mark.row("X9")
@pytest.mark.parametrize(
    ("code", "says"),
    [
        (CALL_WITH_RETRY.solution.replace("        wait_s = max(", SPINS + "        wait_s = max("), "now() was read"),
        (CATCHES_ALL, "the tool was called 100 times, and no end in sight"),
    ],
    ids=["reads the clock until it is late", "catches everything, for ever"],
)
def test_a_loop_that_lets_no_time_pass_is_ended(code: str, says: str):
    """In virtual time a loop that never waits would freeze the notebook; the checker ends it and says why."""
    assert says in judge(CALL_WITH_RETRY, CALL_WITH_RETRY.answer(code)).message


ASKS_ONCE = """\
def run_agent(ask, tools, messages, max_turns=8):
    turn = ask(messages)
    while turn.get("tool_calls"):
        for call in turn["tool_calls"]:
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": "1"})
    return turn["content"], "answered"
"""


@pytest.mark.row("X9")
def test_a_loop_that_asks_only_once_is_ended():
    """The likeliest loop without end in an agent: it answers one and the same turn, again and again."""
    message = judge(RUN_AGENT, RUN_AGENT.answer(ASKS_ONCE)).message
    assert "the conversation has 100 messages: is the model asked again, after each turn's answers?" in message


def test_a_bug_that_looks_like_wrong_arguments_is_kept_from_the_model_too():
    """Who takes every TypeError for wrong arguments tells the model the text of a bug, and is told so."""
    call = "return self._tools[name][0](**arguments)"
    assert call in REGISTRY.solution
    caught = "return called(self._tools[name][0], arguments)"
    lines = ("def called(func, arguments):", "    try:", "        return func(**arguments)")
    lines += ("    except TypeError as error:", "        raise ToolError(str(error))")
    score = judge(REGISTRY, REGISTRY.answer("\n".join([REGISTRY.solution.replace(call, caught), "", *lines])))
    assert "a bug in the tool raised TypeError, and the model read its text" in score.message
