"""Bounds of a dataset's coordinates are counted as the coordinate is. (source: CF-1.12, section 7.1)"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING

import xarray

from thalweg import xarray_fields

if TYPE_CHECKING:
    from thalweg.collection import Collection

Count = Mapping[str, str]
"""units, and of dates the calendar"""
CALENDARS = {"gregorian": "standard", "365_day": "noleap", "366_day": "all_leap"}


def counts_of_bounds(
    collection: Collection, variables: Mapping[Hashable, xarray.Variable], record_dim: str
) -> dict[str, Count]:
    """By the names of bounds. Of those that several coordinates share the record coordinate's count is the last word.

    Raises:
        ValueError: for bounds of the record coordinate that cannot be counted as it is.
    """
    counts: dict[str, Count] = {}
    for name, variable in sorted(variables.items(), key=lambda one: one[0] == record_dim):
        bounds = name_of_bounds(variable)
        if bounds not in variables:
            continue
        if name == record_dim:
            counts[bounds] = count_of_time(own_count(collection, record_dim), variable, variables[bounds], bounds)
        elif kind_of(variable) and kind_of(variable) == kind_of(variables[bounds]):
            counts[bounds] = xarray_fields.counting_of(variable)
    return counts


def name_of_bounds(variable: xarray.Variable) -> str:
    said = {**variable.attrs, **variable.encoding}
    named = (said.get("bounds"), said.get("climatology"))
    return next((name for name in named if isinstance(name, str)), "")


def kind_of(variable: xarray.Variable) -> str:
    if not xarray_fields.is_date(variable):
        return ""
    return "differences" if variable.dtype.kind == "m" else "dates"


def count_of_time(own: Count, time: xarray.Variable, bounds: xarray.Variable, name: str) -> Count:
    """Numbers that nobody has decoded stay as they are, and say what the dataset says of them."""
    kind = kind_of(bounds)
    if kind == "differences":
        raise ValueError(
            f"define_like: '{name}' has differences of time, and bounds of time are dates; leave it out: "
            f"drop_vars('{name}')"
        )
    if kind == "dates":
        require_calendar(xarray_fields.calendar_of(bounds), name, own)
        return own
    said = {**time.attrs, **time.encoding}
    count = {key: str(said[key]) for key in ("units", "calendar") if key in said}
    require_calendar(count.get("calendar", ""), name, own)
    return count


def own_count(collection: Collection, time: str) -> Count:
    """What the model has said of a time that it puts itself, or else Thalweg's."""
    if time in collection.layouts:
        return {key: str(collection.said[time, key]) for key in ("units", "calendar") if (time, key) in collection.said}
    units, calendar = collection.session.time_units
    return {"units": units, "calendar": calendar}


def require_calendar(calendar: str, name: str, own: Count) -> None:
    """Dates of cftime and numbers are those of one calendar; NumPy's dates may be counted in any."""
    known, wanted = (CALENDARS.get(one, one) for one in (calendar.lower(), own.get("calendar", "").lower()))
    if known and wanted and known != wanted:
        raise ValueError(
            f"define_like: '{name}' has dates of the calendar {calendar}, and time is counted in the calendar "
            f"{own['calendar']}; set 'calendar: {calendar}' in the configuration"
        )
