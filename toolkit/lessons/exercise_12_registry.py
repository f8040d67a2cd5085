"""Exercise 12.Registry: tool use by hand, without a library."""

from __future__ import annotations

from toolkit.lessons.checkers_12_registry import RUBRIC
from toolkit.lessons.exercise import Exercise, WrongAnswer

_SOLUTION = """\
# Tools by name: the array for `tools=`, and one answer for every call.
class Registry:
    def __init__(self):
        self._tools = {}

    def register(self, name, description, parameters, func):
        if name in self._tools or not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
            raise ValueError(f"{name!r} is taken, or no name: 1 to 64 letters, digits, underscores or hyphens")
        entry = {"name": name, "description": description, "parameters": parameters}
        self._tools[name] = func, copy.deepcopy({"type": "function", "function": entry})

    def tools(self):
        return copy.deepcopy([entry for _, entry in self._tools.values()])

    def call(self, raw_call):
        function = raw_call["function"]
        try:
            content = as_json(self._run(function["name"], function["arguments"]))
        except Exception as error:  # a refusal is written for the model; what a bug says may hold a password
            failed = f"The tool failed ({type(error).__name__}). Do not repeat the call."
            content = as_json({"error": error.message if isinstance(error, ToolError) else failed})
        return {"role": "tool", "tool_call_id": raw_call["id"], "content": content}

    def _run(self, name, text):
        if name not in self._tools:
            raise ToolError(f"There is no tool {name!r}. There are: {', '.join(self._tools)}.")
        try:
            arguments = json.loads(text)
        except ValueError:
            arguments = None
        if not isinstance(arguments, dict):
            raise ToolError(f"The arguments are no JSON object: {text}")
        return self._tools[name][0](**arguments)


def as_json(value):
    return json.dumps(value, ensure_ascii=False, allow_nan=False)"""

_REFUSED = """\
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) or name in self._answers:
            raise ValueError(f"{name!r} is taken, or no name for a tool")
"""
_STORED_AS_TEXT = (
    '''\
def told(text):
    return json.dumps({"error": text})


class Registry:
    """The array is kept as the text that is sent, so there is no object that anybody could change."""

    def __init__(self):
        self._funcs, self._entries = {}, []

    def register(self, name, description, parameters, func):
'''
    + _REFUSED.replace("_answers", "_funcs")
    + """\
        entry = {"name": name, "description": description, "parameters": parameters}
        self._entries.append(json.dumps({"type": "function", "function": entry}))
        self._funcs[name] = func

    def tools(self):
        return json.loads(f"[{','.join(self._entries)}]")

    def call(self, raw_call):
        name, text = raw_call["function"]["name"], raw_call["function"]["arguments"]
        return {"role": "tool", "tool_call_id": raw_call["id"], "content": self._content(name, text)}

    def _content(self, name, text):
        if name not in self._funcs:
            return told(f"{name} is none of {sorted(self._funcs)}")
        try:
            arguments = json.loads(text)
        except ValueError:
            arguments = None
        if not isinstance(arguments, dict):
            return told("arguments must be a JSON object")
        try:
            return json.dumps(self._funcs[name](**arguments), allow_nan=False)
        except ToolError as error:
            return told(str(error))
        except Exception as error:
            return told(f"{name} failed ({type(error).__name__})")"""
)

_WRAPPED = (
    '''\
def answering(func):
    """A function from the arguments' text to the content's text, that raises nothing."""

    def answer(text):
        try:
            match json.loads(text):
                case dict() as arguments:
                    pass
                case _:
                    return '{"error": "Send one JSON object."}'
        except ValueError:
            return '{"error": "Send one JSON object; this cannot be parsed."}'
        try:
            return json.dumps(func(**arguments), allow_nan=False)
        except Exception as error:
            return json.dumps({"error": error.message if isinstance(error, ToolError) else "It failed."})

    return answer


class Registry:
    """Each tool is wrapped once, when it is registered; a call only looks up and asks."""

    def __init__(self):
        self._answers, self._entries = {}, []

    def register(self, name, description, parameters, func):
'''
    + _REFUSED
    + """\
        entry = dict(name=name, description=description, parameters=parameters)
        self._entries.append(copy.deepcopy({"type": "function", "function": entry}))
        self._answers[name] = answering(func)

    def tools(self):
        return copy.deepcopy(self._entries)

    def call(self, raw_call):
        name, text = raw_call["function"]["name"], raw_call["function"]["arguments"]
        unknown = json.dumps({"error": f"no tool {name!r}; there are: {list(self._answers)}"})
        content = self._answers.get(name, lambda _: unknown)(text)
        return {"role": "tool", "tool_call_id": raw_call["id"], "content": content}"""
)


def _but(mistake: str, says: str, part: str, other: str) -> WrongAnswer:
    """The solution with one part written otherwise."""
    assert part in _SOLUTION
    return WrongAnswer(mistake, _SOLUTION.replace(part, other), says)


REGISTRY = Exercise(
    id="12.Registry",
    task="**Write tool use by hand, without a library: a registry of tools, in fifteen minutes.**\n\n"
    "A class `Registry` with three methods. `register(name, description, parameters, func)` makes a function a tool; "
    "`parameters` is its JSON Schema, written by hand. It raises `ValueError` where that cannot work. `tools()` gives "
    "the array for `tools=`. `call(raw_call)` gets a call as the API sends it, a dict with `id` and `function`, which "
    "holds `name` and `arguments`, and returns the tool message for it.\n\n"
    'The message\'s content is JSON text: what the tool returned, or `{"error": "..."}`. A tool that refuses raises '
    "`ToolError`; its `message` is written for the model. To check arguments against the schema is not asked for.",
    minutes=15,
    difficulty="medium",
    hints=(
        "Begin with the way a good call goes: find the tool, parse the arguments, run it, write the message. Two "
        "dicts by name are enough.",
        "Then ask of every line what a model, a tool or a colleague could do to it. What can be wrong with the name, "
        "with the text of the arguments, with what the tool returns?",
        "One `try` around all of it: a `ToolError` speaks to the model, any other exception gets a sentence of yours. "
        "`json.dumps` belongs inside, as it may fail too.",
        "`re.fullmatch`, not `match` with a `$`. `copy.deepcopy` on the way in and on the way out. "
        "`json.dumps(..., allow_nan=False)`.",
    ),
    setup="import copy\nimport json\nimport re\nfrom toolkit import ToolError",
    stub='''\
class Registry:
    """Tools by name: the array for `tools=`, and an answer for every call."""

    def register(self, name, description, parameters, func):
        raise NotImplementedError

    def tools(self):
        raise NotImplementedError

    def call(self, raw_call):
        raise NotImplementedError''',
    solution=_SOLUTION,
    alternatives=(_STORED_AS_TEXT, _WRAPPED),
    wrong=(
        _but(
            "answers every call under one id",
            "tool_call_id, which says whose answer this is: expected 'call_2', got 'call_1'",
            *('raw_call["id"]', '"call_1"'),
        ),
        _but(
            "hands out the functions, without the envelope",
            "tools(): expected [{'type': 'function', 'function':",
            *('{"type": "function", "function": entry}', "entry"),
        ),
        _but(
            "does not say which tools there are",
            "the error does not say 'get_date'",
            *(" There are: {', '.join(self._tools)}.", ""),
        ),
        _but(
            "lets the last registration win",
            "a second tool named 'add': expected ValueError",
            *("name in self._tools or ", ""),
        ),
        _but(
            "parses outside of the try",
            "JSONDecodeError",
            *(
                'function = raw_call["function"]',
                'function = raw_call["function"]\n        json.loads(function["arguments"])',
            ),
        ),
        _but(
            "takes any JSON for arguments",
            'the arguments ["y"] are no object, and the error does not say so',
            *("if not isinstance(arguments, dict)", "if False"),
        ),
        _but("tells the text of every exception", "it reads the key: ", "type(error).__name__", "error"),
        _but(
            "puts every refusal in words of its own",
            "the error does not say 'No suite at HT-001. It has: standard.'",
            *("error.message", '"Refused."'),
        ),
        _but(
            "checks the name with match and a dollar",
            "the name 'add\\n': expected ValueError",
            *('re.fullmatch(r"[A-Za-z0-9_-]{1,64}"', 're.match(r"^[A-Za-z0-9_-]{1,64}$"'),
        ),
        _but("writes NaN", "the content holds NaN", ", allow_nan=False", ""),
        _but(
            "answers in Python's own words",
            "the content of a call of search_hotels is not JSON",
            *("json.dumps(value, ensure_ascii=False, allow_nan=False)", "str(value)"),
        ),
        _but(
            "hands out what it keeps",
            "all others see it",
            *(
                "copy.deepcopy([entry for _, entry in self._tools.values()])",
                "[entry for _, entry in self._tools.values()]",
            ),
        ),
        _but(
            "keeps the caller's dict",
            "as the caller's own dict was kept",
            *('copy.deepcopy({"type": "function", "function": entry})', '{"type": "function", "function": entry}'),
        ),
    ),
    rubric=RUBRIC,
)
