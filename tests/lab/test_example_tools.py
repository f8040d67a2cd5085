"""The example tools through a real gateway; the search over a real HTTP client and server on loopback."""

from __future__ import annotations

import asyncio
import json
import os

import pytest

from toolkit import Gateway, Registry
from toolkit.gateway import Settings
from toolkit.gateway.files import FileRoot
from toolkit.lab.example_tools import add_calculator, add_invoice_reader, add_web_search
from toolkit.lab.search_server import Page, SearchServer, load_corpus, search


async def _no_wait(seconds):
    pass


def call_all(registry, *calls, **options):
    async def main():
        async with Gateway(registry, log_sink=None, sleep=_no_wait, **options) as gateway:
            return [
                await gateway.call({"id": "c", "function": {"name": name, "arguments": json.dumps(arguments)}})
                for name, arguments in calls
            ]

    return asyncio.run(main())


def searched(server, *queries, **options):
    registry = Registry()
    add_web_search(registry, server.url)
    return call_all(registry, *(("web_search", query) for query in queries), **options)


@pytest.mark.row("T12", "S4")
def test_the_calculator_reads_arithmetic_and_nothing_else():
    """A sum is worked out; a call is refused in words for the model."""
    registry = Registry()
    add_calculator(registry)
    good, bad = call_all(
        registry, ("calculate", {"expression": "2 * 400"}), ("calculate", {"expression": "open('/etc/passwd')"})
    )
    assert good.value == {"expression": "2 * 400", "value": 800}
    assert bad.error.message == "'open' is not known here. Known: pi, e, abs, max, min, round, sqrt."


@pytest.mark.row("T12")
def test_a_search_returns_pages_of_the_corpus_best_first():
    """Through HTTP and back, in English and in Chinese."""
    with SearchServer() as server:
        english, chinese = searched(server, {"query": "night train to Dunhuang"}, {"query": "酒店取消规定"})
    assert english.value["results"][0]["url"] == "https://rail.example/xian-dunhuang"
    assert chinese.value["results"][0]["url"] == "https://hotels.example/zh"


@pytest.mark.row("T12")
def test_a_site_narrows_the_search():
    """Only its pages; a site that is none is refused before anything is sent."""
    with SearchServer() as server:
        rail, url = searched(
            server, {"query": "Xi'an October", "site": "rail.example"}, {"query": "x", "site": "http://10.0.0.1/"}
        )
        assert server.asked == 1
    assert {page["url"].split("/")[2] for page in rail.value["results"]} == {"rail.example"}
    assert url.status == "validation_error"


@pytest.mark.row("T12")
@pytest.mark.parametrize(
    ("limit", "lengths", "truncated"), [(100, [100], True), (250, [200, 50], True), (400, [200, 200], False)]
)
def test_the_length_limit_is_kept_and_told(limit, lengths, truncated):
    """Never more characters than asked for; where something was cut, the answer says so."""
    pages = [Page(f"https://a.example/{n}", "Tea", "tea " * 50) for n in range(2)]
    with SearchServer(pages) as server:
        (found,) = searched(server, {"query": "tea", "max_characters": limit})
    assert [len(page["text"]) for page in found.value["results"]] == lengths
    assert found.value["truncated"] is truncated


@pytest.mark.row("T12")
def test_nothing_found_is_an_answer():
    """An empty list, not an error."""
    with SearchServer() as server:
        (found,) = searched(server, {"query": "zeppelin"})
    assert found.value == {"query": "zeppelin", "results": [], "truncated": False}


@pytest.mark.row("T12", "T7")
def test_a_server_that_fails_for_a_moment_is_asked_again():
    """503 is looked at, not parsed; the second attempt succeeds."""
    with SearchServer(failures=[503]) as server:
        (found,) = searched(server, {"query": "night train"})
        assert server.asked == 2
    assert (found.status, found.attempts, found.error) == ("success", 2, None)


@pytest.mark.row("T12", "T7")
def test_a_server_that_refuses_is_not_asked_again():
    """404 will not get better: one attempt, and no error page as a result."""
    with SearchServer(failures=[404]) as server:
        (found,) = searched(server, {"query": "night train"})
        assert server.asked == 1
    assert (found.status, found.value, found.attempts) == ("execution_error", None, 1)


@pytest.mark.row("T12", "T7")
def test_a_server_that_is_not_there_is_an_outage():
    """Refused connections are retried and told as what they are, without the address."""
    with SearchServer() as server:
        url = server.url
    registry = Registry()
    add_web_search(registry, url)
    (found,) = call_all(registry, ("web_search", {"query": "x"}), settings=Settings(attempts=2))
    assert (found.error.kind, found.attempts) == ("unavailable", 2)
    assert url.rsplit(":", 1)[1] not in found.to_content()


@pytest.mark.row("T12", "T4")
def test_all_searches_share_one_client(monkeypatch):
    """It is opened with the first call and closed with the gateway."""
    import httpx2

    made = []
    original = httpx2.AsyncClient.__init__
    monkeypatch.setattr(
        httpx2.AsyncClient, "__init__", lambda self, *a, **k: (made.append(self), original(self, *a, **k))[1]
    )
    with SearchServer() as server:
        searched(server, {"query": "tea"}, {"query": "rain"}, {"query": "wall"})
    assert [client.is_closed for client in made] == [True]


INVOICE = "item,amount,currency\nsuite,400.10,USD\nsuite,399.90,USD\n"


def totalled(folder, text, name="invoice.csv"):
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    files, registry = FileRoot(folder), Registry()
    add_invoice_reader(registry, files)
    (result,) = call_all(registry, ("total_invoice", {"file": files.offer(name)}))
    return result


@pytest.mark.row("T12", "T14")
def test_an_invoice_is_added_up_from_a_reference(tmp_path):
    """The sum is exact, and the temporary copy is gone."""
    result = totalled(tmp_path, INVOICE)
    assert result.value == {"rows": 2, "total": "800.00", "currency": "USD"}
    assert os.listdir(tmp_path) == ["invoice.csv"]


@pytest.mark.row("T12", "S10")
def test_a_path_is_no_reference(tmp_path):
    """The model may pass what it was given, and nothing else."""
    registry = Registry()
    add_invoice_reader(registry, FileRoot(tmp_path))
    paths = ("/etc/passwd", "../secret.csv", "invoice.csv", "file_" + "0" * 32)
    results = call_all(registry, *(("total_invoice", {"file": path}) for path in paths))
    assert [result.status for result in results] == [*["validation_error"] * 3, "execution_error"]


@pytest.mark.row("T12")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,price\na,1\n", "The file has no column amount, currency."),
        ("", "The file has no column amount, currency, item."),
        (INVOICE + "bed,1,EUR\n", "The invoice mixes EUR and USD; a sum of them would mean nothing."),
        (INVOICE + "bed,many,USD\n", "An amount of the invoice is no number."),
        (INVOICE + "bed,NaN,USD\n", "An amount of the invoice is no number."),
        (INVOICE + "bed\n", "An amount of the invoice is no number."),
        (b"\xff\xfe\x00", "The file cannot be read as CSV."),
    ],
)
def test_an_invoice_that_is_none_is_told(tmp_path, text, told):
    """What is wrong with it, in words for the model."""
    result = totalled(tmp_path, text)
    assert (result.status, result.error.message) == ("execution_error", told)


def test_the_search_itself():
    """No page without a word of the query, at most five, and words of the title weigh more."""
    pages = load_corpus()
    assert search(pages, "zeppelin") == []
    assert len(search(pages, "Xi'an hotel room train October rain")) == 5
    assert search(pages, "breakfast included")[0].title == "Is breakfast included?"
    assert len({page.url for page in pages}) == len(pages) == 16
    assert all(page.site.endswith(".example") for page in pages)
