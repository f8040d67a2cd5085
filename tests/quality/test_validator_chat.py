"""V1: a validator over the official openai client, without a socket but for one test against a server on loopback."""

from __future__ import annotations

import asyncio

import httpx2
import pytest

from tests.agent.chat_server import Answer, chat_server, whole
from toolkit import ToolkitError, TransientError
from toolkit.agent import client_answering, says
from toolkit.gateway import Backoff
from toolkit.quality.call_validator import CallValidator
from toolkit.quality.case import Case
from toolkit.quality.chat import ChatReply, OpenAIChat, chat_from_environment
from toolkit.quality.validator_config import ValidatorConfig

CASE = Case("Rain in Xi'an?", "get_weather", {"city": "Xi'an"}, {"condition": "rain"})
ASK = [{"role": "user", "content": "PASS or FAIL?"}]


def ask(reply):
    """What `complete` makes of a reply of the server."""
    chat = OpenAIChat(client_answering(lambda request: reply), "any")
    return asyncio.run(chat.complete(ASK, temperature=0.0))


@pytest.mark.row("V1")
def test_a_validator_over_the_official_client():
    """Model, temperature and prompt reach the server; text and tokens come back."""
    seen = []

    def answer(request):
        seen.append(request)
        return says("PASS: the city is copied")

    async def validate():
        async with CallValidator(OpenAIChat(client_answering(answer), "judge")) as validator:
            return await validator.validate(CASE), validator.metrics.tokens

    found, tokens = asyncio.run(validate())
    assert (found.word, found.reason) == ("pass", "the city is copied")
    assert (seen[0]["model"], seen[0]["temperature"], seen[0]["messages"][0]["role"]) == ("judge", 0.0, "user")
    assert 'Arguments: {"city": "Xi\'an"}' in seen[0]["messages"][0]["content"]
    assert tokens > 100


def test_an_answer_without_a_text():
    """None is passed on; what it means is for the reader of the opinion."""
    assert ask({"role": "assistant", "content": None}).text is None
    assert isinstance(ask(says("hm")), ChatReply)


@pytest.mark.row("V3")
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (httpx2.ConnectError("refused"), ConnectionError),
        (httpx2.ReadTimeout("slow"), TimeoutError),
        (httpx2.Response(429, headers={"retry-after": "7"}, json={}), TransientError),
        (httpx2.Response(408, json={}), TransientError),
        (httpx2.Response(503, json={}), TransientError),
    ],
)
def test_what_may_pass(reply, kind):
    """Refused, slow, busy or broken for now: told as an error that is worth another attempt."""
    with pytest.raises(kind) as raised:
        ask(reply)
    if kind is TransientError:
        assert raised.value.retry_after_s == (7.0 if reply.status_code == 429 else None)


@pytest.mark.row("V3")
@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (
            httpx2.Response(401, json={"error": {"message": "Incorrect API key provided: sk-secret"}}),
            "The model's server refused the request with status 401. Check OPENAI_API_KEY.",
        ),
        (httpx2.Response(400, json={}), "The model's server refused the request with status 400."),
        (
            httpx2.Response(200, html="<html>Welcome</html>"),
            "The model's server sent no chat completion. For most servers the URL ends in /v1.",
        ),
        (
            httpx2.Response(200, json={}),
            "The model's server sent no chat completion. For most servers the URL ends in /v1.",
        ),
        (
            httpx2.Response(200, content=b'{"choices": [', headers={"content-type": "application/json"}),
            "The model's server sent no chat completion (JSONDecodeError).",
        ),
    ],
)
def test_what_stays(reply, message):
    """A refusal, a page instead of an answer, half a JSON text: one sentence, and no part of a key in it."""
    with pytest.raises(ToolkitError) as raised:
        ask(reply)
    assert (str(raised.value), isinstance(raised.value, TransientError)) == (message, False)


@pytest.mark.row("V1")
def test_the_endpoint_of_the_environment():
    """Address and model from the environment; a local server needs no key, and the client does not retry by itself."""
    chat = chat_from_environment({"OPENAI_BASE_URL": "http://127.0.0.1:8080/v1", "TOOLKIT_MODEL": "small"})
    assert str(chat._client.base_url) == "http://127.0.0.1:8080/v1/"
    assert (chat._client.api_key, chat._client.max_retries, chat._model) == ("no-key-needed", 0, "small")
    asyncio.run(chat.close())


@pytest.mark.row("V1", "V3")
def test_a_validator_of_the_environment_asks_a_real_server(monkeypatch):
    """Over HTTP on loopback, past a proxy that the environment names; a busy server is asked again."""
    busy, fine = Answer(b"{}", status=429, headers={"retry-after": "0"}), Answer(whole({"content": "PASS: copied"}))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("TOOLKIT_MODEL", "small")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    async def validate():
        config = ValidatorConfig(backoff=Backoff(base_s=0.0))
        async with CallValidator.from_environment(config) as validator:
            return await validator.validate(CASE)

    with chat_server(busy, fine) as (base_url, requests):
        monkeypatch.setenv("OPENAI_BASE_URL", base_url)
        found = asyncio.run(validate())
    assert (found.word, found.reason, found.attempts) == ("pass", "copied", 2)
    assert [request["body"]["model"] for request in requests] == ["small", "small"]


@pytest.mark.row("V1")
@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({}, "Set OPENAI_BASE_URL to the server's address, such as http://127.0.0.1:8080/v1."),
        (
            {"OPENAI_BASE_URL": "", "TOOLKIT_MODEL": "m"},
            "Set OPENAI_BASE_URL to the server's address, such as http://127.0.0.1:8080/v1.",
        ),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, "Set TOOLKIT_MODEL to the name the server gives its model."),
        (
            {"OPENAI_BASE_URL": "https://models.example/v1", "TOOLKIT_MODEL": "m"},
            "TOOLKIT_MODEL is set, but OPENAI_API_KEY is not. Set it, or set OPENAI_BASE_URL to a server of your own.",
        ),
    ],
)
def test_a_missing_name_is_told(environment, message):
    """Which, and what to put there; an empty address counts as none."""
    with pytest.raises(ToolkitError) as raised:
        chat_from_environment(environment)
    assert str(raised.value) == message
