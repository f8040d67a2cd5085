"""A gateway that runs, its metrics served, and a real Prometheus that scrapes them: all on loopback."""

from __future__ import annotations

import asyncio
import http.client
import itertools
import json
import socket
import subprocess
import threading
import time
from contextlib import contextmanager
from urllib.parse import urlencode

from toolkit import Gateway, Registry, ToolError, TransientError, tool
from toolkit.gateway import BreakerSettings, Settings
from toolkit.gateway.log import tee
from toolkit.observe.gateway_state import GatewayState
from toolkit.observe.metrics import Metrics

CONFIG = """
global: {scrape_interval: 200ms, scrape_timeout: 200ms}
scrape_configs:
  - job_name: toolkit
    static_configs: [{targets: ["127.0.0.1:%d"]}]
"""


def registry_of_three() -> Registry:
    """A tool that answers, one that fails every third time, one that declines."""
    registry = Registry()
    turns = itertools.count()

    @tool(registry, idempotent=True)
    async def get_weather(city: str) -> str:
        """Look up the weather."""
        await asyncio.sleep(0.002)
        return "rain"

    @tool(registry)
    async def search_hotels(city: str) -> str:
        """Search hotels."""
        if next(turns) % 3 == 0:
            raise TransientError("down")
        return "HT-001"

    @tool(registry)
    def book_hotel(hotel_id: str) -> str:
        """Book a room."""
        raise ToolError("No room.")

    return registry


def _score(name, arguments, value):
    return (0.9, "good") if name == "get_weather" else None


class LiveGateway:
    """Calls tools in a thread until it is stopped; `records` is what went to the log."""

    def __init__(self) -> None:
        self.registry = registry_of_three()
        self.metrics = Metrics(tools=self.registry)
        self.records = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._call()), daemon=True)
        self._ready = threading.Event()

    async def _call(self) -> None:
        sink = tee(self.records.append, self.metrics)
        settings = Settings(attempts=2, breaker=BreakerSettings(minimum=10**6))  # watched, and never open
        async with Gateway(self.registry, settings, log_sink=sink, scorer=_score) as gateway:
            self.metrics.registry.register(GatewayState(gateway))
            self._ready.set()
            for number in itertools.count():
                calls = [
                    {"id": f"call_{number}_{name}", "function": {"name": name, "arguments": json.dumps(arguments)}}
                    for name, arguments in (
                        ("get_weather", {"city": "Xi'an"}),
                        ("search_hotels", {"city": "Xi'an"}),
                        ("book_hotel", {"hotel_id": "HT-001"}),
                        ("book_hotel", {"room": 1}),
                        ("no_such_tool", {}),
                    )
                ]
                await gateway.call_all(calls)
                await asyncio.sleep(0.01)
                if self._stop.is_set():
                    return

    def __enter__(self):
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def stop(self) -> None:
        """Make no more calls."""
        self._stop.set()
        self._thread.join(10)

    def __exit__(self, *_: object) -> None:
        self.stop()


class Prometheus:
    """A running server; `query` asks it."""

    def __init__(self, port: int) -> None:
        self.port = port

    def get(self, path: str, **parameters):
        """The data of an answer of its HTTP API."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", f"/api/v1/{path}?{urlencode(parameters)}")
            told = json.load(connection.getresponse())
        finally:
            connection.close()
        assert told["status"] == "success", told
        return told["data"]

    def query(self, expression: str):
        """Label sets and values of an instant query."""
        return [(each["metric"], float(each["value"][1])) for each in self.get("query", query=expression)["result"]]

    def until(self, ready, limit_s: float = 30.0) -> None:
        """Ask again until something is true of it; this waits for another process, so it takes real time."""
        deadline = time.monotonic() + limit_s
        while True:
            try:
                if ready(self):
                    return
            except OSError:
                pass
            assert time.monotonic() < deadline, "Prometheus has not come so far in time"
            time.sleep(0.1)


@contextmanager
def prometheus_scraping(metrics_port: int, folder):
    """Start Debian's server on a free port, with a store of its own, and end it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = folder / "prometheus.yml"
    config.write_text(CONFIG % metrics_port, encoding="utf-8")
    command = ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}", "--log.level=error"]
    command += [f"--web.listen-address=127.0.0.1:{port}", "--enable-feature=exemplar-storage"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield Prometheus(port)
    finally:
        process.terminate()
        process.wait(20)
