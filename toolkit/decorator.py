"""LAYER 2: `@tool`. One source, the function's own signature, for what the model reads and what we accept."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel

from toolkit.errors import ToolDefinitionError, ToolError
from toolkit.functions import Scope
from toolkit.records import CallPolicy, Tool
from toolkit.registry import Registry
from toolkit.schema import Signature, read_signature
from toolkit.validation import validate

F = TypeVar("F", bound=Callable[..., Any])


def tool(
    registry: Registry,
    *,
    name: str | None = None,
    description: str | None = None,
    descriptions: Mapping[str, str] | None = None,
    model: type[BaseModel] | None = None,
    examples: Sequence[Mapping[str, Any]] = (),
    version: str = "1",
    **policy: Any,
) -> Callable[[F], F]:
    """Declare a function as a tool and return it unchanged.

    Args:
        registry: Where the tool goes.
        name: The tool's name; the function's own if not given.
        description: What the model reads; the docstring's text if not given.
        descriptions: The description in other languages, by language code.
        model: A Pydantic model of the arguments, where the signature is not the source.
        examples: Arguments of good calls. Each is validated here and shown to the model.
        version: The tool's own version, for the log.
        policy: How the tool is to be run: the fields of `CallPolicy`.

    Raises:
        ToolDefinitionError: the function cannot become a tool; the text says why and what to do.

    >>> registry = Registry()
    >>> @tool(registry)
    ... def double(number: int) -> int:
    ...     "Double a number."
    ...     return 2 * number
    >>> registry.openai_tools()[0]["function"]["parameters"]["properties"]
    {'number': {'type': 'integer'}}
    """
    if not isinstance(registry, Registry):
        raise ToolDefinitionError(f"tool() needs a registry: write @tool(registry), not @tool. It got {registry!r}.")
    frame = sys._getframe(1)
    scope = Scope(frame.f_globals, dict(frame.f_locals))

    def declare(func: F) -> F:
        tool_name = name if name is not None else getattr(func, "__name__", None)
        if tool_name is None:
            raise ToolDefinitionError(f"{func!r} has no name of its own. Give it one: tool(registry, name=...).")
        signature = read_signature(func, tool_name, model=model, scope=scope)
        parameters = signature.parameters
        if examples:
            parameters = {**parameters, "examples": [_plain_example(tool_name, each) for each in examples]}
        record = Tool(
            name=tool_name,
            description=description or signature.description,
            parameters=parameters,
            func=func,
            signature=signature,
            policy=_policy(tool_name, policy, signature),
            descriptions=dict(descriptions or {}),
            restricted=signature.restricted,
            version=version,
        )
        for example in parameters.get("examples", ()):
            _check_example(record, example)
        registry.add(record)
        return func

    return declare


def _policy(name: str, options: Mapping[str, Any], signature: Signature) -> CallPolicy:
    unknown = sorted(set(options) - set(CallPolicy.__slots__))
    if unknown:
        raise ToolDefinitionError(
            f"Tool {name!r}: {unknown[0]!r} is no option. Options: {', '.join(CallPolicy.__slots__)}."
        )
    try:
        policy = CallPolicy(**options)
    except ToolDefinitionError as error:
        raise ToolDefinitionError(f"Tool {name!r}: {error}") from None
    key = policy.idempotency_key
    if isinstance(key, str) and key not in signature.model.model_fields:
        names = ", ".join(signature.model.model_fields) or "none"
        raise ToolDefinitionError(
            f"Tool {name!r}: idempotency_key is {key!r}, which is no parameter. Parameters: {names}."
        )
    return policy


def _plain_example(name: str, example: Mapping[str, Any]) -> Any:
    try:
        return json.loads(json.dumps(example, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ToolDefinitionError(f"Tool {name!r}: an example is not JSON: {error}.") from None


def _check_example(record: Tool, example: Any) -> None:
    try:
        validate(record, json.dumps(example), lenient=False)
    except ToolError as error:
        raise ToolDefinitionError(
            f"Tool {record.name!r}: an example would be refused by the tool itself. {error}"
        ) from None
