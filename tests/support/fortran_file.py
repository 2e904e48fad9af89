"""Reads Fortran unformatted sequential files as a program does: one length after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from support.formula import dtype_of

MARKER_BYTES = 4


def arrays(data: bytes) -> Iterator[bytes]:
    """Up to the first place where no whole array is, as in a file that still grows."""
    place = 0
    while place + 2 * MARKER_BYTES <= len(data):
        length = int.from_bytes(data[place : place + MARKER_BYTES], "little", signed=True)
        end = place + MARKER_BYTES + length
        if length <= 0 or data[end : end + MARKER_BYTES] != data[place : place + MARKER_BYTES]:
            return
        yield data[place + MARKER_BYTES : end]
        place = end + MARKER_BYTES


def length_of(data: bytes) -> int:
    """Bytes up to where no whole array is."""
    return sum(len(array) + 2 * MARKER_BYTES for array in arrays(data))


Kind = tuple[str, tuple[int, ...]]  # type and shape, slowest first


def read(
    path: Path, fixed: dict[str, Kind], of_records: dict[str, Kind]
) -> tuple[dict[str, NDArray], list[dict[str, NDArray]]]:
    """The variables without records, and those of each whole record; variables are in the order of the file."""
    found = list(arrays(path.read_bytes()))

    def group(start: int, kinds: dict[str, Kind]) -> dict[str, NDArray]:
        return {
            name: np.frombuffer(found[start + place], dtype_of(type_name).newbyteorder("<")).reshape(shape)
            for place, (name, (type_name, shape)) in enumerate(kinds.items())
        }

    records = range(len(fixed), len(found) - len(of_records) + 1, len(of_records)) if of_records else range(0)
    return group(0, fixed), [group(start, of_records) for start in records]
