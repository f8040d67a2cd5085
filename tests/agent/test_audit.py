"""The audit log: a line per message, whatever happens in between."""

from __future__ import annotations

import json

import pytest

from toolkit.agent import AuditLog


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def test_a_line_holds_run_number_and_message(tmp_path):
    """Runs share a file; each counts its own messages."""
    path = tmp_path / "audit.jsonl"
    with AuditLog(path, "one") as one, AuditLog(path, "two") as two:
        one.append({"role": "user", "content": "西安"})
        two.append({"role": "user", "content": "Xi'an"})
        one.append({"role": "assistant", "content": "ok"})
    assert lines(path) == [
        {"run": "one", "seq": 0, "message": {"role": "user", "content": "西安"}},
        {"run": "two", "seq": 0, "message": {"role": "user", "content": "Xi'an"}},
        {"run": "one", "seq": 1, "message": {"role": "assistant", "content": "ok"}},
    ]


def test_a_message_is_on_disk_before_the_next(tmp_path):
    """A run that dies after a message has not lost it."""
    path = tmp_path / "audit.jsonl"
    log = AuditLog(path, "one")
    log.append({"role": "user", "content": "hello"})
    assert len(lines(path)) == 1
    log.close()


@pytest.mark.row("J5")
def test_a_resumed_run_counts_on(tmp_path):
    """Opened again under the same id, the numbers go on; another run's lines do not count."""
    path = tmp_path / "audit.jsonl"
    for run in ("one", "other", "one"):
        with AuditLog(path, run) as log:
            log.append({"role": "user", "content": "hello"})
    assert [(line["run"], line["seq"]) for line in lines(path)] == [("one", 0), ("other", 0), ("one", 1)]


def test_a_line_that_a_crash_cut_off_does_not_swallow_the_next(tmp_path):
    """The new line begins on a line of its own."""
    path = tmp_path / "audit.jsonl"
    path.write_text('{"run": "one", "seq": 0, "mess', encoding="ascii")
    with AuditLog(path, "one") as log:
        log.append({"role": "user", "content": "hello"})
    assert json.loads(path.read_text(encoding="ascii").splitlines()[1])["message"]["content"] == "hello"


@pytest.mark.row("S8")
def test_any_text_stays_on_one_line(tmp_path):
    """Line breaks of every kind and half surrogate pairs are escaped."""
    path = tmp_path / "audit.jsonl"
    text = "a\nb\rc\u2028d\u0085e\ud800"
    with AuditLog(path, "one\n") as log:
        log.append({"role": "user", "content": text})
    assert [line["message"]["content"] for line in lines(path)] == [text]
