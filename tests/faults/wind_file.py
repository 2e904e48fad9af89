"""A small file of others, with records of fields in time."""

from pathlib import Path

import netCDF4
import numpy as np

SIZE = 24


def write(path: Path, seed: int = 1, **options: object) -> None:
    with netCDF4.Dataset(path, "w", **options) as dataset:
        dataset.createDimension("time", None)
        for dim in "yx":
            dataset.createDimension(dim, SIZE)
        temp = dataset.createVariable("temp", "f8", ("time", "y", "x"))
        temp[0:2] = np.random.default_rng(seed).normal(size=(2, SIZE, SIZE))
        dataset.createVariable("salt", "f8", ("time", "y", "x"))
        dataset.createVariable("wide", "f8", ("y",))[:] = np.arange(SIZE) * 1e8
        dataset.createVariable("signed", "i1", ("y",))[:] = np.arange(SIZE) - 1
        dataset.createVariable("name", "S1", ("y",))[:] = np.array(["a"] * SIZE, "S1")
        when = dataset.createVariable("time", "f8", ("time",))
        when[:] = [1, 2]
        when.units = "hours since 2000-01-01 00:00:00"
