"""What of a docstring goes to the model: the description, and one text for each parameter."""

from __future__ import annotations

import inspect
from typing import Annotated

import pytest
from pydantic import Field

from toolkit import Context
from toolkit.docstring import parse_docstring

VARIANTS: dict[str, tuple[str, str, dict[str, str]]] = {
    "nothing": ("", "", {}),
    "one line": ("Book a room.", "Book a room.", {}),
    "two paragraphs": ("Book a room.\n\nCosts money.", "Book a room.\n\nCosts money.", {}),
    "args": ("Do.\n\nArgs:\n    a: A.\n    b: B.", "Do.", {"a": "A.", "b": "B."}),
    "types": ("Do.\n\nArgs:\n    a (int): A.\n    b (dict[str, int], optional): B.", "Do.", {"a": "A.", "b": "B."}),
    "blank before the colon": ("Do.\n\nArgs:\n    a (int) : A.\n    b : B.", "Do.", {"a": "A.", "b": "B."}),
    "stars": ("Do.\n\nArgs:\n    *a: A.\n    **b: B.", "Do.", {"a": "A.", "b": "B."}),
    "two blanks of indent": ("Do.\n\nArgs:\n  a: A.\n  b: B.", "Do.", {"a": "A.", "b": "B."}),
    "tabs": ("Do.\n\nArgs:\n\ta: A.\n\tb: B.", "Do.", {"a": "A.", "b": "B."}),
    "another word": ("Do.\n\nParameters:\n    a: A.", "Do.", {"a": "A."}),
    "a lower-case word": ("Do.\n\nargs:\n    a: A.", "Do.", {"a": "A."}),
    "keyword arguments": ("Do.\n\nArgs:\n    a: A.\n\nKeyword Args:\n    b: B.", "Do.", {"a": "A.", "b": "B."}),
    "text below the name": ("Do.\n\nArgs:\n    a:\n        A.\n        And more.", "Do.", {"a": "A.\nAnd more."}),
    "more lines": ("Do.\n\nArgs:\n    a: A\n        goes on.\n    b: B.", "Do.", {"a": "A\ngoes on.", "b": "B."}),
    "a colon in the text": ("Do.\n\nArgs:\n    a: One of: x, y.", "Do.", {"a": "One of: x, y."}),
    "a name below a name": (
        "Do.\n\nArgs:\n    a: A, such as\n        b: not a parameter.\n    c: C.",
        "Do.",
        {"a": "A, such as\nb: not a parameter.", "c": "C."},
    ),
    "blank lines between": ("Do.\n\nArgs:\n\n    a: A.\n\n    b: B.\n", "Do.", {"a": "A.", "b": "B."}),
    "sections after": ("Do.\n\nArgs:\n    a: A.\n\nReturns:\n    X.\n\nRaises:\n    E: if.", "Do.", {"a": "A."}),
    "sections before": ("Do.\n\nReturns:\n    X.\n\nArgs:\n    a: A.", "Do.", {"a": "A."}),
    "an example": ("Do.\n\nExample:\n    >>> do()\n", "Do.", {}),
    "warnings and references": ("Do.\n\nWarning:\n    Hot.\n\nReferences:\n    A book.\n\nTodo:\n    All.", "Do.", {}),
    "words after the block": (
        "Do.\n\nArgs:\n    a: A.\n\nPrices are in USD.",
        "Do.\n\nPrices are in USD.",
        {"a": "A."},
    ),
    "a section flush left": ("Do.\n\nReturns:\nThe value.", "Do.", {}),
    "parameters flush left": ("Do.\n\nArgs:\na: A.\nb: B.", "Do.", {"a": "A.", "b": "B."}),
    "words that look like a section": ("Args: are welcome.", "Args: are welcome.", {}),
    "another language": ("订酒店。\n\nArgs:\n    城市: 城市名。", "订酒店。", {"城市": "城市名。"}),
}


@pytest.mark.row("T2", "T6")
@pytest.mark.parametrize(("text", "description", "parameters"), VARIANTS.values(), ids=VARIANTS)
def test_a_docstring_in_each_of_its_forms(text, description, parameters):
    """As written flush left, and as it stands indented inside a function."""
    assert parse_docstring(text) == (description, parameters)
    first, _, rest = text.partition("\n")
    indented = first + ("\n" + "\n".join(f"    {line}" if line else "" for line in rest.split("\n")) if rest else "")
    assert parse_docstring(indented) == (description, parameters)
    assert parse_docstring(inspect.cleandoc(text)) == (description, parameters)


def test_no_docstring_at_all():
    """None is what a function without one has."""
    assert parse_docstring(None) == ("", {})


@pytest.mark.row("T2")
def test_a_field_speaks_before_the_docstring(properties):
    """`Annotated` is where a parameter's text lives; the docstring fills what is left open."""

    def book(
        a: Annotated[str, Field(description="From the field.")], b: int = Field(2, description="Too."), c: int = 3
    ):
        """Book.

        Args:
            a: From the docstring.
            b: From the docstring.
            c: From the docstring.
        """

    found = properties(book)
    assert [node["description"] for node in found.values()] == ["From the field.", "Too.", "From the docstring."]
    assert [node.get("default") for node in found.values()] == [None, 2, 3]


def test_the_docstring_may_describe_what_the_gateway_fills_in(declare):
    """A person reads it too; the model does not."""

    def book(city: str, context: Context):
        """Book.

        Args:
            city: The city.
            context: Who asks.
        """

    assert declare(book).parameters["properties"] == {"city": {"type": "string", "description": "The city."}}
