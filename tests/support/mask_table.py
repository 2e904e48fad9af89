"""A grid whose domains of land have no rank, as a mask table of FMS says, and the fields on it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

RECORDS = 3
HALO = 1
BLOCK = (6, 10)  # cells of a domain, y and x
TABLE = Path(__file__).parents[1] / "python" / "mask_table.23.16x15"
"""of MOM5's 0.25 degree grid, 240 domains, from a map of land and sea"""
Box = tuple[tuple[int, int], tuple[int, int]]


def read(path: str | Path) -> tuple[tuple[int, int], set[tuple[int, int]]]:
    """The layout, y and x, and the domains without a rank, counted from 0."""
    rows = [[int(number) for number in line.split(",")] for line in Path(path).read_text().splitlines()]
    return (rows[1][1], rows[1][0]), {(j - 1, i - 1) for i, j in rows[2:]}


def shape(path: str | Path) -> tuple[int, int]:
    layout, _ = read(path)
    return layout[0] * BLOCK[0], layout[1] * BLOCK[1]


def boxes(path: str | Path) -> list[Box]:
    """Of the domains with a rank."""
    layout, masked = read(path)
    return [((j * BLOCK[0], i * BLOCK[1]), BLOCK) for j, i in np.ndindex(*layout) if (j, i) not in masked]


def whole(name: str, record: int, path: str | Path) -> NDArray[np.float64]:
    number = np.arange(np.prod(shape(path)), dtype=np.float64).reshape(shape(path))
    return number + 0.25 if name == "depth" else number * (record + 1) / 7


def is_sea(path: str | Path) -> NDArray[np.bool_]:
    sea = np.zeros(shape(path), bool)
    for (j, i), (nj, ni) in boxes(path):
        sea[j : j + nj, i : i + ni] = True
    return sea
