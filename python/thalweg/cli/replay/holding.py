"""What Thalweg, and each of its formats, can hold: of what it cannot, the reason in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from thalweg.data import Dataset, Variable

FORMATS = ("cdf1", "cdf2", "cdf5", "netcdf4", "netcdf4-classic", "zarr")  # that can be read back
CLASSIC = ("cdf1", "cdf2", "netcdf4-classic")
CLASSIC_TYPES = ("int8", "int16", "int32", "float32", "float64")
TYPES = (*CLASSIC_TYPES, "int64", "uint8", "uint16", "uint32", "uint64")
OF_VARIABLE = ("_FillValue", "missing_value", "valid_min", "valid_max", "valid_range", "actual_range")
UNREADABLE = "\ufffd"  # what netCDF4-python makes of bytes that are no UTF-8
MOST_DIMS = 7  # beside that of records


def type_reason(dtype: np.dtype[Any], format_name: str) -> str:
    if dtype.kind in "SU":
        return "characters: Thalweg has no such type"
    if dtype.kind == "O":
        return "strings: Thalweg has no such type"
    if dtype.name not in TYPES:
        return f"type {dtype.name}: Thalweg has no such type"
    if format_name in CLASSIC and dtype.name not in CLASSIC_TYPES:
        return f"type {dtype.name}: {format_name} has no such type, cdf5, netcdf4 and zarr have"
    return ""


def variable_reason(dataset: Dataset, variable: Variable, record: str | None, format_name: str) -> str:
    """Why the variable cannot be written; "": it can."""
    if variable.enumeration:
        return f"the enumeration '{variable.enumeration}': Thalweg has no such types"
    if reason := type_reason(variable.dtype, format_name):
        return reason
    fixed = [dim for dim in variable.dims if dim != record]
    if len(fixed) > MOST_DIMS:
        return f"{len(fixed)} dimensions beside that of records: at most {MOST_DIMS} are possible"
    empty = [dim for dim in fixed if dataset.dims[dim].size == 0]
    if empty:
        return f"dimension '{empty[0]}' of size 0: only records may be none"
    if variable.name == record and variable.dims != (record,):
        return "it has the name of the record dimension, and other dimensions"
    return ""


def attribute_value(owner: Variable | None, name: str, value: Any, kind: str) -> Any:
    """As it is to be written. A Zarr store says no types of numbers: those that CF wants of the variable's type have
    it, other integers the smaller one where they fit, because old formats have no longer ones."""
    if kind != "zarr" or isinstance(value, str):
        return value
    values = np.asarray(value)
    if owner is not None and name in OF_VARIABLE and values.dtype.kind in "iuf" and owner.dtype.kind in "iuf":
        return values.astype(owner.dtype)
    fits = values.dtype == np.int64 and values.size > 0 and np.abs(values).max() <= np.iinfo(np.int32).max
    return values.astype(np.int32) if fits else values


def attribute_reason(owner: Variable | None, name: str, value: Any, format_name: str) -> str:
    """Why the attribute cannot be written; "": it can."""
    if isinstance(value, str):
        return "its text is no UTF-8, which Thalweg's texts are" if UNREADABLE in value else ""
    values = np.asarray(value)
    if values.dtype.kind in "OUS":
        return "a list of strings: Thalweg's attributes are one text, or numbers"
    if values.size == 0:
        return "it holds nothing: Thalweg's attributes have at least one value"
    if name == "_FillValue" and owner is not None and (values.dtype != owner.dtype or values.size != 1):
        return f"{values.size} of {values.dtype.name}: it has to be one of the variable's type {owner.dtype.name}"
    return type_reason(values.dtype, format_name)
