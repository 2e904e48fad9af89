"""Checks every value of an output file, which readers of others open, against the formula."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import zarr

from .formula import Formula, formula_for

READ_ERRORS = (OSError, RuntimeError, ValueError)  # of netCDF4 and zarr, for files that they cannot read


def expected_shape(run: dict[str, Any], shape: str) -> tuple[int, ...]:
    plane = (run["ny"], run["nx"])
    inner = {"scalar": (), "plane": plane, "volume": (run["nz"], *plane)}[shape]
    return (run["records"], *inner)


@contextmanager
def opened(path: Path) -> Iterator[Mapping[str, Any] | zarr.Group]:
    """The variables of a netCDF file or of a Zarr store, by name."""
    if path.is_dir():
        yield zarr.open_group(path, mode="r")
        return
    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_mask(False)
        yield dataset.variables


def values_equal(path: Path, run: dict[str, Any]) -> bool:
    """True if the file holds every variable in full shape with every value right."""
    formulas = {shape: formula_for(run, shape) for shape in {shape for _, shape in run["variables"]}}
    with opened(path) as variables:
        return all(
            name in variables and variable_equal(variables[name], number, shape, run, formulas[shape])
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
    values = np.asarray(values)
    levels = values.reshape(values.shape[0] if values.ndim == 3 else 1, -1)
    return all(np.array_equal(level, formula.level(number, record, k)) for k, level in enumerate(levels))
