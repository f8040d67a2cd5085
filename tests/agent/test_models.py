"""A model without a key: the real openai client, answering without a socket."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import openai
import pytest

from toolkit.agent import asks_for, client_answering, says, scripted_client
from toolkit.agent.models import SIMULATED

USER = {"role": "user", "content": "Weather in Xi'an?"}


def complete(client, messages=(USER,), **options):
    return asyncio.run(client.chat.completions.create(model="any", messages=list(messages), **options))


@pytest.mark.row("X1")
def test_a_scripted_model_is_the_real_client_without_a_socket(monkeypatch):
    """It needs no key, reads no address or proxy from the environment, and opens no connection."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    client = scripted_client([says("Rain.")])
    assert type(client) is openai.AsyncOpenAI
    assert complete(client).choices[0].message.content == "Rain."


def test_every_reply_says_that_it_is_simulated():
    """Whatever model was asked for, the reply's model is `simulated`."""
    completion = complete(scripted_client([says("Rain.")]))
    assert completion.model == SIMULATED == "simulated"
    assert completion.id.startswith("chatcmpl-simulated")


def test_a_script_is_answered_in_turn_and_then_it_says_that_it_ended():
    """The reply after the last is an error that names the length of the script."""
    client = scripted_client([says("one"), says("two")])
    assert [complete(client).choices[0].message.content for _ in range(2)] == ["one", "two"]
    with pytest.raises(openai.BadRequestError, match=r"The script ends after 2 replies\."):
        complete(client)


def test_calls_arrive_as_the_client_would_show_them():
    """Arguments are JSON text, ids are unique in the run, the finish reason is `tool_calls`."""
    script = [asks_for(("get_weather", {"city": "西安"}), ("add", '{"a": 1'))]
    choice = complete(scripted_client(script)).choices[0]
    calls = choice.message.tool_calls
    assert [(call.function.name, call.function.arguments) for call in calls] == [
        ("get_weather", '{"city": "西安"}'),
        ("add", '{"a": 1'),
    ]
    assert len({call.id for call in calls}) == 2
    assert choice.finish_reason == "tool_calls"


def test_ids_differ_from_turn_to_turn():
    """A turn's ids are made from its place in the conversation."""
    client = scripted_client([asks_for(("add", {}))] * 2)
    first = complete(client).choices[0].message
    second = complete(client, [USER, first.model_dump(exclude_none=True)]).choices[0].message
    assert first.tool_calls[0].id != second.tool_calls[0].id


def test_a_reply_may_be_cut_off():
    """`finish_reason` of the script reaches the client and stays out of the message."""
    choice = complete(scripted_client([says("Booked a", finish_reason="length")])).choices[0]
    assert (choice.finish_reason, choice.message.content) == ("length", "Booked a")
    assert "finish_reason" not in choice.message.model_dump()


def test_an_answering_function_sees_the_request():
    """Messages, tools and options arrive as they were sent."""
    seen = []
    client = client_answering(lambda request: seen.append(request) or says("ok"))
    complete(client, temperature=0.5)
    assert seen == [{"model": "any", "messages": [USER], "temperature": 0.5}]


def test_tokens_grow_with_the_conversation():
    """The estimate counts what is sent, so a longer history costs more."""
    client = scripted_client([says("ok"), says("ok")])
    short, long = complete(client), complete(client, [USER, USER, USER])
    assert short.usage.prompt_tokens < long.usage.prompt_tokens
    assert short.usage.completion_tokens == long.usage.completion_tokens > 0


def test_streaming_is_refused_in_words():
    """A whole reply read as a stream would look like an empty answer."""
    with pytest.raises(openai.BadRequestError, match=r"A simulated model does not stream\."):
        complete(scripted_client([says("x")]), stream=True)


def test_importing_the_agent_does_not_load_openai():
    """The client takes about a second to import; only making one pays for it."""
    code = "import sys, toolkit.agent, toolkit.hotel.run; print({'openai', 'httpx2'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
