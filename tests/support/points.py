"""Lists of points of a grid as tests/python/programs/points.py declares them, and what files hold then."""

from __future__ import annotations

import zlib
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import netCDF4
import numpy as np
from numpy.typing import NDArray

LEVELS = 3
STEP_S = 3600.0


@dataclass(frozen=True)
class Field:
    dims: str  # P: those of the list
    dtype: str
    memory_dims: str | None = None


FIELDS = {
    "area": Field("P", "f8"),
    "kind": Field("P,lev", "i2"),
    "temp": Field("time,lev,P", "f4"),
    "soil": Field("time,P,lev", "f8", "lev,P"),
    "flux": Field("time,P", "f4"),
}


@dataclass(frozen=True)
class Points:
    """How the points of a grid are dealt to ranks."""

    dims: str
    shape: tuple[int, ...]
    land: bool = False  # a third of the points belongs to nobody
    copies: bool = False  # ranks list points of lower ones as well, with values that nobody is to see
    empty: bool = False  # the last rank holds nothing
    leaves: int = 0  # so many points at the beginning are left out, and not said to be
    rows: bool = False  # neighbours stay together, in ascending order; else every order is possible

    def word(self) -> dict[str, Any]:
        return asdict(self)

    def total(self) -> int:
        return int(np.prod(self.shape))

    def dims_of(self, field: Field) -> str:
        return field.dims.replace("P", self.dims)


def of_word(word: dict[str, Any]) -> Points:
    return Points(**(word | {"shape": tuple(word["shape"])}))


@cache
def holders(points: Points, ranks: int) -> NDArray[np.int64]:
    """The rank that writes each point; -1: nobody."""
    random = np.random.default_rng(len(points.dims))
    holding = ranks - 1 if points.empty and ranks > 1 else ranks
    if points.rows:
        run = 7  # longer than some rows and shorter than others
        holder = np.repeat(random.integers(0, holding, points.total() // run + 1), run)[: points.total()]
    else:
        holder = random.integers(0, holding, points.total())
    if points.land:
        holder[random.integers(0, 3, len(holder)) == 0] = -1
    return holder


def listed(points: Points, rank: int, ranks: int) -> NDArray[np.int64]:
    """What a rank lists: its points, copies of others, and places that are not written."""
    holder = holders(points, ranks)
    own = np.flatnonzero(holder == rank)
    own = own[own >= points.leaves]
    if points.rows or len(own) == 0:
        return own
    if points.copies:
        own = np.append(own, np.flatnonzero((holder >= 0) & (holder < rank))[::5])
    shuffled = np.random.default_rng(rank).permutation(own)
    return np.insert(shuffled, len(shuffled) // 2, [-1, -7])


def values(points: Points, name: str, record: int) -> NDArray[Any]:
    """Of a record (0: of a variable without any), the list's dimensions as one, the others in the file's order."""
    field = FIELDS[name]
    extents = {"P": points.total(), "lev": LEVELS}
    shape = [extents[dim] for dim in field.dims.split(",") if dim != "time"]
    random = np.random.default_rng([zlib.crc32(name.encode()), record])
    if field.dtype[0] == "i":
        return random.integers(-9999, 9999, shape).astype(field.dtype)
    return random.standard_normal(shape).astype(field.dtype)


def expected(points: Points, name: str, record: int, ranks: int) -> NDArray[Any]:
    """In the file's dimensions, with fill values where nobody holds anything."""
    field = FIELDS[name]
    array = values(points, name, record)
    along = [dim for dim in field.dims.split(",") if dim != "time"].index("P")
    fill = np.dtype(field.dtype).type(netCDF4.default_fillvals[field.dtype])
    np.moveaxis(array, along, 0)[holders(points, ranks) < 0] = fill
    return array.reshape(*array.shape[:along], *points.shape, *array.shape[along + 1 :])
