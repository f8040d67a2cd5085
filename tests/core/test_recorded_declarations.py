"""Three hundred tool declarations as other projects sent them on the wire: exported, or clearly refused."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from toolkit import Registry, ToolDefinitionError
from toolkit.json_schema import walk
from tools import environment

FOLDER = Path(os.environ.get("TOOLKIT_RECORDINGS", environment.ROOT.parent / "shared" / "recordings"))
RECORDED = FOLDER / "tool_declarations.jsonl.gz"
pytestmark = pytest.mark.skipif(not RECORDED.exists(), reason="the recordings are not there")
SCHEMA_KEYS = ("parameters", "input_schema", "parameters_json_schema", "parametersJsonSchema")


def declarations() -> list[dict[str, Any]]:
    with gzip.open(RECORDED, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["tool"] for line in lines]


def schema_of(declared: dict[str, Any]) -> Any:
    return next((declared[key] for key in SCHEMA_KEYS if key in declared), {"type": "object", "properties": {}})


def register(declared: dict[str, Any]) -> Registry:
    """As a hand-written schema; a name or a description is supplied where the wire had none."""
    registry = Registry()
    registry.register(
        name=declared.get("name") or "hosted_tool",
        description=declared.get("description") or "Recorded without a description.",
        parameters=schema_of(declared),
        func=print,
    )
    return registry


def outcome(declared: dict[str, Any], *, strict: bool) -> tuple[dict[str, Any] | None, str]:
    """The exported parameters, or why there are none."""
    try:
        return register(declared).openai_tools(strict=strict)[0]["function"]["parameters"], ""
    except ToolDefinitionError as error:
        return None, str(error)


@pytest.mark.row("T1")
def test_each_is_exported_word_for_word_or_refused_with_the_place():
    """Refused are 17 in Google's own spelling of types and 3 settings of hosted tools: no JSON Schema of an object."""
    outcomes: Counter[str] = Counter()
    for declared in declarations():
        exported, why = outcome(declared, strict=False)
        if exported is None:
            assert "must be a JSON Schema with type 'object', such as" in why
            assert schema_of(declared).get("type") in ("OBJECT", 6, None)
        else:
            assert exported == schema_of(declared)
        outcomes["exported" if exported else "refused"] += 1
    assert outcomes == {"exported": 280, "refused": 20}


@pytest.mark.row("T2")
def test_each_has_a_strict_form_or_is_refused_by_name():
    """Never a crash, never a half-strict schema: valid JSON Schema, closed, complete, every reference resolved."""
    outcomes: Counter[str] = Counter()
    for declared in declarations():
        strict, why = outcome(declared, strict=True)
        if strict is None:
            assert why.startswith(f"Tool {declared.get('name')!r} has no strict schema: ") or "type 'object'" in why
        else:
            Draft202012Validator.check_schema(strict)
            assert all(node.get("required", []) == list(node.get("properties", {})) for _, node in walk(strict))
            references = [node["$ref"].removeprefix("#/$defs/") for _, node in walk(strict) if "$ref" in node]
            assert set(references) <= set(strict.get("$defs", {}))
        outcomes["exported" if strict else "refused"] += 1
    assert outcomes == {"exported": 279, "refused": 21}
