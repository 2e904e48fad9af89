"""What the libraries that made files read of them, variable by variable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import zarr
from numpy.typing import NDArray

NOT_READ = (netCDF4.EnumType, netCDF4.CompoundType, netCDF4.VLType)


@dataclass(frozen=True)
class Said:
    name: str
    dims: tuple[str, ...]
    whole: NDArray[Any]  # all records, in the machine's byte order
    records: bool


def native(values: Any) -> NDArray[Any]:
    array = np.asarray(values)
    return array.astype(array.dtype.newbyteorder("=")).reshape(array.shape)


def _groups(group: netCDF4.Dataset | netCDF4.Group) -> Iterator[netCDF4.Dataset | netCDF4.Group]:
    yield group
    for inner in group.groups.values():
        yield from _groups(inner)


def dimension_of_records(dataset: netCDF4.Dataset) -> str | None:
    """The first that grows; where none does, that of the coordinate of time."""
    for name, dimension in dataset.dimensions.items():
        if dimension.isunlimited():
            return name
    for name, variable in dataset.variables.items():
        said = [getattr(variable, each, "") for each in ("units", "axis", "standard_name")]
        if variable.dimensions == (name,) and (" since " in str(said[0]) or said[1] == "T" or said[2] == "time"):
            return name
    return None


def by_netcdf(path: Path, only: str = "") -> list[Said]:
    """All variables but those of strings and types of the user's own, or only one."""
    said = []
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        record = dimension_of_records(file)
        for group in _groups(file):
            prefix = "" if group is file else f"{group.path.lstrip('/')}/"
            for variable in group.variables.values():
                if variable.dtype is str or isinstance(variable.datatype, NOT_READ) or only not in ("", variable.name):
                    continue
                dims = variable.get_dims()
                records = bool(dims) and dims[0].name == record and dims[0].group() is file
                # One by one: netCDF-C 4.10.1 has no fill values in most of what was not written of several.
                whole = np.stack([variable[r] for r in range(len(variable))]) if records else variable[...]
                said.append(Said(prefix + variable.name, variable.dimensions, native(whole), records))
    return said


def by_h5py(path: Path) -> list[Said]:
    """The values; names of dimensions are those that netCDF has for them."""
    with h5py.File(path) as file:
        return [Said(of.name, of.dims, native(file[of.name][()]), of.records) for of in by_netcdf(path)]


def _dims(array: zarr.Array[Any]) -> tuple[str, ...]:
    names = array.attrs.get("_ARRAY_DIMENSIONS") if array.metadata.zarr_format == 2 else array.metadata.dimension_names
    return tuple(name or f"dim_{d}" for d, name in enumerate(names or [None] * array.ndim))


def by_zarr(path: Path) -> list[Said]:
    root = zarr.open_group(path, mode="r")
    arrays = {name: node for name, node in root.members(max_depth=None) if isinstance(node, zarr.Array)}
    coordinates = [name for name, array in arrays.items() if _dims(array) == (name,)]
    times = [name for name in coordinates if "since" in str(arrays[name].attrs.get("units"))]
    records = arrays[times[0]].shape[0] if times else -1
    return [
        Said(name, _dims(array), native(array[...]), _dims(array)[:1] == tuple(times) and array.shape[0] == records)
        for name, array in arrays.items()
    ]
