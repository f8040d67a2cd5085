"""The load run counts right. Its speed is for a person to read, on a machine that does nothing else."""

from __future__ import annotations

import asyncio
import importlib.util
from pathlib import Path

import pytest

from toolkit import Status


@pytest.fixture(scope="module")
def load():
    spec = importlib.util.spec_from_file_location("load_run", Path(__file__).with_name("load.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.row("T3")
def test_every_call_of_a_mix_is_accounted_for(load):
    """1,500 calls from 200 workers: as many answers and log lines as calls, as many attempts as tools were reached."""
    found = asyncio.run(load.run(1_500, 200))
    assert found["accounted"]
    assert set(found["statuses"]) == {
        Status.SUCCESS,
        Status.VALIDATION_ERROR,
        Status.EXECUTION_ERROR,
        Status.UNKNOWN_TOOL,
        Status.DEGRADED,
        Status.RATE_LIMITED,
    }
