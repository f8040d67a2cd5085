"""Async tests run in virtual time: no test waits, and each takes exactly the seconds it says."""

from __future__ import annotations

import inspect

import pytest

from toolkit import Registry
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
    """A new registry."""
    return Registry()
