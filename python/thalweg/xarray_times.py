"""Times that xarray decodes as they are meant."""

from __future__ import annotations

from collections.abc import Mapping

import xarray

from thalweg.time_units import plain


def with_plain_units(variables: Mapping[str, xarray.Variable]) -> dict[str, xarray.Variable]:
    return {name: with_plain_unit(variable) for name, variable in variables.items()}


def with_plain_unit(variable: xarray.Variable) -> xarray.Variable:
    units = variable.attrs.get("units")
    meant = plain(units, variable.attrs.get("calendar", "standard"))
    if meant is units:
        return variable
    changed = variable.copy(deep=False)
    changed.attrs = {**variable.attrs, "units": meant}
    return changed
