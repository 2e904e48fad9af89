"""Members of a series: one after the other along the record dimension."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thalweg.series_meaning import Convert, conversion_of, meanings_of
from thalweg.xarray_backend.parts import Part


def in_series(groups: Sequence[Sequence[Part]], record_dim: str | None) -> list[Part]:
    first = groups[0][0]
    dim = record_dim or next(iter(first.file.unlimited), "time")
    for group in groups:
        check_member(first, group[0], dim)
    total = sum(group[0].sizes[dim] for group in groups)
    parts: list[Part] = []
    start = 0
    for group in groups:
        records = group[0].sizes[dim]
        conversions = conversions_of(first, group[0], dim)
        parts += [replace(part.with_records(dim, start, records, total), conversions=conversions) for part in group]
        start += records
    return parts


def check_member(first: Part, other: Part, dim: str) -> None:
    found = difference(first, other, dim)
    if found is not None:
        raise ValueError(
            f"'{other.file.path}' does not continue the series that begins with '{first.file.path}': {found}"
        )


def difference(first: Part, other: Part, dim: str) -> str | None:
    if dim not in other.sizes:
        return f"it has no dimension '{dim}' (record_dim names another one)"
    sizes = [{d: n for d, n in part.sizes.items() if d != dim} for part in (first, other)]
    if sizes[0] != sizes[1]:
        return f"its dimensions are {sizes[1]}, not {sizes[0]}"
    if names := sorted(set(first.variables) ^ set(other.variables)):
        return f"only one of them has {', '.join(names)}"
    for name, one in first.variables.items():
        if (one.dims, one.dtype) != (other.variables[name].dims, other.variables[name].dtype):
            return f"type or dimensions of '{name}' differ"
    return None


def conversions_of(first: Part, other: Part, dim: str) -> dict[str, Convert]:
    """How numbers become such as the attributes of the first member say; what else attributes say is the first's."""
    found = {}
    wanted, given = (meanings_of(str(part.file.path), part.variables) for part in (first, other))
    for name, variable in first.variables.items():
        if dim in variable.dims and (convert := conversion_of(name, wanted[name], given[name], variable.dtype)):
            found[name] = convert
    return found
