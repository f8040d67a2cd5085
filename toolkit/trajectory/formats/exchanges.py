"""A run recorded as what went to the vendor and what came back: a request and its response, whole or in chunks.

The request holds the run so far, so one exchange is one run. Where it goes on from a response that only the vendor
has kept (`previous_response_id`, `conversation`), the beginning is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from toolkit.trajectory.formats.streams import assemble, events_in, is_stream
from toolkit.trajectory.pointers import pointer_to
from toolkit.trajectory.recognition import is_item

_KEPT_ELSEWHERE = ("previous_response_id", "conversation")


class Parts(NamedTuple):
    """Messages gathered from several places of a document, each with its pointer.

    Args:
        missing_before: Index of a message to what is known to be missing right before it.
        assembled: Pointer to the chunks the last message was put together from, None where it was whole.
    """

    messages: list[Any]
    at: list[str]
    missing_before: Mapping[int, str] = {}
    assembled: str | None = None


def parts_in(value: Any, at: str) -> Parts | None:
    """The messages of an exchange, of a response alone, of `input` and `output`, or of chunks; None for none."""
    if is_stream(value):
        return _reply(value, at)
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("request"), dict) and "response" in value:
        asked, told = _asked(value["request"], f"{at}/request"), _reply(value["response"], f"{at}/response")
        return _joined(asked, told)
    return _reply(value, at) if is_item(value) else _joined(_asked(value, at), _output(value, at))


def _joined(asked: Parts | None, told: Parts | None) -> Parts | None:
    if asked is None:
        return None
    if told is None:
        return asked
    return Parts(asked.messages + told.messages, asked.at + told.at, asked.missing_before, told.assembled)


def _asked(request: dict[str, Any], at: str) -> Parts | None:
    """What was sent: the messages, or the input items; a text alone is what the user said."""
    for key in ("messages", "input", "items"):
        given = request.get(key)
        place = at + pointer_to(key)
        if isinstance(given, str) and key == "input":
            given, places = [{"role": "user", "content": given}], [place]
        elif isinstance(given, list) and given and not any(map(_is_of_another_vendor, given)):
            places = [f"{place}/{index}" for index in range(len(given))]
        else:
            continue
        if not any(isinstance(each, dict) and (isinstance(each.get("role"), str) or is_item(each)) for each in given):
            continue
        kept = next((field for field in _KEPT_ELSEWHERE if request.get(field)), None)
        missing = {} if kept is None else {0: f"the request goes on from what the vendor has kept ({kept})"}
        return Parts(list(given), places, missing)
    return None


def _output(value: dict[str, Any], at: str) -> Parts | None:
    output = value.get("output")
    if not isinstance(output, list):
        return None
    return Parts([{"object": "response", "output": output, "usage": value.get("usage")}], [at])


def _reply(response: Any, at: str) -> Parts | None:
    """The assistant's message in a response; None where it holds none, as an error does."""
    if isinstance(response, str) or is_stream(response):
        message = assemble(events_in(response) if isinstance(response, str) else response)
        return None if message is None else Parts([message], [at], assembled=at)
    if not isinstance(response, dict):
        return None
    if is_item(response) or (response.get("role") == "assistant" and "content" in response):
        return Parts([response], [at])
    choices = response.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        return None
    return Parts([{"role": "assistant", "usage": response.get("usage"), **message}], [f"{at}/choices/0/message"])


def _is_of_another_vendor(message: Any) -> bool:
    """True where a block does not say its type: Bedrock's messages have the same roles and other blocks."""
    content = message.get("content") if isinstance(message, dict) else None
    return isinstance(content, list) and any(isinstance(block, dict) and "type" not in block for block in content)
