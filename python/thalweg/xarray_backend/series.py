"""Members of a series: one after the other along the record dimension."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.xarray_backend.joined_array import Convert
from thalweg.xarray_backend.parts import Part, is_same

TO_UNDERSTAND = ("scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned", "units", "calendar")


def in_series(groups: Sequence[Sequence[Part]], record_dim: str | None) -> list[Part]:
    first = groups[0][0]
    dim = record_dim or next(iter(first.file.unlimited), "time")
    for group in groups:
        check_member(first, group[0], dim)
    total = sum(group[0].sizes[dim] for group in groups)
    parts: list[Part] = []
    start = 0
    for group in groups:
        records = group[0].sizes[dim]
        conversions = conversions_of(first, group[0], dim)
        parts += [replace(part.with_records(dim, start, records, total), conversions=conversions) for part in group]
        start += records
    return parts


def check_member(first: Part, other: Part, dim: str) -> None:
    found = difference(first, other, dim)
    if found is not None:
        raise ValueError(
            f"'{other.file.path}' does not continue the series that begins with '{first.file.path}': {found}"
        )


def difference(first: Part, other: Part, dim: str) -> str | None:
    if dim not in other.sizes:
        return f"it has no dimension '{dim}' (record_dim names another one)"
    sizes = [{d: n for d, n in part.sizes.items() if d != dim} for part in (first, other)]
    if sizes[0] != sizes[1]:
        return f"its dimensions are {sizes[1]}, not {sizes[0]}"
    if names := sorted(set(first.variables) ^ set(other.variables)):
        return f"only one of them has {', '.join(names)}"
    for name, one in first.variables.items():
        if (one.dims, one.dtype) != (other.variables[name].dims, other.variables[name].dtype):
            return f"type or dimensions of '{name}' differ"
    return None


def conversions_of(first: Part, other: Part, dim: str) -> dict[str, Convert]:
    """How numbers become such as the attributes of the first member say; what else attributes say is the first's."""
    found = {}
    for name, variable in first.variables.items():
        if dim not in variable.dims:
            continue
        wanted, given = variable.attributes, other.variables[name].attributes
        names = [n for n in TO_UNDERSTAND if not is_same(wanted.get(n), given.get(n))]
        if not names:
            continue
        if names != ["units"] or not all(" since " in str(a.get("units")) for a in (wanted, given)):
            raise ValueError(
                f"'{first.file.path}' and '{other.file.path}' are not joined: {', '.join(names)} of '{name}' differ"
            )
        found[name] = converter(wanted, given, variable.dtype)
    return found


def converter(wanted: Mapping[str, Any], given: Mapping[str, Any], dtype: np.dtype[Any]) -> Convert:
    calendar = wanted.get("calendar", "standard")
    return functools.partial(recount, given=given["units"], wanted=wanted["units"], calendar=calendar, dtype=dtype)


def recount(values: NDArray[Any], *, given: str, wanted: str, calendar: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Times counted from another date.

    Raises:
        ValueError: for times that a variable of integers cannot hold in these units.
    """
    import cftime

    exact = np.asarray(cftime.date2num(cftime.num2date(values, given, calendar), wanted, calendar))
    counted = exact.astype(dtype)
    if dtype.kind in "iu" and not (counted == exact).all():
        raise ValueError(f"times in '{given}' are no whole numbers in '{wanted}', the units of the first file")
    return counted
