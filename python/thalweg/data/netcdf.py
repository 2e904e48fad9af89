"""netCDF files of all kinds, by netCDF4-python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
from numpy.typing import NDArray

from thalweg.data.model import DataError, Dataset, Dimension, Slab, Variable, native

KINDS = {
    "NETCDF3_CLASSIC": "cdf1",
    "NETCDF3_64BIT_OFFSET": "cdf2",
    "NETCDF3_64BIT_DATA": "cdf5",
    "NETCDF4": "netcdf4",
    "NETCDF4_CLASSIC": "netcdf4-classic",
}
# Whatever a damaged file makes the library, and the decoding of its names and texts, raise.
FAULTS = (OSError, RuntimeError, ValueError, KeyError, IndexError, AttributeError, TypeError, MemoryError)
CODECS = {"zlib": "deflate", "szip": "szip", "zstd": "zstd", "bzip2": "bzip2", "blosc": "blosc"}


def open_netcdf(path: Path) -> Dataset:
    try:
        # An absolute path cannot be taken for the address of a server.
        file = netCDF4.Dataset(str(path.resolve()))
    except FAULTS as fault:
        raise DataError(f"'{path}' cannot be opened: {reason(fault)}") from None
    try:
        return described(path, file)
    except FAULTS as fault:
        file.close()
        raise DataError(f"'{path}' has damaged metadata: {reason(fault)}") from None
    except DataError:
        file.close()
        raise


def described(path: Path, file: netCDF4.Dataset) -> Dataset:
    file.set_auto_maskandscale(False)
    file.set_auto_chartostring(False)
    if file.groups:
        names = ", ".join(f"'{name}'" for name in file.groups)
        raise DataError(f"'{path}' has groups ({names}), which are not read; take them out with 'ncks -G :' (NCO)")
    dims = {name: Dimension(len(dim), dim.isunlimited()) for name, dim in file.dimensions.items()}
    dataset = Dataset(
        path=path,
        kind=KINDS.get(file.data_model, file.data_model),
        dims=dims,
        variables={name: variable(path, stored) for name, stored in file.variables.items()},
        attributes=attributes_of(path, file),
        files=(path,),
    )
    dataset.closing.callback(file.close)
    return dataset


def reason(fault: BaseException) -> str:
    """What the library says, without Python's wrapping."""
    text = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
    if "Unknown file format" in text or "HDF error" in text:
        return f"{text}: it is damaged, was cut short, or is being written"
    return text


def attributes_of(path: Path, owner: netCDF4.Dataset | netCDF4.Variable[Any]) -> dict[str, Any]:
    try:
        return {name: owner.getncattr(name) for name in owner.ncattrs()}
    except FAULTS as fault:
        raise DataError(f"'{path}': attributes cannot be read: {reason(fault)}") from None


def type_of(path: Path, stored: netCDF4.Variable[Any]) -> np.dtype[Any]:
    if stored.dtype is str:
        return np.dtype(object)
    kind = stored.datatype
    if isinstance(kind, netCDF4.EnumType):
        return np.dtype(kind.dtype)
    if not isinstance(kind, np.dtype) or kind.fields:
        raise DataError(f"'{path}', variable '{stored.name}': types of the user's own are not read; this is '{kind}'")
    return kind.newbyteorder("=")


def variable(path: Path, stored: netCDF4.Variable[Any]) -> Variable:
    dtype = type_of(path, stored)

    def read(slab: Slab) -> NDArray[Any]:
        try:
            values = stored[slab if slab else ...]
        except FAULTS as fault:
            raise DataError(f"'{path}', variable '{stored.name}'{unreadable(stored, fault)}") from None
        if dtype == object:
            return np.asarray(values, dtype=object)
        return native(values)

    chunking = None if stored.filters() is None else stored.chunking()
    filters, levels = filters_of(stored)
    return Variable(
        name=stored.name,
        dims=tuple(stored.dimensions),
        shape=tuple(int(extent) for extent in stored.shape),
        dtype=dtype,
        attributes=attributes_of(path, stored),
        read_slab=read,
        chunks=tuple(chunking) if isinstance(chunking, list) else None,
        filters=filters,
        levels=levels,
        enumeration=stored.datatype.name if isinstance(stored.datatype, netCDF4.EnumType) else "",
    )


def filters_of(stored: netCDF4.Variable[Any]) -> tuple[tuple[str, ...], dict[str, int]]:
    found = stored.filters() or {}
    codecs = [ours for theirs, ours in CODECS.items() if found.get(theirs)]
    names = [name for name in ("shuffle", "fletcher32") if found.get(name)]
    levels = {codec: int(found["complevel"]) for codec in codecs if found.get("complevel") is not None}
    return (*names[:1], *codecs, *names[1:]) if "shuffle" in names else (*codecs, *names), levels


def unreadable(stored: netCDF4.Variable[Any], fault: BaseException) -> str:
    filters, _ = filters_of(stored)
    text = f": values cannot be read: {reason(fault)}"
    if "filter" in str(fault).lower():
        return f"{text}; it needs a filter that this library has not (HDF5_PLUGIN_PATH says where plug-ins are)"
    if filters:
        return f"{text}; a chunk is damaged, or the filters ({', '.join(filters)}) are not all available"
    return text
