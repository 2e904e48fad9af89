"""What an xarray variable becomes in a file of Thalweg: dimensions by name, numbers, attributes. xarray is imported
when something of it is given."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thalweg import values

if TYPE_CHECKING:
    import xarray

    from thalweg.decomposing import Share

DATES = "mM"
PACKED = ("scale_factor", "add_offset")
FILLS = ("_FillValue", "missing_value")
RELATED = ("bounds", "climatology", "grid_mapping", "cell_measures", "formula_terms", "ancillary_variables", "geometry",
           "node_coordinates", "node_count", "part_node_count", "interior_ring")  # fmt: skip


def is_xarray(field: object) -> bool:
    """Without a module xarray there is nothing of it."""
    module = sys.modules.get("xarray")
    return module is not None and isinstance(field, (module.DataArray, module.Variable))


@dataclass(frozen=True)
class Layout:
    """How a variable lies in the arrays of the model."""

    name: str
    dims: tuple[str, ...]
    """in memory, the record dimension left out"""
    record_dim: str | None
    share: Share | None = None
    """of the dimensions that are cut, where it is known"""
    dtype: np.dtype[Any] | None = None
    """in the file, where it follows from a dataset"""
    dates: Mapping[str, str] | None = None
    """units and calendar in which dates are counted"""

    def arrange(self, given: xarray.DataArray | xarray.Variable) -> NDArray[Any]:
        """The values as put takes them: dimensions by their names, without a copy unless the numbers are others.

        Raises:
            ValueError: for other dimensions than the variable has, and for several records.
        """
        import xarray

        variable = given.variable if isinstance(given, xarray.DataArray) else given
        variable = self.in_order(self.without_record(variable))
        return numbers_of(variable, self)

    def without_record(self, variable: xarray.Variable) -> xarray.Variable:
        if self.record_dim is None or self.record_dim not in variable.dims:
            return variable
        if variable.sizes[self.record_dim] != 1:
            raise ValueError(
                f"put of '{self.name}': {variable.sizes[self.record_dim]} values along '{self.record_dim}'; one record "
                f"is put at a time: isel({self.record_dim}=step), and advance after each"
            )
        return variable.isel({self.record_dim: 0})

    def in_order(self, variable: xarray.Variable) -> xarray.Variable:
        if set(variable.dims) != set(self.dims):
            raise ValueError(
                f"put of '{self.name}': the array has the dimensions {list(variable.dims)}, the variable "
                f"{list(self.dims)}" + (f" and '{self.record_dim}'" if self.record_dim else "")
            )
        return self.without_clipped_halo(variable).transpose(*self.dims)

    def without_clipped_halo(self, variable: xarray.Variable) -> xarray.Variable:
        """`Share.with_halo` ends with the whole, where Thalweg knows a halo of full width or none."""
        if self.share is None:
            return variable
        own = {}
        widths = dict(zip(self.share.dims, self.share.halo, strict=True))
        for dim, section in self.share.with_halo.items():
            inner = self.share.own[dim]
            cells, found = inner.stop - inner.start, variable.sizes[dim]
            if found == section.stop - section.start and found not in (cells, cells + sum(widths[dim])):
                own[dim] = slice(inner.start - section.start, inner.stop - section.start)
        return variable.isel(own)


def layout_of(variable: xarray.Variable, layout: Layout) -> Layout:
    """The layout with what the values become: the type of memory, or the other real type that the encoding names."""
    dtype = variable.dtype
    if is_date(variable):
        return replace(layout, dtype=np.dtype("float64"), dates=layout.dates or counting_of(variable))
    layout = replace(layout, dates=None)
    if dtype == np.bool_:
        return replace(layout, dtype=np.dtype("int8"))
    wanted = np.dtype(variable.encoding.get("dtype") or dtype)
    if dtype.kind == "f" and wanted.kind == "f" and not is_packed(variable):
        dtype = wanted
    if dtype.kind not in "iuf" and dtype != "S1":
        other = "open the dataset with concat_characters=False, or " if dtype.kind == "S" else ""
        raise TypeError(
            f"variable '{layout.name}': no file has elements of {dtype}; {other}leave it out: "
            f"drop_vars('{layout.name}')"
        )
    return replace(layout, dtype=dtype.newbyteorder("="))


def is_date(variable: xarray.Variable) -> bool:
    if variable.dtype.kind in DATES:
        return True
    first = variable[(0,) * variable.ndim].values[()] if variable.dtype == object and variable.size else None
    return type(first).__module__.startswith("cftime")


def calendar_of(variable: xarray.Variable) -> str:
    """Of dates of cftime; "": they are NumPy's."""
    if variable.dtype != object:
        return ""
    first: Any = variable[(0,) * variable.ndim].values[()]
    return str(first.calendar)


def is_packed(variable: xarray.Variable) -> bool:
    return any(name in variable.encoding for name in PACKED)


def counting_of(variable: xarray.Variable) -> dict[str, str]:
    """Units and calendar of dates; units of differences of time."""
    units = variable.encoding.get("units")
    if variable.dtype.kind == "m":
        return {"units": units or "seconds"}
    if variable.dtype.kind == "M":
        calendar = variable.encoding.get("calendar", "proleptic_gregorian")
    else:
        first: Any = variable[(0,) * variable.ndim].values[()]
        calendar = variable.encoding.get("calendar") or first.calendar
    return {"units": units or "seconds since 2000-01-01 00:00:00", "calendar": calendar}


def numbers_of(variable: xarray.Variable, layout: Layout) -> NDArray[Any]:
    if layout.dates is not None:
        from xarray import Variable
        from xarray.conventions import encode_cf_variable

        dates = Variable(
            variable.dims, variable.data, encoding={**layout.dates, "dtype": "float64", "_FillValue": None}
        )
        try:
            return np.asarray(encode_cf_variable(dates, name=layout.name).values, dtype="float64")
        except (ValueError, KeyError, OverflowError) as fault:
            count = " ".join(layout.dates.values())
            raise ValueError(f"put of '{layout.name}': its dates cannot be counted in {count}: {fault}") from None
    array = variable.values
    if layout.dtype is None:
        return array
    if array.dtype == np.bool_:
        return array.view(np.int8)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def attributes_of(variable: xarray.Variable, layout: Layout) -> dict[str, values.Attribute]:
    """Those of the variable, and of its encoding what is said of values in memory: what is filled in for missing ones,
    and how dates are counted. How values were packed is not said: in the file they are as in memory."""
    found = dict(variable.attrs) | dict(layout.dates or {})
    if variable.dtype == np.bool_:
        found["dtype"] = "bool"
    found = related(variable) | found
    for name in FILLS:
        fill = found.pop(name, variable.encoding.get(name))
        if fill is not None and layout.dates is None and not is_packed(variable):
            found[name] = np.asarray(fill).astype(layout.dtype or variable.dtype)
    return named(found)


def related(variable: xarray.Variable) -> dict[Hashable, Any]:
    """The attributes by which a variable names others, as far as xarray has put them into the encoding."""
    return {name: variable.encoding[name] for name in RELATED if isinstance(variable.encoding.get(name), str)}


def named(attributes: Mapping[Hashable, Any]) -> dict[str, values.Attribute]:
    return {str(name): value for name, value in attributes.items()}
