"""Cuts variables into boxes that fit into memory, whole chunks where possible."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from thalweg.data.model import Slab, Variable

STRING_BYTES = 64  # what one is taken to need


def slabs_of(variable: Variable, limit_bytes: int, shape: Sequence[int] | None = None) -> Iterator[Slab]:
    """Boxes of at most so many bytes that cover the variable, or as much of it as `shape` says, in its order."""
    extents = tuple(variable.shape if shape is None else shape)
    item_bytes = STRING_BYTES if variable.dtype == object else max(variable.dtype.itemsize, 1)
    box = box_of(extents, variable.chunks, max(limit_bytes // item_bytes, 1))
    starts = [range(0, extent, step) for extent, step in zip(extents, box, strict=True)]
    for corner in product(*starts):
        yield tuple(
            slice(start, min(start + step, extent)) for start, step, extent in zip(corner, box, extents, strict=True)
        )


def box_of(extents: Sequence[int], chunks: Sequence[int] | None, most: int) -> tuple[int, ...]:
    """The extents of a box of at most `most` elements: it grows by whole chunks, the fastest dimension first."""
    box = [max(min(unit, extent), 1) for unit, extent in zip(chunks or [1] * len(extents), extents, strict=True)]
    for d in range(len(box)):  # a chunk that is larger than the limit is read several times
        while volume(box) > most and box[d] > 1:
            box[d] = max(min(box[d] - 1, box[d] * most // volume(box)), 1)
    for d in reversed(range(len(box))):
        grown = box[d] * max(most // volume(box), 1)
        box[d] = max(min(grown, extents[d]), 1)
        if box[d] < extents[d]:
            break
    return tuple(box)


def volume(box: Sequence[int]) -> int:
    elements = 1
    for extent in box:
        elements *= extent
    return elements
