"""The dashboard file and the alert rules, asked of a real Prometheus that scrapes a running gateway."""

from __future__ import annotations

import json
import math
import re
import shutil
import subprocess
from collections import Counter

import pytest
import yaml

from tests.observe.live_gateway import LiveGateway, prometheus_scraping
from toolkit.observe.alerts import ALERTS
from toolkit.observe.lines import line_of
from toolkit.observe.questions import latencies_ms
from toolkit.resources import data_path

needs_prometheus = pytest.mark.skipif(
    shutil.which("prometheus") is None or shutil.which("promtool") is None, reason="no prometheus (Debian: prometheus)"
)
DASHBOARD = json.loads(data_path("dashboard", "tools.json").read_text(encoding="utf-8"))
RULES = data_path("dashboard", "alerts.yml")
PANELS = {panel["title"]: panel for panel in DASHBOARD["panels"]}
QUERIES = [
    pytest.param(target["expr"], id=f"{title} {target['refId']}")
    for title, panel in PANELS.items()
    for target in panel["targets"]
]
VARIABLES = {"$__rate_interval": "3s", "$tool": ".*"}


def filled_in(expression):
    """A query as Grafana sends it."""
    for name, value in VARIABLES.items():
        expression = expression.replace(name, value)
    return expression


@pytest.fixture(scope="module")
def scraped(tmp_path_factory):
    """A gateway that has been scraped for a while, and its Prometheus. The gateway goes on calling."""
    if shutil.which("prometheus") is None:
        pytest.skip("no prometheus (Debian: prometheus)")
    folder = tmp_path_factory.mktemp("prometheus")
    with LiveGateway() as live, live.metrics.serve() as server, prometheus_scraping(server.port, folder) as prometheus:
        prometheus.until(lambda it: it.query("count_over_time(up[1m]) > 15"))
        yield live, prometheus


@needs_prometheus
@pytest.mark.row("E8")
@pytest.mark.parametrize("expression", QUERIES)
def test_every_query_of_the_dashboard_returns_data(scraped, expression):
    """At least one series, and numbers in it."""
    _, prometheus = scraped
    found = prometheus.query(filled_in(expression))
    assert found
    assert all(math.isfinite(value) for _, value in found)


@needs_prometheus
@pytest.mark.row("E8")
def test_the_panels_show_what_the_gateway_did(scraped):
    """A third of the searches fails, half of the bookings is declined and half malformed, the weather is well."""
    _, prometheus = scraped
    (expression,) = (target["expr"] for target in PANELS["Error rate by tool and kind"]["targets"])
    shares = {
        (labels["tool"], labels["kind"], labels["outcome"]): value
        for labels, value in prometheus.query(filled_in(expression))
    }
    assert shares == {
        ("search_hotels", "unavailable", "failed"): pytest.approx(1 / 3, abs=0.03),
        ("book_hotel", "tool_error", "refused"): pytest.approx(0.5, abs=0.03),
        ("book_hotel", "invalid_arguments", "refused"): pytest.approx(0.5, abs=0.03),
    }
    (expression,) = (target["expr"] for target in PANELS["Success rate"]["targets"])
    assert prometheus.query(filled_in(expression))[0][1] == pytest.approx(5 / 6, abs=0.03)


@needs_prometheus
@pytest.mark.row("E8")
def test_the_variable_lists_the_tools(scraped):
    """`label_values` asks for this: the registered tools, and the one word for all others."""
    _, prometheus = scraped
    asked = re.fullmatch(r"label_values\((\w+), (\w+)\)", DASHBOARD["templating"]["list"][1]["definition"])
    found = prometheus.get(f"label/{asked[2]}/values", **{"match[]": asked[1]})
    assert found == ["(unknown)", "book_hotel", "get_weather", "search_hotels"]


@needs_prometheus
@pytest.mark.row("E8")
def test_failing_calls_lead_to_their_lines_in_the_log(scraped):
    """The exemplars of the panel are ids of calls that failed, by the log; none is of another call."""
    live, prometheus = scraped
    (target,) = PANELS["Failing calls"]["targets"]
    assert target["exemplar"] is True
    found = prometheus.get("query_exemplars", query=filled_in(target["expr"]), start=0, end=9_999_999_999)
    ids = {exemplar["labels"]["call_id"] for series in found for exemplar in series["exemplars"]}
    failed = {record["call_id"] for record in live.records if record["status"] == "execution_error"}
    assert ids
    assert ids <= {call_id for call_id in failed if call_id.endswith("search_hotels")}


@needs_prometheus
@pytest.mark.row("E8", "T11")
def test_prometheus_and_the_log_count_the_same(scraped):
    """After the last call, once scraped: every count is that of the log, and p95 lies in the log's bucket."""
    live, prometheus = scraped
    live.stop()
    lines = [line_of(record, 0.0) for record in live.records]
    prometheus.until(lambda it: it.query("sum(toolkit_tool_calls_total)")[0][1] == len(lines))
    counted = {
        (labels["tool"], labels["status"]): value
        for labels, value in prometheus.query("sum by (tool, status) (toolkit_tool_calls_total) > 0")
    }
    assert counted == Counter((line.tool, line.status.value) for line in lines)
    answered = prometheus.query('sum(toolkit_tool_call_duration_seconds_count{outcome="answered"})')[0][1]
    assert answered == len(latencies_ms(lines))


@needs_prometheus
@pytest.mark.row("E8")
def test_the_alert_rules_are_rules():
    """Prometheus' own tool reads them."""
    done = subprocess.run(["promtool", "check", "rules", RULES], capture_output=True, text=True)
    assert (done.returncode, "SUCCESS: 4 rules found" in done.stdout) == (0, True)


def series(name, rate, minutes=20, **labels):
    """A counter that grows by so much a minute, in promtool's notation."""
    told = ",".join(f'{label}="{value}"' for label, value in labels.items())
    return {"series": f"{name}{{{told}}}", "values": f"0+{rate}x{minutes}"}


COUNT, BUCKET = "toolkit_tool_call_duration_seconds_count", "toolkit_tool_call_duration_seconds_bucket"
SCORES, SCORED = "toolkit_tool_score_ratio_sum", "toolkit_tool_score_ratio_count"
CASES = {
    "six of a hundred fail": ([series(COUNT, 94, outcome="answered"), series(COUNT, 6, outcome="failed")], "CallsFail"),
    "four of a hundred fail": ([series(COUNT, 96, outcome="answered"), series(COUNT, 4, outcome="failed")], None),
    "all of a few fail": ([series(COUNT, 3, outcome="failed")], None),
    "a quarter is refused": (
        [series(COUNT, 75, outcome="answered"), series(COUNT, 25, outcome="refused")],
        "ModelsAskForTheWrongThing",
    ),
    "one in ten is slow": (
        [series(BUCKET, rate, outcome="answered", le=le) for le, rate in (("1", 90), ("5", 100), ("+Inf", 100))]
        + [series(COUNT, 100, outcome="answered")],
        "AnswersAreSlow",
    ),
    "one in a hundred is slow": (
        [series(BUCKET, rate, outcome="answered", le=le) for le, rate in (("1", 99), ("5", 100), ("+Inf", 100))]
        + [series(COUNT, 100, outcome="answered")],
        None,
    ),
    "scores of 0.7": ([series(SCORES, 70, tool="t"), series(SCORED, 100, tool="t")], "AnswersScoreLow"),
    "scores of 0.9": ([series(SCORES, 90, tool="t"), series(SCORED, 100, tool="t")], None),
}


@needs_prometheus
@pytest.mark.row("E8", "T11")
@pytest.mark.parametrize(("given", "fires"), CASES.values(), ids=CASES)
def test_an_alert_rule_fires_where_it_should(given, fires, tmp_path):
    """On made-up series, by Prometheus' own test tool: this rule and no other."""
    names = [rule["alert"] for rule in yaml.safe_load(RULES.read_text())["groups"][0]["rules"]]
    expected = [{"eval_time": "20m", "alertname": name} for name in names if name != fires]
    case = {"interval": "1m", "input_series": given, "alert_rule_test": expected}
    quiet, loud = tmp_path / "quiet.yml", tmp_path / "loud.yml"
    quiet.write_text(json.dumps({"rule_files": [str(RULES)], "tests": [case]}))
    assert subprocess.run(["promtool", "test", "rules", quiet], capture_output=True).returncode == 0
    if fires:
        case["alert_rule_test"] = [{"eval_time": "20m", "alertname": fires}]  # nothing expected, so it has to complain
        loud.write_text(json.dumps({"rule_files": [str(RULES)], "tests": [case]}))
        done = subprocess.run(["promtool", "test", "rules", loud], capture_output=True, text=True)
        assert done.returncode == 1
        assert f'alertname="{fires}"' in done.stdout + done.stderr


@pytest.mark.row("E8", "T11")
def test_the_rules_of_prometheus_are_those_of_the_log():
    """Same order, threshold, window and smallest sample in both."""
    rules = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"][0]["rules"]
    for alert, rule in zip(ALERTS, rules, strict=True):
        bound = alert.threshold / 1000 if alert.threshold > 100 else alert.threshold  # ms in the log, s in Prometheus
        sign = ">=" if alert.when == "above" else "<="
        assert f"{sign} {bound:g}\n" in rule["expr"]
        assert f">= {alert.at_least}" in rule["expr"]
        assert set(re.findall(r"\[(\d+)m\]", rule["expr"])) == {f"{alert.window_s / 60:g}"}
        words = " ".join(re.findall("[A-Z][a-z]+", rule["alert"])).lower()
        assert words == alert.name.lower()


def test_the_panels_do_not_overlap():
    """Every panel has an id, a place on the 24 columns, a description and its own data source variable."""
    taken = Counter()
    for panel in DASHBOARD["panels"]:
        place = panel["gridPos"]
        taken.update(
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        )
        assert place["x"] + place["w"] <= 24
        assert panel["description"].endswith(".")
        assert {target["datasource"]["uid"] for target in panel["targets"]} == {"${datasource}"}
    assert max(taken.values()) == 1
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
