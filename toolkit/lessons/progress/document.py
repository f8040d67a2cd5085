"""A page of headings, sentences and tables, written as HTML or Markdown. It holds no script and asks for nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple
from urllib.parse import quote

# JupyterLab styles tables, stripes and links of an output; `:nth-child(n)` and `:link` say ours as strongly.
STYLE = """
.toolkit-progress { font: 15px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 64rem;
  margin: 0 auto; padding: .5rem 1.2rem; }
.toolkit-progress h1 { font-size: 1.6rem; margin: .6rem 0 .2rem; }
.toolkit-progress h2 { font-size: 1.15rem; margin: 1.6rem 0 .3rem; }
.toolkit-progress p { margin: .3rem 0; max-width: 46rem; }
.toolkit-progress :is(h1, h2, p, th, td):nth-child(n) { color: #1a1a1a; }
.toolkit-progress p.next { border-left: 5px solid #1f4e8c; background: #eef3fa; padding: .5rem .9rem; margin: .8rem 0; }
.toolkit-progress table { border-collapse: collapse; margin: .5rem 0; font-size: 14px; }
.toolkit-progress :is(th, td):nth-child(n) { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0;
  white-space: normal; }
.toolkit-progress thead th:nth-child(n) { border-bottom: 2px solid #555; }
.toolkit-progress tbody tr:nth-child(n) { border-bottom: 1px solid #ddd; background: #fff; }
.toolkit-progress :is(a:link, a:visited) { color: #1f4e8c; text-decoration: underline; }
.toolkit-progress .bar { display: inline-block; width: 4.5rem; height: .6rem; border: 1px solid #555;
  margin-right: .5rem; }
.toolkit-progress .bar span { display: block; height: 100%; background: #1f4e8c; }
@media print { .toolkit-progress { padding: 0; } .toolkit-progress .bar span { print-color-adjust: exact; } }
"""
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
</head>
<body>
{body}
</body>
</html>
"""


class Link(NamedTuple):
    """A text that leads to a notebook; to nothing where the notebooks are not on this computer."""

    text: str
    notebook: str


class Share(NamedTuple):
    """So many of so many."""

    part: int
    whole: int

    def __str__(self) -> str:
        return f"{self.part} of {self.whole}" if self.whole else "–"


Cell = str | int | Link | Share
Address = Callable[[str], str | None]


class Section(NamedTuple):
    """A heading, a sentence, and a table that may be missing."""

    heading: str
    text: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Cell]] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A title, sentences under it, the one that matters most, sections. An `Address` turns a notebook into a link."""

    title: str
    sentences: Sequence[str]
    next: tuple[str, Link]
    sections: Sequence[Section]

    def fragment(self, address: Address) -> str:
        """HTML to stand in a page; its style touches nothing outside it."""
        parts = [f"<style>{STYLE}</style>", '<div class="toolkit-progress">', f"<h1>{escape(self.title)}</h1>"]
        parts += [f"<p>{escape(sentence)}</p>" for sentence in self.sentences]
        parts.append(f'<p class="next"><b>Next:</b> {" ".join(_html(cell, address) for cell in self.next)}</p>')
        for section in self.sections:
            parts += [f"<h2>{escape(section.heading)}</h2>", f"<p>{escape(section.text)}</p>"]
            if section.rows:
                head = "".join(f'<th scope="col">{escape(column)}</th>' for column in section.columns)
                rows = ("".join(f"<td>{_html(cell, address)}</td>" for cell in row) for row in section.rows)
                body = "\n".join(f"<tr>{row}</tr>" for row in rows)
                parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>")
        return "\n".join([*parts, "</div>"])

    def html(self, address: Address) -> str:
        """The text of a file of its own."""
        return _PAGE.format(title=escape(self.title), body=self.fragment(address))

    def markdown(self, address: Address) -> str:
        """The same as Markdown."""
        parts = [f"# {self.title}", *map(_plain, self.sentences)]
        parts.append(f"**Next:** {' '.join(_marked(cell, address) for cell in self.next)}")
        for section in self.sections:
            parts += [f"## {section.heading}", _plain(section.text)]
            if section.rows:
                rows = ["| " + " | ".join(_marked(cell, address) for cell in row) + " |" for row in section.rows]
                head = f"| {' | '.join(map(_plain, section.columns))} |"
                parts.append("\n".join([head, f"|{' --- |' * len(section.columns)}", *rows]))
        return "\n\n".join(part for part in parts if part) + "\n"


def _html(cell: Cell, address: Address) -> str:
    if isinstance(cell, Link):
        to = address(cell.notebook)
        return f'<a href="{escape(quote(to, safe="/.#"))}">{escape(cell.text)}</a>' if to else escape(cell.text)
    if isinstance(cell, Share) and cell.whole:
        filled = 100 * cell.part // cell.whole
        return f'<span class="bar" aria-hidden="true"><span style="width: {filled}%"></span></span>{cell}'
    return escape(str(cell))


def _marked(cell: Cell, address: Address) -> str:
    if isinstance(cell, Link):
        to = address(cell.notebook)
        return f"[{_plain(cell.text)}]({quote(to, safe='/.#')})" if to else _plain(cell.text)
    return _plain(str(cell))


def _plain(text: str) -> str:
    """The text, with what Markdown would take for its own signs marked as text."""
    return "".join(f"\\{sign}" if sign in "\\`*_|<>[]" else sign for sign in text)
