"""What tests/support/zarr_sample.hpp writes, computed again, and the program that writes it."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from support import conform, formula, mpi

SIZES = {"y": 5, "x": 7, "three": 3}
TYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
ODD_NAN = np.uint32(0x7FC00ABC).view("f4")


@dataclass(frozen=True)
class Array:
    type_name: str
    dims: tuple[str, ...]
    chunk: tuple[int, ...]
    hole: tuple[slice, ...] | None = None  # never written, in any record
    fill: object = None  # its _FillValue

    @property
    def has_record(self) -> bool:
        return self.dims[:1] == ("time",)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of one record."""
        return tuple(SIZES[dim] for dim in self.dims if dim != "time")

    @property
    def default_fill(self) -> object:
        return {"int16": -32767}[self.type_name] if self.fill is None else self.fill


UPPER_RIGHT = (slice(0, 2), slice(4, 7))
ARRAYS = {
    "time": Array("float64", ("time",), (4,)),
    "y": Array("float64", ("y",), (5,)),
    "x": Array("float64", ("x",), (4,)),
    "area": Array("float64", ("y", "x"), (5, 7)),
    "depth": Array("float64", (), ()),
    **{f"{name}_fixed": Array(name, ("y", "x"), (5, 7)) for name in TYPES},
    **{f"{name}_field": Array(name, ("time", "y", "x"), (1, 2, 4)) for name in TYPES},
    "profile": Array("float32", ("time", "three"), (1, 2)),
    "triple": Array("int16", ("time", "three"), (3, 3), fill=-9),
    "sparse": Array("float32", ("time", "y", "x"), (1, 2, 4), UPPER_RIGHT, np.float32(1e20)),
    "gap": Array("int16", ("y", "x"), (2, 4), UPPER_RIGHT),
    "odd_nan": Array("float32", ("y", "x"), (2, 4), UPPER_RIGHT, ODD_NAN),
    "nan": Array("float64", ("y",), (2,), (slice(2, 4),), np.float64("nan")),
}
RECORD_ARRAYS = tuple(name for name, array in ARRAYS.items() if array.has_record)


def record(name: str, number: int) -> NDArray:
    array = ARRAYS[name]
    if name == "time":
        return np.array(0.25 * number)
    if name in ("x", "y"):
        return np.arange(SIZES[name]) + 0.5
    bits = formula.hashes(name, number, array.shape)
    values = bits.astype(f"u{np.dtype(array.type_name).itemsize}").view(array.type_name).copy()
    if array.hole is not None:
        values[array.hole] = array.default_fill
    return values.reshape(array.shape)


def expected(name: str, records: int) -> NDArray:
    array = ARRAYS[name]
    if not array.has_record:
        return record(name, 0)
    all_records = [record(name, number) for number in range(records)]
    return np.array(all_records, array.type_name).reshape(records, *array.shape)


def assert_same(name: str, found: NDArray, wanted: NDArray) -> None:
    found = np.asarray(found)
    assert conform.same_bits(found, wanted), f"{name}: {conform.differences(found, wanted)}"


def command(*words: object) -> list[str]:
    return [str(word) for word in (mpi.program("zarr_store"), *words)]


def run(*words: object) -> str:
    done = subprocess.run(command(*words), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout


def write(path: Path, records: int, *words: str) -> Path:
    run("write", path, records, *words)
    return path
