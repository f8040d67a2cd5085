"""The five builds of lesson 12: every criterion tells a real mistake, and the points are worth their levels."""

from __future__ import annotations

import pytest

from toolkit.lessons.exercise import judge
from toolkit.lessons.exercise_12_booking_desk import BOOKING_DESK
from toolkit.lessons.exercise_12_call_with_retry import CALL_WITH_RETRY
from toolkit.lessons.exercise_12_registry import REGISTRY
from toolkit.lessons.exercise_12_run_agent import RUN_AGENT
from toolkit.lessons.exercise_12_tool_schema import TOOL_SCHEMA
from toolkit.lessons.rubric import LEVELS, mark

BUILDS = (REGISTRY, RUN_AGENT, TOOL_SCHEMA, CALL_WITH_RETRY, BOOKING_DESK)
each_build = pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.id)


@pytest.mark.row("X9")
@each_build
def test_every_criterion_is_failed_by_a_mistake(build):
    """For each line of the rubric there is a known wrong answer that does not meet it, so none is decoration."""
    failed = set()
    for wrong in build.wrong:
        marks = mark(build.rubric, build.answer(wrong.code))
        failed |= {each.criterion.states for each in marks if each.kind != "met"}
    assert [criterion.states for criterion in build.rubric if criterion.states not in failed] == []


@pytest.mark.row("X9")
@each_build
def test_a_mistake_costs_its_own_criterion_and_few_others(build):
    """Criteria stand alone: most mistakes cost one of them, and none costs more than half."""
    unmet = [sum(each.kind != "met" for each in mark(build.rubric, build.answer(wrong.code))) for wrong in build.wrong]
    assert sorted(unmet)[len(unmet) // 2] == 1
    assert max(unmet) <= (len(build.rubric) + 1) // 2


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
    """The solution has at most 45 lines, there are two other ideas, and the limit is that of an interview."""
    assert len(build.solution.splitlines()) <= 45
    assert len(build.alternatives) >= 2
    assert len({wrong.says for wrong in build.wrong}) >= 5
    assert 15 <= build.minutes <= 20


@pytest.mark.row("X9")
@each_build
def test_a_solution_reaches_the_highest_level(build):
    """All points and a staff engineer's level, said in the first line."""
    score = judge(build, build.answer(build.solution))
    total = sum(criterion.points for criterion in build.rubric)
    assert score.message.splitlines()[0] == f"{total} of {total} points; level: staff"
