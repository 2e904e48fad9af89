"""A record as a list-directed READ of Fortran takes it: values apart by blanks or a comma, texts with or without
quotes, '3*x' for a value that comes three times, '/' for the end."""

from __future__ import annotations

import re

VALUE = re.compile(
    r"""[ \t]*(?:(?P<repeat>\d+)\*)?
    (?:'(?P<single>(?:[^']|'')*)'|"(?P<double>(?:[^"]|"")*)"|(?P<plain>[^\s,/'"][^\s,/]*)|(?P<end>/)|(?P<none>(?=,|\s|$)))
    [ \t]*(?P<comma>,)?""",
    re.VERBOSE,
)


MOST_VALUES = 10_000  # that one repeat count stands for


def values_of(record: str) -> list[str | None]:
    """None: a value that is left out, and keeps what it was. Raises ValueError where a quote is not closed, and for
    a repeat count that no table means."""
    found: list[str | None] = []
    position = 0
    record = record.rstrip()
    while position < len(record):
        match = VALUE.match(record, position)
        if match is None:
            raise ValueError(f"the text that begins with {record[position:].lstrip()[:1]} is not closed")
        if match["end"]:
            break
        repeat = int(match["repeat"] or 1)
        if repeat > MOST_VALUES:
            raise ValueError(f"{repeat} values at once are more than a line has")
        found += [value_of(match)] * repeat
        position = match.end()
    return found


def value_of(match: re.Match[str]) -> str | None:
    if match["single"] is not None:
        return match["single"].replace("''", "'")
    if match["double"] is not None:
        return match["double"].replace('""', '"')
    return match["plain"]
