"""Before, during, after: hooks that ask, rules that score, one coordinator; and a model that validates calls."""

from toolkit.quality.features import Features, in_conversation
from toolkit.quality.hooks import follows, mentioned, plausible
from toolkit.quality.pipeline import Pipeline
from toolkit.quality.reactions import ScoreAlert, log_bad_score
from toolkit.quality.rules import complete, echoes, speaks_of, well_formed
from toolkit.quality.scoring import Finding, Rule, Score, Scorecard
from toolkit.quality.versions import Change, Versions

__all__ = [
    "Change",
    "Features",
    "Finding",
    "Pipeline",
    "Rule",
    "Score",
    "ScoreAlert",
    "Scorecard",
    "Versions",
    "complete",
    "echoes",
    "follows",
    "in_conversation",
    "log_bad_score",
    "mentioned",
    "plausible",
    "speaks_of",
    "well_formed",
]
