"""Async tests run in virtual time: no test waits, and each takes exactly the seconds it says."""

from __future__ import annotations

import inspect
import json
import random

import pytest

from toolkit import Registry
from toolkit.hotel import World, hotel_registry
from toolkit.lab.virtual_time import VirtualTime
from toolkit.quality import Pipeline


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run `async def` tests on the loop of the test's clock."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    clock = pyfuncitem.funcargs.get("clock") or VirtualTime()
    clock.run(pyfuncitem.obj(**arguments))
    return True


@pytest.fixture
def clock():
    """Seconds since the test began."""
    return VirtualTime()


@pytest.fixture
def registry():
    return Registry()


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
