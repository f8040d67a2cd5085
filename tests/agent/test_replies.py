"""One reply, or one clear message why there is none."""

from __future__ import annotations

import asyncio

import httpx2
import openai
import pytest

from toolkit.agent import ModelError, asks_for, says, scripted_client
from toolkit.agent.replies import ask

ADDRESS = "http://simulated.invalid/v1/"


def asked(reply, messages=()):
    return asyncio.run(ask(scripted_client([reply]), model="any", messages=list(messages)))


def json_body(text):
    return httpx2.Response(200, content=text, headers={"content-type": "application/json"})


BROKEN = {
    "refused connection": (
        httpx2.ConnectError("All connection attempts failed"),
        f"No connection to the model's server at {ADDRESS}. Is it running, and is the address right?",
    ),
    "no answer in time": (
        httpx2.ReadTimeout("timed out"),
        f"The model's server at {ADDRESS} did not answer in time. Try again, or raise the timeout.",
    ),
    "HTML page": (
        httpx2.Response(200, html="<html>\n<h1>Welcome</h1></html>"),
        "The model's server sent a text instead of JSON: '<html> <h1>Welcome</h1></html>'. "
        "Check the base URL; for most servers it ends in /v1.",
    ),
    "malformed JSON": (
        json_body('{"choices": ['),
        "The model's server sent malformed JSON (Expecting value: line 1 column 14 (char 13)). "
        "Check the base URL; for most servers it ends in /v1.",
    ),
    "JSON nested too deeply": (
        json_body("[" * 100_000),
        "The model's server sent malformed JSON (nested too deeply). "
        "Check the base URL; for most servers it ends in /v1.",
    ),
    "no choices": (
        httpx2.Response(200, json={}),
        "The model's reply has no choices. Check the base URL; for most servers it ends in /v1.",
    ),
    "choices of another type": (
        httpx2.Response(200, json={"choices": "none"}),
        "The model's reply has no choices. Check the base URL; for most servers it ends in /v1.",
    ),
    "choice that is null": (
        httpx2.Response(200, json={"choices": [None]}),
        "The model's reply is empty: neither text nor a tool call.",
    ),
    "empty message": (says(""), "The model's reply is empty: neither text nor a tool call."),
    "rate limit": (
        httpx2.Response(429, headers={"retry-after": "7"}, json={"error": {"message": "slow down"}}),
        f"The model's server at {ADDRESS} limits requests (status 429). Try again in 7 s.",
    ),
    "server error": (
        httpx2.Response(500, json={"error": {"message": "out of\nmemory"}}),
        "The model's server answered with status 500: out of memory",
    ),
    "server error without a reason": (
        httpx2.Response(503),
        "The model's server answered with status 503: no reason given.",
    ),
}


@pytest.mark.parametrize(("reply", "text"), BROKEN.values(), ids=BROKEN)
def test_a_broken_reply_gives_one_clear_message(reply, text):
    """What happened, where, and what to look at; never another exception."""
    with pytest.raises(ModelError) as refused:
        asked(reply)
    assert str(refused.value) == text


def test_a_refused_key_is_not_repeated():
    """The server's own text holds a part of the key, so it is left out."""
    said = {"error": {"message": "Incorrect API key provided: sk-secret"}}
    with pytest.raises(ModelError) as refused:
        asked(httpx2.Response(401, json=said))
    assert "sk-secret" not in str(refused.value)
    assert "OPENAI_API_KEY" in str(refused.value)


def test_the_address_is_shown_without_its_secrets():
    """A base URL may hold a password or a key; the message holds neither."""
    transport = httpx2.MockTransport(lambda request: httpx2.Response(429))
    client = openai.AsyncOpenAI(
        api_key="x",
        base_url="http://me:hidden@model.invalid/v1",
        http_client=httpx2.AsyncClient(transport=transport),
        max_retries=0,
    )
    with pytest.raises(ModelError) as refused:
        asyncio.run(ask(client, model="any", messages=[]))
    assert "http://model.invalid/v1/ limits" in str(refused.value)


def test_a_message_that_cannot_be_encoded_is_a_message_too():
    """Half a surrogate pair has no UTF-8; the request is not sent and the reason is given."""
    with pytest.raises(ModelError, match="could not be encoded"):
        asked(says("ok"), [{"role": "user", "content": "\ud800"}])


def test_a_reply_is_its_text_and_its_tokens():
    """A text, not cut off, and the tokens as the server counted them."""
    reply = asked(says("Booked."))
    assert (reply.text, reply.cut_off) == ("Booked.", False)
    assert set(reply.usage) == {"prompt_tokens", "completion_tokens", "total_tokens"}


def test_a_reply_of_calls_needs_no_text():
    """Content may be null when there are calls, and tokens may go uncounted."""
    assert asked(asks_for(("add", {}))).text is None
    assert asked(httpx2.Response(200, json={"choices": [{"message": {"content": "hi"}}]})).usage is None


def test_a_refusal_is_a_text():
    """A model that declines has answered."""
    assert asked({"content": None, "refusal": "I cannot book that."}).text == "I cannot book that."
