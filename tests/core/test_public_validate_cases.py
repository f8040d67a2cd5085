"""Faults reported in public about how arguments are held against a contract: each rebuilt, and held right."""

from __future__ import annotations

import pytest


def mean(xs: list[int]) -> float: ...


def cards(board_id: str): ...


def delete(message_id: int): ...


def number_and_id(n: int, id: str): ...


def switch(on: bool): ...


def test_p41_a_list_sent_as_text(call, refusal):
    """PrefectHQ/fastmcp#4784, kLOsk/adloop#28: decoded and noted in lenient mode, refused in strict mode."""
    assert call(mean, '{"xs":"[4, 5, 6]"}') == ({"xs": [4, 5, 6]}, ("converted:xs",))


def test_p41_a_list_sent_as_text_in_strict_mode(refusal):
    """PrefectHQ/fastmcp#4784."""
    assert refusal(mean, '{"xs":"[4, 5, 6]"}', lenient=False) == (
        'Invalid arguments for mean. xs: expected a valid array, received "[4, 5, 6]".'
    )


@pytest.mark.parametrize("lenient", [True, False])
def test_p43_words_for_a_text_stay_words(call, lenient):
    """agno-agi/agno#10459: false, null and their like are texts where a text is asked for."""

    def shell(cmd: str, label: str | None = None): ...

    assert call(shell, '{"cmd":"false","label":" NULL "}', lenient=lenient) == ({"cmd": "false", "label": " NULL "}, ())


@pytest.mark.parametrize("word", ["null", "None", " NULL "])
def test_p44_the_word_null_for_an_optional_number(call, word):
    """usestrix/strix#1164: read as null, and noted, where null is allowed and the value is no text."""

    def list_notes(page: int | None = None): ...

    assert call(list_notes, {"page": word}) == ({"page": None}, ("object_arguments", "null_string:page"))


def test_p44_the_word_null_in_strict_mode(refusal):
    """usestrix/strix#1164."""

    def list_notes(page: int | None = None): ...

    assert refusal(list_notes, '{"page":"null"}', lenient=False) == (
        'Invalid arguments for list_notes. page: expected a valid integer, received "null".'
    )


@pytest.mark.parametrize("lenient", [True, False])
def test_p45_an_unknown_argument_is_named_with_the_accepted_ones(refusal, lenient):
    """modelcontextprotocol/python-sdk#3067: never dropped while the default is used in silence."""

    def open_page(section: str = ""): ...

    assert refusal(open_page, '{"chapter":"2"}', lenient=lenient) == (
        "Invalid arguments for open_page. chapter: unknown argument. Accepted: section."
    )


def test_p46_camel_case_for_snake_case(call):
    """taylorwilsdon/google_workspace_mcp#918, langchain-ai/langchain-mcp-adapters#277."""
    assert call(cards, '{"boardId":"b1"}') == ({"board_id": "b1"}, ("key_renamed:boardId",))


def test_p46_camel_case_in_strict_mode(refusal):
    """taylorwilsdon/google_workspace_mcp#918: refused, with the name that was meant."""
    assert refusal(cards, '{"boardId":"b1"}', lenient=False) == (
        "Invalid arguments for cards. board_id: expected a value, received nothing. "
        "boardId: unknown argument. Did you mean board_id? Accepted: board_id."
    )


def test_p46_both_spellings_are_refused(refusal):
    """taylorwilsdon/google_workspace_mcp#921: nothing is overwritten."""
    assert refusal(cards, '{"boardId":"b1","board_id":"b2"}') == (
        "Invalid arguments for cards. boardId: unknown argument. Did you mean board_id? Accepted: board_id."
    )


def test_p46_two_foreign_spellings_are_ambiguous(refusal):
    """taylorwilsdon/google_workspace_mcp#921: neither is chosen."""
    assert refusal(cards, '{"boardId":"1","boardID":"2"}') == (
        "Invalid arguments for cards. board_id: expected a value, received nothing. "
        "boardId: unknown argument. Did you mean board_id? Accepted: board_id. "
        "boardID: unknown argument. Did you mean board_id? Accepted: board_id."
    )


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('{"message_id":"1152921504606846977"}', 1152921504606846977),
        ('{"message_id":9007199254740993}', 9007199254740993),
    ],
)
def test_p47_a_large_integer_is_not_rounded(call, raw, expected):
    """NousResearch/hermes-agent#55314: no way leads through a float."""
    assert call(delete, raw)[0] == {"message_id": expected}


@pytest.mark.parametrize("lenient", [True, False])
def test_p49_a_whole_float_is_an_integer(call, lenient):
    """tontinton/maki#142, smg-project/smg#1743: as JSON Schema says, in both modes; a text of digits stays a text."""
    assert call(number_and_id, '{"n":20.0,"id":"12345678901234567890"}', lenient=lenient) == (
        {"n": 20, "id": "12345678901234567890"},
        ("converted:n",),
    )


def test_p49_a_fraction_is_no_integer(refusal):
    """tontinton/maki#142."""
    assert refusal(number_and_id, '{"n":20.5,"id":"x"}') == (
        "Invalid arguments for number_and_id. n: expected a valid integer, received 20.5."
    )


def test_p49_true_is_no_integer(refusal):
    """smg-project/smg#1743."""
    assert refusal(number_and_id, '{"n":true,"id":"x"}') == (
        "Invalid arguments for number_and_id. n: expected a valid integer, received true."
    )


def test_p49_a_number_for_a_text(call):
    """langchain-ai/langchain#30145: an integer's digits are meant."""
    assert call(number_and_id, '{"n":1,"id":3}') == ({"n": 1, "id": "3"}, ("converted:id",))


def test_p49_a_number_for_a_text_in_strict_mode(refusal):
    """langchain-ai/langchain#30145."""
    assert refusal(number_and_id, '{"n":1,"id":3}', lenient=False) == (
        "Invalid arguments for number_and_id. id: expected a valid string, received 3."
    )


@pytest.mark.parametrize(("word", "expected"), [("false", False), ("0", False), ("True", True), ("no", False)])
def test_p50_a_word_for_a_boolean(call, word, expected):
    """guardrails-ai/guardrails#1620: "false" is never true."""
    assert call(switch, {"on": word}) == ({"on": expected}, ("object_arguments", "converted:on"))


def test_p50_another_word_is_no_boolean(refusal):
    """guardrails-ai/guardrails#1620."""
    assert refusal(switch, '{"on":"maybe"}') == (
        'Invalid arguments for switch. on: expected a valid boolean, received "maybe".'
    )


def test_p51_numbers_as_texts_are_added_and_not_joined(call):
    """ollama/ollama#7860: the sum is 7, never 52."""

    def add(a: int, b: int): ...

    values, notes = call(add, '{"a":"5","b":"2"}')
    assert (values["a"] + values["b"], notes) == (7, ("converted:a", "converted:b"))


def test_p51_numbers_as_texts_in_strict_mode(refusal):
    """ollama/ollama#7860."""

    def add(a: int, b: int): ...

    assert refusal(add, '{"a":"5","b":"2"}', lenient=False) == (
        'Invalid arguments for add. a: expected a valid integer, received "5". '
        'b: expected a valid integer, received "2".'
    )
