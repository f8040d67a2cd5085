"""One verdict from four ways to record a run: chat messages, Responses items, Anthropic blocks, the audit log."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import CONTROLS, EXPECTED, LANGUAGES, load_control
from toolkit.hotel.recorded import read_labels, recorded_runs
from toolkit.trajectory import evaluate, extract_calls
from toolkit.trajectory.formats import FORMATS, read_runs, trace_of
from toolkit.trajectory.pointers import resolve


def as_items(messages):
    """Chat messages as Responses items."""
    items = []
    for message in messages:
        if message["role"] == "tool":
            items.append(
                {"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}
            )
            continue
        if message.get("content"):
            items.append({"type": "message", "role": message["role"], "content": message["content"]})
        for call in message.get("tool_calls") or []:
            items.append({"type": "function_call", "id": "fc", "call_id": call["id"], **call["function"]})
    return items


def as_blocks(messages):
    """Chat messages as Anthropic messages; results of one turn stand in one message."""
    found = []
    for message in messages:
        if message["role"] == "tool":
            block = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
            if not (found[-1]["role"] == "user" and isinstance(found[-1]["content"], list)):
                found.append({"role": "user", "content": []})
            found[-1]["content"].append(block)
            continue
        blocks = [{"type": "text", "text": message["content"]}] if message.get("content") else []
        for call in message.get("tool_calls") or []:
            function = call["function"]
            blocks.append(
                {
                    "type": "tool_use",
                    "id": call["id"],
                    "name": function["name"],
                    "input": json.loads(function["arguments"]),
                }
            )
        found.append({"role": message["role"], "content": blocks})
    return found


def as_log(messages):
    return [{"run": "r1", "seq": seq, "message": message} for seq, message in enumerate(messages)]


CONVERTERS = {"chat": list, "responses": as_items, "anthropic": as_blocks, "log": as_log}


def said(report):
    """The verdict list without pointers."""
    return [
        (each.name, each.verdict, each.code, each.reason, each.witness is not None, [note.code for note in each.notes])
        for each in report.results
    ]


def from_file(tmp_path, format, messages, forced="auto"):
    values = CONVERTERS[format](messages)
    path = tmp_path / ("log.jsonl" if format == "log" else "run.json")
    text = "\n".join(map(json.dumps, values)) + "\n" if format == "log" else json.dumps({"messages": values})
    path.write_text(text, "utf-8")
    (run,) = read_runs(path, forced)
    return trace_of(run), values if format == "log" else {"messages": values}


def all_controls():
    return [(name, language) for name in EXPECTED for language in LANGUAGES]


@pytest.mark.row("X6")
@pytest.mark.parametrize(("name", "language"), all_controls())
@pytest.mark.parametrize("format", ["responses", "anthropic", "log"])
def test_four_recordings_give_one_verdict(tmp_path, format, name, language):
    """Names, verdicts, codes, reasons and notes are those of the chat messages, for every control."""
    messages = load_control(name, language)
    trace, _ = from_file(tmp_path, format, messages)
    report = evaluate(trace, HOTEL_POLICY)
    assert said(report) == said(evaluate(messages, HOTEL_POLICY))
    assert {each.name for each in report.results if each.verdict == "fail"} == EXPECTED[name].fails


@pytest.mark.row("X6", "J5")
@pytest.mark.parametrize("format", ["responses", "anthropic", "log"])
@pytest.mark.parametrize("kind", ["real", "simulated"])
def test_every_labelled_run_gets_its_label_in_every_format(tmp_path, format, kind):
    """Recorded runs of a real and a simulated model: the verdict of each check is the label's, however it is told."""
    labels, differing, read = read_labels(), [], 0
    for run in recorded_runs(kind):
        messages = list(run.messages)
        if format == "anthropic" and not all_readable(messages):
            continue  # blocks hold objects: arguments that are no JSON cannot be told in them
        trace, _ = from_file(tmp_path, format, messages)
        read += 1
        verdicts = {each.name: each.verdict for each in evaluate(trace, HOTEL_POLICY).results}
        differing += [run.name] if verdicts != labels[run.name] else []
    assert differing == []
    assert read > 40


def all_readable(messages):
    calls = [call for message in messages for call in message.get("tool_calls") or []]
    return all(call["function"]["arguments"].endswith("}") for call in calls)


@pytest.mark.row("R1", "X6")
@pytest.mark.parametrize("format", list(CONVERTERS))
@pytest.mark.parametrize("name", CONTROLS)
def test_every_pointer_leads_into_the_file(tmp_path, format, name):
    """To the call of that name, and to the result that was recorded for it."""
    trace, document = from_file(tmp_path, format, load_control(name))
    for call in trace.calls:
        found = resolve(document, call.at)
        assert found.get("function", found)["name"] == call.name
        assert json.loads(resolve(document, call.content_at)) == call.result


@pytest.mark.row("X6")
@pytest.mark.parametrize("format", ["chat", "responses", "anthropic", "log"])
def test_a_forced_format_gives_the_same(tmp_path, format):
    """What is recognised can be said, too; said wrongly, calls are not found and nothing passes."""
    messages = load_control("ok")
    trace, _ = from_file(tmp_path, format, messages, format)
    assert said(evaluate(trace, HOTEL_POLICY)) == said(evaluate(messages, HOTEL_POLICY))
    other = {"chat": "responses", "responses": "anthropic", "anthropic": "chat"}.get(format)
    if other is not None:
        trace, _ = from_file(tmp_path, format, messages, other)
        assert str(evaluate(trace, HOTEL_POLICY).verdict) in ("not_applicable", "not_judgeable", "fail")


def test_messages_in_memory_are_recognised_too():
    """`evaluate` takes the list of any loop."""
    messages = load_control("wrong_room")
    for convert in (as_items, as_blocks):
        assert said(evaluate(convert(messages), HOTEL_POLICY)) == said(evaluate(messages, HOTEL_POLICY))
    assert FORMATS == ("auto", "chat", "responses", "anthropic", "log")


@pytest.mark.row("R18", "J8")
@pytest.mark.parametrize("convert", [as_items, as_blocks])
def test_a_cut_head_is_seen_in_every_format(convert):
    """A history that begins with a result, with a call, or with a marker of compaction cannot pass."""
    values = convert(load_control("ok"))
    calls = ("function_call", "tool_use")
    first = next(place for place, each in enumerate(values) if any(word in json.dumps(each) for word in calls))
    marker = {"role": "user", "content": [{"type": "compaction", "content": "earlier"}]}
    for cut in (values[first:], values[first + 1 :], [*values[: first + 2], marker, *values[first + 2 :]]):
        report = evaluate(cut, HOTEL_POLICY)
        assert report.trace.head_cut is not None
        assert str(report.verdict) == "not_judgeable"


@pytest.mark.row("J7")
def test_a_tool_run_by_the_vendor_looks_like_any_other():
    """Its result stands inside the turn, and what follows in that turn has seen it."""
    search = {"hotels": [{"id": "HT-002"}], "city": "Xi'an"}
    items = [
        {"role": "user", "content": "Book."},
        {"type": "mcp_call", "id": "m1", "name": "search_hotels", "arguments": "{}", "output": json.dumps(search)},
        {"type": "function_call", "call_id": "c1", "name": "book_hotel", "arguments": '{"hotel_id": "HT-002"}'},
        {"type": "function_call_output", "call_id": "c1", "output": '{"status": "ok"}'},
    ]
    blocks = [
        {"role": "user", "content": "Book."},
        {
            "role": "assistant",
            "content": [
                {"type": "mcp_tool_use", "id": "m1", "name": "search_hotels", "input": {}},
                {
                    "type": "mcp_tool_result",
                    "tool_use_id": "m1",
                    "content": [{"type": "text", "text": json.dumps(search)}],
                },
                {"type": "tool_use", "id": "c1", "name": "book_hotel", "input": {"hotel_id": "HT-002"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": '{"status": "ok"}'}]},
    ]
    for messages in (items, blocks):
        report = evaluate(messages, HOTEL_POLICY)
        assert [(call.name, call.turn, str(call.outcome)) for call in report.trace.calls] == [
            ("search_hotels", 0, "success"),
            ("book_hotel", 1, "success"),
        ]
        assert str(report["argument_provenance"].verdict) == "pass"


@pytest.mark.row("R14")
def test_a_block_or_an_item_may_declare_the_error_itself():
    """`is_error` of a block, `error` of a call over MCP: the text does not have to."""
    block = {"type": "tool_result", "tool_use_id": "a", "is_error": True, "content": "no such city"}
    use = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    blocks = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [block]},
    ]
    items = [{"role": "user", "content": "x"}, {"type": "mcp_call", "id": "a", "name": "f", "error": "no such city"}]
    for messages in (blocks, items):
        assert [str(call.outcome) for call in extract_calls(messages).calls] == ["error"]


def test_siblings_stay_siblings_in_every_format(make):
    """Search and booking of one turn: neither has seen the other, so the id has no source."""
    messages = make.talk(make.turn(make.plan()), make.turn(make.weather()), make.turn(make.search(), make.book()))
    for convert in (list, as_items, as_blocks):
        report = evaluate(convert(messages), HOTEL_POLICY)
        assert str(report["argument_provenance"].verdict) == "fail"
        assert [call.turn for call in report.trace.calls] == [0, 1, 2, 2]


KEYS = ["type", "role", "content", "id", "call_id", "tool_use_id", "name", "input", "arguments", "output", "object"]
KINDS = ["user", "assistant", "tool", "tool_use", "tool_result", "function_call", "mcp_call", "response", "x_output"]
WORDS = st.sampled_from(KEYS + KINDS)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.row("R1")
@settings(max_examples=300, deadline=None)
@given(st.lists(JSON, max_size=4), st.sampled_from([None, "chat", "responses", "anthropic"]))
def test_no_list_of_json_values_raises_in_any_format(messages, format):
    """Everything odd is an anomaly whose pointer leads somewhere."""
    trace = extract_calls(messages, format=format)
    for anomaly in trace.anomalies:
        resolve(messages, anomaly.at)
