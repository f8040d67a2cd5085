"""What a run costs, drawn: errors that accumulate over its steps, tokens that grow with its turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolkit.agent.cost import run_succeeds, tokens_sent_over
from toolkit.lab.figure import LINES, MARKERS, Chart, draw_grid

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_run_cost(
    steps: Sequence[float] = (0.975, 0.995, 0.999), longest: int = 30, first: int = 1500, growth: int = 300
) -> Chart:
    """Draw two panels against the length of a run.

    Args:
        steps: How often one step succeeds; a line each.
        longest: Turns of the longest run.
        first: Tokens of the first request: the tools, the system's message and the task.
        growth: Tokens a turn adds to the history: a call, its result, a sentence.
    """
    turns = range(1, longest + 1)
    whole = [tokens_sent_over(number, first, growth) for number in turns]
    short = [tokens_sent_over(number, first, growth, kept_turns=4) for number in turns]

    def errors(axes: Axes) -> None:
        for step, line, marker in zip(steps, LINES, MARKERS, strict=False):
            runs = [run_succeeds(step, number) for number in turns]
            axes.plot(turns, runs, linestyle=line, marker=marker, markersize=3, label=f"{step:.1%} a step")
        axes.set_ylim(0, 1.02)
        axes.set_xlabel("steps of a run")
        axes.set_ylabel("runs without an error")
        axes.legend(loc="lower left", fontsize="small")

    def tokens(axes: Axes) -> None:
        axes.plot(turns, [each / 1000 for each in whole], linestyle=LINES[0], label="the whole history each turn")
        axes.plot(turns, [each / 1000 for each in short], linestyle=LINES[1], label="the last four turns")
        axes.set_xlabel("turns of a run")
        axes.set_ylabel("thousand tokens sent")
        axes.legend(loc="upper left", fontsize="small")

    shares = ", ".join(f"{run_succeeds(step, longest):.0%} at {step:.1%}" for step in steps)
    words = (
        f"after {longest} steps runs without an error: {shares}; tokens sent after {longest} turns: "
        f"{whole[-1]:,} with the whole history, {short[-1]:,} with the last four turns"
    )
    return draw_grid({"Errors accumulate": errors, "Tokens grow with the square": tokens}, words, width=9.5, height=2.8)
