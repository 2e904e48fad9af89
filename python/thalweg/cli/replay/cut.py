"""How an index space is cut over ranks, as models do it: one block a rank, as square as can be."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

Box = tuple[tuple[int, ...], tuple[int, ...]]  # start and count in each dimension


def parts_of(shape: Sequence[int], ranks: int) -> tuple[int, ...]:
    """The number of blocks along one or two dimensions: of as many ranks as possible, with the shortest edges."""
    if len(shape) == 1:
        return (min(ranks, shape[0]),)
    rows, columns = shape
    ways = [
        (parts, min(ranks // parts, columns))  # no more blocks than points
        for parts in range(1, min(ranks, rows) + 1)
    ]
    return max(ways, key=lambda way: (prod(way), -(rows / way[0] + columns / way[1])))


def box_of(shape: Sequence[int], ranks: int, rank: int) -> Box | None:
    """The block of this rank; None: it has none, because there are fewer blocks than ranks."""
    parts = parts_of(shape, ranks)
    if rank >= prod(parts):
        return None
    places = (rank,) if len(parts) == 1 else divmod(rank, parts[1])
    start = tuple(extent * place // part for extent, place, part in zip(shape, places, parts, strict=True))
    end = tuple(extent * (place + 1) // part for extent, place, part in zip(shape, places, parts, strict=True))
    return start, tuple(last - first for first, last in zip(start, end, strict=True))
