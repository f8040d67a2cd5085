"""The loop: the model decides, the gateway runs, everything stands in the history."""

from __future__ import annotations

import asyncio
import json
from collections import Counter

import httpx2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit import Gateway, Registry, ToolError, tool
from toolkit.agent import asks_for, client_answering, run_agent, says, scripted_client


class Desk:
    """Two tools and a list of what reached them."""

    def __init__(self):
        self.reached = []
        self.registry = Registry()

        @tool(self.registry, idempotent=True)
        async def look_up(word: str) -> dict[str, str]:
            """Look a word up."""
            self.reached.append(("look_up", word))
            return {"word": word}

        @tool(self.registry)
        async def refuse(word: str) -> str:
            """Refuse everything."""
            self.reached.append(("refuse", word))
            raise ToolError(f"No {word} here. Try another word.", retryable=word == "busy")


def run(desk, client, messages=None, **options):
    messages = [{"role": "user", "content": "Look it up."}] if messages is None else messages

    async def inside():
        async with Gateway(desk.registry, log_sink=None) as gateway:
            return await run_agent(client, gateway, messages, model="any", **options)

    return asyncio.run(inside())


def ids_of(messages):
    asked = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    return asked, [message["tool_call_id"] for message in messages if message["role"] == "tool"]


@pytest.mark.row("T13")
def test_a_run_is_calls_results_and_an_answer():
    """Every turn and every result is in the history, in order; the answer ends the run."""
    desk = Desk()
    client = scripted_client([asks_for(("look_up", {"word": "tea"})), says("Tea it is.")])
    ended = run(desk, client)
    assert [message["role"] for message in ended.messages] == ["user", "assistant", "tool", "assistant"]
    assert ended.messages[2]["content"] == '{"word": "tea"}'
    assert ended[1:] == ("answered", 2, "Tea it is.", ())
    assert desk.reached == [("look_up", "tea")]


def test_the_model_is_shown_the_tools_and_what_came_back():
    """The second request holds the first turn, its result, and the tools again."""
    requests = []

    def answer(request):
        requests.append(request)
        return says("done") if len(requests) > 1 else asks_for(("look_up", {"word": "tea"}))

    desk = Desk()
    run(desk, client_answering(answer), temperature=0)
    assert [tool["function"]["name"] for tool in requests[1]["tools"]] == ["look_up", "refuse"]
    assert [message["role"] for message in requests[1]["messages"]] == ["user", "assistant", "tool"]
    assert requests[1]["temperature"] == 0


def test_without_tools_none_are_sent():
    """Servers refuse an empty list of tools."""
    desk, requests = Desk(), []
    desk.registry = Registry()
    run(desk, client_answering(lambda request: requests.append(request) or says("hi")))
    assert "tools" not in requests[0]


def test_an_unknown_tool_is_answered_and_the_run_goes_on():
    """The model reads which tools there are, and may still finish."""
    script = [asks_for(("lookup", {"word": "tea"})), asks_for(("look_up", {"word": "tea"})), says("Tea.")]
    ended = run(Desk(), scripted_client(script))
    told = json.loads(ended.messages[2]["content"])
    assert told["status"] == "unknown_tool"
    assert "look_up" in told["error"]
    assert ended.stop == "answered"


def test_a_refusal_of_a_tool_reaches_the_model_in_its_words():
    """A ToolError's text is what the model reads."""
    ended = run(Desk(), scripted_client([asks_for(("refuse", {"word": "tea"})), says("Sorry.")]))
    assert json.loads(ended.messages[2]["content"])["error"] == "No tea here. Try another word."


def test_siblings_are_answered_in_request_order():
    """Two calls of one turn, two results, each under its own id."""
    calls = asks_for(("refuse", {"word": "tea"}), ("look_up", {"word": "tea"}))
    ended = run(Desk(), scripted_client([calls, says("done")]))
    asked, answered = ids_of(ended.messages)
    assert asked == answered
    assert ended.messages[3]["content"] == '{"word": "tea"}'


def test_an_id_used_twice_in_a_turn_is_made_two():
    """Each call is answered exactly once, even where the model gave one id to both."""
    calls = asks_for(("look_up", {"word": "tea"}), ("look_up", {"word": "rice"}))
    for call in calls["tool_calls"]:
        call["id"] = "same"
    ended = run(Desk(), scripted_client([calls, says("done")]))
    assert ids_of(ended.messages) == (["same", "same_1"], ["same", "same_1"])
    assert [message["content"] for message in ended.messages[2:4]] == ['{"word": "tea"}', '{"word": "rice"}']


WORDS = st.sampled_from(["tea", "rice", "busy"])
CALLS = st.tuples(
    st.sampled_from(["look_up", "refuse", "no_such_tool", ""]),
    st.one_of(WORDS.map(lambda word: json.dumps({"word": word})), st.sampled_from(["", "{", "[]", '{"w": 1}'])),
)
TURNS = st.tuples(st.lists(CALLS, min_size=1, max_size=3), st.sampled_from(["tool_calls", "length"]))


@settings(max_examples=60, deadline=None)
@given(st.lists(TURNS, max_size=5))
def test_whatever_is_asked_each_call_is_answered_once(turns):
    """Any calls, good and bad, cut off or whole: one answer each, before the next turn."""
    script = [asks_for(*calls, finish_reason=reason) for calls, reason in turns]
    ended = run(Desk(), scripted_client([*script, says("done")]))
    asked, answered = ids_of(ended.messages)
    assert Counter(asked) == Counter(answered)
    assert max(Counter(asked).values(), default=1) == 1
    assert ended.stop in ("answered", "repeated_call")


def test_a_call_that_was_cut_off_is_never_run():
    """Whole JSON proves nothing when the reply hit its limit; the model is asked to send it again."""
    desk = Desk()
    cut = asks_for(("look_up", {"word": "te"}), finish_reason="length")
    ended = run(desk, scripted_client([cut, asks_for(("look_up", {"word": "tea"})), says("Tea.")]))
    assert desk.reached == [("look_up", "tea")]
    assert json.loads(ended.messages[2]["content"])["status"] == "validation_error"


def test_broken_arguments_stay_in_the_history_and_out_of_the_request():
    """The record shows what the model sent; the server gets an object it can read."""
    requests = []

    def answer(request):
        requests.append(request)
        return says("sorry") if len(requests) > 1 else asks_for(("look_up", '{"word": "te'))

    ended = run(Desk(), client_answering(answer))
    sent = requests[1]["messages"][1]
    assert ended.messages[1]["tool_calls"][0]["function"]["arguments"] == '{"word": "te'
    assert sent["tool_calls"][0]["function"]["arguments"] == "{}"
    assert "usage" in ended.messages[1]
    assert "usage" not in sent


def test_an_answer_that_was_cut_off_is_no_full_answer():
    """The text is kept, the stop says that it hit its limit."""
    ended = run(Desk(), scripted_client([says("Booked a", finish_reason="length")]))
    assert (ended.stop, ended.detail) == ("cut_off", "Booked a")


@pytest.mark.parametrize(
    ("broken", "start"),
    [
        (httpx2.Response(200, json={}), "The model's reply has no choices."),
        (httpx2.Response(200, html="<html>"), "The model's server sent a text instead of JSON: '<html>'."),
        (httpx2.Response(200, content=b"{"), "The model's server sent a text instead of JSON: '{'."),
        (
            httpx2.Response(200, content=b"{", headers={"content-type": "application/json"}),
            "The model's server sent malformed JSON",
        ),
        (httpx2.ConnectError("refused"), "No connection to the model's server at"),
    ],
    ids=["no choices", "HTML", "text", "malformed JSON", "refused connection"],
)
def test_a_broken_server_ends_the_run_and_keeps_the_history(broken, start):
    """One clear message, and everything up to then is there; the run can go on from it."""
    desk = Desk()
    ended = run(desk, scripted_client([asks_for(("look_up", {"word": "tea"})), broken]))
    assert (ended.stop, ended.turns) == ("model_error", 1)
    assert ended.detail.startswith(start)
    assert [message["role"] for message in ended.messages] == ["user", "assistant", "tool"]
    resumed = run(desk, scripted_client([says("Tea.")]), ended.messages)
    assert (resumed.stop, len(resumed.messages)) == ("answered", 4)


def test_a_run_ends_after_its_turns():
    """The last turn's calls are still run and answered."""
    words = iter("abcdef")
    client = client_answering(lambda request: asks_for(("look_up", {"word": next(words)})))
    desk = Desk()
    ended = run(desk, client, max_turns=3)
    assert ended[1:] == ("max_turns", 3, "There is no answer after 3 turns.", ())
    assert [word for _, word in desk.reached] == ["a", "b", "c"]
    assert ended.messages[-1]["role"] == "tool"


@pytest.mark.row("J10")
def test_the_same_call_twice_in_a_row_stops_the_run_before_it_runs_again():
    """The second is answered, not run; other spacing does not hide it."""
    script = [asks_for(("look_up", '{"word": "tea"}')), asks_for(("look_up", '{"word":"tea"}'))]
    desk = Desk()
    ended = run(desk, scripted_client(script))
    assert desk.reached == [("look_up", "tea")]
    assert json.loads(ended.messages[-1]["content"]) == {
        "error": "Not run: look_up was just called with the same arguments. The run ends here.",
        "status": "context_error",
    }
    assert ended[1:] == (
        "repeated_call",
        2,
        "The model called look_up twice in a row, arguments and all.",
        (),
    )


@pytest.mark.row("J10")
def test_the_same_call_twice_in_one_turn_is_not_run_at_all():
    """Two equal siblings would book twice."""
    desk = Desk()
    ended = run(desk, scripted_client([asks_for(*[("look_up", {"word": "tea"})] * 2)]))
    assert (desk.reached, ended.stop) == ([], "repeated_call")
    assert len(ids_of(ended.messages)[1]) == 2


def test_a_call_may_be_repeated_where_its_answer_invited_it():
    """A retryable error is followed by another try, a second turn by a later repetition."""
    again = asks_for(("refuse", {"word": "busy"}))
    script = [again, again, asks_for(("look_up", {"word": "tea"})), again, says("Given up.")]
    desk = Desk()
    ended = run(desk, scripted_client(script))
    assert ended.stop == "answered"
    assert [word for _, word in desk.reached] == ["busy", "busy", "tea", "busy"]


def test_each_new_message_is_told_as_it_happens():
    """`on_message` gets what the loop appends, in order, before the next request."""
    told, lengths = [], []

    def answer(request):
        lengths.append(len(told))
        return says("done") if len(lengths) > 1 else asks_for(("look_up", {"word": "tea"}))

    ended = run(Desk(), client_answering(answer), on_message=told.append)
    assert told == ended.messages[1:]
    assert lengths == [0, 2]


def test_hooks_see_the_history_as_it_stands():
    """The context of a call holds the messages, the turn that makes the call included."""
    desk, seen = Desk(), []

    async def look(name, arguments, context):
        seen.append([message["role"] for message in context.messages])

    async def inside():
        client = scripted_client([asks_for(("look_up", {"word": "tea"})), says("done")])
        async with Gateway(desk.registry, hooks=[look], log_sink=None) as gateway:
            await run_agent(client, gateway, [{"role": "user", "content": "Tea?"}], model="any")

    asyncio.run(inside())
    assert seen == [["user", "assistant"]]


def test_a_cancelled_run_leaves_its_history():
    """The caller's cancellation goes through; the messages up to then are in the caller's own list."""
    desk, messages = Desk(), [{"role": "user", "content": "Tea?"}]
    started = asyncio.Event()

    @tool(desk.registry)
    async def wait() -> str:
        """Wait for ever."""
        started.set()
        await asyncio.Event().wait()
        return "never"

    async def inside():
        async with Gateway(desk.registry, log_sink=None) as gateway:
            client = scripted_client([asks_for(("wait", {}))])
            task = asyncio.create_task(run_agent(client, gateway, messages, model="any"))
            await started.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(inside())
    assert [message["role"] for message in messages] == ["user", "assistant"]
