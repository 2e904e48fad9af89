"""What an index of a variable asks for: records, a selection of the others, and how the array is turned. Pure."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from types import EllipsisType
from typing import Any, SupportsIndex

import numpy as np

from thalweg.input_contents import ContentsVariable

Item = SupportsIndex | slice | EllipsisType
Index = Item | tuple[Item, ...]


@dataclass(frozen=True)
class Spread:
    """The dimensions that are decomposed, and this rank's extents along those of them that its arrays have: the points
    of several lie along the first."""

    dims: tuple[str, ...] = ()
    extents: tuple[int, ...] = ()

    @property
    def joined(self) -> tuple[str, ...]:
        return self.dims[len(self.extents) :]

    def length(self, dim: str, cells: range) -> int:
        return self.extents[self.dims.index(dim)] if dim in self.dims else len(cells)


@dataclass(frozen=True)
class Reading:
    """What is read for an index, and what is done with it then."""

    shape: tuple[int, ...]
    """of the result"""
    is_empty: bool
    """nothing is asked for"""
    records: tuple[int, ...] = ()
    text: str | None = None
    """the selection of the other dimensions; None: all"""
    kept: tuple[str, ...] = ()
    """those of them that what is read has"""
    after: tuple[int | slice, ...] = ()
    """the index of the array that was read"""


def reading_of(key: Index, of: ContentsVariable, spread: Spread, can_select: bool) -> Reading:
    """can_select: the dimensions have names that a selection understands; else all is read, and indexed then.

    Raises:
        IndexError: as NumPy does, and for a part of a dimension that is decomposed.
        TypeError: for what is neither an integer nor a slice.
    """
    every = [
        (dim, plain(item, extent, dim, of), range(extent))
        for dim, item, extent in zip(of.dims, expanded(key, of), of.shape, strict=True)
    ]
    for dim, item, cells in every:
        if dim in spread.dims and item != cells:
            raise IndexError(
                f"variable '{of.name}': dimension '{dim}' is decomposed, and each rank gets its part of it whole: "
                "index it by ':', and then the array that this gives"
            )
    ranges = [(dim, item) for dim, item, _ in every if isinstance(item, range) and dim not in spread.joined]
    shape = tuple(spread.length(dim, item) for dim, item in ranges)
    if any(len(item) == 0 for _, item in ranges):
        return Reading(shape, True)
    records, own = (every[:1], every[1:]) if of.has_records else ([], every)
    numbers = tuple(number for _, item, _ in records for number in (item if isinstance(item, range) else (item,)))
    after: list[int | slice] = [0 if isinstance(item, int) else slice(None) for _, item, _ in records]
    if not can_select:
        after += [item if isinstance(item, int) else as_slice(item) for _, item, _ in own]
        return Reading(shape, False, numbers, None, tuple(dim for dim, _, _ in own), tuple(after))
    after += [turned(item) for _, item in ranges[sum(isinstance(item, range) for _, item, _ in records) :]]
    words = [word(dim, item) for dim, item, cells in own if item not in (cells, cells[::-1])]
    kept = tuple(dim for dim, item, _ in own if isinstance(item, range))
    return Reading(shape, False, numbers, ", ".join(words) or None, kept, tuple(after))


def expanded(key: Index, of: ContentsVariable) -> list[SupportsIndex | slice]:
    """One item for each dimension."""
    items = key if isinstance(key, tuple) else (key,)
    dots = sum(item is Ellipsis for item in items)
    missing = len(of.shape) - (len(items) - dots)
    if dots > 1:
        raise IndexError(f"variable '{of.name}': an index can only have a single '...'")
    if missing < 0:
        raise IndexError(f"variable '{of.name}' has {len(of.shape)} dimensions, but the index has {len(items) - dots}")
    at = next((place for place, item in enumerate(items) if item is Ellipsis), len(items))
    between: list[Any] = [slice(None)] * missing
    return [*items[:at], *between, *items[at + 1 :]]


def plain(item: SupportsIndex | slice, extent: int, dim: str, of: ContentsVariable) -> int | range:
    """The cell, or the cells in the order in which they are asked for."""
    if isinstance(item, slice):
        return range(extent)[item]
    if isinstance(item, (bool, np.bool_)) or not hasattr(item, "__index__"):
        raise TypeError(f"variable '{of.name}': dimension '{dim}' is indexed by integers and slices, not by {item!r}")
    number = operator.index(item)
    if not -extent <= number < extent:
        raise IndexError(f"variable '{of.name}': {number} is out of bounds for dimension '{dim}' of size {extent}")
    return number % extent


def ascending(cells: range) -> range:
    return cells if cells.step > 0 else cells[::-1]


def turned(cells: range) -> slice:
    """What is read ascends."""
    return slice(None) if cells.step > 0 else slice(None, None, -1)


def word(dim: str, item: int | range) -> str:
    if isinstance(item, int):
        return f"{dim}[{item}]"
    cells = ascending(item)
    return f"{dim}[{cells[0]}:{cells[-1] + 1}:{cells.step}]"


def as_slice(cells: range) -> slice:
    return slice(cells.start, cells.stop if cells.stop >= 0 else None, cells.step)
