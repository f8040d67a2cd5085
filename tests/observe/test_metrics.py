"""Metrics from log records: what is counted, and that nobody can make the list of series grow."""

from __future__ import annotations

import ast
import asyncio
import inspect

import pytest
from prometheus_client.openmetrics import exposition as openmetrics
from prometheus_client.parser import text_string_to_metric_families

import toolkit.gateway
from toolkit import Context, Gateway, Registry, ToolError, tool
from toolkit.gateway import BreakerSettings, Settings, log
from toolkit.lab.virtual_time import VirtualTime
from toolkit.observe.gateway_state import GatewayState
from toolkit.observe.lines import outcome_of
from toolkit.observe.metrics import KINDS, REFUSALS, Metrics
from toolkit.records import Status


def run(metrics, calls, **options):
    registry = Registry()

    @tool(registry)
    async def find_room(city: str) -> str:
        """Find a room."""
        if city == "Atlantis":
            raise ToolError("No such city.")
        return "found"

    async def main():
        async with Gateway(registry, log_sink=metrics, **options) as gateway:
            for name, arguments, context in calls:
                await gateway.call({"id": "c", "function": {"name": name, "arguments": arguments}}, context)

    asyncio.run(main())


def samples(metrics):
    families = text_string_to_metric_families(metrics.text())
    return {
        (
            sample.name.removeprefix("toolkit_"),
            *(sample.labels[label] for label in ("tool", "status", "kind", "outcome") if label in sample.labels),
        ): (sample.value)
        for family in families
        for sample in family.samples
        if not sample.name.endswith(("_created", "_bucket", "_sum"))
    }


@pytest.mark.row("E8", "E2")
def test_what_is_counted():
    """Calls by status, errors by kind, attempts, durations, scores."""
    metrics = Metrics()
    calls = [("find_room", {"city": city}, Context()) for city in ("Xi'an", "Xi'an", "Atlantis")]
    calls += [("find_room", {}, Context()), ("find_flat", {}, Context())]
    run(metrics, calls, scorer=lambda *_: (0.5, "half"))
    assert samples(metrics) == {
        ("tool_calls_total", "find_room", "success"): 2,
        ("tool_calls_total", "find_room", "execution_error"): 1,
        ("tool_calls_total", "find_room", "validation_error"): 1,
        ("tool_calls_total", "(unknown)", "unknown_tool"): 1,
        ("tool_errors_total", "find_room", "tool_error", "refused"): 1,
        ("tool_errors_total", "find_room", "invalid_arguments", "refused"): 1,
        ("tool_errors_total", "(unknown)", "unknown_tool", "refused"): 1,
        ("tool_attempts_total", "find_room"): 3,
        ("tool_attempts_total", "(unknown)"): 0,
        ("tool_call_duration_seconds_count", "find_room", "answered"): 2,
        ("tool_call_duration_seconds_count", "find_room", "refused"): 2,
        ("tool_call_duration_seconds_count", "(unknown)", "refused"): 1,
        ("tool_score_ratio_count", "find_room"): 2,
    }


@pytest.mark.row("S14")
def test_ten_thousand_made_up_names_add_one_series():
    """Whatever a model calls, sends or is called by, the labels stay those of the fixed lists."""
    metrics = Metrics()
    run(metrics, [("anything", {}, Context())])
    before = len(samples(metrics))
    calls = [(f"tool_{number}", {f"field_{number}": 1}, Context(session=f"s{number}")) for number in range(10_000)]
    run(metrics, calls)
    after = samples(metrics)
    assert len(after) == before
    assert after["tool_calls_total", "(unknown)", "unknown_tool"] == 10_001


@pytest.mark.row("S14", "S6")
def test_a_word_that_is_on_no_list_is_other():
    """A kind or a status that the code does not know adds one series, too."""
    metrics = Metrics()
    for number in range(100):
        record = {"tool": "t", "status": f"s{number}", "error_kind": f"k{number}", "attempts": 1, "duration_ms": 1.0}
        metrics(record)
    assert samples(metrics)["tool_errors_total", "t", "other", "failed"] == 100
    assert len(samples(metrics)) == 4


@pytest.mark.row("S14")
def test_the_list_of_kinds_is_the_gateways():
    """Every kind that the gateway's modules write as a literal is on the list, and no other."""
    found = set()
    for module in _modules():
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("stop", "CallError"):
                found |= {each.value for each in node.args[:2] if isinstance(each, ast.Constant)}
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith(("kind", "(kind")):
                values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                found |= {values[0].value} if isinstance(values[0], ast.Constant) else set()
    assert {each for each in found if isinstance(each, str) and each.isidentifier()} == KINDS


@pytest.mark.row("S14", "E9")
def test_a_kind_is_a_refusal_or_a_failure_as_its_status_says():
    """Where the gateway's modules name a status beside a kind, the two lists follow it."""
    pairs = {
        (getattr(Status, node.args[0].attr), node.args[1].value)
        for module in _modules()
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "stop"
        and isinstance(node.args[0], ast.Attribute)
        and isinstance(node.args[1], ast.Constant)
    }
    assert len(pairs) > 12
    assert {kind: outcome_of(status, kind) for status, kind in pairs} == {
        kind: "refused" if kind in REFUSALS else "failed" for _, kind in pairs
    }


def _modules():
    import importlib
    import pkgutil

    for module in pkgutil.iter_modules(toolkit.gateway.__path__, "toolkit.gateway."):
        if module.name not in ("toolkit.gateway.shared_limits", "toolkit.gateway.results"):
            yield importlib.import_module(module.name)


@pytest.mark.row("F30")
def test_injected_faults_are_counted_apart():
    """They are the lab's doing, not the tool's: left out of calls, errors and times."""
    metrics = Metrics()
    metrics({"tool": "t", "status": "execution_error", "injected": "hang", "attempts": 1, "duration_ms": 9.0})
    assert samples(metrics) == {("tool_injected_faults_total", "t"): 1}


@pytest.mark.row("F28")
def test_a_tee_writes_to_all():
    """One sink fails; the other has the record, and the gateway counts the line as lost."""
    records, metrics = [], Metrics()
    registry = Registry()

    def full_disk(record):
        raise OSError("disk full")

    async def main():
        async with Gateway(registry, log_sink=log.tee(full_disk, records.append, metrics)) as gateway:
            await gateway.call({"id": "c", "function": {"name": "x", "arguments": "{}"}})
            return gateway.lost_log_lines

    assert asyncio.run(main()) == 1
    assert len(records) == 1
    assert samples(metrics)["tool_calls_total", "(unknown)", "unknown_tool"] == 1


@pytest.mark.row("E8")
def test_the_series_of_known_tools_stand_at_zero_from_the_start():
    """Prometheus' rate() sees a change from 0 to 1, but not a series that begins with 1."""
    metrics = Metrics(tools=["find_room"])
    before = samples(metrics)
    assert (
        before["tool_calls_total", "find_room", "timeout"]
        == before["tool_errors_total", "find_room", "bug", "failed"]
        == 0
    )
    run(metrics, [("find_room", {"city": "Xi'an"}, Context()), ("find_room", {}, Context())])
    assert samples(metrics).keys() == before.keys()


@pytest.mark.row("E8")
def test_names_follow_prometheus_conventions():
    """One prefix, base units, `_total` on counters, a help text that is a sentence."""
    families = list(text_string_to_metric_families(Metrics(tools=["t"]).text()))
    families = [family for family in families if not family.name.endswith("_created")]  # the client library's own
    told = {family.name: (family.type, family.documentation) for family in families}
    assert {name: kind for name, (kind, _) in told.items()} == {
        "toolkit_tool_calls": "counter",
        "toolkit_tool_errors": "counter",
        "toolkit_tool_attempts": "counter",
        "toolkit_tool_injected_faults": "counter",
        "toolkit_tool_call_duration_seconds": "histogram",
        "toolkit_tool_score_ratio": "histogram",
    }
    assert all(text.endswith(".") for _, text in told.values())


@pytest.mark.row("E9")
def test_a_replay_takes_no_time():
    """The tool did not run, so its few microseconds are no latency of the tool."""
    metrics = Metrics()
    metrics({"tool": "t", "status": "success", "attempts": 0, "duration_ms": 0.01, "replayed": True})
    assert samples(metrics) == {("tool_calls_total", "t", "success"): 1, ("tool_attempts_total", "t"): 0}


@pytest.mark.row("E8", "S6")
@pytest.mark.parametrize(
    ("call_id", "kind", "shown"),
    [("call_7", "timeout", True), ("call_7", "tool_error", False), ("(not an id)", "timeout", False)],
)
def test_a_failure_leads_to_its_line(call_id, kind, shown):
    """Its id is an exemplar; a refusal has none, and neither has a text that is no id."""
    metrics = Metrics()
    status = "timeout" if kind == "timeout" else "execution_error"
    record = {"tool": "t", "status": status, "error_kind": kind, "attempts": 1, "duration_ms": 1.0}
    metrics({**record, "call_id": call_id})
    assert ('# {call_id="call_7"} 1.0' in openmetrics.generate_latest(metrics.registry).decode()) is shown
    assert "call_7" not in metrics.text()


@pytest.mark.row("E8")
def test_the_state_of_a_gateway_is_read_when_asked():
    """An open breaker, a lost line, an orphan: as they are at this moment."""
    registry, metrics = Registry(), Metrics()

    @tool(registry)
    async def broken() -> str:
        """Break."""
        raise KeyError("x")

    def full_disk(record):
        raise OSError("disk full")

    async def main():
        settings = Settings(breaker=BreakerSettings(minimum=2))
        async with Gateway(registry, settings, log_sink=full_disk) as gateway:
            metrics.registry.register(GatewayState(gateway))
            before = metrics.text()
            for _ in range(2):
                await gateway.call({"id": "c", "function": {"name": "broken", "arguments": "{}"}})
            return before, metrics.text()

    before, after = asyncio.run(main())
    assert "breaker_open{" not in before
    assert 'toolkit_gateway_breaker_open{tool="broken"} 1.0' in after
    assert "toolkit_gateway_lost_log_lines_total 2.0" in after
    assert 'toolkit_gateway_threads{state="stuck"} 0.0' in after


@pytest.mark.row("E8", "F14")
def test_stuck_threads_are_told_apart_from_working_ones():
    """A thread whose caller gave up is stuck until it ends; then it is neither."""
    registry, metrics, clock = Registry(), Metrics(), VirtualTime()

    @tool(registry, idempotent=True, timeout_s=1, attempts=1)
    def slow() -> str:
        """Block."""
        clock.block(10)
        return "late"

    gateway = Gateway(registry, log_sink=None, clock=clock.now)
    clock.watch(gateway.services.workers)
    metrics.registry.register(GatewayState(gateway))
    seen = []

    async def look(at_s):
        await asyncio.sleep(at_s)
        seen.append([line[-3:] for line in metrics.text().splitlines() if line.startswith("toolkit_gateway_threads")])

    async def main():
        call = {"id": "c", "function": {"name": "slow", "arguments": "{}"}}
        await asyncio.gather(gateway.call(call), look(0.5), look(5), look(11))

    clock.run(main())
    gateway.services.workers.close()
    assert seen == [["1.0", "0.0"], ["0.0", "1.0"], ["0.0", "0.0"]]
