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


def values_of(record: str) -> list[str | None]:
    """None: a value that is left out, and keeps what it was. Raises ValueError where a quote is not closed."""
    found: list[str | None] = []
    position = 0
    record = record.rstrip()
    while position < len(record):
        match = VALUE.match(record, position)
        if match is None:
            raise ValueError(f"the text that begins with {record[position:].lstrip()[:1]} is not closed")
        if match["end"]:
            break
        found += [value_of(match)] * int(match["repeat"] or 1)
        position = match.end()
    return found


def value_of(match: re.Match[str]) -> str | None:
    if match["single"] is not None:
        return match["single"].replace("''", "'")
    if match["double"] is not None:
        return match["double"].replace('""', '"')
    return match["plain"]
