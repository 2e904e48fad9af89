"""What all formats have in common: dimensions, variables, attributes, and values that are read box by box.

Values are raw: nothing is masked, scaled or decoded. Types have the machine's byte order; characters are S1, strings
are objects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Slab = tuple[slice, ...]  # of every dimension, with start and stop, in steps of 1


class DataError(Exception):
    """Input that cannot be read; the text says what, where, and what to do."""


def without_records(path: Path) -> str:
    """Why a growing file that has no record dimension is not read."""
    return (
        f"'{path}' is not complete and has no record dimension, so that nothing in it says which of its values its run "
        "has written; wait for the run, or write it again"
    )


@dataclass(frozen=True)
class Dimension:
    size: int
    unlimited: bool | None  # None: the format does not say


@dataclass(frozen=True)
class Variable:
    name: str
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    attributes: Mapping[str, Any]
    read_slab: Callable[[Slab], NDArray[Any]]
    chunks: tuple[int, ...] | None = None
    filters: tuple[str, ...] = ()  # what every chunk passes through: "shuffle", "zstd", "fletcher32"
    levels: Mapping[str, int] = field(default_factory=dict)  # of codecs that have one
    of_strings: bool = False  # characters that stand for the strings which the dataset has
    enumeration: str = ""  # the name of its type, if that has names for values; dtype is that of their numbers

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def whole(self) -> Slab:
        return tuple(slice(0, extent) for extent in self.shape)

    def read(self, slab: Slab | None = None) -> NDArray[Any]:
        """The values of a box, or all of them. A fault of the storage or of a checksum is a DataError."""
        slab = self.whole if slab is None else slab
        return self.read_slab(slab)


@dataclass
class Dataset:
    path: Path
    kind: str  # "cdf1", "cdf2", "cdf5", "netcdf4", "netcdf4-classic", "zarr"
    dims: Mapping[str, Dimension]
    variables: Mapping[str, Variable]
    attributes: Mapping[str, Any]
    files: Sequence[Path] = ()  # of a set; otherwise the one
    notes: Sequence[str] = ()  # what a user should know of how it was read
    missing: str = ""  # the one of them that says which files of a set are not there
    closing: ExitStack = field(default_factory=ExitStack)

    def close(self) -> None:
        self.closing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def native(values: Any) -> NDArray[Any]:
    array = np.asarray(values)
    return array.astype(array.dtype.newbyteorder("="), copy=False)
