"""Fortran unformatted files (docs/formats/fortran.md), which say nothing of themselves, by what lies beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.data.checksums import Companion, StoredSums
from thalweg.data.model import DataError, Dataset, Dimension, Slab, Variable

MARKER_BYTES = 4


def open_fortran(path: Path, companion: Companion) -> Dataset:
    """Each array has one dimension beside that of records: the elements in the order of the file."""
    place = 0
    places = {}
    for has_record in (False, True):
        for name, stored in companion.variables.items():
            if stored.has_record == has_record:
                places[name] = place
                place += array_bytes(stored)
        if not has_record:
            fixed_bytes = place
    record_bytes = place - fixed_bytes
    variables = {
        name: variable(path, name, stored, companion, places[name], record_bytes)
        for name, stored in companion.variables.items()
    }
    expect_length(path, fixed_bytes + record_bytes * companion.records)
    dims = {companion.record_dimension: Dimension(companion.records, True)}
    return Dataset(path=path, kind="fortran", dims=dims, variables=variables, attributes={}, files=(path,))


def array_bytes(stored: StoredSums) -> int:
    return stored.elements * stored.item_bytes + 2 * MARKER_BYTES


def expect_length(path: Path, wanted: int) -> None:
    found = path.stat().st_size
    if found != wanted:
        raise DataError(f"'{path}' has {found} bytes, by its companion {wanted}: it was cut short, or is another file")


def variable(path: Path, name: str, stored: StoredSums, companion: Companion, place: int, step: int) -> Variable:
    dtype = np.dtype("S1" if stored.type == "char" else stored.type)
    length = stored.elements * stored.item_bytes

    def elements(record: int, along: slice) -> NDArray[Any]:
        begin = place + record * step
        with path.open("rb") as file:
            for marker in (begin, begin + MARKER_BYTES + length):
                file.seek(marker)
                if int.from_bytes(file.read(MARKER_BYTES), "little", signed=True) != length:
                    raise DataError(f"'{path}', variable '{name}': the marker at byte {marker} is not {length}")
            file.seek(begin + MARKER_BYTES + along.start * stored.item_bytes)
            return np.fromfile(file, dtype, along.stop - along.start)

    def read(slab: Slab) -> NDArray[Any]:
        if not stored.has_record:
            return elements(0, slab[0])
        return np.stack([elements(record, slab[1]) for record in range(slab[0].start, slab[0].stop)])

    records = ((companion.record_dimension, companion.records),) if stored.has_record else ()
    dims, shape = zip(*records, ("elements", stored.elements), strict=True)
    return Variable(name=name, dims=dims, shape=shape, dtype=dtype, attributes={}, read_slab=read)
