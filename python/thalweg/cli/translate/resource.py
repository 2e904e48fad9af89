"""A resource file as ESMF reads it: 'label: values', lists that '::' ends, '#' or '!' for comments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from thalweg.cli.translate.model import Line
from thalweg.cli.translate.sources import Source

LABEL = re.compile(r"\s*(?P<label>[^\s'\",:]+)\s*:(?!:)")
VALUE = re.compile(r"'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\"|(?P<plain>[^\s,'\"]+)")
SWITCH = re.compile(r"\s*@(?P<name>[A-Z]\w*)\s+(?=['\"])")


@dataclass
class Row:
    line: Line
    values: list[str]
    switch: str = ""  # the token of a script that lets the line stand or go


@dataclass
class Resource:
    label: str
    rows: list[Row] = field(default_factory=list)

    @property
    def line(self) -> Line:
        return self.rows[0].line

    @property
    def values(self) -> list[str]:
        return [value for row in self.rows for value in row.values]

    @property
    def text(self) -> str:
        return " ".join(self.values)


def without_comment(text: str) -> str:
    """A sign within quotes begins none."""
    quote = ""
    for position, sign in enumerate(text):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"" and sign in text[position + 1 :]:
            quote = sign
        elif sign in "#!":
            return text[:position]
    return text


def values_of(text: str) -> list[str]:
    return [(match["single"] or match["double"] or match["plain"] or "").strip() for match in VALUE.finditer(text)]


def resources_of(source: Source) -> list[Resource]:
    found: list[Resource] = []
    for number, text in enumerate(source.text.splitlines(), 1):
        said = without_comment(text).strip().removeprefix("&")
        if not said.strip() or said.strip() == "::":
            continue
        switch = SWITCH.match(said)
        said = said[switch.end() :] if switch else said
        label = None if switch else LABEL.match(said)
        if label:
            found.append(Resource(label["label"]))
            said = said[label.end() :]
        if not found:
            continue
        line = Line(source.place(number), text.strip())
        values = [value for value in values_of(said) if value != "::"]
        if label or values:
            found[-1].rows.append(Row(line, values, switch["name"] if switch else ""))
    return found
