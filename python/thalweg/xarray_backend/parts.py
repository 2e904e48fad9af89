"""Where each file of a set or a series lies in the whole, by what the files say of themselves
(docs/formats/file-sets.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.data.cut import COUNT, CUT, RUN, SET_OF_TWO_RUNS, place_in_whole, run_said_in
from thalweg.series_meaning import is_same
from thalweg.xarray_backend.paths import Member
from thalweg.xarray_backend.reading import Described, File


@dataclass(frozen=True)
class Section:
    start: int
    count: int


@dataclass(frozen=True)
class Part:
    """A file with its place in the whole; its description is that of the whole, but for the shapes of variables."""

    file: File
    sections: Mapping[str, Section]
    """of all dimensions"""
    sizes: Mapping[str, int]
    """of the whole"""
    variables: Mapping[str, Described]
    attributes: Mapping[str, Any]
    run: str = ""
    """that wrote it, if it says so"""
    conversions: Mapping[str, Callable[[NDArray[Any]], NDArray[Any]]] = field(default_factory=dict)
    """of the numbers of some variables"""

    def box_of(self, dims: Sequence[str]) -> tuple[Section, ...]:
        return tuple(self.sections[dim] for dim in dims)

    def with_records(self, dim: str | None, start: int, count: int, total: int) -> Part:
        if dim is None or dim not in self.sections:
            return self
        sections = {**self.sections, dim: Section(start, count)}
        return replace(self, sections=sections, sizes={**self.sizes, dim: total})


def parts_of(member: Member) -> list[Part]:
    """The parts of one set, or the only part of a file or a store."""
    files = [File(path) for path in member.files]
    if not member.is_set:
        file = files[0]
        sections = {dim: Section(0, size) for dim, size in file.sizes.items()}
        return [Part(file, sections, file.sizes, file.variables, file.attributes)]
    parts = [part_of_set(file, len(files), member) for file in files]
    for part in parts[1:]:
        check_alike(parts[0], part)
    return with_common_records(parts)


def with_common_records(parts: Sequence[Part]) -> list[Part]:
    """Without the records that not all of them have."""
    dim = next(iter(parts[0].file.unlimited), None)
    if dim is None:
        return list(parts)
    records = min(part.sizes[dim] for part in parts)
    return [part.with_records(dim, 0, records, records) for part in parts]


def part_of_set(file: File, files: int, member: Member) -> Part:
    attributes = dict(file.attributes)
    if COUNT not in attributes:
        raise ValueError(f"'{file.path}' has no global attribute '{COUNT}': it is not a file of a set")
    said = int(np.atleast_1d(attributes.pop(COUNT))[0])
    if said not in (0, files):
        names = f"from '{member.files[0]}' to '{member.files[-1].name}'"
        raise ValueError(
            f"'{file.path}' says that its set has {said} files, but {files} are here, {names}; all of them, and no "
            "others, have to be in one folder"
        )
    run = run_said_in(attributes)
    attributes.pop(RUN, None)
    variables = dict(file.variables)
    sections, sizes = {}, dict(file.sizes)
    for dim, size in file.sizes.items():
        numbers = take_section(dim, variables, attributes)
        section, whole = (Section(0, size), size) if numbers is None else section_of(file, dim, size, numbers)
        sections[dim], sizes[dim] = section, whole
    own = {name: value for name, value in attributes.items() if not name.startswith(f"{CUT}_")}
    return Part(file, sections, sizes, variables, own, run)


def take_section(dim: str, variables: dict[str, Described], attributes: dict[str, Any]) -> Any:
    """What is said of the dimension, and is not an attribute of the whole."""
    coordinate = variables.get(dim)
    if coordinate is not None and coordinate.dims == (dim,) and CUT in coordinate.attributes:
        others = {name: value for name, value in coordinate.attributes.items() if name != CUT}
        variables[dim] = replace(coordinate, attributes=others)
        return coordinate.attributes[CUT]
    return attributes.pop(f"{CUT}_{dim}", None)


def section_of(file: File, dim: str, size: int, said: Any) -> tuple[Section, int]:
    place = place_in_whole(said, size)
    if place is None:
        raise ValueError(
            f"'{file.path}': {CUT} of dimension '{dim}' is {np.atleast_1d(said).tolist()}, but should be [first, last, "
            f"start, end] with end - start + 1 = {size}, the size of the dimension in this file"
        )
    start, whole = place
    return Section(start, size), whole


def check_alike(first: Part, other: Part) -> None:
    """Of one set: all is alike but the number of records and the sections."""
    found = difference(first, other)
    if found is not None:
        raise ValueError(f"'{first.file.path}' and '{other.file.path}' differ in {found}: they are not of one set")
    if first.run != other.run:
        raise ValueError(f"'{first.file.path}' and '{other.file.path}' {SET_OF_TWO_RUNS}")


def difference(first: Part, other: Part) -> str | None:
    uncut = [{d: n for d, n in part.sizes.items() if d not in part.file.unlimited} for part in (first, other)]
    if uncut[0] != uncut[1]:
        return f"their dimensions ({uncut[0]} and {uncut[1]})"
    if list(first.variables) != list(other.variables):
        return f"their variables ({', '.join(sorted(set(first.variables) ^ set(other.variables)))})"
    for name, one in first.variables.items():
        two = other.variables[name]
        if (one.dims, one.dtype) != (two.dims, two.dtype):
            return f"type or dimensions of variable '{name}'"
        if not equal(one.attributes, two.attributes):
            return f"attributes of variable '{name}'"
    return None if equal(first.attributes, other.attributes) else "attributes of the file"


def equal(one: Mapping[str, Any], two: Mapping[str, Any]) -> bool:
    return one.keys() == two.keys() and all(is_same(one[name], two[name]) for name in one)
