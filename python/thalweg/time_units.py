"""Units of time coordinates, in the forms that the core takes (src/formats/time_units.cpp). The libraries of Python
pass over a zone of one digit, an hour without minutes and more, so that times would be hours off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

WORDS: dict[int, tuple[str, ...]] = {  # by microseconds
    1: ("microsecond", "microsec", "us"),
    1_000: ("millisecond", "millisec", "msec", "ms"),
    1_000_000: ("second", "sec", "s"),
    60_000_000: ("minute", "min"),
    3_600_000_000: ("hour", "hr", "h"),
    86_400_000_000: ("day", "d"),
    604_800_000_000: ("week",),
}
WITHOUT_YEAR_0 = ("standard", "gregorian", "julian")
MONTH_US = 30 * 86_400_000_000  # of the calendar 360_day; elsewhere it has no length
US_OF = {word: us for us, words in WORDS.items() for word in words}

CLOCK = (
    r"(?:(\d{1,2})(?!\d)(?::(\d{1,2})(?::(\d{1,2}(?:\.\d*)?))?)?"  # 6, 06:00:0.0
    r"|(\d{1,2})(\d\d)(?:(\d\d(?:\.\d*)?))?(?!\d))"  # 600, 0600, 060000.0
)
DAY = r"([+-]?)(?:(\d{4})(\d\d)(\d\d)(?!\d)|(?!\d{8}(?!\d))(\d{1,6})(?:-(\d{1,2})(?:-(\d{1,2})|(?!-))|(?!-)))"
BLANKS = r"[ \t\n\r]*"
# Behind a date without a clock, "-6:00" would be a clock to some and a zone to others.
REFERENCE = re.compile(rf"{DAY}t?{BLANKS}(?:{CLOCK}{BLANKS}(?:z|utc|gmt|([+-]?){CLOCK})?|z|utc|gmt)?", re.ASCII)
SINCE = re.compile(r"(.*?\S)\s+since\s+(\S.*)", re.ASCII | re.DOTALL)
# What all libraries take for the same.
PLAIN = re.compile(r"\d{4}-\d\d?-\d\d?(?:[ T]\d\d?:\d\d?(?::\d\d?(?:\.\d+)?)?)?", re.ASCII)


@dataclass(frozen=True)
class TimeUnits:
    word: str
    microseconds: int
    """that one of them has"""
    reference: Any
    """a date of cftime, in UTC"""

    def __str__(self) -> str:
        date = self.reference
        part = f".{date.microsecond:06}" if date.microsecond else ""
        clock = f"{date.hour:02}:{date.minute:02}:{date.second:02}{part}"
        year = f"{date.year:05}" if date.year < 0 else f"{date.year:04}"
        return f"{self.word} since {year}-{date.month:02}-{date.day:02} {clock}"


def parsed(text: object, calendar: str) -> TimeUnits | None:
    """None: it is no such text, or its calendar does not have the date."""
    both = SINCE.fullmatch(text.strip().lower()) if isinstance(text, str) else None
    if both is None:
        return None
    word = both[1] if both[1] in US_OF or len(both[1]) <= 2 else both[1].removesuffix("s")
    us = MONTH_US if word == "month" and calendar.lower() == "360_day" else US_OF.get(word)
    reference = reference_of(both[2], calendar)
    if us is None or reference is None:
        return None
    return TimeUnits(f"{WORDS[us][0] if us in WORDS else word}s", us, reference)


def reference_of(text: str, calendar: str) -> Any:
    import cftime

    found = REFERENCE.fullmatch(text)
    if found is None:
        return None
    sign, *of_day = found.groups()[:7]
    year, month, day = (int(part or 1) for part in (of_day[:3] if of_day[0] else of_day[3:]))
    hour, minute, second = clock_of(found.groups()[7:13])
    zone, *of_zone = found.groups()[13:20]
    ahead_h, ahead_min, _ = clock_of(of_zone)
    if ahead_h > 18 or ahead_min > 59 or second >= 60:
        return None
    try:
        date = cftime.datetime(
            -year if sign == "-" else year, month, day, hour, minute, calendar=calendar, has_year_zero=True
        )
    except ValueError:
        return None
    ahead = timedelta(hours=ahead_h, minutes=ahead_min)
    return date + timedelta(seconds=second) + (ahead if zone == "-" else -ahead)


def clock_of(parts: Sequence[str | None]) -> tuple[int, int, float]:
    """Of the groups of CLOCK, which has two forms."""
    hour, minute, second = parts[3:] if parts[3] else parts[:3]
    return int(hour or 0), int(minute or 0), float(second or 0)


def plain(text: Any, calendar: object) -> Any:
    """Units that mean the same, and that cftime and xarray understand; as they are where these do, or nobody does, or
    where these count other years, as none is 0."""
    units = parsed(text, str(calendar))
    if units is None or PLAIN.fullmatch(text.strip().split(maxsplit=2)[2]):
        return text
    return text if units.reference.year < 1 and str(calendar).lower() in WITHOUT_YEAR_0 else str(units)
