"""`toolkit progress`: what you have done in the lessons, and what to do next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from toolkit.lessons.progress.document import Section


def progress(
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write it as one readable page.")] = None,
    markdown: Annotated[Path | None, typer.Option(metavar="FILE", help="The same as Markdown.")] = None,
    forget: Annotated[
        bool, typer.Option("--forget", help="Begin anew. The file is renamed, not deleted, and you are asked first.")
    ] = False,
) -> None:
    """Show what you have done in the lessons, and what to do next. It is kept on this computer only."""
    from toolkit.lessons.progress import reader_file
    from toolkit.lessons.progress.page import address_from, document

    file = reader_file()
    if forget:
        _forget(file.path)
        return
    page = document(file, dated=True)
    pages: tuple[tuple[Path | None, Callable[..., str]], ...] = ((html, page.html), (markdown, page.markdown))
    for path, make in pages:
        if path is not None:
            _write(path, make(address_from(path.parent)))
    if html or markdown:
        return
    from rich.console import Console

    console = Console(highlight=False)
    for section in page.sections[:2]:  # the lessons and the builds; the page has the rest
        console.print(_table(section, console.width))
    for sentence in page.sentences:
        console.print(sentence, soft_wrap=True, markup=False)
    text, link = page.next
    place = address_from(Path())(link.notebook) or ""
    console.print(f"Next: {text} {place}".rstrip(), soft_wrap=True, markup=False)


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, "utf-8")
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}.", param_hint="--html, --markdown") from None
    typer.echo(f"Written to {path}.")


def _forget(path: Path | None) -> None:
    from toolkit.lessons.progress.file import set_aside

    if path is None or not path.exists():
        typer.echo("Nothing is recorded.")
        return
    typer.confirm(f"Begin anew? {path} is renamed, not deleted", abort=True)
    try:
        kept = set_aside(path, "forgotten")
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}.", param_hint="--forget") from None
    typer.echo(f"It is {kept} now. To have it back, rename it to {path.name}.")


def _table(section: Section, width: int) -> Table:
    """In a narrow terminal the names in the first column are cut, not the numbers."""
    from rich.box import SIMPLE
    from rich.table import Table
    from rich.text import Text

    from toolkit.lessons.progress.document import Link

    rows = [[cell.text if isinstance(cell, Link) else str(cell) for cell in row] for row in section.rows]
    table = Table(*section.columns, box=SIMPLE, title=section.heading, title_justify="left")
    taken = [max(map(len, column)) + 3 for column in zip(section.columns, *rows, strict=True)]
    table.columns[0].max_width = max(8, width - sum(taken[1:]) - 5)
    for column in table.columns:
        column.no_wrap = True
    for row in rows:
        table.add_row(*map(Text, row))
    return table
