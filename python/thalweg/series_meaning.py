"""What numbers of the files of a series mean: those of the first, or none that can be joined."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from thalweg.time_units import TimeUnits, parsed

TO_UNDERSTAND = ("scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned", "units", "calendar")

Convert = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True)
class Meaning:
    """Attributes of a variable in a file."""

    path: str
    attributes: Mapping[str, Any]


class Described(Protocol):
    @property
    def attributes(self) -> Mapping[str, Any]: ...


def meanings_of(path: str, variables: Mapping[str, Described]) -> dict[str, Meaning]:
    """Of all variables of a file. Bounds have the units of their coordinate, where they say none (CF 1.12, 7.1)."""
    found = {name: Meaning(path, variable.attributes) for name, variable in variables.items()}
    for variable in variables.values():
        of = variable.attributes
        for bounds in (of.get(key) for key in ("bounds", "climatology")):
            if isinstance(bounds, str) and bounds in found:
                told = {key: of[key] for key in ("units", "calendar") if key in of}
                found[bounds] = Meaning(path, told | dict(found[bounds].attributes))
    return found


def conversion_of(name: str, wanted: Meaning, given: Meaning, dtype: np.dtype[Any]) -> Convert | None:
    """How numbers of one file become such as the attributes in another say; None: they are.

    Raises:
        ValueError: for attributes that differ otherwise than in units of time.
    """
    one, two = wanted.attributes, given.attributes
    names = [n for n in TO_UNDERSTAND if not is_same(one.get(n), two.get(n))]
    if not names:
        return None
    calendar = str(one.get("calendar", "standard"))
    of_one, of_two = (parsed(each.get("units"), calendar) for each in (one, two))
    if names != ["units"] or of_one is None or of_two is None:
        raise ValueError(f"'{wanted.path}' and '{given.path}' are not joined: {', '.join(names)} of '{name}' differ")
    return functools.partial(recount, given=of_two, wanted=of_one, said=(two["units"], one["units"]), dtype=dtype)


def is_same(one: Any, two: Any) -> bool:
    """NaN is NaN."""
    a, b = np.asarray(one), np.asarray(two)
    return a.dtype == b.dtype and a.shape == b.shape and (a.dtype.kind == "O" or a.tobytes() == b.tobytes())


def recount(
    values: NDArray[Any], *, given: TimeUnits, wanted: TimeUnits, said: tuple[str, str], dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Times counted from another date.

    Raises:
        ValueError: for times that a variable of integers cannot hold in these units.
    """
    later_us = (given.reference - wanted.reference) // timedelta(microseconds=1)
    times = np.asarray(values, "f8")
    if given.microseconds == wanted.microseconds:
        exact = times + later_us / wanted.microseconds
    else:
        exact = (times * given.microseconds + later_us) / wanted.microseconds
    counted: NDArray[Any] = exact.astype(dtype)
    if dtype.kind in "iu" and not (counted == exact).all():
        raise ValueError(f"times in '{said[0]}' are no whole numbers in '{said[1]}', the units of the first file")
    return counted
