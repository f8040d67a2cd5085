"""Faults reported in public about how a model's call is read: each rebuilt with our own values, and held right."""

from __future__ import annotations

import copy

import pytest

from toolkit.arguments import MalformedArguments, parse_arguments
from toolkit.records import ToolCall
from toolkit.wire import calls_from, calls_from_deltas, clean_name, leaked_call

CUT_OFF = "The arguments end in the middle, as if cut off. Send the whole call again."


def malformed(raw: object, *, lenient: bool = True) -> str:
    with pytest.raises(MalformedArguments) as caught:
        parse_arguments(raw, lenient=lenient)
    return str(caught.value)


@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize("raw", ["", "   ", "\n\t", "null", " null ", None, "{}"])
def test_p16_nothing_sent_means_no_arguments(call, raw, lenient):
    """vllm-project/vllm#19419, NousResearch/hermes-agent#83937, langchain-ai/langchain#33896."""

    def ping(): ...

    assert call(ping, raw, lenient=lenient) == ({}, ())


def test_p16_nothing_sent_to_a_tool_that_needs_something(refusal):
    """vllm-project/vllm#19419: what is missing is named; this is no JSON error."""

    def ping(host: str): ...

    assert refusal(ping, "") == "Invalid arguments for ping. host: expected a value, received nothing."


@pytest.mark.row("F3")
@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ('["y"]', "a list"),
        ('"go"', "a text"),
        ("42", "a number"),
        ("4.2", "a number"),
        ("true", "a boolean"),
        (7, "a number"),
    ],
)
def test_p17_arguments_that_are_no_object(raw, kind):
    """langchain-ai/langchain#35993, ahwurm/localharness#110: malformed, with the reason; nothing crashes later."""
    assert malformed(raw) == f"Arguments must be a JSON object, received {kind}."


def test_p18_encoded_twice():
    """vllm-project/vllm#54964, JetBrains/koog#2095: unwrapped and noted in lenient mode, refused in strict mode."""
    raw = '"{\\"key\\": \\"timeout\\"}"'
    assert parse_arguments(raw) == ({"key": "timeout"}, ("double_encoded",))
    assert malformed(raw, lenient=False) == "Arguments must be a JSON object, received a text."


def test_p18_encoded_three_times_is_refused():
    """vllm-project/vllm#54964: one layer is unwrapped, not any number of them, and never to an empty object."""
    raw = '"\\"{\\\\\\"key\\\\\\": 1}\\""'
    assert malformed(raw) == "Arguments must be a JSON object, received a text."


@pytest.mark.parametrize(
    "raw",
    [
        '```json\n{"isbn":"978"}\n```',
        '```\n{"isbn":"978"}\n```',
        '  ```JSON  \n\n{"isbn":"978"}\n\n```\n',
        '```json {"isbn":"978"} ```',
        '```{"isbn":"978"}```',
        '```json\r\n{"isbn":"978"}\r\n```',
    ],
)
def test_p19_a_fenced_block_is_unwrapped(raw):
    """earendil-works/pi#8858, langchain-ai/langchain#33012: noted in lenient mode, never read as no arguments."""
    assert parse_arguments(raw) == ({"isbn": "978"}, ("fence_stripped",))
    assert malformed(raw, lenient=False).startswith("The arguments are not valid JSON: Expecting value at char")


def test_p19_a_fence_among_words_is_no_block():
    """earendil-works/pi#8858: only a text that is nothing but the block is unwrapped."""
    assert malformed('Here: ```json\n{"isbn":"978"}\n```').startswith("The arguments are not valid JSON")


@pytest.mark.parametrize(
    "arguments", ['{"steps": ["make", "make check"', '{"path":"a.txt","content":"half a sen', "{}"]
)
def test_p21_a_reply_cut_off_by_its_length_runs_no_last_call(arguments):
    """cline/cline#13001, jaseci-labs/jac#6766: the last call is refused even when its JSON happens to be whole."""
    calls = [{"id": name, "function": {"name": "write", "arguments": arguments}} for name in ("a", "b")]
    first, last = calls_from({"finish_reason": "length", "message": {"role": "assistant", "tool_calls": calls}})
    assert first.error is None
    assert last.error == (
        "The reply was cut off by its length limit, so this call may be incomplete. Send it again, shorter."
    )


@pytest.mark.parametrize(
    "raw", ['{"file":"r.md","text":"Once upon', '{"steps": ["make"', '{"n": tru', '{"n": 1.', '{"a":']
)
def test_p22_truncated_json_is_suspected_whatever_the_finish_reason(raw):
    """MiaAI-Lab/DeepSeek-v4-Flash-DSpark-2x-DGX-Spark#55, NousResearch/hermes-agent#7693: and never repaired."""
    assert malformed(raw) == CUT_OFF


def test_p23_a_typo_is_not_called_a_truncation():
    """NousResearch/hermes-agent#83229: the message points at the character."""
    assert malformed('{"mode": fastt"}') == (
        "The arguments are not valid JSON: Expecting value at char 9. Send one JSON object."
    )


@pytest.mark.parametrize("raw", ['{"file":"m.csv"}{"file":"n.csv"}', '{"file":"m.csv"} \n {"file":"n.csv"}'])
def test_p24_two_objects_in_one_text(raw):
    """google/adk-python#1038, NousResearch/hermes-agent#102787: counted; neither dropped nor only the first run."""
    assert malformed(raw) == "The arguments hold 2 JSON objects; send one object per call."


def test_p25_the_first_chunk_counts_once_and_none_adds_nothing():
    """simonw/llm#1130, simonw/llm#1218."""
    deltas = [
        {"index": 0, "id": "c1", "function": {"name": "mul", "arguments": '{"m": 4, "n": 9}'}},
        {"index": 0, "function": {"name": None, "arguments": None}},
    ]
    assert calls_from_deltas(deltas) == [ToolCall("c1", "mul", '{"m": 4, "n": 9}')]


@pytest.mark.parametrize("lenient", [True, False])
def test_p26_an_apostrophe_is_left_alone(lenient):
    """NousResearch/atropos#478, camel-ai/camel#4169."""
    raw = '{"title": "it\'s Ann\'s list"}'
    assert parse_arguments(raw, lenient=lenient) == ({"title": "it's Ann's list"}, ())


@pytest.mark.parametrize("raw", ["{'colour': 'red', 'on': True, 'x': None}", "{'a', 'b'}", "{'k': b'x'}"])
def test_p27_python_literals_are_refused(raw):
    """waybarrios/vllm-mlx#63: no Python literals, in any mode; the message says what is wrong with the JSON."""
    expected = (
        "The arguments are not valid JSON: Expecting property name enclosed in double quotes at char 1. "
        "Send one JSON object."
    )
    assert [malformed(raw, lenient=lenient) for lenient in (True, False)] == [expected, expected]


def test_p28_typographic_quotes():
    """openclaw/openclaw#67551, Graphify-Labs/graphify#2286: as delimiters malformed, inside a text kept."""
    assert "not valid JSON" in malformed("{“path”: “a.md”}")
    assert parse_arguments('{"text": "他说“好”。"}') == ({"text": "他说“好”。"}, ())


def test_p29_raw_control_characters_inside_a_text():
    """jundot/omlx#1672, rhesis-ai/rhesis#2488: accepted and noted in lenient mode, refused in strict mode."""
    raw = '{"text":"line1\nline2\tend"}'
    assert parse_arguments(raw) == ({"text": "line1\nline2\tend"}, ("control_chars",))
    assert malformed(raw, lenient=False) == (
        "The arguments are not valid JSON: Invalid control character at char 14. Send one JSON object."
    )


def test_p30_an_escaped_emoji_is_one_character():
    """agent0ai/agent-zero#1773: two escapes, one character, which UTF-8 can encode."""
    values, notes = parse_arguments('{"m":"\\ud83d\\ude00"}')
    assert (values, notes) == ({"m": "😀"}, ())
    assert values["m"].encode("utf-8")


@pytest.mark.row("S5")
@pytest.mark.parametrize("raw", ['{"q":"\\ud800 x"}', '{"\\udc00": 1}', '{"a": [{"b": "\\ud800"}]}', {"q": "\ud800"}])
def test_p31_half_a_surrogate_pair_is_refused(raw):
    """UKGovernmentBEIS/inspect_ai#3802, NousResearch/hermes-agent#66822: so neither log nor hash can break on it."""
    assert malformed(raw) == "A text holds half of a surrogate pair, which is not valid text."


def test_p31_half_a_surrogate_pair_in_the_raw_text():
    """NousResearch/hermes-agent#66822: not escaped, but in the text itself."""
    assert malformed('{"q":"\ud800"}') == "The arguments hold half of a surrogate pair, which is not valid text."


@pytest.mark.row("S5")
@pytest.mark.parametrize("raw", ['{"amount": 10, "amount": 1000}', '{"a": [{"amount": 1, "b": 2, "amount": 1}]}'])
def test_p32_a_key_that_stands_twice(raw):
    """josdejong/lossless-json#244, AdaCore/gnatcoll-core#3: refused, also deep inside and when the values agree."""
    assert malformed(raw) == "The key 'amount' stands twice in one object."


def test_p33_a_control_token_behind_the_name():
    """pydantic/pydantic-ai#7143, vllm-project/vllm#35906: taken off where a registered name remains."""
    raw = "run_sql<|channel|>commentary"
    assert clean_name(raw, ["run_sql"]) == ("run_sql", ("name_cleaned",))
    assert clean_name(raw, ["other"]) == (raw, ())
    assert clean_name(raw, ["run_sql"], lenient=False) == (raw, ())


def test_p34_a_prefix_before_the_name():
    """tontinton/maki#505, tontinton/maki#518."""
    assert clean_name("functions.grep", ["grep"]) == ("grep", ("name_cleaned",))
    assert clean_name("functions.grep", ["functions.grep"]) == ("functions.grep", ())


@pytest.mark.parametrize("lenient", [True, False])
def test_p36_arguments_that_are_an_object_already(lenient):
    """ggml-org/llama.cpp#20198, ollama/ollama#6155: read as they are, noted, and the input is not changed."""
    raw = {"city": "Paris", "days": [1, {"a": 2}]}
    before = copy.deepcopy(raw)
    values, notes = parse_arguments(raw, lenient=lenient)
    assert (values, notes) == (before, ("object_arguments",))
    values["days"][1]["a"] = 9
    assert raw == before


def test_p37_a_call_written_as_text_is_reported_and_not_run():
    """NousResearch/hermes-agent#87900, QwenLM/qwen-code#8207, ggml-org/llama.cpp#14697."""
    written = {"role": "assistant", "content": '{"name":"ping","arguments":{"host":"h1"}}', "tool_calls": []}
    assert calls_from(written) == []
    assert leaked_call(written, ["ping"]) == "ping"
    assert leaked_call(written, ["other"]) is None


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('{"name":"ping","arguments":{}}\n {"name":"ping","arguments":{}}', "ping"),
        ('Send {"name":"ping"} to test.', None),
        ('{"name":"ping","arguments":{}} and more words', None),
        ('{"name":"ping"}', None),
        ('{"name":["ping"],"arguments":{}}', None),
        ("[" * 15_000, None),
        ("", None),
        (None, None),
    ],
)
def test_p37_only_a_content_of_nothing_but_calls_counts(content, found):
    """NousResearch/hermes-agent#87900: several objects count, prose around them does not."""
    assert leaked_call({"role": "assistant", "content": content}, ["ping"]) == found


def test_p38_the_older_function_call_is_read():
    """diegosouzapw/OmniRoute#12692."""
    message = {
        "role": "assistant",
        "content": None,
        "function_call": {"name": "get_rate", "arguments": '{"pair":"EURUSD"}'},
    }
    assert calls_from(message) == [ToolCall("generated_0", "get_rate", '{"pair":"EURUSD"}', ("id_generated",))]


def test_p39_an_empty_stub_is_no_call():
    """pydantic/pydantic-ai, cassette test_snowflake_tool_calling: a provider that always fills `function_call`."""
    stub = {"role": "assistant", "content": "4", "function_call": {"name": "", "arguments": ""}, "tool_calls": None}
    call = {
        "id": "t1",
        "type": "function",
        "custom": {"input": "", "name": ""},
        "function": {"name": "get_weather", "arguments": '{"city":"Mexico City"}'},
    }
    assert calls_from(stub) == []
    assert calls_from({**stub, "content": "", "tool_calls": [call]}) == [
        ToolCall("t1", "get_weather", '{"city":"Mexico City"}')
    ]


def test_p40_missing_ids_are_made_distinct_and_stay_the_same():
    """camel-ai/camel#3027, run-llama/llama_index#20207, oracle/langchain-oracle#79."""
    message = {
        "tool_calls": [
            {"id": "", "function": {"name": "a", "arguments": "{}"}},
            {"id": None, "function": {"name": "b", "arguments": "{}"}},
        ]
    }
    calls = calls_from(message)
    assert [(call.id, call.name, call.notes) for call in calls] == [
        ("generated_0", "a", ("id_generated",)),
        ("generated_1", "b", ("id_generated",)),
    ]
    assert calls_from(message) == calls
