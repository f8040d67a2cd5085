"""What a gateway is in the middle of, read when Prometheus asks: threads, orphans, breakers, lost lines."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from toolkit.gateway import Gateway


class GatewayState(Collector):
    """A collector of one gateway's state: `metrics.registry.register(GatewayState(gateway))`."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    def collect(self) -> Iterator[Metric]:
        """Read the state now."""
        services = self._gateway.services
        threads = GaugeMetricFamily("toolkit_gateway_threads", "Threads of sync tools, by state.", labels=["state"])
        stuck = services.workers.stuck
        threads.add_metric(["working"], services.workers.busy - stuck)
        threads.add_metric(["stuck"], stuck)
        yield threads
        yield GaugeMetricFamily(
            "toolkit_gateway_orphans", "Tasks that outlived their limit.", value=len(services.orphans)
        )
        breakers = GaugeMetricFamily(
            "toolkit_gateway_breaker_open", "1 while a tool is left alone, 0.5 while it is probed.", labels=["tool"]
        )
        for tool, breaker in list(services.breakers.items()):
            breakers.add_metric([tool], {"closed": 0.0, "half_open": 0.5, "open": 1.0}[breaker.state])
        yield breakers
        yield CounterMetricFamily(
            "toolkit_gateway_lost_log_lines",
            "Records that a log sink failed to take.",
            value=self._gateway.lost_log_lines,
        )
