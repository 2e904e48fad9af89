"""A small file of others, with records of fields in time."""

from pathlib import Path

import h5netcdf
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


def write_for_hdf5_alone(path: Path) -> None:
    """Its chunks have an index of HDF5 1.10, which HDF5 alone goes through."""
    with h5netcdf.File(path, "w", libver=("v110", "v110")) as dataset:
        dataset.dimensions = {"time": None, "y": SIZE, "x": SIZE}
        for name, dims in (("temp", ("time", "y", "x")), ("time", ("time",))):
            dataset.create_variable(name, dims, "f8", chunks=(1, SIZE, SIZE)[: len(dims)])
        dataset.resize_dimension("time", 2)
        dataset["temp"][:] = np.random.default_rng(1).normal(size=(2, SIZE, SIZE))
        dataset["time"][:] = [1.0, 2.0]
        dataset["time"].attrs["units"] = np.bytes_("hours since 2000-01-01 00:00:00")
