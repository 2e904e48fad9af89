"""The tiles of a cubed sphere, which are dealt out to ranks row by row, and the fields on them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

TILES, NY, NX, RECORDS = 6, 9, 11, 4


def cells_of(rank: int, ranks: int) -> dict[int, list[tuple[int, int]]]:
    """The tiles that a rank has cells of, and which rows of each: from the first to before the last."""
    begin, end = TILES * NY * rank // ranks, TILES * NY * (rank + 1) // ranks
    rows: dict[int, list[tuple[int, int]]] = {}
    for tile in range(1, TILES + 1):
        before = (tile - 1) * NY
        first, last = max(begin - before, 0), min(end - before, NY)
        if first < last:
            rows[tile] = [(first, last)]
    return rows


def whole(name: str, tile: int, record: int) -> NDArray[np.float64]:
    number = np.arange(NY * NX, dtype=np.float64).reshape(NY, NX) + 1000 * tile
    return number / 3 if name == "area" else number + record / 8
