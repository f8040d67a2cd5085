"""Arguments against a tool's contract, whichever layer declared it."""

from __future__ import annotations

import re
from typing import Any

from toolkit.arguments import MalformedArguments
from toolkit.gateway.access import hidden_arguments
from toolkit.gateway.outcome import stop
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.trace import Trace
from toolkit.records import Context, Status, Tool
from toolkit.schema_check import validate_by_schema
from toolkit.validation import Rejected, validate


def check_arguments(tool: Tool, services: Services, then: Step) -> Step:
    """Read the arguments and hold them against the contract; `trace.arguments` has them afterwards."""
    lenient = services.settings.lenient

    async def run(trace: Trace) -> Any:
        call = trace.call
        if call.error is not None:
            raise stop(Status.VALIDATION_ERROR, "truncated", call.error)
        try:
            keywords, notes = keywords_of(tool, call.arguments, trace.context, lenient=lenient)
        except Rejected as error:
            trace.fields = known_fields(tool, error.fields)
            told = {"next_step": error.next_step}
            raise stop(Status.VALIDATION_ERROR, "invalid_arguments", error.message, **told) from None
        except MalformedArguments as error:
            raise stop(Status.VALIDATION_ERROR, "malformed_arguments", error.message) from None
        trace.arguments = trace.keywords = keywords
        if notes:
            trace.notes = (*trace.notes, *notes)
        return await then(trace)

    return run


def known_fields(tool: Tool, paths: tuple[str, ...]) -> tuple[str, ...]:
    """The declared parameters among the refused paths, for the log. A key that a model made up may hold anything."""
    declared = tool.parameters.get("properties", {})
    names = (re.split(r"[.\[]", path, maxsplit=1)[0] for path in paths)
    return tuple(dict.fromkeys(name if name in declared else "(undeclared)" for name in names))


def keywords_of(tool: Tool, raw: object, context: Context, *, lenient: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The keyword arguments to call the tool with, and notes on what was mended.

    Raises:
        MalformedArguments: the arguments are no plain JSON object.
        Rejected: they break the contract.
    """
    hidden = hidden_arguments(tool, context) if tool.restricted else frozenset()
    if tool.signature is not None:
        model, notes = validate(tool, raw, lenient=lenient, hidden=hidden)
        return model.__dict__, notes
    return validate_by_schema(tool, raw, lenient=lenient, hidden=hidden)
