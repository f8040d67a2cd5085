"""Tools that people know: a calculator, a web search, a tool that takes a file. Weather and hotels are `toolkit.hotel`.

Each shows one thing a tool of its kind gets wrong when it is written in a hurry: `eval`, an answer of any length whose
status nobody looked at, a path from a model.
"""

from __future__ import annotations

import csv
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from toolkit.decorator import tool
from toolkit.errors import ToolError, TransientError
from toolkit.gateway.files import FileReference, FileRoot
from toolkit.registry import Registry
from toolkit.sandbox import calculate as value_of
from toolkit.schema import Resource

if TYPE_CHECKING:
    import httpx2

MOST_BYTES = 1_000_000  # of an answer of the search server


class Calculation(TypedDict):
    """An expression and its value."""

    expression: str
    value: float


class Found(TypedDict):
    """A page that was found."""

    title: str
    url: str
    text: str


class Search(TypedDict):
    """Pages, best first. `truncated`: more was found than fits the limit, so what is missing proves nothing."""

    query: str
    results: list[Found]
    truncated: bool


class InvoiceTotal(TypedDict):
    """The sum of an invoice."""

    rows: int
    total: str
    currency: str


def add_calculator(registry: Registry) -> None:
    """Declare `calculate`: arithmetic by an allow-list, never `eval`."""

    @tool(registry, idempotent=True, examples=[{"expression": "2 * (400 + 19.5)"}])
    def calculate(
        expression: Annotated[str, Field(description="Digits, + - * / // % **, brackets.", max_length=500)],
    ) -> Calculation:
        """Work out an arithmetic expression. Use it for every sum; do not calculate yourself."""
        return {"expression": expression, "value": value_of(expression)}


def add_web_search(registry: Registry, base_url: str) -> None:
    """Declare `web_search` on a search server. The address is the host's choice, never a model's.

    One HTTP client is opened with the first call, shared by all, and closed with the gateway.
    """

    @asynccontextmanager
    async def open_client() -> AsyncIterator[httpx2.AsyncClient]:
        import httpx2

        async with httpx2.AsyncClient(base_url=base_url, trust_env=False, timeout=5.0) as client:
            yield client

    @tool(registry, idempotent=True, timeout_s=6, examples=[{"query": "night train", "site": "rail.example"}])
    async def web_search(
        client: Annotated[Any, Resource(open_client)],
        query: Annotated[str, Field(description="What to look for, in a few words.", min_length=1, max_length=200)],
        site: Annotated[
            str | None,
            Field(description="Only pages of this site, such as rail.example.", pattern=r"^[a-z0-9.-]{1,100}$"),
        ] = None,
        max_characters: Annotated[
            int, Field(description="Most characters of text, over all pages.", ge=100, le=4000)
        ] = 1000,
    ) -> Search:
        """Search the web. Returns pages with their text, best first; quote their URL when you use them."""
        parameters = {"q": query} if site is None else {"q": query, "site": site}
        return _fitted(query, await _get(client, parameters), max_characters)


async def _get(client: httpx2.AsyncClient, parameters: dict[str, str]) -> list[Found]:
    """The results as the server sends them.

    Raises:
        TransientError: it cannot be reached.
        httpx2.HTTPStatusError: it refused or failed; the gateway reads the status and `Retry-After` from it.
    """
    import httpx2

    try:
        response = await client.get("/search", params=parameters)
    except httpx2.ConnectError as error:
        raise TransientError("the search server cannot be reached", sent=False) from error
    except httpx2.TransportError as error:
        raise TransientError("the search server gave no whole answer") from error
    response.raise_for_status()  # an error page is no result, even where it is JSON
    if len(response.content) > MOST_BYTES:
        raise ToolError("The search server answered with too much. Search for something narrower.")
    results: list[Found] = response.json()["results"]
    return results


def _fitted(query: str, results: list[Found], max_characters: int) -> Search:
    """The pages whose text fits, the last one cut where it does not."""
    fitted: list[Found] = []
    left = max_characters
    for page in results:
        if left <= 0:
            break
        fitted.append({"title": page["title"], "url": page["url"], "text": page["text"][:left]})
        left -= len(page["text"])
    return {"query": query, "results": fitted, "truncated": left < 0 or len(fitted) < len(results)}


def add_invoice_reader(registry: Registry, files: FileRoot) -> None:
    """Declare `total_invoice`: it takes a reference that the host made, opens a temporary copy, and removes it."""

    @tool(registry, idempotent=True)
    def total_invoice(file: FileReference) -> InvoiceTotal:
        """Add up an invoice. Give the reference of a CSV file with the columns item, amount and currency."""
        with files.copied(file, media_types={"text/csv"}) as copy:
            return _total(_rows(copy))


def _rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file, by the names of its first line.

    Raises:
        ToolError: it is not text.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as text:
            return list(csv.DictReader(text, restval=""))
    except (UnicodeDecodeError, csv.Error):
        raise ToolError("The file cannot be read as CSV.", next_step="ask the user for an invoice") from None


def _total(rows: list[dict[str, str]]) -> InvoiceTotal:
    missing = {"item", "amount", "currency"} - set(rows[0] if rows else ())
    if missing:
        raise ToolError(
            f"The file has no column {', '.join(sorted(missing))}.", next_step="ask the user for an invoice"
        )
    try:
        total = sum((Decimal(row["amount"]) for row in rows), Decimal())
    except InvalidOperation:
        total = Decimal("NaN")
    if not total.is_finite():
        raise ToolError("An amount of the invoice is no number.", next_step="ask the user for an invoice")
    currencies = sorted({row["currency"] for row in rows})
    if len(currencies) > 1:
        raise ToolError(f"The invoice mixes {' and '.join(currencies)}; a sum of them would mean nothing.")
    return {"rows": len(rows), "total": str(total), "currency": currencies[0]}
