"""Guards of the loop: confirmation of writes, a budget of tokens, a request shorter than the history."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolkit import Gateway, Registry, tool
from toolkit.agent import asks_for, client_answering, run_agent, says, scripted_client
from toolkit.agent.cost import tokens_spent
from toolkit.agent.history import sendable, shortened
from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import CONTROLS, load_control
from toolkit.trajectory import evaluate, extract_calls


class Desk:
    """A tool that reads, one that writes and waits for the user, and what reached them."""

    def __init__(self):
        self.reached, self.registry = [], Registry()

        @tool(self.registry, idempotent=True)
        async def look_up(word: str) -> str:
            """Look a word up."""
            self.reached.append(("look_up", word))
            return f"{word}: a drink"

        @tool(self.registry, confirm=True)
        async def book(room: str) -> str:
            """Book a room."""
            self.reached.append(("book", room))
            return f"booked {room}"

    def run(self, client, messages=None, **options):
        messages = [{"role": "user", "content": "Book it."}] if messages is None else messages

        async def inside():
            async with Gateway(self.registry, log_sink=None) as gateway:
                return await run_agent(client, gateway, messages, model="any", **options)

        return asyncio.run(inside())


def contents(run):
    return [message["content"] for message in run.messages if message["role"] == "tool"]


BOOK_BOTH = asks_for(("book", {"room": "suite"}), ("look_up", {"word": "tea"}), ("book", {"room": "attic"}))


@pytest.mark.row("J10")
@pytest.mark.parametrize("is_async", [False, True])
def test_a_write_runs_once_the_user_agrees(is_async):
    """Asked for each write with its arguments; what they agree to runs, what they refuse does not."""
    desk, asked = Desk(), []

    def confirm(result):
        asked.append((result.tool, result.arguments))
        return result.arguments == {"room": "suite"}

    async def confirm_later(result):
        return confirm(result)

    run = desk.run(scripted_client([BOOK_BOTH, says("Done.")]), confirm=confirm_later if is_async else confirm)
    assert asked == [("book", {"room": "suite"}), ("book", {"room": "attic"})]
    assert desk.reached == [("look_up", "tea"), ("book", "suite")]
    booked, looked_up, declined = contents(run)
    assert (booked, looked_up) == ("booked suite", "tea: a drink")
    assert json.loads(declined) == {
        "error": "The user does not agree, so book was not run.",
        "status": "needs_confirmation",
        "next_step": "ask the user what to do instead",
    }
    assert run.unconfirmed == ()


@pytest.mark.row("J10")
def test_without_somebody_to_ask_a_write_waits():
    """It does not run; its result is handed to the caller, with the token for later."""
    desk = Desk()
    run = desk.run(scripted_client([asks_for(("book", {"room": "suite"})), says("Shall I?")]))
    assert desk.reached == []
    (waiting,) = run.unconfirmed
    assert (waiting.arguments, waiting.error.kind) == ({"room": "suite"}, "needs_confirmation")
    assert json.loads(contents(run)[0])["status"] == "needs_confirmation"


@pytest.mark.row("J10")
def test_a_user_who_goes_away_while_asked_loses_nothing():
    """Every call of the turn has its answer in the history: what ran, and what still waits."""
    desk, messages = Desk(), [{"role": "user", "content": "Book it."}]

    async def nobody(result):
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        desk.run(scripted_client([BOOK_BOTH]), messages, confirm=nobody)
    assert desk.reached == [("look_up", "tea")]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "tool", "tool"]
    assert str(extract_calls(messages).calls[1].outcome) == "unknown"  # its text is there: tea


def endless(request):
    turn = sum(message["role"] == "assistant" for message in request["messages"])
    return asks_for(("look_up", {"word": f"word {turn}"}))


@pytest.mark.row("J10")
def test_a_run_stops_before_it_passes_its_budget_of_tokens():
    """The calls of the last reply are answered; one more turn would have been too much."""
    desk = Desk()
    run = desk.run(client_answering(endless), token_budget=1500, max_turns=100)
    spent = tokens_spent(run.messages)
    last = run.messages[-2]["usage"]["total_tokens"]
    assert run.stop == "token_budget"
    assert run.detail == f"{spent} of 1500 tokens are spent, and the next turn needs at least {last}."
    assert spent <= 1500 < spent + last
    assert run.messages[-1]["role"] == "tool"
    assert len(desk.reached) == run.turns


@pytest.mark.row("J10")
def test_a_budget_is_that_of_the_conversation():
    """A run that goes on has what is left, not all of it again."""
    desk = Desk()
    first = desk.run(client_answering(endless), token_budget=1500, max_turns=100)
    again = desk.run(client_answering(endless), first.messages, token_budget=1500)
    assert (again.stop, again.turns) == ("token_budget", 0)


@pytest.mark.row("J10")
def test_the_guard_and_the_check_count_alike():
    """A run within its budget passes `within_budget` of the trajectory with the same number."""
    from toolkit.trajectory.checks import within_budget

    run = Desk().run(client_answering(endless), token_budget=1500, max_turns=100)
    trace = extract_calls(run.messages)
    assert trace.tokens == tokens_spent(run.messages)
    assert str(within_budget(trace, tokens=1500).verdict) == "pass"


@pytest.mark.row("J10", "J8")
def test_a_request_may_be_shorter_than_the_history():
    """The model is sent the task, a mark and the latest turns; the record keeps everything."""
    requests = []

    def answer(request):
        requests.append([message["content"] for message in request["messages"]])
        return asks_for(("look_up", {"word": "abcd"[len(requests) - 1]})) if len(requests) < 5 else says("Enough.")

    start = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Look up all words."}]
    run = Desk().run(client_answering(answer), start, keep_turns=1)
    assert requests[-1] == [
        "Be brief.",
        "Look up all words.",
        "[6 earlier messages were compacted]",
        None,
        "d: a drink",
    ]
    assert [message["role"] for message in run.messages] == ["system", "user", *["assistant", "tool"] * 4, "assistant"]
    assert not any("_compacted" in message for message in run.messages)


@pytest.mark.row("J8")
@pytest.mark.parametrize("name", CONTROLS)
@pytest.mark.parametrize("keep_turns", [1, 2])
def test_a_shortened_run_is_never_judged_as_whole(name, keep_turns):
    """The mark is read as a cut: nothing passes on what may have stood there."""
    whole = load_control(name)
    short = shortened(whole, keep_turns)
    assert len(short) < len(whole)
    report = evaluate(short, policy=HOTEL_POLICY)
    assert "head_truncated" in {anomaly.code for anomaly in extract_calls(short).anomalies}
    assert str(report.verdict) != "pass"


def test_what_fits_is_left_as_it_is():
    """No mark where nothing was taken out; and never is the copy the original."""
    whole = load_control("ok")
    copy = shortened(whole, keep_turns=100)
    assert copy == whole
    assert copy[0] is not whole[0]
    with pytest.raises(ValueError, match="keep_turns is 0, but the last turn has to stay"):
        shortened(whole, 0)


def test_the_mark_reaches_the_server_without_our_key():
    """A server gets the words; `_compacted` is for whoever reads the file."""
    short = shortened(load_control("ok"), 1)
    mark = next(message for message in short if "_compacted" in message)
    assert {"role": "user", "content": mark["content"]} in sendable(short)
    assert not any("_compacted" in message for message in sendable(short))
