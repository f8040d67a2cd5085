"""Exercise 12.run_agent: the agent loop, with everything that can end it."""

from __future__ import annotations

from toolkit.lessons.checkers_12_run_agent import RUBRIC
from toolkit.lessons.exercise import Exercise, WrongAnswer

_SOLUTION = '''\
def read(call):
    try:
        return call["function"]["name"], json.loads(call["function"]["arguments"])
    except ValueError:
        return call["function"]["name"], None


def content(tools, name, arguments):
    if name not in tools:
        return json.dumps({"error": f"There is no tool {name!r}. There are: {', '.join(tools)}."})
    if not isinstance(arguments, dict):
        return json.dumps({"error": "The arguments are no JSON object."})
    try:
        return json.dumps(tools[name](**arguments), ensure_ascii=False)
    except Exception as error:
        said = error.message if isinstance(error, ToolError) else f"{name} failed ({type(error).__name__})."
        return json.dumps({"error": said}, ensure_ascii=False)


def run_agent(ask, tools, messages, max_turns=8):
    """Let the model ask for tools until something ends it. Returns (text, why)."""
    wishes = []
    for _ in range(max_turns):
        messages.append(turn := ask(messages))
        if not turn.get("tool_calls"):
            return (turn["content"], "answered") if turn.get("content") else ("", "empty")
        wishes.append([read(call) for call in turn["tool_calls"]])
        repeated = wishes[-3:] == [wishes[-1]] * 3
        for call, (name, arguments) in zip(turn["tool_calls"], wishes[-1], strict=True):
            text = '{"error": "Not run: asked three times in a row."}' if repeated else content(tools, name, arguments)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
        if repeated:
            return "", "repeated"
    return "", "max_turns"'''

_FROM_HISTORY = '''\
def wish(turn):
    """What a turn asks for, in one form for all spellings."""
    asked = []
    for call in turn.get("tool_calls") or []:
        text = call["function"]["arguments"]
        try:
            text = json.dumps(json.loads(text), sort_keys=True)
        except ValueError:
            pass
        asked.append((call["function"]["name"], text))
    return asked


def why_ended(turns, max_turns):
    """Read off the history alone, so that a run can be stored and taken up again."""
    if not wish(turns[-1]):
        return "answered" if turns[-1].get("content") else "empty"
    if len(turns) >= 3 and wish(turns[-1]) == wish(turns[-2]) == wish(turns[-3]):
        return "repeated"
    return "max_turns" if len(turns) >= max_turns else None


def value(tools, name, text):
    if name not in tools:
        return {"error": f"{name} is none of {sorted(tools)}"}
    try:
        found = tools[name](**json.loads(text))
        json.dumps(found)
        return found
    except Exception as error:
        return {"error": error.message if isinstance(error, ToolError) else f"failed: {type(error).__name__}"}


def run_agent(ask, tools, messages, max_turns=8):
    before, why = len(messages), None
    while why is None:
        messages.append(ask(messages))
        turns = [message for message in messages[before:] if message["role"] == "assistant"]
        why = why_ended(turns, max_turns)
        for call, (name, text) in zip(turns[-1].get("tool_calls") or [], wish(turns[-1])):
            said = {"error": "not run again"} if why == "repeated" else value(tools, name, text)
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(said)})
    return (turns[-1]["content"] if why == "answered" else ""), why'''

_THREADS = '''\
from concurrent.futures import ThreadPoolExecutor


def settled(tools, call):
    """One tool message for one call; raises nothing, so that it may run in a thread."""
    name = call["function"]["name"]
    try:
        said = json.dumps(tools[name](**json.loads(call["function"]["arguments"])))
    except Exception as error:
        known = "" if name in tools else f" {name} is none of {list(tools)}."
        said = json.dumps({"error": f"Failed: {type(error).__name__}.{known}"})
    return {"role": "tool", "tool_call_id": call["id"], "content": said}


def spelt(call):
    """A call without its id and its spelling."""
    try:
        return call["function"]["name"], json.dumps(json.loads(call["function"]["arguments"]), sort_keys=True)
    except ValueError:
        return call["function"]["name"], call["function"]["arguments"]


def run_agent(ask, tools, messages, max_turns=8):
    last, times = None, 0
    with ThreadPoolExecutor() as pool:  # the calls of a turn run together, and map keeps their order
        for _ in range(max_turns):
            messages += [turn := ask(messages)]
            if not turn.get("tool_calls"):
                return turn.get("content") or "", "answered" if turn.get("content") else "empty"
            wish = [*map(spelt, turn["tool_calls"])]
            last, times = wish, times + 1 if wish == last else 1
            messages += pool.map(lambda call: settled({} if times == 3 else tools, call), turn["tool_calls"])
            if times == 3:
                return "", "repeated"
    return "", "max_turns"'''


_BY_TEXT = """\
False
        texts = [str(said["tool_calls"][0]["function"]) for said in messages if said.get("tool_calls")]
        repeated = texts[-3:] == [texts[-1]] * 3"""


def _but(mistake: str, says: str, part: str, other: str) -> WrongAnswer:
    """The solution with one part written otherwise."""
    return WrongAnswer(mistake, _SOLUTION.replace(part, other), says)


RUN_AGENT = Exercise(
    id="12.run_agent",
    task="**Write the loop of an agent, in twenty minutes. I am interested in how it ends.**\n\n"
    "`ask(messages)` is the model: it returns its next turn, a dict with `role`, `content` and perhaps `tool_calls`, "
    "as the API gives it. `tools` maps names to functions. Keep the conversation in `messages`, the list you are "
    'given, in a form that the API accepts. A tool\'s result goes in as JSON text, and where there is none, `{"error": '
    '"..."}`.\n\n'
    '`run_agent(ask, tools, messages, max_turns=8)` returns the pair `(text, why)`. `why` is `"answered"`, `"empty"` '
    '(the model neither asks nor says anything), `"max_turns"` (it was asked so often), or `"repeated"`: the third '
    'turn in a row asks for the same, and is not run. `text` is the answer, `""` where there is none.',
    minutes=20,
    difficulty="hard",
    hints=(
        "The loop has one round per turn: ask, append the turn, leave if it asks for nothing, answer every call. Write "
        "that first, and count rounds with `for`.",
        "Take one call out into a function that returns a text and never raises. What can be wrong with a name, with "
        "arguments, with a tool, with its result?",
        "A turn's calls all have to be answered before you leave, whatever you leave for. The third equal turn gets "
        "answers too; they say that it was not run.",
        "Compare turns by a list of (name, parsed arguments): ids differ each time, and the text may. "
        "`wishes[-3:] == [wishes[-1]] * 3`.",
    ),
    setup="import json\nfrom toolkit import ToolError",
    stub='''\
def run_agent(ask, tools, messages, max_turns=8):
    """Let the model ask for tools until something ends it. Returns (text, why).

    >>> run_agent(lambda messages: {"role": "assistant", "content": "Hello."}, {}, [])
    ('Hello.', 'answered')
    """
    raise NotImplementedError''',
    solution=_SOLUTION,
    alternatives=(_FROM_HISTORY, _THREADS),
    wrong=(
        WrongAnswer(
            "expects the key tool_calls in every turn",
            _SOLUTION.replace('turn.get("tool_calls")', 'turn["tool_calls"]'),
            "KeyError: 'tool_calls' (line ",
            outcome="raised",
        ),
        _but(
            "keeps only the turns that answer",
            "the roles that the model is shown the second time: expected 'user assistant tool', got 'user tool'",
            *("messages.append(turn := ask(messages))", "turn = ask(messages)"),
        ),
        _but(
            "returns what was said beside the calls",
            "is no answer, and it was returned: 'Let me look.'",
            *('return "", "max_turns"', 'return turn["content"] or "", "max_turns"'),
        ),
        _but("has no end", "the model was asked 9 times", "for _ in range(max_turns):", "while True:"),
        _but(
            "lets a tool's exception out",
            "the tool's KeyError got out",
            *("    except Exception as error:\n", "    except (ToolError, TypeError, ValueError) as error:\n"),
        ),
        _but(
            "leaves the turn where one call fails",
            "the ids answered, in order: expected ['a', 'b', 'c'], got ['a', 'b']",
            *('"content": text})\n', '"content": text})\n            if "failed" in text:\n                break\n'),
        ),
        _but(
            "looks nothing up",
            "a call of boook with {}: KeyError got out",
            *("    if name not in tools:\n", "    tools[name]\n    if False:\n"),
        ),
        _but(
            "takes arguments that cannot be read for none",
            "the tool was run, with arguments that nobody sent",
            *('["name"], None\n', '["name"], {}\n'),
        ),
        _but(
            "takes silence for an answer",
            "no calls and the content None: text and why: expected ('', 'empty'), got ('', 'answered')",
            *('("", "empty")', '("", "answered")'),
        ),
        _but(
            "runs the third all the same",
            "the third of three equal turns was run all the same",
            *("if repeated else content(", "if False else content("),
        ),
        _but(
            "leaves before it answers",
            "it ended by 'repeated', and no message answers ['c2']",
            *(
                "        for call, (name",
                '        if repeated:\n            return "", "repeated"\n        for call, (name',
            ),
        ),
        _but(
            "compares the texts of the arguments",
            "in another order, or with other spaces, were taken for others",
            *("wishes[-3:] == [wishes[-1]] * 3", _BY_TEXT),
        ),
        _but(
            "counts a call over the whole run",
            "another call between: that is no repetition",
            *("wishes[-3:] == [wishes[-1]] * 3", "wishes.count(wishes[-1]) == 3"),
        ),
    ),
    rubric=RUBRIC,
)
