"""What the gateway's tests share. Clock and async tests: `tests/conftest.py`."""

from __future__ import annotations

import json
import random

import pytest

from toolkit import Gateway


@pytest.fixture
def records():
    """The log records of the test's gateways."""
    return []


@pytest.fixture
def gateway_for(clock, records):
    """Makes a gateway on the test's clock, with fixed jitter, that writes into `records`."""
    made = []

    def make(registry, *args, **options):
        options = {"clock": clock.now, "log_sink": records.append, "rng": random.Random(7), **options}
        made.append(Gateway(registry, *args, **options))
        clock.watch(made[-1].services.workers)
        return made[-1]

    yield make
    for gateway in made:
        gateway.services.workers.close()


@pytest.fixture
def raw():
    """A call as a model sends it: `raw("book_hotel", hotel_id="HT-001")`."""

    def make(tool, /, call_id="call_1", **arguments):
        function = {"name": tool, "arguments": json.dumps(arguments)}
        return {"id": call_id, "type": "function", "function": function}

    return make
