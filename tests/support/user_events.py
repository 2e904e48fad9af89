"""What the procedures of tests/programs/user_write.c, user_write_cpp.cpp and user_write_fortran.f90 were given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

NZ, NY, NX, LAND, RECORDS, SECOND_FILE = 3, 128, 130, 2, 5, 3
BEGIN, BLOCK, RECORD, END = 1, 2, 3, 4
TYPES = {3: "<i4", 9: "<f4", 10: "<f8"}
SHAPES = {"depth": (NY, NX), "temp": (NZ, NY, NX), "wide": (NY, NX), "mean": ()}
TYPE_OF = {"depth": 3, "temp": 9, "wide": 10, "mean": 10}
FILL = 9.9692099683868690e36  # of netCDF, for real types


@dataclass(frozen=True)
class Event:
    """One call of a procedure, dimensions slowest first and all counted from 0."""

    kind: int
    collection: str
    file: str
    variable: str
    record: int
    record_in_file: int
    time_s: float
    type: int
    start: tuple[int, ...]
    count: tuple[int, ...]
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    checksum: int
    data: bytes

    def values(self) -> NDArray[np.generic]:
        return np.frombuffer(self.data, TYPES[self.type]).reshape(self.count)

    def region(self) -> tuple[slice, ...]:
        return tuple(slice(first, first + count) for first, count in zip(self.start, self.count, strict=True))


def read(path: Path, is_fortran: bool) -> list[Event]:
    """Without the last line of a program that was ended in the middle of it."""
    return [parse(line, is_fortran) for line in path.read_text().split("\n")[:-1]]


def parse(line: str, is_fortran: bool) -> Event:
    word = line.split(" ")
    lists = [() if text == "-" else tuple(int(value) for value in text.split(",")) for text in word[8:12]]
    base = 1 if is_fortran else 0
    if is_fortran:
        lists = [values[::-1] for values in lists]
    start = tuple(value - base for value in lists[0])
    return Event(
        int(word[0]),
        *word[1:4],
        int(word[4]) - base,
        int(word[5]) - base,
        float(word[6]),
        int(word[7]),
        start,
        *lists[1:],
        int(word[12]) % 2**64,
        b"" if word[13] == "-" else bytes.fromhex(word[13]),
    )


def written(variable: str, record: int) -> NDArray[np.generic]:
    """What the model put, and the fill value on land."""
    shape, type_code = SHAPES[variable], TYPE_OF[variable]
    number = list(SHAPES).index(variable)
    index = np.arange(int(np.prod(shape)), dtype=np.int64).reshape(shape)
    values = ((number * 1000003 + max(record, 0) * 7919 + index * 31) % 16777213).astype(TYPES[type_code])
    if shape:
        values[..., NX - LAND :] = -2147483647 if type_code == 3 else FILL
    return values


def checksum(event: Event) -> int:
    """The wrapping sum of the bits of the elements, without those on land."""
    bits = np.frombuffer(event.data, f"<u{np.dtype(TYPES[event.type]).itemsize}").reshape(event.count)
    put = bits if bits.ndim == 0 else bits[..., : NX - LAND]
    return int(put.astype(np.uint64).sum(dtype=np.uint64))
