"""Checks every value of an output file against the formula of output/formula.hpp."""

from pathlib import Path
from typing import Any

import netCDF4
import numpy as np

INDEX_FACTOR = 2654435761
VARIABLE_FACTOR = 2246822519
RECORD_FACTOR = 3266489917
WORD = 2**32


class Formula:
    """Values of one level at a time; the products of a level's indices are made once."""

    def __init__(self, points: int) -> None:
        self.products = np.arange(points, dtype=np.uint32) * np.uint32(INDEX_FACTOR)

    def level(self, variable: int, record: int, level: int) -> np.ndarray:
        first = level * self.products.size
        base = (variable * VARIABLE_FACTOR + record * RECORD_FACTOR + first * INDEX_FACTOR) % WORD
        return ((self.products + np.uint32(base)) >> np.uint32(8)).astype(np.float32)


def expected_shape(run: dict[str, Any], shape: str) -> tuple[int, ...]:
    plane = (run["ny"], run["nx"])
    inner = {"scalar": (), "plane": plane, "volume": (run["nz"], *plane)}[shape]
    return (run["records"], *inner)


def values_equal(path: Path, run: dict[str, Any]) -> bool:
    """True if the file holds every variable in full shape with every value right."""
    formulas = {"scalar": Formula(1)}
    formulas["plane"] = formulas["volume"] = Formula(run["ny"] * run["nx"])
    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_mask(False)
        return all(
            name in dataset.variables and variable_equal(dataset[name], number, shape, run, formulas[shape])
            for number, (name, shape) in enumerate(run["variables"])
        )


def variable_equal(stored: Any, number: int, shape: str, run: dict[str, Any], formula: Formula) -> bool:
    if stored.shape != expected_shape(run, shape) or stored.dtype != np.float32:
        return False
    whole = stored[:] if shape == "scalar" else None  # one read for all records
    return all(
        record_equal(stored[record] if whole is None else whole[record], number, record * run["refill"], formula)
        for record in range(run["records"])
    )


def record_equal(values: Any, number: int, record: int, formula: Formula) -> bool:
    levels = np.asarray(values).reshape(-1, formula.products.size)
    return all(np.array_equal(level, formula.level(number, record, k)) for k, level in enumerate(levels))
