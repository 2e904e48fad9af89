"""What a configuration of another system becomes: files with fields, and what became of each of its lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum

SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86400}


class Fate(IntEnum):
    """What became of a line, from the best."""

    EXACT = 0
    APPROXIMATE = 1
    WITHOUT_COUNTERPART = 2

    @property
    def words(self) -> str:
        return self.name.lower().replace("_", " ")


@dataclass
class Line:
    """What says one thing in the original: a line of a table, a key with its value, an element."""

    place: str  # "12", or "field_def.xml:12" where there are several files
    text: str
    fate: Fate = Fate.EXACT
    remarks: list[str] = field(default_factory=list)

    def note(self, remark: str) -> None:
        if remark not in self.remarks:
            self.remarks.append(remark)

    def approximate(self, remark: str) -> None:
        self.fate = max(self.fate, Fate.APPROXIMATE)
        self.note(remark)

    def lacks(self, remark: str) -> None:
        self.fate = Fate.WITHOUT_COUNTERPART
        self.note(remark)

    @property
    def told(self) -> str:
        """With its fate, as a comment has it."""
        fate = "" if self.fate is Fate.EXACT else f"{self.fate.words}, "
        return f"{fate}line {self.place}: {' '.join(self.text.split())}: {'; '.join(self.remarks)}"


@dataclass
class Entry:
    """An item of a collection's fields."""

    line: Line
    source: str = ""  # the field of the program
    operation: str = ""
    name: str = ""  # of the variable
    type: str = ""
    expression: str = ""
    missing: str = ""  # what its collection says of missing values for it
    sample: str = ""  # of which steps
    sample_offset: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    is_off: bool = False  # the original does not write it either

    @property
    def is_written(self) -> bool:
        return not self.is_off and self.line.fate is not Fate.WITHOUT_COUNTERPART

    @property
    def variable(self) -> str:
        return self.name or self.source.rpartition("/")[2]


@dataclass
class Key:
    value: str
    why: str = ""


@dataclass
class Collection:
    name: str
    lines: list[Line] = field(default_factory=list)  # those that are not of an entry
    keys: dict[str, Key] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)
    why_off: str = ""  # all of it is a comment

    def say(self, key: str, value: str, why: str = "") -> None:
        self.keys[key] = Key(value, why)

    @property
    def written(self) -> list[Entry]:
        return [entry for entry in self.entries if entry.is_written]

    @property
    def is_written(self) -> bool:
        return not self.why_off and bool(self.written)


@dataclass
class Translation:
    of: str  # "the diag_table of FMS"
    name: str
    lines: list[Line] = field(default_factory=list)  # that are of no collection
    differences: list[str] = field(default_factory=list)  # in all files
    keys: dict[str, Key] = field(default_factory=dict)
    defaults: dict[str, Key] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)  # of all files
    collections: list[Collection] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)  # what was probably not meant
    to_fill_in: dict[str, str] = field(default_factory=dict)  # variables, and what they stand for

    def all_lines(self) -> list[Line]:
        """Each once, also one that several entries come of."""
        found = [*self.lines]
        for collection in self.collections:
            found += [*collection.lines, *(entry.line for entry in collection.entries)]
        return list({id(line): line for line in found}.values())

    def counts(self) -> dict[str, int]:
        fates = [line.fate for line in self.all_lines()]
        return {fate.words: fates.count(fate) for fate in Fate}


def seconds_of(interval: str) -> int | None:
    """Of '6 h' and the like; None: of months, years and steps."""
    number, _, unit = interval.partition(" ")
    return int(number) * SECONDS[unit] if number.isdigit() and unit in SECONDS else None


def date_text(parts: Sequence[int]) -> str:
    """Of year, month, day, hour, minute and second, as 'reference-date' has it."""
    return "{:04}-{:02}-{:02} {:02}:{:02}:{:02}".format(*parts)


def interval_text(number: int, unit: str) -> str:
    """'1 month', '2 years', '6 h'."""
    return f"{number} {unit}s" if unit in ("month", "year", "step") and number != 1 else f"{number} {unit}"
