"""Fields that tests/python/programs/fields.py puts in all kinds of NumPy arrays, and what files hold then."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

NZ, NY, NX, POINTS = 3, 12, 10, 37
RECORDS = 3
HALO = ((1, 2), (3, 0))
LAND = 4  # columns that no rank owns, in masked variables
FILL = -7.0
TYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "S1")
EXTENTS = {"z": NZ, "y": NY, "x": NX, "cell": POINTS}

Array = NDArray[Any]
Arrange = Callable[[Array], Any]


def plain(piece: Array) -> Array:
    return piece.copy()


def reversed_view(piece: Array) -> Array:
    every = (slice(None, None, -1),) * piece.ndim
    return piece[every].copy()[every]


def every_third(piece: Array) -> Array:
    """Elements far apart, with a stride of its own in each dimension."""
    steps = (slice(1, None, 2),) * (piece.ndim - 1) + (slice(2, None, 3),)
    large = np.full([2 * extent + 1 for extent in piece.shape[:-1]] + [3 * piece.shape[-1] + 2], 99).astype(piece.dtype)
    view = large[steps][tuple(slice(extent) for extent in piece.shape)]
    view[...] = piece
    return view


def component(piece: Array) -> Array:
    """Of a structure without padding, so that elements are not aligned."""
    structures = np.zeros(piece.shape, [("tag", "i1"), ("value", piece.dtype), ("flag", "i2")])
    structures["value"] = piece
    return structures["value"]


def inside_halo(piece: Array) -> Array:
    """With a halo, as a section of a larger array."""
    local = np.pad(piece, HALO, constant_values=99)
    return every_third(local)


def read_only(piece: Array) -> Array:
    piece = piece.copy()
    piece.flags.writeable = False
    return piece


ARRANGEMENTS: dict[str, Arrange] = {
    "plain": plain,
    "fortran": np.asfortranarray,
    "transposed": lambda piece: np.ascontiguousarray(piece.T).T,
    "reversed": reversed_view,
    "every_third": every_third,
    "component": component,
    "inside_halo": inside_halo,
    "read_only": read_only,
    "memory_view": lambda piece: memoryview(piece.copy()),
    "nested_lists": lambda piece: piece.tolist(),
    "other_real": lambda piece: piece.astype("float32" if piece.dtype == "float64" else "float64"),
}


@dataclass(frozen=True)
class Field:
    dims: str
    dtype: str
    arrange: Arrange = plain
    cells: str = ""  # name of its decomposition
    memory_dims: str | None = None
    masked: bool = False

    @property
    def has_record(self) -> bool:
        return self.dims.startswith("time")

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(EXTENTS[name] for name in self.dims.split(",") if name not in ("time", ""))


def fields() -> dict[str, Field]:
    found = {f"type_{name}": Field("time,y,x", name, every_third, "boxes") for name in TYPES}
    found |= {name: Field("time,y,x", "float64", arrange, "box") for name, arrange in ARRANGEMENTS.items()}
    return found | {
        "narrowed": Field("time,y,x", "float32", ARRANGEMENTS["other_real"], "box"),
        "turned": Field("time,z,y,x", "float32", np.asfortranarray, "box", "x,z,y"),
        "by_rows": Field("time,y,x", "float32", every_third, "rows"),
        "of_one": Field("time,y,x", "int16", reversed_view, "one"),
        "points": Field("time,cell", "float32", every_third, "points"),
        "levels_of_points": Field("time,cell,z", "float64", component, "points", "z,cell"),
        "first_points": Field("time,cell", "float32", plain, "first"),
        "land": Field("time,y,x", "float32", plain, "sea", masked=True),
        "mean": Field("time", "float64", lambda value: float(value)),
        "profile": Field("time,z", "float32", reversed_view),
        "depth": Field("y,x", "int32", every_third, "box"),
        "z": Field("z", "float64"),
    }


def whole(name: str, field: Field, record: int) -> Array:
    """The global array that the ranks put together; the same bits in every process."""
    numbers = np.random.default_rng([zlib.crc32(name.encode()), record if field.has_record else 0])
    dtype = np.dtype(field.dtype)
    if dtype.kind == "f":
        # What is put in the other real type has to be the same number in both.
        return numbers.standard_normal(field.shape).astype("float32").astype(dtype)
    if dtype.kind == "S":
        return np.asarray(numbers.integers(0, 255, field.shape, "uint8", endpoint=True)).view(dtype)
    limits = np.iinfo(dtype)
    return np.asarray(numbers.integers(limits.min, limits.max, field.shape, dtype, endpoint=True))


def written(name: str, field: Field, record: int) -> Array:
    array = whole(name, field, record)
    if field.masked:
        array[..., NX - LAND :] = FILL
    return array
