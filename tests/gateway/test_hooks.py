"""Before and after a call: hooks and scorers are somebody else's code, and never crash a call."""

from __future__ import annotations

import math

import pytest

from toolkit import Context, Status, ToolError, tool


@pytest.fixture
def weather(registry):
    reached = []

    @tool(registry)
    async def get_weather(cities: list[str]) -> str:
        """Weather."""
        reached.append(list(cities))
        return "rain"

    return reached


@pytest.mark.row("F4", "E1")
async def test_a_hook_refuses_with_its_own_words(weather, registry, gateway_for, raw):
    """A `ToolError` of a hook ends the call as `context_error`; its text and next step reach the model."""

    async def city_was_mentioned(name, arguments, context):
        text = " ".join(str(message["content"]) for message in context.messages)
        if arguments["cities"][0] not in text:
            raise ToolError("The user named no city called Mars.", next_step="ask the user for the city")

    gateway = gateway_for(registry, hooks=[city_was_mentioned])
    refused = await gateway.call(raw("get_weather", cities=["Mars"]), Context(messages=[{"content": "Hello"}]))
    assert refused.to_content() == (
        '{"error": "The user named no city called Mars.", "status": "context_error", '
        '"next_step": "ask the user for the city"}'
    )
    assert (refused.attempts, weather) == (0, [])
    asked = Context(messages=[{"content": "Xi'an tomorrow?"}])
    assert (await gateway.call(raw("get_weather", cities=["Xi'an"]), asked)).ok


@pytest.mark.row("F4")
@pytest.mark.parametrize("error", [KeyError("sk-secret"), RecursionError(), StopIteration("sk-secret"), SystemExit(3)])
async def test_a_hook_that_crashes_stops_the_call_and_nothing_else(weather, registry, gateway_for, raw, records, error):
    """`context_error` with one fixed sentence; the log has the type of the exception and not its text."""

    def crash(name, arguments, context):
        raise error

    result = await gateway_for(registry, hooks=[crash]).call(raw("get_weather", cities=["Xi'an"]))
    assert (result.status, result.error.kind, weather) == (Status.CONTEXT_ERROR, "hook_crashed", [])
    assert result.error.message == "get_weather was not run, because a check before it failed. Tell the user."
    assert records[0]["error_type"] == type(error).__name__
    assert "sk-secret" not in str(records)


async def test_a_hook_cannot_change_the_arguments(weather, registry, gateway_for, raw):
    """A hook gets a copy, lists inside it included."""

    def meddle(name, arguments, context):
        arguments["cities"].append("Mars")

    result = await gateway_for(registry, hooks=[meddle]).call(raw("get_weather", cities=["Xi'an"]))
    assert (weather, result.arguments) == ([["Xi'an"]], {"cities": ["Xi'an"]})


@pytest.mark.row("F27", "E3")
@pytest.mark.parametrize(
    ("points", "score", "note"),
    [
        (0.25, 0.25, "score:complete"),
        (7, 1.0, "score:complete"),
        (-1, 0.0, "score:complete"),
        (math.nan, 0.0, "score:complete (the rule returned nan)"),
        (math.inf, 0.0, "score:complete (the rule returned inf)"),
        ("much", 0.0, "score:the rule crashed with ValueError"),
        (None, 0.0, "score:the rule crashed with TypeError"),
    ],
)
async def test_a_score_is_between_0_and_1(weather, registry, gateway_for, raw, points, score, note):
    """Whatever a rule returns, the score is within 0..1, the reason is kept, and the call is not lost."""
    gateway = gateway_for(registry, scorer=lambda name, arguments, value: (points, "complete"))
    result = await gateway.call(raw("get_weather", cities=["Xi'an"]))
    assert (result.status, result.value, result.score) == (Status.SUCCESS, "rain", score)
    assert result.notes == (note,)


@pytest.mark.row("F27")
async def test_a_rule_that_crashes_scores_nothing(weather, registry, gateway_for, raw):
    """A rule that reads a field the tool never returns scores 0 with that as its reason."""
    gateway = gateway_for(registry, scorer=lambda name, arguments, value: (value["temperature"], "complete"))
    result = await gateway.call(raw("get_weather", cities=["Xi'an"]))
    assert (result.status, result.value, result.score) == (Status.SUCCESS, "rain", 0.0)
    assert result.notes == ("score:the rule crashed with TypeError",)
