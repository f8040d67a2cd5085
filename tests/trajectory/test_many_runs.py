"""Many runs: the same results in the same order, here, in processes, and through the executor of a Dask client."""

from __future__ import annotations

import json
import tracemalloc
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import CONTROLS, EXPECTED, load_control
from toolkit.resources import data_path
from toolkit.trajectory.judging import Unreadable, judge_files
from toolkit.trajectory.many import evaluate_many

RUNS = 60


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """A file of 60 runs to a line, the recorded controls, and a file that cannot be read."""
    folder = tmp_path_factory.mktemp("runs")
    lines = [json.dumps({"messages": load_control(CONTROLS[index % 5])}) for index in range(RUNS)]
    (folder / "a.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "b.json").write_text("{}", "utf-8")
    return [folder, data_path("controls"), folder / "none.json"]


@pytest.fixture(scope="module")
def expected(source):
    return list(judge_files(source, HOTEL_POLICY))


def test_pieces_give_what_the_whole_file_gives(source, expected):
    """Names, pointers and verdicts, wherever the file is cut."""
    for piece in (1, 5_000, 30_000, 1 << 20):
        assert list(evaluate_many(source, HOTEL_POLICY, piece=piece)) == expected
    failed = [{result.name for result in each.report.results if result.verdict == "fail"} for each in expected[:RUNS]]
    assert failed == [EXPECTED[CONTROLS[index % 5]].fails for index in range(RUNS)]
    assert sum(isinstance(each, Unreadable) for each in expected) == 2


@pytest.mark.parametrize("executor", [ProcessPoolExecutor, ThreadPoolExecutor])
def test_an_executor_gives_the_same_in_the_same_order(source, expected, executor):
    """Two processes, two threads."""
    with executor(2) as pool:
        assert list(evaluate_many(source, HOTEL_POLICY, pool, piece=5_000)) == expected


@pytest.mark.filterwarnings("default")
def test_a_dask_client_gives_the_same_in_the_same_order(source, expected):
    """Its executor is an executor like any other, over machines."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        assert list(evaluate_many(source, HOTEL_POLICY, client.get_executor(), piece=5_000)) == expected


def test_one_path_is_enough(source, expected):
    """A single file need not stand in a list."""
    assert list(evaluate_many(source[0] / "a.jsonl", HOTEL_POLICY)) == expected[:RUNS]


def test_a_broken_line_is_told_once_for_its_piece(tmp_path):
    """The runs before it are judged."""
    path = tmp_path / "runs.jsonl"
    run = json.dumps({"messages": load_control("ok")}) + "\n"
    path.write_text(run * 2 + "{oops\n" + run, "utf-8")
    *judged, unreadable = evaluate_many(path, HOTEL_POLICY, piece=1 << 30)
    assert ([str(each.report.verdict) for each in judged], unreadable.reason[:60]) == (
        ["pass", "pass"],
        f"{path}: line 3 is not JSON: Expecting property name"[:60],
    )


def test_only_a_few_pieces_are_handed_out_ahead(source):
    """A file of any length takes no more memory than the pieces under way."""
    handed = []

    class Counting(ThreadPoolExecutor):
        def submit(self, *arguments):
            handed.append(arguments)
            return super().submit(*arguments)

    with Counting(1) as pool:
        outcomes = evaluate_many(source, HOTEL_POLICY, pool, piece=1)
        next(outcomes)
        assert len(handed) <= 33
        outcomes.close()


def test_memory_stays_flat(tmp_path):
    """Four thousand runs take hardly more than four hundred."""
    peaks = []
    for count in (400, 4_000):
        path = tmp_path / f"{count}.jsonl"
        path.write_text((json.dumps({"messages": load_control("skip")}) + "\n") * count, "utf-8")
        tracemalloc.start()
        assert sum(1 for _ in evaluate_many(path, HOTEL_POLICY, piece=100_000)) == count
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]
