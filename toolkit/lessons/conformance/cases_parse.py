"""From what a model sent to a name and arguments. Nothing is guessed in silence, nothing ends the run."""

from __future__ import annotations

from toolkit.lessons.conformance.bench import Bench
from toolkit.lessons.conformance.case import Cases
from toolkit.lessons.expect import expect, expect_equal

CASES = Cases("parse")


def ping() -> str:
    """Ping."""
    return "pong"


def find(isbn: str) -> str:
    """Find a book."""
    return isbn


def write(path: str, text: str = "") -> str:
    """Write a file."""
    return path


@CASES.add("P16", "vllm-project/vllm#19419")
async def nothing_sent(bench: Bench) -> None:
    """Empty, blank, null or absent arguments mean no arguments."""
    bench.declare(ping)
    for arguments in ("{}", "", "   ", "null", None):
        (await bench.call("ping", arguments)).gives("pong")


@CASES.add("P16.needed", "langchain-ai/langchain#33896")
async def nothing_sent_where_something_is_needed(bench: Bench) -> None:
    """Nothing sent to a tool that needs something: what is missing is named."""
    bench.declare(find)
    (await bench.call("find", "")).refuses("isbn")
    bench.expect_reached(0)


@CASES.add("P17", "langchain-ai/langchain#35993")
async def no_object(bench: Bench) -> None:
    """A list, a text or a number instead of an object is told as such."""
    bench.declare(find)
    for arguments in ('["y"]', '"go"', "42", "true"):
        (await bench.call("find", arguments)).refuses("object")


@CASES.add("P18", "vllm-project/vllm#54964")
async def encoded_twice(bench: Bench) -> None:
    """Arguments that were encoded twice are read, never taken for nothing."""
    bench.declare(find)
    (await bench.call("find", '"{\\"isbn\\": \\"978-0\\"}"')).gives("978-0")


@CASES.add("P19", "earendil-works/pi#8858")
async def fenced(bench: Bench) -> None:
    """Arguments in a Markdown fence are read."""
    bench.declare(find)
    (await bench.call("find", '```json\n{"isbn": "978-0"}\n```')).gives("978-0")


@CASES.add("P21", "cline/cline#13001")
async def cut_off_by_the_length_limit(bench: Bench) -> None:
    """A reply that hit its length limit runs nothing, also where its last call happens to be whole."""
    bench.declare(write)
    for arguments in ('{"path": "a.txt", "text": "half a sen', '{"path": "a.txt"}'):
        call = {"id": "c", "type": "function", "function": {"name": "write", "arguments": arguments}}
        for told in await bench.answer({"role": "assistant", "tool_calls": [call]}, finish_reason="length"):
            told.refuses()
        bench.expect_reached(0)


@CASES.add("P22", "NousResearch/hermes-agent#7693")
async def cut_off_in_silence(bench: Bench) -> None:
    """Arguments that end in the middle are refused, not completed."""
    bench.declare(write)
    (await bench.call("write", '{"path": "r.md", "text": "Once upon')).refuses()
    bench.expect_reached(0)


@CASES.add("P23", "NousResearch/hermes-agent#83229")
async def typing_error(bench: Bench) -> None:
    """A typing error in the JSON is not called a reply that was too long."""
    bench.declare(write)
    told = await bench.call("write", '{"path": fastt"}')
    told.refuses()
    expect("cut off" not in str(told.error), f"a wrong diagnosis: {told.error}")


@CASES.add("P24", "google/adk-python#1038")
async def two_objects(bench: Bench) -> None:
    """Two objects in one text are refused, or both run; never the first alone."""
    bench.declare(find)
    told = await bench.call("find", '{"isbn": "1"}{"isbn": "2"}')
    if told.error is None:
        bench.expect_reached(2)
    else:
        bench.expect_reached(0)


@CASES.add("P26", "camel-ai/camel#4169")
async def apostrophes(bench: Bench) -> None:
    """An apostrophe is not repaired."""
    bench.declare(find)
    (await bench.call("find", '{"isbn": "it\'s Xi\'an"}')).gives("it's Xi'an")


@CASES.add("P27", "waybarrios/vllm-mlx#63")
async def python_literals(bench: Bench) -> None:
    """Python's way of writing (True, single quotes) is refused, not evaluated."""
    bench.declare(find)
    for arguments in ("{'isbn': None}", "{'a', 'b'}"):
        (await bench.call("find", arguments)).refuses()
    bench.expect_reached(0)


@CASES.add("P28", "openclaw/openclaw#67551")
async def typographic_quotes(bench: Bench) -> None:
    """Typographic quotes inside a text stay as they are."""
    bench.declare(find)
    (await bench.call("find", '{"isbn": "他说“好”。"}')).gives("他说“好”。")


@CASES.add("P29", "jundot/omlx#1672")
async def raw_line_breaks(bench: Bench) -> None:
    """A raw line break or tab inside a text is read."""
    bench.declare(find)
    (await bench.call("find", '{"isbn": "one\ntwo\tend"}')).gives("one\ntwo\tend")


@CASES.add("P30", "agent0ai/agent-zero#1773")
async def escaped_emoji(bench: Bench) -> None:
    """An escaped emoji arrives whole."""
    bench.declare(find)
    (await bench.call("find", '{"isbn": "\\ud83d\\ude00"}')).gives("\N{GRINNING FACE}")


@CASES.add("P31", "UKGovernmentBEIS/inspect_ai#3802")
async def half_a_surrogate(bench: Bench) -> None:
    """Text that has no UTF-8 breaks nothing and stays out of the history."""
    bench.declare(find)
    told = await bench.call("find", '{"isbn": "\\ud800 x"}')
    try:
        told.content.encode()
    except UnicodeEncodeError:
        expect(False, "the history can no longer be sent: half a surrogate pair stands in it")


@CASES.add("P32", "josdejong/lossless-json#244")
async def key_twice(bench: Bench) -> None:
    """A key that stands twice is refused, as two readers may disagree which one counts."""

    def transfer(amount: int) -> int:
        """Transfer money."""
        return amount

    bench.declare(transfer)
    (await bench.call("transfer", '{"amount": 10, "amount": 1000}')).refuses("amount")
    bench.expect_reached(0)


@CASES.add("P33", "pydantic/pydantic-ai#7143")
async def control_token(bench: Bench) -> None:
    """A control token behind the name is taken off."""
    bench.declare(ping)
    (await bench.call("ping<|channel|>commentary")).gives("pong")


@CASES.add("P34", "tontinton/maki#505")
async def prefixed_name(bench: Bench) -> None:
    """`functions.` before the name is taken off."""
    bench.declare(ping)
    (await bench.call("functions.ping")).gives("pong")


@CASES.add("P36", "ggml-org/llama.cpp#20198")
async def object_arguments(bench: Bench) -> None:
    """Arguments that come as an object are taken, and left as they are."""
    bench.declare(find)
    arguments = {"isbn": "978-0"}
    (await bench.call("find", arguments)).gives("978-0")
    expect_equal(arguments, {"isbn": "978-0"}, "the object that was sent")


@CASES.add("P37", "NousResearch/hermes-agent#87900")
async def call_in_the_text(bench: Bench) -> None:
    """A call that stands in the text of a reply is not run."""
    bench.declare(ping)
    for content in ('{"name": "ping", "arguments": {}}', 'Send {"name": "ping"} to test.'):
        expect_equal(len(await bench.answer({"role": "assistant", "content": content, "tool_calls": []})), 0, "answers")
    bench.expect_reached(0)


@CASES.add("P38", "diegosouzapw/OmniRoute#12692")
async def legacy_call(bench: Bench) -> None:
    """The older `function_call` is a call too."""
    bench.declare(ping)
    legacy = {"role": "assistant", "content": None, "function_call": {"name": "ping", "arguments": "{}"}}
    await bench.answer(legacy)
    bench.expect_reached(1)


@CASES.add("P39", "pydantic/pydantic-ai (recorded in its tests)")
async def empty_stub(bench: Bench) -> None:
    """An empty `function_call`, which some servers always send, is no call."""
    bench.declare(ping)
    stub = {"name": "", "arguments": ""}
    call = {"id": "c", "type": "function", "custom": stub, "function": {"name": "ping", "arguments": "{}"}}
    expect_equal(len(await bench.answer({"content": "4", "function_call": stub, "tool_calls": None})), 0, "answers")
    expect_equal(len(await bench.answer({"content": "", "function_call": stub, "tool_calls": [call]})), 1, "answers")


@CASES.add("P40", "camel-ai/camel#3027")
async def no_id(bench: Bench) -> None:
    """Calls without an id get one each, so that each is answered."""
    bench.declare(ping)
    calls = [{"id": id, "type": "function", "function": {"name": "ping", "arguments": "{}"}} for id in ("", None)]
    ids = [told.call_id for told in await bench.answer({"role": "assistant", "tool_calls": calls})]
    expect(len(set(ids)) == 2 and all(ids), f"the answers carry the ids {ids}")
