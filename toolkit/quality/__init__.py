"""Before, during, after: hooks that ask, rules that score, one coordinator; and a model that validates calls."""

from toolkit.quality.call_rules import arithmetic_only, copied
from toolkit.quality.call_validator import CallValidator, Validation, ValidatorError, ValidatorTimeout
from toolkit.quality.case import Case
from toolkit.quality.features import Features, in_conversation
from toolkit.quality.hooks import follows, mentioned, plausible
from toolkit.quality.pipeline import Pipeline
from toolkit.quality.reactions import ScoreAlert, log_bad_score
from toolkit.quality.rules import complete, echoes, speaks_of, well_formed
from toolkit.quality.scoring import Finding, Rule, Score, Scorecard
from toolkit.quality.validator_config import ValidatorConfig
from toolkit.quality.versions import Change, Versions

__all__ = [
    "CallValidator",
    "Case",
    "Change",
    "Features",
    "Finding",
    "Pipeline",
    "Rule",
    "Score",
    "ScoreAlert",
    "Scorecard",
    "Validation",
    "ValidatorConfig",
    "ValidatorError",
    "ValidatorTimeout",
    "Versions",
    "arithmetic_only",
    "complete",
    "copied",
    "echoes",
    "follows",
    "in_conversation",
    "log_bad_score",
    "mentioned",
    "plausible",
    "speaks_of",
    "well_formed",
]
