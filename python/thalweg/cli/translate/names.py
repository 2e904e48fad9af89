"""Dates in the names of files."""

from __future__ import annotations

from thalweg.cli.translate.model import SECONDS, Line, seconds_of

PARTS = {"year": "%Y", "month": "%m", "d": "%d", "h": "%H", "min": "%M", "s": "%S"}


def finest_unit(interval: str) -> str:
    """In which the edges of an interval differ: of '24 h' the day."""
    seconds = seconds_of(interval)
    if seconds is None:
        return interval.split()[1].removesuffix("s")
    return next(unit for unit, size in reversed(SECONDS.items()) if seconds % size == 0)


def told_apart(name: str, interval: str, line: Line) -> str:
    """The name, with what its date lacks to be another one in each interval."""
    unit = finest_unit(interval)
    if unit == "step":
        return name
    needed = list(PARTS.values())[: list(PARTS).index(unit) + 1]
    lacking = [part for part in needed if part not in name and not (part in ("%m", "%d") and "%j" in name)]
    if not lacking:
        return name
    line.approximate(f"the date in its name is the same for several files: here with {''.join(lacking)}")
    stem, dot, ending = name.rpartition(".")
    return f"{stem}_{''.join(lacking)}{dot}{ending}"
