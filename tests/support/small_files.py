"""Small files and stores, made by netCDF4-python and zarr-python, for tests of those who read them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import netCDF4
import numpy as np
import zarr
from numpy.typing import NDArray
from support import file_sets as sets


def write_one(path: Path, values: NDArray, format_name: str = "netcdf4", **attributes: object) -> Path:
    """A variable `a` of these values."""
    with netCDF4.Dataset(path, "w", format=sets.FORMATS[format_name]) as file:
        dims = [f"d{number}" for number in range(values.ndim)]
        for name, size in zip(dims, values.shape, strict=True):
            file.createDimension(name, size)
        made = file.createVariable("a", values.dtype, dims)
        made.set_auto_maskandscale(False)
        made.setncatts(attributes)
        made[...] = values
    return path


def as_store(path: Path, whole: sets.Whole, **codecs: object) -> Path:
    """The same as a Zarr store, as xarray writes it."""
    root = zarr.create_group(path, attributes=dict(plain(whole.attributes)))
    for name, variable in whole.variables.items():
        array = root.create_array(
            name,
            data=np.asarray(variable.values),
            dimension_names=variable.dims,
            attributes=dict(plain(variable.attributes)),
            **codecs,
        )
        assert array.shape == variable.values.shape
    return path


def plain(attributes: Mapping[str, object]) -> dict[str, object]:
    return {name: value if isinstance(value, str) else np.asarray(value).tolist() for name, value in attributes.items()}
