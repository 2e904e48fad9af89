"""What the pages have in common that commands write: the frame, colours for light and dark, bars and tables. A page is
one file that loads nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

STYLE = """
:root { color-scheme: light dark; --ink: #1c2330; --quiet: #5c6675; --paper: #fff; --line: #d5dae1; --band: #f4f6f8;
  --mark: #b3261e; --bar: #4c78a8; --arrow: #999 }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e7ed; --quiet: #9aa5b4; --paper: #14181f; --line: #333b47;
  --band: #1c222b; --mark: #ff8a80; --bar: #6f9bd1; --arrow: #777 } }
body { font: 14px/1.45 system-ui, sans-serif; margin: 2em auto; padding: 0 1.5em; max-width: 1280px; color: var(--ink);
  background: var(--paper) }
h1 { font-size: 1.5em; margin-bottom: .2em } h2 { font-size: 1.15em; margin: 2em 0 .5em } li { margin: .3em 0 }
svg { max-width: 100%; height: auto } svg text { font: 12px system-ui, sans-serif; fill: var(--ink) }
.bar { fill: var(--bar) } .quiet { color: var(--quiet) } .scroll { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums } caption { text-align: left; padding: .3em 0 }
th, td { padding: .2em .7em; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap }
th { background: var(--band); font-weight: 600 } .left { text-align: left } .wrap { white-space: normal }
@media print { :root { --ink: #000; --quiet: #444; --paper: #fff; --line: #bbb; --band: #eee; --mark: #a00 }
  body { margin: 0; max-width: none; font-size: 10pt } h2 { break-after: avoid } tr, svg, figure { break-inside: avoid }
  .screen { display: none } .scroll { overflow: visible } * { print-color-adjust: exact } }
"""


def document(title: str, body: str, style: str = "", script: str = "") -> str:
    """Also well-formed XML, so that a test or a program can read it."""
    code = f"<script>//<![CDATA[\n{script}\n//]]></script>" if script else ""
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>',
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>',
            f"<title>{clean(title)}</title><style>{STYLE}{style}</style></head>",
            f"<body>{body}{code}</body></html>\n",
        ]
    )


def clean(text: object) -> str:
    """A text of a page: XML has no control characters."""
    return escape("".join(letter if letter >= " " or letter in "\t\n" else "\ufffd" for letter in str(text)))


def seconds(value: float) -> str:
    if value >= 1 or value == 0:
        return f"{value:.3g} s" if value < 1000 else f"{value:.0f} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} µs"


@dataclass(frozen=True)
class Cell:
    """What a table shows. value: the number behind the text, which the page keeps beside it."""

    text: str
    value: float | None = None
    style: str = ""

    def html(self) -> str:
        value = "" if self.value is None else f' data-value="{self.value!r}"'
        style = f' class="{self.style}"' if self.style else ""
        return f"<td{style}{value}>{clean(self.text)}</td>"


def left(text: object) -> Cell:
    return Cell(str(text), style="left")


def table(name: str, head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Columns whose cells are to the left have their heads there."""
    body = [list(row) for row in rows]
    sides = [cell.style for cell in body[0]] if body else [""] * len(head)
    classes = [' class="left"' if "left" in side else "" for side in sides]
    heads = "".join(f"<th{of}>{clean(word)}</th>" for word, of in zip(head, classes, strict=True))
    lines = "\n".join(f"<tr>{''.join(cell.html() for cell in row)}</tr>" for row in body)
    return f'<div class="scroll"><table id="{name}"><thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table></div>'


@dataclass(frozen=True)
class Part:
    """Of a bar."""

    name: str
    colour: str
    value: float


def bars(columns: Sequence[tuple[str, Sequence[Part]]], height: float = 100.0) -> str:
    """Seconds of each rank, in the order of the ranks, in parts one above the other."""
    longest = max((sum(part.value for part in parts) for _, parts in columns), default=0.0) or 1.0
    width = max(1.0, min(24.0, 900 / max(len(columns), 1)))
    shapes = []
    for number, (label, parts) in enumerate(columns):
        base = height
        for part in parts:
            size = height * part.value / longest
            base -= size
            text = f"{label}: {part.name + ' ' if part.name else ''}{seconds(part.value)}"
            shapes.append(
                f'<rect x="{number * width:.1f}" y="{base:.1f}" width="{width * 0.85:.1f}" height="{size:.1f}" '
                f'style="fill: {part.colour}" data-value="{part.value!r}"><title>{clean(text)}</title></rect>'
            )
    extent = len(columns) * width
    size_of = f'width="{extent:.0f}" height="{height:.0f}" viewBox="0 0 {extent:.0f} {height:.0f}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size_of}>{"".join(shapes)}</svg>'
