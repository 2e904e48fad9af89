"""A set of files (docs/formats/file-sets.md), one an I/O domain or a rank, as the dataset that they are parts of."""

from __future__ import annotations

import resource
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
from numpy.typing import NDArray

from thalweg.data import kinds
from thalweg.data.cut import COUNT, CUT, RUN, SET_OF_TWO_RUNS, place_in_whole, run_said_in
from thalweg.data.model import DataError, Dataset, Dimension, Slab, Variable


@dataclass(frozen=True)
class Section:
    """What a file holds of a dimension that is cut."""

    start: int
    count: int
    whole: int


@dataclass(frozen=True)
class Part:
    dataset: Dataset
    sections: Mapping[str, Section]

    def start_of(self, variable: Variable) -> tuple[int, ...]:
        return tuple(self.sections[dim].start if dim in self.sections else 0 for dim in variable.dims)


def open_set(path: Path, files: Sequence[Path]) -> Dataset:
    from thalweg.data.opening import open_one

    allow_open_files(len(files))
    with ExitStack() as closing:
        parts = []
        for file in files:
            dataset = open_one(file, kinds.kind_of(file))
            closing.callback(dataset.close)
            parts.append(Part(dataset, sections_of(dataset)))
        for part in parts[1:]:
            check_alike(parts[0], part)
        whole = joined(path, parts)
        whole.closing = closing.pop_all()
    return whole


def allow_open_files(count: int) -> None:
    """All files of a set are open at once."""
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count + 64
    if least < wanted <= most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def sections_of(dataset: Dataset) -> dict[str, Section]:
    sections = {}
    for name, dim in dataset.dims.items():
        coordinate = dataset.variables.get(name)
        owner = coordinate.attributes if coordinate is not None and CUT in coordinate.attributes else dataset.attributes
        numbers = owner.get(CUT if owner is not dataset.attributes else f"{CUT}_{name}")
        if numbers is not None:
            sections[name] = section_of(dataset.path, name, dim.size, numbers)
    return sections


def section_of(path: Path, name: str, size: int, numbers: Any) -> Section:
    place = place_in_whole(numbers, size)
    if place is None:
        raise DataError(
            f"'{path}', dimension '{name}' of {size} elements: {CUT} is {np.atleast_1d(numbers).tolist()}, not four "
            "integers first, last, start, end that fit it"
        )
    start, whole = place
    return Section(start, size, whole)


def check_alike(first: Part, other: Part) -> None:
    a, b = first.dataset, other.dataset
    for what, one, two in (
        ("variables", {n: (v.dims, str(v.dtype)) for n, v in a.variables.items()},
         {n: (v.dims, str(v.dtype)) for n, v in b.variables.items()}),
        ("dimensions", uncut_sizes(first), uncut_sizes(other)),
    ):  # fmt: skip
        if one != two:
            names = sorted(name for name in one.keys() | two.keys() if one.get(name) != two.get(name))
            raise DataError(f"'{a.path}' and '{b.path}' are not of one set: their {what} differ ({', '.join(names)})")
    if run_said_in(a.attributes) != run_said_in(b.attributes):
        raise DataError(f"'{a.path}' and '{b.path}' {SET_OF_TWO_RUNS}")


def uncut_sizes(part: Part) -> dict[str, int]:
    """The sizes in the whole; the number of records may differ from file to file."""
    return {
        name: part.sections[name].whole if name in part.sections else -1 if dim.unlimited else dim.size
        for name, dim in part.dataset.dims.items()
    }


def joined(path: Path, parts: Sequence[Part]) -> Dataset:
    first = parts[0].dataset
    dims = {}
    notes, missing = [], ""
    for name, dim in first.dims.items():
        sizes = [part.dataset.dims[name].size for part in parts]
        size = parts[0].sections[name].whole if name in parts[0].sections else min(sizes)
        if dim.unlimited and min(sizes) != max(sizes):
            notes.append(f"the files have {min(sizes)} to {max(sizes)} records: only the first {size} are read")
        dims[name] = Dimension(size, dim.unlimited)
    said = int(np.atleast_1d(first.attributes.get(COUNT, 0))[0])
    if said not in (0, len(parts)):
        missing = f"{COUNT} says {said} files, {len(parts)} are there: missing parts read as fill values"
        notes.append(missing)
    return Dataset(
        path=path,
        kind=first.kind,
        dims=dims,
        variables={name: joined_variable(name, dims, parts) for name in first.variables},
        attributes={n: v for n, v in first.attributes.items() if n not in (COUNT, RUN) and not n.startswith(f"{CUT}_")},
        files=[part.dataset.path for part in parts],
        notes=notes,
        missing=missing,
    )


def fill_of(variable: Variable) -> Any:
    if "_FillValue" in variable.attributes:
        return variable.attributes["_FillValue"]
    return netCDF4.default_fillvals.get(variable.dtype.str[1:], 0)


def joined_variable(name: str, dims: Mapping[str, Dimension], parts: Sequence[Part]) -> Variable:
    sample = parts[0].dataset.variables[name]
    shape = tuple(dims[dim].size for dim in sample.dims)
    is_cut = any(dim in parts[0].sections for dim in sample.dims)
    # A variable that is not cut is in every file alike.
    sources = [(part.start_of(sample), part.dataset.variables[name]) for part in (parts if is_cut else parts[:1])]

    def read(slab: Slab) -> NDArray[Any]:
        values = np.full([along.stop - along.start for along in slab], fill_of(sample), dtype=sample.dtype)
        for start, source in sources:
            copy_overlap(values, slab, start, source)
        return values

    attributes = {key: value for key, value in sample.attributes.items() if key != CUT}
    return replace(sample, shape=shape, attributes=attributes, read_slab=read)


def copy_overlap(values: NDArray[Any], slab: Slab, start: tuple[int, ...], source: Variable) -> None:
    """Copies what the file has of the slab."""
    there, here = [], []
    for along, begin, count in zip(slab, start, source.shape, strict=True):
        low, high = max(along.start, begin), min(along.stop, begin + count)
        if low >= high:
            return
        there.append(slice(low - begin, high - begin))
        here.append(slice(low - along.start, high - along.start))
    values[tuple(here)] = source.read(tuple(there))
