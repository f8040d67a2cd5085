"""What the notebooks import: exercises with checkers, predictions, and the lessons' own declarations."""

from toolkit.lessons.exercise import check, hint, solution
from toolkit.lessons.prediction import predict
from toolkit.lessons.progress.page import progress_page
from toolkit.lessons.progress.timing import start

__all__ = ["check", "hint", "predict", "progress_page", "solution", "start"]
