"""What examples in a schema buy: the same requests to a small real model, with them and without.

    python -m toolkit.lab.example_study data/examples/calls.json

asks the model again, 400 single calls in about a quarter of an hour of one processor, and needs the extra
`local-llm`. `read_study` reads what was recorded, `toolkit.lab.example_table` counts its errors.
"""

from __future__ import annotations

import copy
import json
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from toolkit.agent.decisions import tool_lines
from toolkit.agent.local import LocalModel, TextModel
from toolkit.json_schema import walk
from toolkit.lab.study_requests import OTHER_CALLS, OWN_CALLS, Request, study_requests
from toolkit.lab.study_tools import study_registry
from toolkit.resources import data_path

MAX_TOKENS = 100
_BEGINNING = "Each request is answered by one call of a tool: one JSON object with the arguments."


class Condition(NamedTuple):
    """What the model is shown: examples in the schemas, a worked call of the very tool, both, or neither."""

    examples: bool
    worked_call: bool


CONDITIONS = [Condition(examples, worked_call) for worked_call, examples in product((False, True), repeat=2)]


class StudyCall(NamedTuple):
    """What the model wrote as the arguments of one call."""

    request: Request
    condition: Condition
    text: str


def shown_tool(name: str, *, examples: bool) -> dict[str, Any]:
    """A tool as the model is shown it, its examples left out or not."""
    (tool,) = (each for each in study_registry().openai_tools() if each["function"]["name"] == name)
    shown = copy.deepcopy(tool)
    for _, node in walk(shown["function"]["parameters"]):
        if isinstance(node, dict) and not examples:
            node.pop("examples", None)
    return shown


def study_prompt(request: Request, condition: Condition) -> str:
    """The text the model continues: worked calls of other tools, the tool, perhaps a worked call of it, the request."""
    own = [OWN_CALLS[request.tool]] if condition.worked_call else []
    parts = [_BEGINNING]
    for tool, calls in [*((call.tool, [call]) for call in OTHER_CALLS), (request.tool, own)]:
        shown = tool_lines([shown_tool(tool, examples=condition.examples)])
        parts.append("\n".join([shown, *(f"{_asked(call)}\n{json.dumps(call.expected)}" for call in calls)]))
    return "\n\n".join(parts) + f"\n{_asked(request)}\n"


def _asked(request: Request) -> str:
    return f"Request: {request.text}\nCall of {request.tool}:"


def ask_all(new_model: Callable[[], TextModel], requests: Sequence[Request]) -> Iterator[StudyCall]:
    """Ask for every call, held to the tool's schema, always the likeliest token; each condition of a new model."""
    for condition in CONDITIONS:
        model = new_model()
        for request in requests:
            schema = shown_tool(request.tool, examples=False)["function"]["parameters"]
            prompt = study_prompt(request, condition)
            reply = model.complete(prompt, schema, temperature=0.0, seed=0, max_tokens=MAX_TOKENS)
            yield StudyCall(request, condition, reply.text)


def read_study(path: Path | None = None) -> list[StudyCall]:
    """The recorded calls; those that came with the kit if no file is given."""
    recorded = json.loads((path or data_path("examples", "calls.json")).read_text("utf-8"))
    requests = [Request(**each) for each in recorded["requests"]]
    return [
        StudyCall(requests[call["request"]], Condition(call["examples"], call["worked_call"]), call["text"])
        for call in recorded["calls"]
    ]


def write_study(path: Path, new_model: Callable[[], TextModel], requests: Sequence[Request], day: date) -> None:
    """Ask the model and write its calls, one to a line; `day` is the date of the recording."""
    calls = [
        {"request": requests.index(call.request), **call.condition._asdict(), "text": call.text}
        for call in ask_all(new_model, requests)
    ]
    model = new_model()
    meta = {
        "model": model.name,
        "settings": {"temperature": 0.0, "seed": 0, "max_tokens": MAX_TOKENS, **model.settings},
        "versions": {"python": platform.python_version(), **model.versions},
        "machine": platform.machine(),
        "recorded": day.isoformat(),
    }
    text = ",\n".join(
        [
            f'"meta": {json.dumps(meta)}',
            f'"requests": [\n{_lines([request._asdict() for request in requests])}]',
            f'"calls": [\n{_lines(calls)}]',
        ]
    )
    path.write_text(f"{{{text}}}\n", "utf-8")


def _lines(values: Sequence[Any]) -> str:
    return ",\n".join(json.dumps(value, ensure_ascii=False) for value in values)


def main(arguments: Sequence[str]) -> None:
    """Write the study into the file given."""
    (path,) = arguments
    write_study(Path(path), LocalModel, study_requests(), date.today())


if __name__ == "__main__":
    main(sys.argv[1:])
