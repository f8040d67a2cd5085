"""What the pipeline's tests share. Clock and async tests: `tests/conftest.py`."""

from __future__ import annotations

import json
import random

import pytest

from toolkit.hotel import World, hotel_registry
from toolkit.quality import Pipeline


@pytest.fixture
def world():
    """A hotel whose bookings can be read back."""
    return World()


@pytest.fixture
def hotel(world):
    """The hotel's tools."""
    return hotel_registry(world)


@pytest.fixture
def records():
    """The log records of the test's pipelines."""
    return []


@pytest.fixture
def pipeline_for(clock, records):
    """Makes a pipeline on the test's clock that writes into `records`."""
    made = []

    def make(registry, **options):
        options = {"clock": clock.now, "log_sink": records.append, "rng": random.Random(7), **options}
        made.append(Pipeline(registry, **options))
        clock.watch(made[-1].gateway.services.workers)
        return made[-1]

    yield make
    for pipeline in made:
        pipeline.gateway.services.workers.close()


@pytest.fixture
def raw():
    """A call as a model sends it: `raw("book_hotel", hotel_id="HT-001")`."""

    def make(tool, /, call_id="call_1", **arguments):
        function = {"name": tool, "arguments": json.dumps(arguments, ensure_ascii=False)}
        return {"id": call_id, "type": "function", "function": function}

    return make


def user(text):
    return {"role": "user", "content": text}
