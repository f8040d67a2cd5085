"""The numbers and the prompt of a validator, checked where they are given."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, field_validator

from toolkit.gateway.retry import Backoff
from toolkit.quality.case import FIELDS, PROMPTS, placeholders


class ValidatorConfig(BaseModel):
    """The numbers of a validator; a value that cannot be meant is refused.

    `timeout_s` is for one attempt, `retries` are the attempts after the first, `corrections` the corrected calls that
    are validated in turn. `template` names `{{ question }}`, `{{ tool }}`, `{{ arguments }}` and `{{ result }}`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    temperature: float = Field(default=0.0, ge=0, le=2, allow_inf_nan=False)
    timeout_s: float = Field(default=10.0, gt=0, allow_inf_nan=False)
    retries: int = Field(default=2, ge=0)
    corrections: int = Field(default=2, ge=0)
    backoff: Backoff = Backoff()
    template: str = PROMPTS["en"]

    @field_validator("template")
    @classmethod
    def _names_all(cls, template: str) -> str:
        missing = [name for name in FIELDS if name not in placeholders(template)]
        if missing:
            raise ValueError(f"the template lacks {', '.join(f'{{{{ {name} }}}}' for name in missing)}")
        return template
