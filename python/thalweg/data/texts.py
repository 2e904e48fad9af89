"""Strings as arrays of characters, the way of CF (section 2.2) where a format has no strings, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.data.model import Dataset, Dimension, Slab, Variable
from thalweg.data.slabs import slabs_of

CHARACTER = np.dtype("S1")
SLAB_BYTES = 32 << 20


def is_strings(variable: Variable) -> bool:
    return variable.dtype.kind in "OSU" and variable.dtype != CHARACTER


def encoded(texts: NDArray[Any]) -> list[bytes]:
    return [text if isinstance(text, bytes) else str(text).encode() for text in texts.ravel().tolist()]


def longest(variable: Variable) -> int:
    """The bytes of its longest string, of which all are read."""
    lengths = (len(text) for slab in slabs_of(variable, SLAB_BYTES) for text in encoded(variable.read(slab)))
    return max(lengths, default=0)


def as_characters(variable: Variable, dim: str, length: int) -> Variable:
    """Strings in UTF-8, filled up with the character 0."""

    def read(slab: Slab) -> NDArray[Any]:
        *outer, along = slab
        texts = variable.read(tuple(outer))
        characters = np.array(encoded(texts), dtype=f"S{length}").view(CHARACTER)
        return characters.reshape(*texts.shape, length)[..., along]

    return replace(
        variable,
        dims=(*variable.dims, dim),
        shape=(*variable.shape, length),
        dtype=CHARACTER,
        read_slab=read,
        chunks=(*variable.chunks, length) if variable.chunks else None,
        filters=(),
        of_strings=True,
    )


def as_strings(variable: Variable) -> Variable:
    """The texts along the last dimension of characters, or the strings of any type, as objects."""
    is_joined = variable.dtype == CHARACTER
    length = variable.shape[-1] if is_joined else 0

    def read(slab: Slab) -> NDArray[Any]:
        values = variable.read((*slab, slice(0, length)) if is_joined else slab)
        if is_joined:
            values = np.ascontiguousarray(values).view(f"S{length}")[..., 0]
        texts = np.empty(values.shape, dtype=object)
        texts.ravel()[...] = [text.decode(errors="replace") for text in encoded(values)]
        return texts

    if not is_joined:
        return replace(variable, dtype=np.dtype(object), read_slab=read)
    return replace(
        variable,
        dims=variable.dims[:-1],
        shape=variable.shape[:-1],
        dtype=np.dtype(object),
        read_slab=read,
        chunks=variable.chunks[:-1] if variable.chunks else None,
    )


def with_characters(dataset: Dataset) -> Dataset:
    """The dataset with its strings as characters; those of one length share a dimension."""
    dims, variables = dict(dataset.dims), {}
    for name, variable in dataset.variables.items():
        variables[name] = variable
        if is_strings(variable):
            length = max(longest(variable), 1)
            dim = length_name(dataset, length)
            dims[dim] = Dimension(length, False)
            variables[name] = as_characters(variable, dim, length)
    return replace(dataset, dims=dims, variables=variables)


def length_name(dataset: Dataset, length: int) -> str:
    name = f"string{length}"
    while name in dataset.variables or dataset.dims.get(name, Dimension(length, False)) != Dimension(length, False):
        name += "_"
    return name


def with_strings(dataset: Dataset, beside: Dataset) -> Dataset:
    """The dataset with strings in place of characters where the other one has strings, and the same with objects in
    place of whatever it has of these."""
    pairs = {name: (variable, beside.variables.get(name)) for name, variable in dataset.variables.items()}
    variables = {
        name: as_strings(one) if other and holds_texts_of(one, other) else one for name, (one, other) in pairs.items()
    }
    joined = [name for name, variable in variables.items() if variable.dims != dataset.variables[name].dims]
    lengths = {dataset.variables[name].dims[-1] for name in joined}
    used = {dim for variable in variables.values() for dim in variable.dims} | set(beside.dims)
    return replace(
        dataset,
        dims={name: dim for name, dim in dataset.dims.items() if name not in lengths or name in used},
        variables=variables,
        notes=[*dataset.notes, *(f"the characters of variable '{name}' are compared as strings" for name in joined)],
    )


def holds_texts_of(one: Variable, other: Variable) -> bool:
    """Whether one of them has strings for which the other has characters."""
    if is_strings(one) == is_strings(other) or CHARACTER not in (one.dtype, other.dtype):
        return False
    strings, characters = (one, other) if is_strings(one) else (other, one)
    return characters.dims[:-1] == strings.dims and len(characters.dims) == len(strings.dims) + 1
