"""An array of which each file has a box. A value is read from the file that has it, when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import netCDF4
import numpy as np
from numpy.typing import NDArray
from xarray.backends import BackendArray
from xarray.core import indexing

from thalweg.xarray_backend.parts import Section
from thalweg.xarray_backend.reading import Described, File

Numbers = NDArray[Any]
Convert = Callable[[Numbers], Numbers]


@dataclass(frozen=True)
class Source:
    """A file and the box that it has of a variable."""

    file: File
    box: tuple[Section, ...]
    convert: Convert | None = None

    def read(self, name: str, key: tuple[Any, ...]) -> Numbers:
        values = self.file.read(name, key)
        return values if self.convert is None else self.convert(values)

    def copy_into(self, target: Numbers, name: str, wanted: Sequence[Numbers]) -> None:
        """What the box has of the indices that are wanted along each dimension."""
        here, there = [], []
        for indices, section in zip(wanted, self.box, strict=True):
            inside = np.flatnonzero((indices >= section.start) & (indices < section.start + section.count))
            if inside.size == 0:
                return
            here.append(inside)
            there.append(as_slice(indices[inside] - section.start))
        slices = tuple(as_slice(inside) for inside in here)
        is_regular = all(isinstance(along, slice) for along in slices)
        target[slices if is_regular else np.ix_(*here)] = self.read(name, tuple(there))


class JoinedArray(BackendArray):
    def __init__(self, name: str, shape: tuple[int, ...], like: Described, sources: Sequence[Source]) -> None:
        self.shape = shape
        self.dtype = like.dtype
        self._name = name
        self._fill = fill_of(like)
        self._sources = sources

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        support = indexing.IndexingSupport.OUTER
        return indexing.explicit_indexing_adapter(key, self.shape, support, self._read)

    def _read(self, key: tuple[Any, ...]) -> Numbers:
        """Along each dimension an integer, a slice or an array of integers."""
        first = self._sources[0]
        if len(self._sources) == 1 and first.file.variables[self._name].shape == self.shape:
            return first.read(self._name, tuple(bounded(i, n) for i, n in zip(key, self.shape, strict=True)))
        wanted = [np.asarray(np.arange(extent)[index]) for extent, index in zip(self.shape, key, strict=True)]
        target = np.full([indices.size for indices in wanted], self._fill, self.dtype)
        for source in self._sources:
            source.copy_into(target, self._name, [indices.ravel() for indices in wanted])
        return target.reshape([indices.size for indices in wanted if indices.ndim > 0])


def bounded(index: Any, extent: int) -> Any:
    """The same when the file has grown since it was looked at."""
    return as_slice(np.arange(extent)[index]) if isinstance(index, slice) else index


def as_slice(indices: Numbers) -> slice | Numbers:
    """A slice in place of rising indices with equal distances, because files are read faster by it."""
    if indices.size == 0:
        return slice(0, 0)
    steps = np.diff(indices)
    step = int(steps[0]) if steps.size else 1
    if step < 1 or not (steps == step).all():
        return indices
    return slice(int(indices[0]), int(indices[-1]) + 1, step)


def fill_of(like: Described) -> Any:
    """What is shown where no file has anything."""
    own = like.attributes.get("_FillValue")
    return netCDF4.default_fillvals.get(like.dtype.str[1:], 0) if own is None else own
