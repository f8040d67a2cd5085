"""Exercise 12.log_line: one structured line for each call, with no secret in it."""

from __future__ import annotations

from toolkit.lessons.checkers_12_log_line import RUBRIC
from toolkit.lessons.exercise import Exercise, WrongAnswer

_SOLUTION = '''\
NAME = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


def name(value):
    """An id or a name as it is; whatever else a model may have put there does not get in."""
    return value if isinstance(value, str) and NAME.fullmatch(value) else "(no name)"


def at(value, *path):
    """What stands at a path of keys; None where the way ends."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def canonical(arguments):
    """The arguments written in the one way there is; what cannot be read stays as it is."""
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        return repr(arguments)


def log_line(call, outcome, key):
    """One line of JSON, made of a fixed list of fields: an id, names, numbers and a keyed hash."""
    tool, error = at(call, "function", "name"), at(outcome, "error")
    asked = f"{tool}\\0{canonical(at(call, 'function', 'arguments'))}".encode("utf-8", "backslashreplace")
    began, ended = at(outcome, "monotonic_s") or (0.0, 0.0)
    fields = {
        "call_id": name(at(call, "id")),
        "tool": name(tool),
        "status": name(at(outcome, "status")),
        "input_hash": hashlib.blake2b(asked, key=key, digest_size=12).hexdigest(),
        "duration_ms": round(1000 * (ended - began), 3),
        "attempts": at(outcome, "attempts") or 0,
        "error_type": None if error is None else name(type(error).__name__),
    }
    return json.dumps(fields)'''

_OUTSIDE = '''\
import hmac


def written(text):
    try:
        return json.dumps(json.loads(text), sort_keys=True)
    except Exception:
        return ascii(text)


def ask(question):
    """Ask one field; the others do not suffer from what it raises."""
    try:
        return question()
    except Exception:
        return None


def log_line(call, outcome, key):
    def hashed():
        function = call["function"]
        text = ascii(function["name"]) + written(function["arguments"])
        return hmac.new(key, text.encode(), "sha256").hexdigest()[:24]

    def took_ms():
        began, ended = outcome["monotonic_s"]
        return round((ended - began) * 1e3, 3)

    return json.dumps({
        "call_id": ask(lambda: str(call["id"])[:32]),
        "tool": ask(lambda: str(call["function"]["name"])[:32]),
        "status": ask(lambda: str(outcome["status"])[:32]),
        "input_hash": ask(hashed),
        "duration_ms": ask(took_ms),
        "attempts": ask(lambda: int(outcome["attempts"])),
        "error_type": ask(lambda: outcome["error"] and type(outcome["error"]).__name__[:64]),
    })'''

_BY_MODEL = '''\
from typing import Annotated, Any
from pydantic import BaseModel, Field, ValidationError
from toolkit.gateway import log


class Function(BaseModel):
    name: Annotated[str, Field(pattern=r"^[\\w.:-]{1,64}$")] = "unknown"
    arguments: Any = None


class Call(BaseModel):
    id: Annotated[str, Field(pattern=r"^[\\w.:-]{1,64}$")] = "unknown"
    function: Function = Function()


def read(call):
    """The call; what does not fit its type is left out, field by field."""
    try:
        return Call.model_validate(call)
    except ValidationError as error:
        wrong = {problem["loc"] for problem in error.errors()}
        if not isinstance(call, dict):
            return Call()
        kept = {key: value for key, value in call.items() if (key,) not in wrong}
        if isinstance(kept.get("function"), dict):
            kept["function"] = {k: v for k, v in kept["function"].items() if ("function", k) not in wrong}
        return Call.model_validate(kept)


def log_line(call, outcome, key):
    call, outcome = read(call), outcome or {}
    try:
        text = json.dumps(json.loads(call.function.arguments), sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        text = repr(call.function.arguments).encode("utf-8", "replace").decode()
    began, ended = outcome.get("monotonic_s") or (0, 0)
    record = {
        "call_id": call.id,
        "tool": call.function.name,
        "status": outcome.get("status"),
        "input_hash": log.input_hash(key, call.function.name, text),
        "duration_ms": (ended - began) * 1000,
        "attempts": outcome.get("attempts", 0),
        "error_type": type(outcome["error"]).__name__ if outcome.get("error") else None,
    }
    return log.line(record)'''


def _but(part: str, other: str) -> str:
    return _SOLUTION.replace(part, other)


_MASKED = """


def masked(text):
    return {key: "***" if key == "password" else value for key, value in json.loads(text).items()}"""
_HASH = "hashlib.blake2b(asked, key=key, digest_size=12)"

LOG_LINE = Exercise(
    id="12.log_line",
    task="At night, when a booking has gone wrong, the log is all there is. **Write the function that makes the line "
    "of one call.**\n\n"
    "`log_line(call, outcome, key)` returns one line of text, a JSON object with the fields `call_id`, `tool`, "
    "`status`, `input_hash`, `duration_ms`, `attempts` and `error_type` (None: no error).\n\n"
    '`call` is what the model sent: `{"id": ..., "function": {"name": ..., "arguments": "<JSON text>"}}`. `outcome` is '
    "what the gateway noted: `status`, `attempts`, `error` (the exception or None), and two pairs of began and ended, "
    "in seconds: `wall_s` and `monotonic_s`. `key` is a secret of this process, bytes.\n\n"
    "`input_hash` alone tells whether two calls asked the same of the same tool. The arguments hold names, phones and "
    "passwords of guests, and everybody in the company may read the log. The collector cuts lines at 1,000 bytes. You "
    "are called for every call of every agent, whatever the call and the outcome look like, and must take none down.",
    minutes=15,
    difficulty="medium",
    hints=(
        "Make a list of the fields that may get in, not of the words that may not. What does each hold: an id, a name, "
        "a number, a hash?",
        "Equal arguments have to be written equally before they are hashed: parse, and dump with `sort_keys=True`. A "
        "phone number has few values, so a plain hash of it is no secret.",
        "Who writes the id, the name and the arguments? A model. Think of text that is long, holds newlines, or is no "
        "JSON at all; and of an error whose text quotes a password.",
        "`hashlib.blake2b(text, key=key)` is a keyed hash; a pattern for ids and names bounds them; a `try` around the "
        "parsing catches ValueError, TypeError and RecursionError.",
    ),
    setup="import hashlib\nimport json\nimport re",
    stub='''\
def log_line(call, outcome, key):
    """One line of JSON that says how a call went, and nothing that is nobody's business."""
    raise NotImplementedError''',
    solution=_SOLUTION,
    alternatives=(_OUTSIDE, _BY_MODEL),
    wrong=(
        WrongAnswer(
            "logs the arguments, and masks the fields whose names it knows",
            _but('"tool": name(tool),', '"tool": name(tool), "arguments": masked(at(call, "function", "arguments")),')
            + _MASKED,
            "a secret that stood in the arguments stands in the line",
        ),
        WrongAnswer(
            "hashes the text as the model wrote it",
            _but("json.dumps(json.loads(arguments), sort_keys=True)", "repr(arguments)"),
            "with its keys in another order has another hash",
        ),
        WrongAnswer("hashes the arguments alone", _but('f"{tool}\\0{', 'f"{'), "another tool with the same arguments"),
        WrongAnswer("reads the wall clock", _but('"monotonic_s"', '"wall_s"'), "the wall clock was set back"),
        WrongAnswer(
            "tells what the error said",
            _but("name(type(error).__name__)", "repr(error)"),
            "the text of a ConnectionError stands in the line",
        ),
        WrongAnswer(
            "writes JSON by hand",
            _but(
                'isinstance(value, str) and NAME.fullmatch(value) else "(no name)"', "isinstance(value, str) else None"
            ).replace("return json.dumps(fields)", "return str(fields).replace(\"'\", '\"').replace('None', 'null')"),
            "no reader takes this for JSON",
        ),
        WrongAnswer(
            "leaves the line's end to its readers",
            _but(" and NAME.fullmatch(value)", "").replace(
                "json.dumps(fields)", "json.dumps(fields, ensure_ascii=False)"
            ),
            "some reader takes it for 2 lines",
        ),
        WrongAnswer(
            "takes a name as long as the model likes",
            _but(" and NAME.fullmatch(value)", ""),
            "the collector cuts it at 1000",
        ),
        WrongAnswer(
            "trusts that arguments are JSON",
            _but("(TypeError, ValueError, RecursionError)", "KeyError"),
            "logging raised JSONDecodeError",
        ),
        WrongAnswer(
            "hashes without the key",
            _but(_HASH, "hashlib.sha256(asked)"),
            "the hash does not depend on the key",
        ),
        WrongAnswer(
            "leaves out how often it was tried", _but('        "attempts":', '        "tries":'), "lacks attempts"
        ),
    ),
    rubric=RUBRIC,
)
