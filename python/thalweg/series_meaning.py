"""What numbers of the files of a series mean: those of the first, or none that can be joined."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TO_UNDERSTAND = ("scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned", "units", "calendar")

Convert = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True)
class Meaning:
    """Attributes of a variable in a file."""

    path: str
    attributes: Mapping[str, Any]


def conversion_of(name: str, wanted: Meaning, given: Meaning, dtype: np.dtype[Any]) -> Convert | None:
    """How numbers of one file become such as the attributes in another say; None: they are.

    Raises:
        ValueError: for attributes that differ otherwise than in units of time.
    """
    one, two = wanted.attributes, given.attributes
    names = [n for n in TO_UNDERSTAND if not is_same(one.get(n), two.get(n))]
    if not names:
        return None
    if names != ["units"] or not all(" since " in str(each.get("units")) for each in (one, two)):
        raise ValueError(f"'{wanted.path}' and '{given.path}' are not joined: {', '.join(names)} of '{name}' differ")
    calendar = one.get("calendar", "standard")
    return functools.partial(recount, given=two["units"], wanted=one["units"], calendar=calendar, dtype=dtype)


def is_same(one: Any, two: Any) -> bool:
    """NaN is NaN."""
    a, b = np.asarray(one), np.asarray(two)
    return a.dtype == b.dtype and a.shape == b.shape and (a.dtype.kind == "O" or a.tobytes() == b.tobytes())


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
