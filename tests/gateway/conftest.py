"""Async tests run in virtual time: no test waits, and each takes exactly the seconds it says."""

from __future__ import annotations

import inspect
import json
import random

import pytest

from toolkit import Gateway, Registry
from toolkit.lab.virtual_time import VirtualTime


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
    """Seconds since the test began; `clock.block(s)` is a sync tool's sleep."""
    return VirtualTime()


@pytest.fixture
def registry():
    return Registry()


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
