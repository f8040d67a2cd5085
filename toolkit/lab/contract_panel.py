"""What lesson 02 shows of one declaration: its contract, what becomes of a call, and which values pass."""

# Annotations are evaluated as they stand: those of the tool below depend on the controls.
import json
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from toolkit.arguments import MalformedArguments
from toolkit.decorator import tool
from toolkit.errors import ToolDefinitionError
from toolkit.lab.figure import draw
from toolkit.lab.panel import Picture
from toolkit.registry import Registry
from toolkit.validation import Rejected, validate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TRIED = range(-1, 19)  # nights
DEFAULT = 2


def show_contract(fewest: int, most: int, optional: bool, strict: bool, arguments: str) -> Picture:
    """Declare `book_nights` from these, send it `arguments` as text, and try every number of nights from -1 to 18.

    `optional` gives `nights` the default 2; `strict` exports the strict form.
    """
    try:
        registry = declare(fewest, most, optional)
    except ToolDefinitionError as error:
        return Picture(f"Refused at its declaration: {error}")
    function = registry.openai_tools(strict=strict)[0]["function"]
    parameters, verdict = function["parameters"], _verdict(registry, arguments)
    rows = [
        ["schema of nights", _json(parameters["properties"]["nights"])],
        ["required", _json(parameters["required"])],
        ["sent", arguments],
        *verdict.items(),
    ]
    passed = [nights for nights in TRIED if "refused" not in _verdict(registry, _json({"nights": nights}))]
    words = f"nights that pass, of {TRIED[0]} to {TRIED[-1]}: {_span(passed)}"
    summary = "Refused." if "refused" in verdict else "The function is called."
    return Picture(summary, ["", ""], rows, draw(partial(_paint, passed=passed), words, width=7.5, height=1.1))


def declare(fewest: int, most: int, optional: bool) -> Registry:
    """A registry of one tool, whose one parameter is declared as the controls say."""
    registry = Registry()

    def book_nights(nights: Annotated[int, Field(description="Number of nights.", ge=fewest, le=most)]) -> int:
        """Book some nights."""
        return nights

    book_nights.__defaults__ = (DEFAULT,) if optional else None
    tool(registry)(book_nights)
    return registry


def _verdict(registry: Registry, arguments: str) -> dict[str, str]:
    try:
        model, notes = validate(registry["book_nights"], arguments)
    except (Rejected, MalformedArguments) as error:
        return {"refused": str(error)}
    return {"called with": _json(dict(model)), "mended": ", ".join(notes) or "nothing"}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _span(numbers: list[int]) -> str:
    return f"{numbers[0]} to {numbers[-1]}" if numbers else "none"


def _paint(axes: "Axes", passed: list[int]) -> None:
    refused = [nights for nights in TRIED if nights not in passed]
    axes.scatter(passed, [0] * len(passed), marker="o", s=70, label="passes")
    axes.scatter(refused, [0] * len(refused), marker="X", s=70, label="refused")
    axes.set_xticks(TRIED)
    axes.set_yticks([])
    axes.set_xlabel("nights")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
