"""What Thalweg, and each of its formats, can hold: of what it cannot, the reason in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from thalweg.data import Dataset, Variable
from thalweg.data.core import formats
from thalweg.data.texts import CHARACTER

CLASSIC_TYPES = ("int8", "int16", "int32", "float32", "float64")
TYPES = (*CLASSIC_TYPES, "int64", "uint8", "uint16", "uint32", "uint64")
OF_VARIABLE = ("_FillValue", "missing_value", "valid_min", "valid_max", "valid_range", "actual_range")
UNREADABLE = "\ufffd"  # what netCDF4-python makes of bytes that are no UTF-8
MOST_DIMS = 7  # beside that of records


def readable_formats() -> tuple[str, ...]:
    """Those that can be read back."""
    return tuple(name for name, known in formats().items() if known.describes)


def type_reason(dtype: np.dtype[Any], format_name: str) -> str:
    if dtype == CHARACTER:
        return ""
    if dtype.name not in TYPES:
        return f"type {dtype.name}: Thalweg has no such type"
    if formats()[format_name].is_classic and dtype.name not in CLASSIC_TYPES:
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
    it, other integers the smaller one where they fit, because old formats have no longer ones. The character 0 is read
    as an empty text, but for a fill value it is one."""
    if name == "_FillValue" and owner is not None and owner.dtype == CHARACTER and isinstance(value, str | bytes):
        encoded = value.encode() if isinstance(value, str) else value
        return np.array(encoded or b"\0")
    if kind != "zarr" or isinstance(value, str):
        return value
    values = np.asarray(value)
    if owner is not None and name in OF_VARIABLE and values.dtype.kind in "iuf" and owner.dtype.kind in "iuf":
        return values.astype(owner.dtype)
    fits = values.dtype == np.int64 and values.size > 0 and np.abs(values).max() <= np.iinfo(np.int32).max
    return values.astype(np.int32) if fits else values


def attribute_reason(owner: Variable | None, name: str, value: Any, format_name: str) -> str:
    """Why the attribute cannot be written; "": it can."""
    if name == "_FillValue" and owner is not None:
        return fill_reason(owner, value, format_name)
    if isinstance(value, str):
        return "its text is no UTF-8, which Thalweg's texts are" if UNREADABLE in value else ""
    values = np.asarray(value)
    if values.dtype.kind in "OUS":
        return "a list of strings: Thalweg's attributes are one text, or numbers"
    return type_reason(values.dtype, format_name)


def fill_reason(owner: Variable, value: Any, format_name: str) -> str:
    values = np.asarray(value.encode() if isinstance(value, str) else value)
    if values.dtype != owner.dtype or values.size != 1:
        wanted = type_name(owner.dtype)
        return f"{values.size} of {type_name(values.dtype)}: it has to be one of the variable's type {wanted}"
    if format_name == "zarr" and owner.dtype == CHARACTER and values == b"":
        return "the character 0: in a Zarr store that is said by no attribute, it is the fill_value"
    return type_reason(values.dtype, format_name)


def type_name(dtype: np.dtype[Any]) -> str:
    return "char" if dtype == CHARACTER else "text" if dtype.kind in "OSU" else dtype.name
