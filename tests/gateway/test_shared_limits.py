"""Rate limits across machines, with a real Redis server. Skipped where there is none."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import time

import pytest

from toolkit import Gateway, RateLimit, Registry, Status, tool

pytest.importorskip("redis")
from toolkit.gateway.shared_limits import SharedLimiter

pytestmark = pytest.mark.skipif(shutil.which("redis-server") is None, reason="no redis-server (Debian: redis-server)")
CALL = {"id": "c", "function": {"name": "find_room", "arguments": "{}"}}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture(scope="module")
def redis_uri(tmp_path_factory):
    """A server of the tests' own, in memory only."""
    port = free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    directory = tmp_path_factory.mktemp("redis")
    server = subprocess.Popen(["redis-server", *options], cwd=directory, stdout=subprocess.PIPE, text=True)
    try:
        for line in server.stdout:
            if "Ready to accept connections" in line:
                break
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(10)
        server.stdout.close()


def limited_registry(per_s):
    reached, registry = [], Registry()

    @tool(registry, rate_limit=RateLimit(3, per_s))
    async def find_room() -> str:
        """Find a room."""
        reached.append(1)
        return "found"

    return registry, reached


@pytest.mark.row("F21", "T14")
def test_two_gateways_share_one_limit(redis_uri):
    """As on two machines: ten calls over both, three run, the others are told how long to wait."""
    registry, reached = limited_registry(per_s=60)

    async def main():
        async with SharedLimiter(redis_uri) as one, SharedLimiter(redis_uri) as two:
            gateways = [Gateway(registry, limiter=limiter, log_sink=None) for limiter in (one, two)]
            return await asyncio.gather(*(gateways[number % 2].call(CALL) for number in range(10)))

    results = asyncio.run(main())
    refused = [result for result in results if result.status is Status.RATE_LIMITED]
    assert (len(reached), len(refused)) == (3, 7)
    assert all(50 < result.error.retry_after_s <= 60 for result in refused)


@pytest.mark.row("F21")
def test_a_fraction_of_a_second_is_rounded_up(redis_uri):
    """Stricter, never looser; and the window is over when it was said to be."""

    async def main():
        async with SharedLimiter(redis_uri) as limiter:
            first = await limiter.take(RateLimit(1, 0.2), "fraction")
            wait_s = await limiter.take(RateLimit(1, 0.2), "fraction")
            await asyncio.sleep(wait_s + 0.01)
            return first, wait_s, await limiter.take(RateLimit(1, 0.2), "fraction")

    first, wait_s, after = asyncio.run(main())
    assert (first, after) == (None, None)
    assert 0.8 < wait_s <= 1.0


@pytest.mark.row("F21")
@pytest.mark.parametrize("answers", [False, True], ids=["nobody there", "never answers"])
def test_without_redis_a_limited_tool_is_not_run(answers):
    """Refused, or silent: the call ends soon, in a result; a tool without a limit runs on."""
    registry, reached = limited_registry(per_s=60)

    @tool(registry)
    async def free() -> str:
        """Free."""
        return "free"

    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        if answers:
            silent.listen()
        port = silent.getsockname()[1]

        async def main():
            async with SharedLimiter(f"redis://127.0.0.1:{port}/0", timeout_s=0.2) as limiter:
                gateway = Gateway(registry, limiter=limiter, log_sink=None)
                calls = [CALL, {"id": "d", "function": {"name": "free", "arguments": "{}"}}]
                return await gateway.call_all(calls)

        started = time.monotonic()
        limited, unlimited = asyncio.run(main())
    assert (limited.status, limited.error.kind, reached) == (Status.EXECUTION_ERROR, "gateway", [])
    assert unlimited.value == "free"
    assert time.monotonic() - started < 2
