"""The companion of a file with the checksums of what was written into it (docs/formats/checksums.md), and the same sums
of what is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.data.model import DataError, Slab

ENDING = ".checksums"
HEAD = b'{"thalweg_checksums": '  # with which every companion begins
VERSION = 1
MASK = (1 << 64) - 1


@dataclass(frozen=True)
class StoredSums:
    type: str  # as Thalweg names it: "float32", "char"
    elements: int  # of a record
    sums: Sequence[int]  # of each record; of a variable without records one
    has_record: bool

    @property
    def item_bytes(self) -> int:
        return 1 if self.type == "char" else np.dtype(self.type).itemsize


@dataclass(frozen=True)
class Companion:
    path: Path
    format: str
    file_bytes: int | None  # None: a store
    record_dimension: str
    records: int
    variables: Mapping[str, StoredSums]


def path_of(file: Path) -> Path:
    return file.with_name(f"{file.name}{ENDING}")


def is_companion(path: Path) -> bool:
    """Others, too, may have files of such a name."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(HEAD)) == HEAD


def remove(file: Path) -> None:
    """The companion of an earlier file of that name; what else has its name stays."""
    if is_companion(path_of(file)):
        path_of(file).unlink()


def companion_of(file: Path) -> Companion | None:
    """None: the file has none. Raises DataError for one that cannot be understood."""
    path = path_of(file)
    try:
        if not is_companion(path):
            return None
        said = json.loads(path.read_text(encoding="utf-8"))
        if said["thalweg_checksums"] != VERSION:
            raise DataError(
                f"'{path}' is of version {said['thalweg_checksums']}, known is {VERSION}; use a newer Thalweg"
            )
        variables = {str(one["name"]): stored_sums(one) for one in said["variables"]}
        if any(one.has_record and len(one.sums) != int(said["records"]) for one in variables.values()):
            raise ValueError(f"not all variables have the {said['records']} records")
        return Companion(
            path=path,
            format=str(said["format"]),
            file_bytes=None if said.get("bytes") is None else int(said["bytes"]),
            record_dimension=str(said["record_dimension"]),
            records=int(said["records"]),
            variables=variables,
        )
    except (OSError, ValueError, KeyError, TypeError) as fault:
        text = fault.strerror if isinstance(fault, OSError) else f"{type(fault).__name__}: {fault}"
        raise DataError(f"'{path}' cannot be understood ({text}): it is damaged, or not Thalweg's") from None


def stored_sums(said: Mapping[str, Any]) -> StoredSums:
    has_record = "records" in said
    texts = said["records"] if has_record else [said["sum"]]
    stored = StoredSums(str(said["type"]), int(said["elements"]), [int(text, 16) for text in texts], has_record)
    if stored.item_bytes not in (1, 2, 4, 8):
        raise ValueError(f"there is no type '{stored.type}'")
    return stored


def bit_sums(values: NDArray[Any]) -> NDArray[np.uint64]:
    """Of each row (what has the same first index) the wrapping sum of its elements' bits."""
    rows = np.ascontiguousarray(values).reshape(values.shape[0], -1)
    bits = rows.view(f"u{values.dtype.itemsize}")
    return np.asarray(bits.sum(axis=1, dtype=np.uint64))


@dataclass
class Summing:
    """Sums up what is read of a variable, slab by slab."""

    has_record: bool
    sums: dict[int, int] = field(default_factory=dict)  # by record, or of all under 0

    def add(self, slab: Slab, values: NDArray[Any]) -> None:
        rows = values if self.has_record else values.reshape(1, -1)
        first = slab[0].start if self.has_record else 0
        for row, found in enumerate(bit_sums(rows)):
            self.sums[first + row] = (self.sums.get(first + row, 0) + int(found)) & MASK
