"""Endpoints by environment, against a real server on loopback."""

from __future__ import annotations

import asyncio
import socket
from functools import partial

import pytest

from tests.agent.chat_server import DONE, USAGE, Answer, chat_server, event, stream, whole
from toolkit import Gateway, Registry, tool
from toolkit.agent import ModelError, run_agent
from toolkit.agent.replies import ask
from toolkit.agent.streaming import ask_streaming
from toolkit.endpoint import EndpointError, configured_endpoint

CALL = {"index": 0, "id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"word": '}}
REST = {"index": 0, "function": {"arguments": '"tea"}'}}


@pytest.fixture(autouse=True)
def _no_connection():
    """These tests connect, to loopback only: the guard in tools/offline refuses the rest."""


def endpoint(base_url, **more):
    return configured_endpoint({"TOOLKIT_MODEL": "small", "OPENAI_BASE_URL": base_url, **more})


def asked(base_url, how=ask, **options):
    async def main():
        async with endpoint(base_url).client() as client:
            return await how(client, model="small", messages=[{"role": "user", "content": "hi"}], **options)

    return asyncio.run(main())


def refusal(base_url, how=ask):
    """The one message of a ModelError, with the port taken out."""
    with pytest.raises(ModelError) as refused:
        asked(base_url, how)
    return str(refused.value).replace(base_url, "http://it")


@pytest.mark.row("T13", "V1")
def test_a_reply_of_a_real_server():
    """The request arrives with the key and the model, the reply with text and tokens."""
    with chat_server(Answer(whole({"content": "Booked."}))) as (base_url, requests):
        reply = asked(base_url)
    assert (reply.text, reply.usage) == ("Booked.", USAGE)
    assert requests[0]["path"] == "/v1/chat/completions"
    assert requests[0]["body"] == {"model": "small", "messages": [{"role": "user", "content": "hi"}]}
    assert requests[0]["headers"]["authorization"] == "Bearer no-key-needed"


@pytest.mark.row("E11")
def test_a_run_against_a_real_server():
    """The loop, streamed: a call in two pieces, its result, an answer in two pieces."""
    registry, shown = Registry(), []

    @tool(registry)
    async def look_up(word: str) -> str:
        """Look a word up."""
        return f"{word}: a drink"

    first = stream(event({"tool_calls": [CALL]}), event({"tool_calls": [REST]}), event({}, "tool_calls"), DONE)
    second = stream(event({"content": "A "}), event({"content": "drink."}), event({}, "stop"), event(usage=USAGE), DONE)

    async def main(base_url):
        async with endpoint(base_url).client() as client, Gateway(registry, log_sink=None) as gateway:
            messages = [{"role": "user", "content": "What is tea?"}]
            streaming = partial(ask_streaming, on_text=shown.append)
            return await run_agent(client, gateway, messages, model="small", ask=streaming)

    with chat_server(first, second) as (base_url, requests):
        run = asyncio.run(main(base_url))
    assert (run.stop, run.detail, shown) == ("answered", "A drink.", ["A ", "drink."])
    assert [message["role"] for message in requests[1]["body"]["messages"]] == ["user", "assistant", "tool"]
    assert run.messages[1]["tool_calls"][0]["function"] == {"name": "look_up", "arguments": '{"word": "tea"}'}
    assert run.messages[-1]["usage"] == USAGE


@pytest.mark.row("E11")
def test_a_refused_connection_is_one_clear_message():
    """Nothing listens there."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        base_url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    told = "No connection to the model's server at http://it/. Is it running, and is the address right?"
    assert refusal(base_url) == told
    assert refusal(base_url, ask_streaming) == told


BROKE = "The connection to the model's server at http://it/ broke before the reply was whole. Try again."
LIMITED = "The model's server at http://it/ limits requests (status 429). Try again in 7 s."
MALFORMED = (
    "The model's server sent malformed JSON (Expecting value: line 1 column 8 (char 7)). "
    "Check the base URL; for most servers it ends in /v1."
)
SLOW_DOWN = Answer(b'{"error": {"message": "slow down"}}', status=429, headers={"retry-after": "7"})
NO_STREAM = "The model's server sent no stream. Check the base URL, or ask without streaming."
BROKEN = {
    "429 with Retry-After": (ask, SLOW_DOWN, LIMITED),
    "429 of a stream": (ask_streaming, SLOW_DOWN, LIMITED),
    "a body that is cut": (ask, Answer(whole({"content": "Boo"})[:40], cut=True), BROKE),
    "a stream that is cut": (ask_streaming, stream(event({"content": "Boo"}), cut=True), BROKE),
    "malformed JSON": (ask, Answer(b'{"id": '), MALFORMED),
    "a malformed event": (ask_streaming, stream(event({"content": "Boo"}), b'data: {"id": \n\n'), MALFORMED),
    "a stream that just ends": (
        ask_streaming,
        stream(event({"content": "Boo"})),
        "The model's reply broke off: its stream ended without saying why. Try again.",
    ),
    "an error inside a stream": (
        ask_streaming,
        stream(event({"content": "Boo"}), event(error={"message": "out of\nmemory"})),
        "The model's server broke its reply off with an error: out of memory",
    ),
    "a whole reply where a stream was asked for": (ask_streaming, Answer(whole({"content": "Booked."})), NO_STREAM),
    "a page where a stream was asked for": (ask_streaming, Answer(b"<html>", kind="text/html"), NO_STREAM),
    "a stream of nothing": (
        ask_streaming,
        stream(event({}, "stop"), DONE),
        "The model's reply is empty: neither text nor a tool call.",
    ),
    "a key refused": (
        ask_streaming,
        Answer(b'{"error": {"message": "bad key sk-1"}}', status=401),
        "The model's server at http://it/ refused the key (status 401). Check OPENAI_API_KEY.",
    ),
}


@pytest.mark.row("E11")
@pytest.mark.parametrize(("how", "answer", "told"), BROKEN.values(), ids=BROKEN)
def test_a_broken_endpoint_gives_one_clear_message(how, answer, told):
    """What happened, where, and what to look at; asked once, never retried behind our back."""
    with chat_server(answer, answer) as (base_url, requests):
        assert refusal(base_url, how) == told
    assert len(requests) == 1


@pytest.mark.row("E11")
def test_a_stream_that_breaks_is_no_answer_of_a_run():
    """What was shown of it stays shown; the history keeps nothing of it, and the run can go on."""
    shown, messages = [], [{"role": "user", "content": "hi"}]
    half = stream(event({"content": "Book"}), cut=True)
    good = stream(event({"content": "Sorry."}), event({}, "stop"), DONE)

    async def main(base_url):
        async with endpoint(base_url).client() as client, Gateway(Registry(), log_sink=None) as gateway:
            streaming = partial(ask_streaming, on_text=shown.append)
            run = partial(run_agent, client, gateway, messages, model="small", ask=streaming)
            return await run(), list(messages), await run()

    with chat_server(half, good) as (base_url, _):
        first, kept, second = asyncio.run(main(base_url))
    assert (first.stop, kept, shown) == ("model_error", [{"role": "user", "content": "hi"}], ["Book", "Sorry."])
    assert (second.stop, second.detail) == ("answered", "Sorry.")


@pytest.mark.row("E11")
def test_a_server_that_says_nothing_is_left_after_the_timeout():
    """The timeout is the client's; the message says so."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        base_url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"

        async def main():
            async with endpoint(base_url).client(timeout_s=0.2) as client:
                await ask(client, model="small", messages=[])

        with pytest.raises(ModelError) as refused:
            asyncio.run(main())
    told = f"The model's server at {base_url}/ did not answer in time. Try again, or raise the timeout."
    assert str(refused.value) == told


@pytest.mark.row("E11")
def test_a_proxy_in_the_environment_is_not_asked_for_this_machine(monkeypatch):
    """HTTP_PROXY would catch 127.0.0.1 too, and send the conversation to somebody else."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    with chat_server(Answer(whole({"content": "Booked."}))) as (base_url, _):
        assert asked(base_url).text == "Booked."


@pytest.mark.row("E11")
def test_an_empty_base_url_is_none(monkeypatch):
    """The client would send every request to nowhere; blank means the usual address."""
    monkeypatch.setenv("OPENAI_BASE_URL", "")
    found = endpoint("  ", OPENAI_API_KEY="sk-1")
    assert str(found.client().base_url) == "https://api.openai.com/v1/"
    assert (found.client().max_retries, found.client().timeout) == (0, 30.0)


@pytest.mark.row("E11", "S6")
def test_an_endpoint_does_not_show_its_key():
    """It may be printed in a notebook."""
    assert "sk-1" not in f"{endpoint('', OPENAI_API_KEY='sk-1')!r}"


@pytest.mark.row("E11")
@pytest.mark.parametrize(
    ("environment", "told"),
    [
        (
            {"TOOLKIT_MODEL": "m"},
            "TOOLKIT_MODEL is set, but OPENAI_API_KEY is not. Set it, or set OPENAI_BASE_URL to a server of your own.",
        ),
        (
            {"TOOLKIT_MODEL": "m", "OPENAI_BASE_URL": "127.0.0.1:8080"},
            "OPENAI_BASE_URL is no URL of a server. Write it like http://127.0.0.1:8080/v1.",
        ),
    ],
)
def test_half_an_endpoint_is_told(environment, told):
    """Which variable is missing or wrong, and what to write."""
    with pytest.raises(EndpointError) as refused:
        configured_endpoint(environment)
    assert str(refused.value) == told


def test_without_a_model_no_endpoint_is_meant():
    """A key alone stands in many environments, for other programs."""
    assert configured_endpoint({"OPENAI_API_KEY": "sk-1", "OPENAI_BASE_URL": "http://127.0.0.1/v1"}) is None
