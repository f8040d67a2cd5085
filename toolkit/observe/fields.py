"""What stands in a line of the log: the gateway's fields, and the two that the sink adds."""

from __future__ import annotations

from toolkit.gateway.log import FIELDS as GATEWAY_FIELDS

MEANINGS = {
    "timestamp": "when the call ended, in UTC, as ISO 8601; added by the sink",
    "level": "info, added by the sink; at debug stand the texts of exceptions, where they were asked for",
    "event": "tool_call",
    "call_id": "the call's id in the conversation, or '(not an id)' where it does not look like one",
    "session": "the caller's session, checked like an id",
    "tool": "the tool's registered name, or '(unknown)': never the word of a model",
    "version": "the tool's version; null where there is no such tool",
    "phase": "end: a call has one line, written when it is over",
    "status": "how it ended, one of fourteen words",
    "input_hash": "keyed hash of the arguments: equal within one gateway where they are equal, never to be reversed",
    "duration_ms": "from call to result, all attempts and waits included, by the monotonic clock",
    "attempts": "how often the tool was begun; 0 where it was not",
    "error_kind": "a stable word for what went wrong, such as invalid_arguments or bug",
    "error_type": "the class of the exception, without its text",
    "fields": "the declared parameters the model got wrong, by name",
    "frames": "where the exception was raised: file, line, function",
    "notes": "what had to be mended to read the call",
    "replayed": "true where an earlier answer was given again and the tool did not run",
    "score": "what the scoring rules gave, 0 to 1",
    "injected": "the fault a failure lab put in; such a line is left out of every measure",
}
"""Every field with its meaning and unit. A field that is not named here does not get into the log."""

FIELDS = ("timestamp", "level", *GATEWAY_FIELDS)
