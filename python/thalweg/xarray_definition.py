"""Defines in a collection what a dataset of xarray has."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import xarray
from numpy.typing import NDArray
from xarray.conventions import encode_dataset_coordinates

from thalweg import values, xarray_fields
from thalweg._core import Decomposition
from thalweg.decomposing import Cells, Share
from thalweg.xarray_bounds import Count, counts_of_bounds
from thalweg.xarray_fields import Layout

if TYPE_CHECKING:
    from thalweg.collection import Collection

SAID_BY_THALWEG = ("units", "calendar", "dtype")


@dataclass
class Likeness:
    """What remains to be done of a definition when the first dataset is put."""

    record_dim: str
    known: dict[str, NDArray[Any]] = field(default_factory=dict)
    """values of the whole that every rank has"""
    time_attributes: dict[str, values.Attribute] = field(default_factory=dict)


@dataclass(frozen=True)
class Cut:
    """A decomposition with its dimensions, and the share of it where that is known."""

    dims: tuple[str, ...]
    decomposition: Decomposition
    share: Share | None


def cuts_of(collection: Collection, cells: Sequence[Cells | Decomposition]) -> list[Cut]:
    """Those with the most dimensions first."""
    found = []
    for one in cells:
        if isinstance(one, Cells):
            found += [Cut(dims, each, one.share.along(dims)) for dims, each in one.by_dims.items()]
        else:
            found.append(Cut(collection.session.dims_of(one), one, None))
    return sorted(found, key=lambda cut: -len(cut.dims))


def define_like(
    collection: Collection, dataset: xarray.Dataset, cells: Sequence[Cells | Decomposition], record_dim: str
) -> Likeness:
    likeness = Likeness(record_dim)
    variables, attributes = encode_dataset_coordinates(dataset)
    cuts = cuts_of(collection, cells)
    extents = collection.session.extents
    for dim, size in dataset.sizes.items():
        if dim != record_dim and dim not in extents and dim not in collection.extents:
            collection.define_dimension(str(dim), size)
    counts = counts_of_bounds(collection, variables, record_dim)
    for name, variable in variables.items():
        if name == record_dim:
            likeness.time_attributes = own_of_time(variable)
        else:
            define_one(collection, likeness, cuts, str(name), variable, counts.get(str(name)))
    for name, value in xarray_fields.named(attributes).items():
        collection.define_attribute(None, name, value)
    return likeness


def own_of_time(variable: xarray.Variable) -> dict[str, values.Attribute]:
    attributes: Mapping[Hashable, Any] = {**xarray_fields.related(variable), **variable.attrs}
    return {str(n): v for n, v in attributes.items() if n not in SAID_BY_THALWEG and v is not None}


def define_one(
    collection: Collection,
    likeness: Likeness,
    cuts: Sequence[Cut],
    name: str,
    variable: xarray.Variable,
    count: Count | None,
) -> None:
    record_dim = likeness.record_dim if likeness.record_dim in variable.dims else None
    dims = tuple(str(dim) for dim in variable.dims if dim != record_dim)
    is_whole = record_dim is None and is_known_whole(collection, cuts, dims, variable)
    cut = None if is_whole else cut_of(collection, cuts, dims, name)
    share = cut.share if cut else None
    layout = xarray_fields.layout_of(variable, Layout(name, dims, record_dim, share, dates=count))
    assert layout.dtype is not None
    in_file = ",".join(dims if record_dim is None else (record_dim, *dims))
    attributes = {**(count or {}), **xarray_fields.attributes_of(variable, layout)}
    collection.define_variable(name, in_file, layout.dtype, cut.decomposition if cut else None)
    for attribute, value in attributes.items():
        collection.define_attribute(name, attribute, value)
    collection.layouts[name] = layout
    if is_whole:
        likeness.known[name] = layout.arrange(variable)


def is_known_whole(collection: Collection, cuts: Sequence[Cut], dims: Sequence[str], variable: xarray.Variable) -> bool:
    """Whether this is the whole of a variable, such as a coordinate, that lacks some of the dimensions that are cut
    together: then each rank has it all. So files of a set can each get their section."""
    extents = collection.session.extents
    along = {dim for dim in dims if dim in extents}
    partly = along and not any(set(cut.dims) == along and is_entire(cut, cuts) for cut in cuts)
    return bool(partly) and all(variable.sizes[dim] == extents[dim] for dim in along)


def is_entire(cut: Cut, cuts: Sequence[Cut]) -> bool:
    """Not made for arrays that lack dimensions of another one."""
    return not any(set(cut.dims) < set(other.dims) for other in cuts)


def cut_of(collection: Collection, cuts: Sequence[Cut], dims: Sequence[str], name: str) -> Cut | None:
    along = [dim for dim in dims if dim in collection.session.extents]
    if not along:
        return None
    for cut in cuts:
        if set(cut.dims) == set(along):
            return cut
    raise ValueError(
        f"define_like: '{name}' has the dimensions {along}, which are decomposed, but no decomposition given has these "
        "alone; give the one, or the result of decompose_like"
    )
