"""Figures of the page as texts and cells of tables; None: there is nothing to be shown."""

from __future__ import annotations

from thalweg.pages import Cell, seconds


def size(value: float | None) -> str:
    if value is None:
        return "–"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if abs(value) < 1000 or unit == "TB":
            break
        value /= 1000
    return f"{value:.3g} {unit}" if unit != "B" else f"{value:.0f} B"


def rate(value: float | None) -> str:
    return "–" if value is None else f"{value / 1e6:.4g} MB/s"


def share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def of(value: float | None, text: str) -> Cell:
    """None: there is nothing to be shown."""
    return Cell("–") if value is None else Cell(text, float(value))


def count(value: int | None) -> Cell:
    return of(value, f"{value:,}" if value is not None else "")


def speed(value: float | None) -> Cell:
    return of(value, f"{(value or 0.0) / 1e6:.4g}")


def duration(value: float | None) -> Cell:
    return of(value, seconds(value or 0.0))


def amount(value: float | None) -> Cell:
    return of(value, size(value))


def counted(number: int, one: str) -> str:
    """ "1 node", "2 nodes"."""
    return f"{number} {one}{'' if number == 1 else 's'}"
