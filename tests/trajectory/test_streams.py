"""Replies recorded in chunks: put together again, and judged like any other."""

from __future__ import annotations

import json

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import CONTROLS, load_control
from toolkit.trajectory import evaluate
from toolkit.trajectory.formats import read_runs, trace_of
from toolkit.trajectory.formats.streams import assemble, events_in


def pieces(text):
    return [text[start : start + 7] for start in range(0, len(text), 7)]


def chat_chunks(calls):
    """Chat chunks of a reply: each call begins with its id and name, its arguments come in pieces, interleaved."""
    deltas = [
        {"index": index, "id": call["id"], "function": {"name": call["function"]["name"], "arguments": ""}}
        for index, call in enumerate(calls)
    ]
    for index, call in enumerate(calls):
        deltas += [{"index": index, "function": {"arguments": part}} for part in pieces(call["function"]["arguments"])]
    return [
        {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"tool_calls": [delta]}}]}
        for delta in deltas
    ]


def response_events(calls):
    events = [{"type": "response.created", "response": {"object": "response", "output": []}}]
    for index, call in enumerate(calls):
        item = {"type": "function_call", "call_id": call["id"], "name": call["function"]["name"], "arguments": ""}
        events.append({"type": "response.output_item.added", "output_index": index, "item": item})
        events += [
            {"type": "response.function_call_arguments.delta", "output_index": index, "delta": part}
            for part in pieces(call["function"]["arguments"])
        ]
    return events


def block_events(calls):
    events = [{"type": "message_start", "message": {"role": "assistant", "content": [], "usage": {"input_tokens": 3}}}]
    for index, call in enumerate(calls):
        block = {"type": "tool_use", "id": call["id"], "name": call["function"]["name"], "input": {}}
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events += [
            {
                "type": "content_block_delta",
                "index": index,
                "delta": {"type": "input_json_delta", "partial_json": part},
            }
            for part in pieces(call["function"]["arguments"])
        ]
    return [*events, {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 5}}, {"type": "message_stop"}]


def as_text(events):
    return "".join(f"event: x\r\ndata: {json.dumps(event)}\r\n\r\n" for event in events) + "data: [DONE]\r\n\r\n"


@pytest.mark.row("X6")
@pytest.mark.parametrize("chunks", [chat_chunks, response_events, block_events])
@pytest.mark.parametrize("write", [as_text, list])
@pytest.mark.parametrize("name", CONTROLS)
def test_a_streamed_reply_is_judged_like_a_whole_one(tmp_path, chunks, write, name):
    """The booking comes in chunks, as text or as a list; verdicts are the same and point to the chunks."""
    messages = load_control(name)
    place = next(
        index
        for index, message in enumerate(messages)
        if any(call["function"]["name"] == "book_hotel" for call in message.get("tool_calls") or [])
    )
    reply = write(chunks(messages[place]["tool_calls"]))
    path = tmp_path / "exchange.json"
    path.write_text(json.dumps({"request": {"messages": messages[:place]}, "response": reply}), "utf-8")
    (run,) = read_runs(path)
    if chunks is not chat_chunks:  # a reply in the form of another vendor than the request does not occur
        run = run._replace(messages=[*messages[:place], as_message(run.messages[-1])])
    streamed, whole = evaluate(trace_of(run), HOTEL_POLICY), evaluate(messages[: place + 1], HOTEL_POLICY)
    assert [(each.name, each.verdict, each.code, each.reason) for each in streamed.results] == [
        (each.name, each.verdict, each.code, each.reason) for each in whole.results
    ]
    assert {call.at for call in streamed.trace.calls if call.name == "book_hotel"} == {"/response"}


def as_message(reply):
    """An assembled reply of Responses or Anthropic as a chat message, for comparing."""
    calls = [
        {
            "id": part.get("call_id") or part["id"],
            "function": {"name": part["name"], "arguments": part.get("arguments") or part["input"]},
        }
        for part in reply.get("output") or reply["content"]
    ]
    return {"role": "assistant", "tool_calls": calls}


def test_a_stream_that_broke_off_leaves_its_arguments_unreadable():
    """What is missing is not guessed; the call is there."""
    calls = [{"id": "a", "function": {"name": "book_hotel", "arguments": '{"hotel_id": "HT-002"}'}}]
    for chunks in (chat_chunks(calls)[:-1], response_events(calls)[:-1], block_events(calls)[:-3]):
        reply = assemble(chunks)
        (call,) = evaluate([{"role": "user", "content": "x"}, reply], HOTEL_POLICY).trace.calls
        assert (call.name, call.arguments) == ("book_hotel", None)


def test_the_final_response_counts_before_its_pieces():
    """`response.completed` holds everything; tokens of a stream are those it ends with."""
    done = {"type": "response.completed", "response": {"id": "r", "output": [{"type": "reasoning"}]}}
    assert assemble([done]) == {"id": "r", "object": "response", "output": [{"type": "reasoning"}]}
    assert assemble(block_events([]))["usage"] == {"input_tokens": 3, "output_tokens": 5}


def test_calls_that_share_an_index_are_told_apart_by_their_ids():
    """Some servers number every call 0."""
    calls = [{"id": id, "function": {"name": "f", "arguments": f'{{"n": "{id}"}}'}} for id in "ab"]
    chunks = [chunk for call in calls for chunk in chat_chunks([call])]
    assert assemble(chunks)["tool_calls"] == [{**call, "type": "function"} for call in calls]


def test_what_is_no_event_is_left_out():
    """Comments, `[DONE]`, half a line, and JSON that is no object."""
    assert events_in(': hello\n\ndata: [DONE]\n\ndata: {"a"\n\ndata: 1\n\ndata: {"a":\ndata: 1}\n\n') == [{"a": 1}]
    assert assemble([{"a": 1}, 2, None]) is None
