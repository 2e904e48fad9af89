"""What an example file tells of the run that made it: interval of records, calendar, names of a series."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import cftime
import numpy as np

from thalweg.cli.output import counted
from thalweg.data import Dataset, Variable
from thalweg.time_units import plain

HOUR_S, DAY_S = 3600, 86400
MOST_YEARS = 2000  # of a file
CALENDARS = (
    "standard", "gregorian", "proleptic_gregorian", "julian", "noleap", "365_day", "all_leap", "366_day", "360_day",
)  # fmt: skip
# Finest part first: "200001310630", "20000131T06", "2000-01-31", "200001", "2000", each with the interval after which
# it changes.
DATES = (
    (r"(\d{4})()(\d{2})(\d{2})(\d{2})(\d{2})(?!\d)", "YmdHM", ""),
    (r"(\d{4})([-_.]?)(\d{2})\2(\d{2})[-_.T]?(\d{2})(?!\d)", "YmdH", ""),
    (r"(\d{4})([-_.]?)(\d{2})\2(\d{2})(?!\d)", "Ymd", "1 d"),
    (r"(\d{4})([-_.]?)(\d{2})(?!\d)", "Ym", "1 month"),
    (r"(\d{4})(?!\d)", "Y", "1 year"),
)


@dataclass(frozen=True)
class TimeAxis:
    dimension: str
    every: str  # as the configuration has it
    step_s: int  # a time step of which `every` is a multiple
    reference: str  # "" if the file does not say
    calendar: str
    first: Any = None  # date of the first record; None: not known
    why: str = ""  # how `every` was found
    is_guessed: bool = True
    records: int = 0


@dataclass(frozen=True)
class Series:
    template: str
    collection: str
    new_file: str  # "" if there is one file
    names_a_period: bool = False  # the example is named by its begin and end, a file of Thalweg's by its begin


def time_axis(dataset: Dataset) -> TimeAxis | None:
    """None: the file has no records."""
    name = record_dimension(dataset)
    if name is None:
        return None
    size = dataset.dims[name].size
    axis = dataset.variables.get(name)
    units = str(axis.attributes.get("units", "")) if axis is not None else ""
    if axis is None or axis.dims != (name,) or axis.dtype.kind not in "iuf" or " since " not in units:
        why = f"the file has {counted(size, 'record')}, and no variable '{name}' says when they are"
        return TimeAxis(name, "1 step", 0, "", "", why=why)
    return dated(axis, units, size)


def record_dimension(dataset: Dataset) -> str | None:
    unlimited = [name for name, dim in dataset.dims.items() if dim.unlimited]
    named = [name for name in ("time", "Time", "t", "TIME") if name in dataset.dims]
    return next(iter(unlimited + named), None)


def dated(axis: Variable, units: str, size: int) -> TimeAxis:
    calendar = str(axis.attributes.get("calendar", "standard")).lower()
    if calendar not in CALENDARS:
        why = f"the calendar '{calendar}' is none of Thalweg's"
        return TimeAxis(axis.name, "1 step", 0, "", "", why=why)
    meant = plain(units, calendar)
    few = tuple(slice(0, min(size, 64)) for _ in axis.dims)
    try:
        dates = np.atleast_1d(cftime.num2date(axis.read(few), meant, calendar, only_use_cftime_datetimes=True))
        reference = cftime.num2date(0, meant, calendar, only_use_cftime_datetimes=True)
    except (ValueError, OverflowError, TypeError) as fault:
        return TimeAxis(axis.name, "1 step", 0, "", "", why=f"its times ('{units}') are not understood: {fault}")
    every, step_s, why = interval(list(dates))
    first = dates[0] if len(dates) else None
    return TimeAxis(axis.name, every, step_s, date_text(reference), calendar, first, why, step_s == 0, size)


def with_series(axis: TimeAxis | None, names: Series) -> TimeAxis | None:
    """A single record of a file of a series stands for the interval of the files."""
    if axis is None or not names.new_file or axis.records != 1:
        return axis
    return replace(axis, every=names.new_file, step_s=1800, why="one record a file")


def date_text(date: Any) -> str:
    text = f"{date.year:04}-{date.month:02}-{date.day:02}"
    return text if (date.hour, date.minute, date.second) == (0, 0, 0) else f"{text} {date.strftime('%H:%M:%S')}"


def interval(dates: Sequence[Any]) -> tuple[str, int, str]:
    """The interval between records, a time step that divides it, and how it was found."""
    if len(dates) < 2:
        return "1 step", 0, f"no interval follows from the file, which has {counted(len(dates), 'record')}"
    seconds = [round((b - a).total_seconds()) for a, b in pairwise(dates)]
    months = [(b.year - a.year) * 12 + b.month - a.month for a, b in pairwise(dates)]
    regular = len(set(seconds)) == 1 and seconds[0] > 0
    monthly = len(set(months)) == 1 and months[0] > 0 and seconds[0] >= 28 * DAY_S
    if monthly and (not regular or seconds[0] % DAY_S == 0):
        text = f"{months[0] // 12} year" if months[0] % 12 == 0 else f"{months[0]} month"
        return plural(text), HOUR_S, "as the file's time axis has it"
    if regular:
        return seconds_text(seconds[0]), divisor(seconds[0]), "as the file's time axis has it"
    return "1 step", 0, f"the records are {min(seconds)} to {max(seconds)} s apart, at no regular interval"


def plural(text: str) -> str:
    return text if text.startswith("1 ") else f"{text}s"


def seconds_text(seconds: int) -> str:
    for unit, length in (("d", DAY_S), ("h", HOUR_S), ("min", 60)):
        if seconds % length == 0:
            return f"{seconds // length} {unit}"
    return f"{seconds} s"


def divisor(seconds: int) -> int:
    """A usual time step of which the interval is a multiple, or the interval itself."""
    return next((step for step in (1800, 600, 300, 60) if seconds % step == 0), seconds)


def series(path: Path, axis: TimeAxis | None) -> Series:
    """A date in the name becomes a template if it is about that of the first record."""
    name = path.name.removesuffix(".partial")
    dot = name.rfind(".")
    stem, suffix = (name[:dot], name[dot:]) if dot > 0 else (name, "")
    for pattern, parts, new_file in DATES:
        match = re.search(rf"(?<!\d){pattern}", stem)
        if match is None or axis is None or not is_date_of(match, axis):
            continue
        before, after = stem[: match.start()], stem[match.end() :]
        if end := re.match(rf"[-_]{pattern}", after):
            after, new_file = after[end.end() :], period(match, end, axis.calendar)
            if not new_file:
                break
        template = percent(before) + template_of(match, parts) + percent(after) + suffix
        return Series(template, identifier(before + after), new_file, names_a_period=end is not None)
    return Series(percent(name), identifier(stem), "")


def period(begin: re.Match[str], end: re.Match[str], calendar: str) -> str:
    """From the first to the last part of the date that a name has, both included, as CMIP has them; the last hour is
    that of the last record. "" if this is no period."""
    first, last = ([int(part) for part in match.groups() if part.isdigit()] for match in (begin, end))
    try:
        start, stop = day_of(first, calendar), behind(last, calendar)
    except ValueError:
        return ""
    months = (stop.year - start.year) * 12 + stop.month - start.month
    if not start < stop or months > MOST_YEARS * 12:
        return ""
    if (start.day, stop.day) != (1, 1):
        return f"{(stop - start).days} d"
    return plural(f"{months // 12} year") if months % 12 == 0 else plural(f"{months} month")


def day_of(parts: Sequence[int], calendar: str) -> Any:
    return cftime.datetime(*[*parts, 1, 1][:3], calendar=calendar)


def behind(parts: Sequence[int], calendar: str) -> Any:
    """The day that begins when what the parts name is over."""
    if len(parts) > 3:
        hours = parts[3] + (parts[4] / 60 if len(parts) > 4 else 0)
        return day_of(parts, calendar) + timedelta(days=1 if hours > 0 else 0)
    if len(parts) == 3:
        return day_of(parts, calendar) + timedelta(days=1)
    year, month = parts[0], parts[1] if len(parts) > 1 else 12
    return day_of([year + month // 12, month % 12 + 1], calendar)


def template_of(match: re.Match[str], parts: str) -> str:
    """The match with its numbers replaced, and what separates them kept."""
    letters = iter(parts)
    first = f"%{next(letters)}"
    return first + re.sub(r"\d{2}", lambda _: f"%{next(letters)}", match[0][4:])


def is_date_of(match: re.Match[str], axis: TimeAxis) -> bool:
    """Files are named by their begin, which is an interval before their first record, or by that."""
    if axis.first is None:
        return False
    numbers = [int(group) for group in match.groups() if group and group.isdigit()]
    first = [axis.first.year, axis.first.month, axis.first.day, axis.first.hour][: len(numbers)]
    if len(numbers) > 1 and not (1 <= numbers[1] <= 12 and all(1 <= day <= 31 for day in numbers[2:3])):
        return False
    if any(hour > 23 for hour in numbers[3:4]):
        return False
    years = abs(first[0] + (first[1] - 1 if len(first) > 1 else 0) / 12
                - numbers[0] - (numbers[1] - 1 if len(numbers) > 1 else 0) / 12)  # fmt: skip
    return bool(years <= 1.01)


def percent(text: str) -> str:
    return text.replace("%", "%%")


def identifier(text: str) -> str:
    """A name for the collection: what is left of the file's."""
    return re.sub(r"[\W_]+", "_", text).strip("_") or "history"
