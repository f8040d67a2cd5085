"""A search engine on loopback, over a small corpus from a file: a real HTTP server for a tool that needs one.

`GET /search?q=...&site=...` answers `{"results": [{"title", "url", "text"}]}`, the best page first. It is no good
search engine; it is one that answers the same on every machine and can be told to fail.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self
from urllib.parse import parse_qs, urlsplit

from toolkit.quality.wording import terms
from toolkit.resources import data_path

MOST_RESULTS = 5


class Page(NamedTuple):
    """A page of the corpus."""

    url: str
    title: str
    text: str

    @property
    def site(self) -> str:
        return urlsplit(self.url).hostname or ""


def load_corpus() -> list[Page]:
    """The pages of data/corpus."""
    return [Page(**page) for page in json.loads(data_path("corpus", "pages.json").read_text(encoding="utf-8"))]


def search(pages: Sequence[Page], query: str, site: str | None = None) -> list[Page]:
    """The pages that hold most of the query's words, at most five; words in the title count twice.

    >>> [page.title for page in search(load_corpus(), "rain in Xi'an", site="guide.example")][:1]
    ["Weather in Xi'an in October"]
    """
    wanted = terms(query)
    scored = [
        (len(wanted & terms(page.text)) + 2 * len(wanted & terms(page.title)), page)
        for page in pages
        if site is None or page.site == site
    ]
    found = sorted((entry for entry in scored if entry[0] > 0), key=lambda entry: -entry[0])
    return [page for _, page in found[:MOST_RESULTS]]


class SearchServer:
    """The running server. Use it in a `with`; `url` is where it answers, `asked` counts requests.

    Args:
        pages: What can be found; the corpus of data/corpus if not given.
        failures: Statuses to answer the first requests with, such as `[503]`, before it works.
    """

    def __init__(self, pages: Sequence[Page] | None = None, failures: Sequence[int] = ()) -> None:
        self.pages = load_corpus() if pages is None else list(pages)
        self.failures = list(failures)
        self.asked = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, path: str) -> tuple[int, Mapping[str, Any]]:
        """Status and body for a request."""
        self.asked += 1
        if self.failures:
            return self.failures.pop(0), {"error": "not now"}
        parts = urlsplit(path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path != "/search" or "q" not in asked:
            return 404, {"error": "GET /search?q=..."}
        found = search(self.pages, asked["q"], asked.get("site"))
        return 200, {"results": [page._asdict() for page in found]}


def _handler(server: SearchServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # otherwise the answer waits 40 ms

        def log_message(self, *_: object) -> None:
            """Say nothing: a notebook's output is compared."""

        def do_GET(self) -> None:
            status, told = server.answer(self.path)
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Handler
