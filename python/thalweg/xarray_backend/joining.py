"""Joins the files of sets and series to one dataset, whose values stay in the files."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xarray import Variable
from xarray.core import indexing

from thalweg.xarray_backend.joined_array import JoinedArray, Source
from thalweg.xarray_backend.parts import Part, Section, parts_of
from thalweg.xarray_backend.paths import Member
from thalweg.xarray_backend.reading import Described, File
from thalweg.xarray_backend.series import in_series

OF_ONE_FILE = ("source", "original_shape", "chunksizes", "chunks", "shards", "contiguous", "preferred_chunks")


@dataclass(frozen=True)
class Whole:
    variables: dict[str, Variable]
    attributes: dict[str, Any]
    encoding: dict[str, Any]
    files: Sequence[File]


def join(members: Sequence[Member], record_dim: str | None) -> Whole:
    groups = [parts_of(member) for member in members]
    for group in groups:
        check_distinct(group)
    parts = groups[0] if len(groups) == 1 else in_series(groups, record_dim)
    first = parts[0]
    check_disjoint(parts)
    variables = {name: joined(name, like, parts) for name, like in first.variables.items()}
    return Whole(variables, dict(first.attributes), {"unlimited_dims": first.file.unlimited}, [p.file for p in parts])


def joined(name: str, like: Described, parts: Sequence[Part]) -> Variable:
    sources: dict[tuple[Section, ...], Source] = {}
    for part in parts:
        box = part.box_of(like.dims)
        sources.setdefault(box, Source(part.file, box, part.conversions.get(name)))  # what several have is alike
    shape = tuple(parts[0].sizes[dim] for dim in like.dims)
    array = JoinedArray(name, shape, like, list(sources.values()))
    encoding = dict(like.encoding)
    if len(parts) > 1:
        encoding = {key: value for key, value in encoding.items() if key not in OF_ONE_FILE}
        encoding["preferred_chunks"] = chunks_of(like.dims, shape, sources)
    return Variable(like.dims, indexing.LazilyIndexedArray(array), like.attributes, encoding)


def chunks_of(
    dims: Sequence[str], shape: Sequence[int], boxes: Iterable[tuple[Section, ...]]
) -> dict[str, tuple[int, ...]]:
    """Chunks that lie in one file each: cut wherever a file begins or ends."""
    chunks = {}
    boxes = list(boxes)
    for place, (dim, extent) in enumerate(zip(dims, shape, strict=True)):
        ends = {box[place].start + box[place].count for box in boxes}
        bounds = sorted({0, extent} | {box[place].start for box in boxes} | ends)
        if len(bounds) > 2:
            chunks[dim] = tuple(high - low for low, high in itertools.pairwise(bounds))
    return chunks


def check_distinct(parts: Sequence[Part]) -> None:
    known: dict[tuple[Section, ...], Part] = {}
    for part in parts:
        other = known.setdefault(part.box_of(sorted(part.sections)), part)
        if other is not part:
            raise ValueError(
                f"'{other.file.path}' and '{part.file.path}' hold the same section of every dimension: one of them is "
                "not of this set"
            )


def check_disjoint(parts: Sequence[Part]) -> None:
    """Of every variable the files have equal boxes or such that do not overlap."""
    for dims, name in {like.dims: name for name, like in parts[0].variables.items() if like.dims}.items():
        found = overlapping({part.box_of(dims): part for part in parts})
        if found is not None:
            raise ValueError(
                f"'{found[0].file.path}' and '{found[1].file.path}' both hold a part of variable '{name}', in sections "
                "that are not the same: they are of different sets"
            )


def overlapping(boxes: Mapping[tuple[Section, ...], Part]) -> tuple[Part, Part] | None:
    ordered = sorted(boxes, key=lambda box: box[0].start)
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other[0].start >= one[0].start + one[0].count:
                break  # nor do those that follow overlap
            if all(overlap(a, b) for a, b in zip(one, other, strict=True)):
                return boxes[one], boxes[other]
    return None


def overlap(one: Section, other: Section) -> bool:
    return one.start < other.start + other.count and other.start < one.start + one.count
