"""Zarr stores of version 3, by zarr-python."""

from __future__ import annotations

import base64
import binascii
import json
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from numpy.typing import NDArray

from thalweg.data.core import record_dimension
from thalweg.data.model import DataError, Dataset, Dimension, Slab, Variable, native
from thalweg.data.texts import CHARACTER

# Whatever a damaged object makes zarr-python and its codecs raise.
FAULTS = (
    OSError,
    ValueError,
    TypeError,
    KeyError,
    RuntimeError,
    IndexError,
    AttributeError,
    ArithmeticError,
    MemoryError,
)


def open_zarr(path: Path) -> Dataset:
    try:
        root = zarr.open(path, mode="r")
        if not isinstance(root, zarr.Group):
            raise DataError(f"'{path}' is one Zarr array, not a group of named variables; name the store that holds it")
        groups = sorted(name for name, _ in root.groups())
        if groups:
            raise DataError(f"'{path}' has groups ({', '.join(groups)}), which are not read")
        variables = {name: variable(path, name, array) for name, array in root.arrays()}
        attributes = dict(root.attrs)
    except FAULTS as fault:
        raise DataError(f"'{path}' cannot be opened as a Zarr store: {one_line(fault)}") from None
    return Dataset(
        path=path,
        kind="zarr",
        dims=dimensions(path, variables),
        variables=variables,
        attributes=attributes,
        files=(path,),
    )


def one_line(fault: BaseException) -> str:
    return " ".join(str(fault).split()) or type(fault).__name__


def dimensions(path: Path, variables: Mapping[str, Variable]) -> dict[str, Dimension]:
    grows = record_dimension(path)
    dims: dict[str, Dimension] = {}
    for name, of in variables.items():
        for dim, size in zip(of.dims, of.shape, strict=True):
            known = dims.setdefault(dim, Dimension(size, True if dim == grows else None))
            if known.size != size:
                raise DataError(
                    f"'{path}': the dimension '{dim}' has {size} elements in '{name}' and {known.size} in others; "
                    "if its run was killed, 'thalweg recover' makes them agree"
                )
    return dims


def fill_value(encoded: Any, dtype: np.dtype[Any]) -> Any:
    """xarray keeps the _FillValue of a floating-point variable as base64 of a little-endian float64."""
    if not isinstance(encoded, str) or dtype.kind != "f":
        return encoded
    try:
        return np.frombuffer(base64.b64decode(encoded, validate=True), "<f8")[0].astype(dtype)
    except (binascii.Error, ValueError, IndexError):
        return encoded


def attributes_of(array: zarr.Array[Any], dtype: np.dtype[Any]) -> dict[str, Any]:
    found = dict(array.attrs)
    if "_FillValue" in found:
        found["_FillValue"] = fill_value(found["_FillValue"], dtype)
    elif dtype == CHARACTER and array.fill_value:  # xarray takes no attribute of it
        found["_FillValue"] = bytes(array.fill_value)  # as netCDF4-python has it
    return found


def filters_of(array: zarr.Array[Any]) -> tuple[str, ...]:
    """The names of the codecs, those inside shards included, in their order; blosc by what it does with the bytes."""
    names: list[str] = []

    def collect(codecs: list[Any]) -> None:
        for codec in codecs:
            settings = codec.get("configuration", {})
            names.extend(names_in_blosc(settings) if codec["name"] == "blosc" else [codec["name"]])
            collect(settings.get("codecs", []))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the type of characters is no part of Zarr's core, which is documented
        metadata = array.metadata.to_dict()
    collect(json.loads(json.dumps(metadata["codecs"], default=str)))
    return tuple(name for name in names if name not in ("bytes", "sharding_indexed"))


def names_in_blosc(settings: dict[str, Any]) -> list[str]:
    shuffle, codec = settings.get("shuffle"), settings.get("cname")
    if codec != "zstd" or shuffle not in ("shuffle", "noshuffle"):
        return ["blosc"]
    return ["shuffle", "zstd"] if shuffle == "shuffle" else ["zstd"]


def variable(path: Path, name: str, array: zarr.Array[Any]) -> Variable:
    if array.metadata.zarr_format != 3:
        raise DataError(f"'{path}', array '{name}': Zarr version {array.metadata.zarr_format}; only version 3 is read")
    dims = tuple(str(dim) for dim in getattr(array.metadata, "dimension_names", None) or ())
    if len(dims) != array.ndim:
        raise DataError(f"'{path}', array '{name}': its {array.ndim} dimensions have no names ('dimension_names')")
    # Strings of variable length have a type of NumPy's own (T).
    dtype = np.dtype(object) if array.dtype.kind in "TO" else array.dtype.newbyteorder("=")

    def read(slab: Slab) -> NDArray[Any]:
        try:
            values = np.asarray(array[slab if slab else ...])
        except FAULTS as fault:
            raise DataError(f"'{path}', variable '{name}': values cannot be read: {one_line(fault)}") from None
        return values.astype(object) if dtype == object else native(values)

    return Variable(
        name=name,
        dims=dims,
        shape=tuple(array.shape),
        dtype=dtype,
        attributes=attributes_of(array, dtype),
        read_slab=read,
        chunks=tuple(array.chunks),
        filters=filters_of(array),
    )
