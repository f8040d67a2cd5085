"""Worked validations, in Chinese and English: the right city, a wrong character, π, and answers that are hard to read.

    python -m toolkit.lab.worked_cases              a scripted model, whose answers stand in the data
    python -m toolkit.lab.worked_cases local        the small real model, where the extra `local-llm` is installed
    python -m toolkit.lab.worked_cases endpoint     the model behind OPENAI_BASE_URL

A scripted model gives the answers it was given, so with it the cases show what is made of an answer. Only a real one
shows what is answered.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from toolkit.agent.models import Request, client_answering, says
from toolkit.lab.panel import Picture
from toolkit.quality.call_rules import CallRule, arithmetic_only, copied
from toolkit.quality.call_validator import CallValidator, Validation, ValidatorError, ValidatorTimeout
from toolkit.quality.case import Case
from toolkit.quality.chat import Chat, ChatReply, Messages, OpenAIChat, chat_from_environment
from toolkit.quality.validator_config import ValidatorConfig
from toolkit.resources import data_path

Ending: TypeAlias = Literal["pass", "fail", "unreadable", "timeout", "error"]
CALL_RULES: tuple[CallRule, ...] = (
    copied(("get_weather", "search_hotels"), "city"),
    arithmetic_only("calculate", "expression"),
)
QUICK = ValidatorConfig(timeout_s=5, retries=1)


class WorkedCase(NamedTuple):
    """A call, what is to come of it and who decides: a rule's name, or `model`. `model_says` is the script's part."""

    id: str
    case: Case
    expected: Ending
    by: str
    correction: dict[str, Any] | None
    model_says: tuple[str, ...]
    silent_s: float


def worked_cases(name: str = "") -> list[WorkedCase]:
    """The cases of `data/validation`, in order; only those whose id begins with `name`, if given.

    >>> [worked.id for worked in worked_cases("pi")]
    ['pi.zh', 'pi.en']
    """
    with data_path("validation", "worked_cases.jsonl").open(encoding="utf-8") as lines:
        found = [_worked(json.loads(line)) for line in lines]
    return [worked for worked in found if worked.id.startswith(name)]


def _worked(line: dict[str, Any]) -> WorkedCase:
    case = Case(*(line[name] for name in Case._fields))
    says, silent_s = tuple(line["model_says"]), line.get("silent_s", 0.0)
    return WorkedCase(line["id"], case, line["expected"], line["by"], line.get("correction"), says, silent_s)


class ScriptedChat(OpenAIChat):
    """The official client over a script: it answers as the data says, after the silence the data asks for."""

    def __init__(self, worked: Sequence[WorkedCase]) -> None:
        super().__init__(client_answering(self._answer), "simulated")
        self._left = {each.case.question: list(each.model_says) for each in worked}
        self._silent_s = {each.case.question: each.silent_s for each in worked}

    async def complete(self, messages: Messages, *, temperature: float) -> ChatReply:
        """Keep silent for a while, then ask the script."""
        await asyncio.sleep(self._silent_s[self._question(messages)])
        return await super().complete(messages, temperature=temperature)

    def _answer(self, request: Request) -> dict[str, Any]:
        return says(self._left[self._question(request["messages"])].pop(0))

    def _question(self, messages: Messages) -> str:
        prompt = messages[-1]["content"]
        return next(question for question in self._left if json.dumps(question, ensure_ascii=False) in prompt)


async def run_worked(chat: Chat, worked: Sequence[WorkedCase], config: ValidatorConfig = QUICK) -> Picture:
    """Validate the cases, and say how many passed, and how many ended as expected, which is another number."""
    async with CallValidator(chat, config, rules=CALL_RULES) as validator:
        found = await validator.validate_all(each.case for each in worked)
    endings = [ending_of(each) for each in found]
    as_expected = sum(ending == each.expected for ending, each in zip(endings, worked, strict=True))
    rows = [
        [each.id, ending, getattr(one, "by", ""), getattr(one, "reason", str(one)), each.expected]
        for each, one, ending in zip(worked, found, endings, strict=True)
    ]
    summary = (
        f"{endings.count('pass')} of {len(worked)} calls passed. {as_expected} of {len(worked)} ended as expected."
    )
    return Picture(summary, ["case", "ended", "by", "reason", "expected"], rows)


def ending_of(found: Validation | ValidatorError) -> Ending:
    """How a validation ended, in one word."""
    if isinstance(found, Validation):
        return found.word
    return "timeout" if isinstance(found, ValidatorTimeout) else "error"


def main(arguments: Sequence[str]) -> None:
    """Run the cases on a model and print the table."""
    worked = worked_cases()
    match arguments:
        case []:
            chat: Chat = ScriptedChat([each._replace(silent_s=min(each.silent_s, 0.5)) for each in worked])
            config = ValidatorConfig(timeout_s=0.2, retries=0)
        case ["local"]:
            from toolkit.agent.local import LocalModel
            from toolkit.lab.local_validation import LocalChat

            chat, config = LocalChat(LocalModel()), ValidatorConfig(timeout_s=60, retries=0)
        case ["endpoint"]:
            chat, config = chat_from_environment(), ValidatorConfig(timeout_s=30)
        case _:
            sys.exit(__doc__)
    print(asyncio.run(run_worked(chat, worked, config)))


if __name__ == "__main__":
    main(sys.argv[1:])
