"""The reading rules R1 to R19, each as a run that needs it."""

from __future__ import annotations

import json

import pytest
from openai.types.chat import ChatCompletionMessage

from toolkit.trajectory import extract_calls
from toolkit.trajectory.pointers import resolve


def codes(messages) -> list[str]:
    return [anomaly.code for anomaly in extract_calls(messages).anomalies]


def only_call(make, *, arguments="{}", content="{}"):
    """One call, its arguments and its result given as they stand in the messages."""
    messages = make.talk(make.turn(make.call("look", arguments, content)))
    return extract_calls(messages)


@pytest.mark.row("R1")
def test_pointers_lead_back_into_the_input(make):
    """Every call and result carries a pointer that resolves to what it was read from."""
    messages = make.talk(make.turn(make.call("a", {}, "{}"), make.call("b", {}, "{}")))
    for call in extract_calls(messages).calls:
        assert resolve(messages, call.at)["function"]["name"] == call.name
        assert resolve(messages, call.result_at)["tool_call_id"] == call.id
        assert resolve(messages, call.content_at) == "{}"


@pytest.mark.row("R1")
def test_pointers_start_where_the_list_stands(make):
    """A list inside a document gives pointers into the document."""
    document = {"a/b": make.talk(make.turn(make.call("look", {}, "{}")))}
    call = extract_calls(document["a/b"], at="/a~1b").calls[0]
    assert (call.at, call.result_at) == ("/a~1b/2/tool_calls/0", "/a~1b/3")
    assert resolve(document, call.at)["function"]["name"] == "look"


@pytest.mark.row("R2", "R3", "P73")
def test_an_answer_belongs_to_the_latest_turn_with_that_id(make):
    """An id used again pairs with its own turn, and no result is lost."""
    messages = make.talk(
        make.turn(make.call("search", {"q": "a"}, "A", id="s:0")),
        make.turn(make.call("search", {"q": "b"}, "B", id="s:0")),
    )
    trace = extract_calls(messages)
    assert [(call.arguments["q"], call.result) for call in trace.calls] == [("a", "A"), ("b", "B")]
    assert [anomaly.code for anomaly in trace.anomalies if anomaly.code == "id_reused"] == ["id_reused"]


@pytest.mark.row("R2")
def test_a_late_answer_is_not_given_to_an_earlier_turn(make):
    """A result that comes after a later turn with calls has lost its call."""
    messages = make.talk(make.turn(make.call("a", {}, id="a")), make.turn(make.call("b", {}, "{}", id="b")))
    messages.append({"role": "tool", "tool_call_id": "a", "content": "{}"})
    trace = extract_calls(messages)
    assert [call.outcome for call in trace.calls] == ["missing", "success"]
    assert [anomaly.code for anomaly in trace.anomalies] == ["orphan_result", "result_missing"]


@pytest.mark.row("R2")
def test_text_between_call_and_answer_does_not_part_them(make):
    """A message without calls leaves the calls before it open."""
    messages = make.talk(make.turn(make.call("a", {}, id="a")), make.says("One moment."), make.user("Fine."))
    messages.append({"role": "tool", "tool_call_id": "a", "content": "{}"})
    assert [call.outcome for call in extract_calls(messages).calls] == ["success"]


@pytest.mark.row("R4")
def test_a_repeated_id_in_one_turn_is_shown_paired_in_order(make):
    """Calls that share an id get the results in order, and the trace says that this is a guess."""
    messages = make.talk(make.turn(make.call("a", {}, '{"n": 1}', id="x"), make.call("b", {}, '{"n": 2}', id="x")))
    trace = extract_calls(messages)
    assert [call.result["n"] for call in trace.calls] == [1, 2]
    assert [anomaly.code for anomaly in trace.anomalies] == ["duplicate_id"]


@pytest.mark.row("R5", "P75")
def test_results_may_come_in_another_order(make):
    """Results in order of completion pair by id."""
    messages = make.talk(make.turn(make.call("look", {}, "va", id="a"), make.call("look", {}, "vb", id="b")))
    messages[-2], messages[-1] = messages[-1], messages[-2]
    trace = extract_calls(messages)
    assert [(call.id, call.result) for call in trace.calls] == [("a", "va"), ("b", "vb")]
    assert "orphan_result" not in codes(messages)


@pytest.mark.row("R6")
def test_an_unknown_id_is_attached_to_nothing(make):
    """Neither position nor name gives a result to a call with another id."""
    messages = make.talk(make.turn(make.call("look", {}, '{"n": 1}', id="a")))
    messages[-1] |= {"tool_call_id": "zzz", "name": "look"}
    trace = extract_calls(messages)
    assert trace.calls[0].outcome == "missing"
    assert [anomaly.code for anomaly in trace.anomalies] == ["orphan_result", "run_ended"]


@pytest.mark.row("R6", "R18", "P76")
def test_a_result_before_any_call_shows_a_cut_head():
    """A history that starts with a result has lost its beginning; the result belongs to no call."""
    messages = [{"role": "tool", "tool_call_id": "gone", "content": '{"id": "u1"}'}, {"role": "user", "content": "go"}]
    trace = extract_calls(messages)
    assert (trace.calls, [(each.code, each.at) for each in trace.anomalies]) == ((), [("head_truncated", "/0")])
    assert "'gone'" in extract_calls([{"role": "user", "content": "hi"}, *messages]).anomalies[0].detail


@pytest.mark.row("R7", "P77")
def test_a_call_without_a_result_says_where_the_run_stood(make):
    """In the last turn the run ended; before it the result is missing."""
    messages = make.talk(
        make.turn(make.call("a", {}, id="p"), make.call("b", {}, "{}", id="q")), make.turn(make.call("c", {}))
    )
    trace = extract_calls(messages)
    assert [call.outcome for call in trace.calls] == ["missing", "success", "missing"]
    assert [(each.code, each.at) for each in trace.anomalies] == [
        ("result_missing", "/2/tool_calls/0"),
        ("run_ended", "/4/tool_calls/0"),
    ]


@pytest.mark.row("R8")
@pytest.mark.parametrize(
    ("second", "outcome", "code"),
    [('{"n": 1.0}', "success", "duplicate_result"), ('{"n": true}', "unknown", "conflicting_results")],
)
def test_a_second_result_is_harmless_only_where_it_is_equal(make, second, outcome, code):
    """The same JSON value twice is one result; another value makes the outcome unknown."""
    messages = make.talk(make.turn(make.call("look", {}, '{"n": 1}', id="a")))
    messages.append({"role": "tool", "tool_call_id": "a", "content": second})
    trace = extract_calls(messages)
    assert (trace.calls[0].outcome, [each.code for each in trace.anomalies]) == (outcome, [code])


@pytest.mark.row("R9")
@pytest.mark.parametrize(
    ("raw", "read", "code"),
    [
        ('{"city": "西安"}', {"city": "西安"}, None),
        ({"city": "西安"}, {"city": "西安"}, "args_object"),
        ("", {}, None),
        (" \n", {}, None),
        (None, {}, None),
        ("{", None, "args_invalid"),
        ('{"a": 1} x', None, "args_invalid"),
        ("[1]", None, "args_invalid"),
        ('"text"', None, "args_invalid"),
        ("null", None, "args_invalid"),
        ([1], None, "args_invalid"),
        (True, None, "args_invalid"),
        ('{"a": 1, "a": 2}', None, "args_invalid"),
        ('{"a": {"b": 1, "b": 1}}', None, "args_invalid"),
        ('{"a": NaN}', None, "args_invalid"),
        ('{"a": -Infinity}', None, "args_invalid"),
        ('{"a": 1e999}', None, "args_invalid"),
        ({"a": [float("nan")]}, None, "args_invalid"),
        ('{"a": ' + "9" * 5000 + "}", None, "args_invalid"),
        ('{"a":' * 20_000 + "1" + "}" * 20_000, None, "args_invalid"),
    ],
)
def test_arguments_are_read_as_one_object_or_not_at_all(raw, read, code):
    """A JSON object or nothing; whatever could be read in two ways is unknown, and the call is kept."""
    function = {"name": "look", "arguments": raw}
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "tool_calls": [{"function": function}]}]
    trace = extract_calls([*messages, {"role": "tool", "content": "{}"}])
    assert trace.calls[0].arguments == read
    assert [each.code for each in trace.anomalies] == ([code] if code else [])


@pytest.mark.row("R9")
def test_absent_arguments_mean_none_given():
    """A call without the key has no arguments."""
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "tool_calls": [{"function": {"name": "look"}}]},
    ]
    assert extract_calls(messages).calls[0].arguments == {}


@pytest.mark.row("R12", "P78")
@pytest.mark.parametrize(
    ("content", "result", "code"),
    [
        ('{"id": "u1"}', {"id": "u1"}, None),
        ([{"type": "text", "text": '{"id": "u1"}'}], {"id": "u1"}, None),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab", "result_unstructured"),
        ([{"type": "text", "text": '{"a"'}, {"type": "text", "text": ": 1}"}], {"a": 1}, None),
        (None, "", "result_unstructured"),
        ([], "", "result_unstructured"),
        ([{"type": "image_url", "image_url": {"url": "data:,"}}], "", "result_unreadable"),
        ([{"type": "text", "text": "{}"}, {"type": "image_url"}], "{}", "result_unreadable"),
        (["{}"], "", "result_unreadable"),
        ({"id": "u1"}, "", "result_unreadable"),
        (7, "", "result_unreadable"),
    ],
)
def test_content_is_text_or_parts_of_text(make, content, result, code):
    """Text parts are joined without a separator; any other part makes the result unreadable."""
    messages = make.talk(make.turn(make.call("look", {}, "{}")))
    messages[-1]["content"] = content
    trace = extract_calls(messages)
    assert trace.calls[0].result == result
    assert [each.code for each in trace.anomalies] == ([code] if code else [])
    assert trace.calls[0].outcome == ("success" if code is None else "unknown")


@pytest.mark.row("R13")
def test_plain_text_answers_the_call_and_nothing_more(make):
    """The call is answered, its outcome unknown."""
    trace = only_call(make, content="Sunny, 25 degrees.")
    assert (trace.calls[0].outcome, trace.calls[0].result) == ("unknown", "Sunny, 25 degrees.")
    assert [each.code for each in trace.anomalies] == ["result_unstructured"]


@pytest.mark.row("R14", "P90")
@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        ({"n": 1}, "success"),
        ({}, "success"),
        ({"error": None}, "success"),
        ({"error": False}, "success"),
        ({"error": ""}, "success"),
        ({"error": "no such city"}, "error"),
        ({"error": {"code": 1}}, "error"),
        ({"status": "ok"}, "success"),
        ({"status": "success"}, "success"),
        ({"status": "confirmed"}, "success"),
        ({"status": "done"}, "success"),
        ({"status": "pending"}, "success"),
        ({"status": "OK"}, "success"),
        ({"status": "failed"}, "error"),
        ({"status": 200}, "success"),
        ({"status": None}, "success"),
        ({"is_error": True}, "error"),
        ({"isError": True, "content": []}, "error"),
        ({"isError": False}, "success"),
        ({"note": "Error: nothing found"}, "success"),
        ([1], "unknown"),
        ("Error: declined", "unknown"),
        ("Found 3 Error lines", "unknown"),
        ("ok", "unknown"),
        ("12", "unknown"),
        ("null", "unknown"),
        ("true", "unknown"),
        ('"ok"', "unknown"),
    ],
)
def test_only_declared_fields_tell_success_from_error(make, content, outcome):
    """An object says how it went by `error`, `status` or `is_error`; words in prose never do."""
    assert only_call(make, content=content).calls[0].outcome == outcome


@pytest.mark.row("R14")
def test_a_message_may_declare_the_error_itself(make):
    """A tool message with `is_error` is an error whatever its text."""
    messages = make.talk(make.turn(make.call("look", {}, "no such file")))
    messages[-1]["is_error"] = True
    assert extract_calls(messages).calls[0].outcome == "error"


@pytest.mark.row("R15")
@pytest.mark.parametrize("none", [{"tool_calls": None}, {}, {"tool_calls": []}])
def test_an_assistant_message_without_calls_is_a_turn_without_calls(make, none):
    """`tool_calls` may be null, missing or empty."""
    trace = extract_calls([*make.talk(), {"role": "assistant", "content": "hi", **none}])
    assert (trace.calls, trace.turns, trace.anomalies) == ((), 1, ())


@pytest.mark.row("R15")
def test_legacy_function_calls_are_read():
    """`function_call` pairs with the message of role `function` after it."""
    messages = [
        {"role": "developer", "content": "You book hotels."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": '{"q": 1}'}},
        {"role": "function", "name": "look", "content": '{"n": 1}'},
    ]
    trace = extract_calls(messages)
    assert [(call.name, call.arguments, call.result) for call in trace.calls] == [("look", {"q": 1}, {"n": 1})]
    assert (trace.calls[0].at, trace.anomalies) == ("/2/function_call", ())


@pytest.mark.row("R15")
@pytest.mark.parametrize("id", [None, "", "made-up"])
def test_calls_without_any_id_are_answered_in_order(make, id):
    """Where no call of the turn has an id, results pair by order within the turn."""
    functions = [{"function": {"name": name, "arguments": "{}"}} for name in ("a", "b")]
    messages = [*make.talk(), {"role": "assistant", "tool_calls": functions}]
    messages += [{"role": "tool", "tool_call_id": id, "content": json.dumps({"n": number})} for number in (1, 2)]
    assert [(call.name, call.result["n"]) for call in extract_calls(messages).calls] == [("a", 1), ("b", 2)]


@pytest.mark.row("R15")
def test_a_message_may_name_its_calls_in_a_list(make):
    """`tool_call_ids`, a list, is read like an id each."""
    messages = make.talk(make.turn(make.call("look", {}, "{}", id="a")))
    del messages[-1]["tool_call_id"]
    messages[-1]["tool_call_ids"] = ["a"]
    assert extract_calls(messages).calls[0].outcome == "success"


@pytest.mark.row("R15")
def test_messages_may_be_objects_of_the_client(make):
    """A history that holds the client's own message objects reads the same."""
    messages = make.talk(make.turn(make.call("look", {"q": 1}, "{}", id="a")))
    for each in messages[2]["tool_calls"]:
        each["type"] = "function"
    expected = extract_calls(messages)
    messages[2] = ChatCompletionMessage.model_validate(messages[2])
    assert extract_calls(messages).calls == expected.calls


@pytest.mark.row("R16")
def test_a_call_described_in_the_text_is_no_call(make):
    """Only the field for calls holds calls."""
    text = '{"name": "book_hotel", "arguments": {"hotel_id": "HT-002"}} book_hotel(hotel_id="HT-002")'
    assert extract_calls(make.talk(make.says(text))).calls == ()


@pytest.mark.row("R17")
def test_an_unknown_tool_is_kept_and_is_no_business_step(make):
    """A call of a tool nobody knows stands in the trace and changes no verdict."""
    strange = make.turn(make.call("reserve_room", {"hotel_id": "HT-009"}, {"status": "ok"}))
    messages = make.talk(
        strange, *(make.turn(step) for step in (make.plan(), make.weather(), make.search(), make.book()))
    )
    report = make.judge(messages)
    assert report.trace.calls[0].name == "reserve_room"
    assert {str(result.verdict) for result in report.results} == {"pass"}


@pytest.mark.row("R18")
@pytest.mark.parametrize("first", ["tool", "calls", "function_call"])
def test_a_history_that_begins_in_the_middle_is_cut(make, first):
    """A tool message or calls right after the system's message show that the head is missing."""
    begins = {
        "tool": {"role": "tool", "tool_call_id": "a", "content": "{}"},
        "calls": {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "look"}}]},
        "function_call": {"role": "assistant", "function_call": {"name": "look", "arguments": "{}"}},
    }[first]
    trace = extract_calls([{"role": "system", "content": "s"}, begins])
    assert trace.head_cut is not None
    assert (trace.head_cut.code, trace.head_cut.at) == ("head_truncated", "/1")


@pytest.mark.row("R18")
@pytest.mark.parametrize(
    "marker",
    [
        {"role": "user", "content": "[12 earlier messages were compacted]"},
        {"role": "system", "content": "<conversation truncated />"},
        {"role": "system", "content": "[较早的消息已压缩]"},
        {"role": "user", "content": '{"_compacted": true, "messages": 12}'},
        {"role": "user", "content": "Summary: a plan was made.", "_compacted": True},
        {"role": "assistant", "content": [{"type": "compaction", "content": "..."}], "type": "compaction"},
        {"type": "compaction", "encrypted_content": "..."},
        {"role": "user", "content": [{"type": "compaction", "content": "..."}]},
    ],
)
def test_a_marker_of_its_own_shows_a_cut_head(make, marker):
    """A message that only says that others were taken out is no message of the run."""
    messages = make.good()
    messages.insert(2, marker)
    report = make.judge(messages)
    assert report.trace.head_cut is not None
    assert report.trace.head_cut.at == "/2"
    assert str(report.verdict) == "not_judgeable"


@pytest.mark.row("R18")
@pytest.mark.parametrize(
    "text",
    [
        "Please book it. The list was truncated [see above].",
        "[1, 2, 3]",
        "<b>Book it</b>",
        "[" + "truncated " * 40 + "]",
        '{"city": "Xi\'an"}',
    ],
)
def test_words_in_a_text_are_no_marker(make, text):
    """What somebody says about cutting cuts nothing."""
    assert extract_calls([*make.talk(), *make.user(text), *make.good()[2:]]).head_cut is None


@pytest.mark.row("R18")
def test_a_greeting_is_no_cut(make):
    """An assistant that speaks first has lost nothing."""
    messages = [{"role": "system", "content": "s"}, *make.says("Hello! How can I help?"), *make.good()[1:]]
    assert extract_calls(messages).anomalies == ()


@pytest.mark.row("R19")
@pytest.mark.parametrize(
    ("field", "outcome", "code"),
    [
        ({"truncated": True}, "success", "result_truncated"),
        ({"next_page": "p2"}, "success", "result_truncated"),
        ({"_compacted": True}, "unknown", "result_compacted"),
        ({"truncated": False, "next_page": None}, "success", None),
    ],
)
def test_a_cut_result_says_so(make, field, outcome, code):
    """A result that is one part of a longer one is marked; a compacted one has no known outcome."""
    trace = only_call(make, content={"hotels": [], **field})
    assert (trace.calls[0].outcome, trace.calls[0].problem) == (outcome, code)
    assert [each.code for each in trace.anomalies] == ([code] if code else [])


def test_what_is_no_message_and_no_call_is_noted(make):
    """Odd entries become anomalies, each with its place, and the rest is read."""
    messages = [*make.talk(), 7, {"role": "narrator"}, {"role": "assistant", "tool_calls": {"id": "a"}}]
    messages += [{"role": "assistant", "tool_calls": ["look", {"id": "b", "function": {}}]}]
    trace = extract_calls(messages)
    assert [(each.code, each.at) for each in trace.anomalies] == [
        ("message_invalid", "/2"),
        ("message_invalid", "/3"),
        ("call_invalid", "/4/tool_calls"),
        ("call_invalid", "/5/tool_calls/0"),
        ("name_missing", "/5/tool_calls/1"),
        ("run_ended", "/5/tool_calls/1"),
    ]


def test_a_run_is_a_list():
    """Anything but a list is the caller's mistake, and is told by name."""
    with pytest.raises(TypeError, match="messages must be a list of chat messages, not dict"):
        extract_calls({"messages": []})


def test_turns_count_every_assistant_message(make):
    """A turn is one assistant message, with calls or without."""
    messages = make.talk(make.says("Hello"), make.turn(make.call("a", {}, "{}"), make.call("b", {}, "{}")))
    assert [(call.index, call.turn) for call in extract_calls(messages).calls] == [(0, 1), (1, 1)]


def test_tokens_are_added_up(make):
    """What assistant messages report as used is summed; a run that reports nothing has none."""
    messages = [*make.talk(), *({"role": "assistant", "content": "", "usage": {"total_tokens": n}} for n in (5, 7))]
    assert extract_calls(messages).tokens == 12
    assert extract_calls(make.talk()).tokens is None
