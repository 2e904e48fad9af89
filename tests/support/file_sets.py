"""Makes sets of files as FMS and Thalweg do (docs/formats/file-sets.md), and the whole that they are parts of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
from numpy.typing import NDArray

CLASSIC_TYPES = ("i1", "i2", "i4", "f4", "f8", "S1")
ALL_TYPES = (*CLASSIC_TYPES, "i8", "u1", "u2", "u4", "u8")
FORMATS = {
    "cdf1": "NETCDF3_CLASSIC",
    "cdf2": "NETCDF3_64BIT_OFFSET",
    "cdf5": "NETCDF3_64BIT_DATA",
    "netcdf4": "NETCDF4",
}
SIZES = {"y": 13, "x": 11, "yc": 14, "xc": 12, "z": 3}
TWINS = {"y": "yc", "x": "xc"}  # dimensions that are cut alongside, one cell longer

Section = tuple[int, int]  # first index, and one past the last


@dataclass(frozen=True)
class Variable:
    dims: tuple[str, ...]
    values: NDArray
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Whole:
    variables: Mapping[str, Variable]
    attributes: Mapping[str, Any]

    def with_value(self, name: str, values: NDArray) -> Whole:
        return replace(self, variables={**self.variables, name: replace(self.variables[name], values=values)})


def numbers(rng: np.random.Generator, kind: str, shape: tuple[int, ...]) -> NDArray:
    if kind.startswith("f"):
        return np.asarray(rng.standard_normal(shape), kind)
    if kind == "S1":
        return rng.integers(0, 255, shape, "u1", endpoint=True).view(kind)
    limits = np.iinfo(kind)
    return rng.integers(limits.min // 2, limits.max // 2, size=shape, dtype=kind)


def make_whole(format_name: str, records: int = 3, seed: int = 1) -> Whole:
    """Fields of every kind: fixed and with records, cut along two dimensions, one or none, staggered, of each type."""
    rng = np.random.default_rng(seed)
    kinds = {
        "time": (("time",), "f8"),
        "y": (("y",), "f8"),
        "x": (("x",), "f4"),
        "yc": (("yc",), "f8"),
        "z": (("z",), "f8"),
        "radius": ((), "f8"),
        "levels": (("z",), "i4"),
        "area": (("y", "x"), "f8"),
        "corners": (("yc", "xc"), "f4"),
        "temp": (("time", "z", "y", "x"), "f4"),
        "u": (("time", "z", "y", "xc"), "f8"),
        "vorticity": (("time", "yc", "xc"), "f8"),
        "zonal": (("time", "y"), "f4"),
        "profile": (("time", "z"), "f4"),
        "total": (("time",), "f8"),
    }
    for kind in CLASSIC_TYPES if format_name in ("cdf1", "cdf2") else ALL_TYPES:
        kinds[f"fixed_{kind}"] = (("y", "x"), kind)
        kinds[f"record_{kind}"] = (("time", "y", "x"), kind)
    sizes = {**SIZES, "time": records}
    attributes: dict[str, dict[str, Any]] = {
        "time": {"units": "days since 2000-01-01", "calendar": "noleap"},
        "temp": {"_FillValue": np.float32(-1e30), "units": "degC", "valid_range": np.array([-5, 50], "f4")},
        "record_i2": {"_FillValue": np.int16(-99)},
    }
    variables = {
        name: Variable(dims, numbers(rng, kind, tuple(sizes[d] for d in dims)), attributes.get(name, {}))
        for name, (dims, kind) in kinds.items()
    }
    return Whole(
        variables, {"title": "a set", "version": np.array([1, 2], "i4"), "empty": "", "none": np.array([], "i2")}
    )


def cuts(name: str, bounds: Sequence[int]) -> dict[str, list[Section]]:
    """Sections of a dimension, and of the one that is cut alongside, between these bounds."""
    inner = [0, *bounds]
    return {
        dim: [(a, b) for a, b in zip(inner, [*bounds, size], strict=True)]
        for dim, size in ((name, SIZES[name]), (TWINS[name], SIZES[TWINS[name]]))
    }


def parts_of(y_bounds: Sequence[int], x_bounds: Sequence[int]) -> list[dict[str, Section]]:
    """Every part's sections, row by row; dimensions that are not cut are left out."""
    along_y, along_x = cuts("y", y_bounds), cuts("x", x_bounds)
    result = []
    for j, i in product(range(len(y_bounds) + 1), range(len(x_bounds) + 1)):
        sections = {d: along_y[d][j] for d in along_y if y_bounds} | {d: along_x[d][i] for d in along_x if x_bounds}
        result.append(sections)
    return result


def fill_of(variable: Variable) -> Any:
    return variable.attributes.get("_FillValue", netCDF4.default_fillvals[variable.values.dtype.str[1:]])


def place(variable: Variable, sections: Mapping[str, Section]) -> tuple[slice, ...]:
    return tuple(slice(*sections[d]) if d in sections else slice(None) for d in variable.dims)


def without(whole: Whole, parts: Sequence[Mapping[str, Section]]) -> Whole:
    """The whole as it is when nobody but these parts has anything of it."""
    variables = {}
    for name, variable in whole.variables.items():
        values = np.full_like(variable.values, fill_of(variable))
        for sections in parts:
            values[place(variable, sections)] = variable.values[place(variable, sections)]
        variables[name] = replace(variable, values=values)
    return replace(whole, variables=variables)


def write(
    path: Path, whole: Whole, format_name: str, sections: Mapping[str, Section] | None = None, files: int | None = None
) -> None:
    """The whole, or a part of a set of that many files."""
    sections = sections or {}
    with netCDF4.Dataset(path, "w", format=FORMATS[format_name]) as file:
        file.set_auto_maskandscale(False)
        file.createDimension("time", None)
        for name, size in SIZES.items():
            first, end = sections.get(name, (0, size))
            file.createDimension(name, end - first)
        file.setncatts(whole.attributes)
        if files is not None:
            file.NumFilesInSet = np.int32(files)
        for name, variable in whole.variables.items():
            others = dict(variable.attributes)
            packed = "zlib" if format_name == "netcdf4" and name.startswith("record_") else None
            made = file.createVariable(
                name,
                variable.values.dtype,
                variable.dims,
                compression=packed,
                fill_value=others.pop("_FillValue", None),
            )
            made.setncatts(others)
        for name, (first, end) in sections.items():
            decomposition = np.array([1, SIZES[name], first + 1, end], "i4")
            if name in whole.variables:
                file[name].domain_decomposition = decomposition
            else:
                file.setncattr(f"domain_decomposition_{name}", decomposition)
        for name, variable in whole.variables.items():
            file[name][...] = variable.values[place(variable, sections)]


def write_set(
    path: Path,
    whole: Whole,
    format_name: str,
    parts: Sequence[Mapping[str, Section]],
    missing: Sequence[int] = (),
) -> list[Path]:
    files = []
    for number, sections in enumerate(parts):
        if number in missing:
            continue
        files.append(path.with_name(f"{path.name}.{number:04}"))
        write(files[-1], whole, format_name, sections, len(parts) - len(missing))
    return files


def read(path: Path) -> dict[str, NDArray]:
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        return {name: np.asarray(variable[...]) for name, variable in file.variables.items()}


def check(found: Mapping[str, NDArray], whole: Whole) -> None:
    """Every value, bit for bit."""
    assert set(found) == set(whole.variables)
    for name, variable in whole.variables.items():
        got, wanted = found[name], variable.values
        assert got.dtype.newbyteorder("=") == wanted.dtype, name
        assert got.shape == wanted.shape, name
        assert got.astype(wanted.dtype).tobytes() == wanted.tobytes(), name
