"""What is in an input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg import _core, values

Attribute = str | np.generic | NDArray[Any]
"""A text, a number, or several."""


@dataclass(frozen=True)
class Packing:
    """What values mean: value * scale + offset."""

    scale: float
    offset: float


@dataclass(frozen=True)
class ContentsVariable:
    """A variable of an input, as it lies in the file, or the part of it that is selected."""

    name: str
    dims: tuple[str, ...]
    """slowest first, with the record dimension if it has one"""
    shape: tuple[int, ...]
    """the extents of these"""
    dtype: np.dtype[Any]
    """its type in the file"""
    has_records: bool
    packing: Packing | None
    """what its attributes scale_factor and add_offset say; None: it has neither"""
    attributes: dict[str, Attribute]

    def __repr__(self) -> str:
        extents = ", ".join(f"{dim}: {size}" for dim, size in zip(self.dims, self.shape, strict=True))
        return f"<thalweg variable '{self.name}' ({extents}) {self.dtype}>"


def contents_variable(handle: _core.Input, name: str) -> ContentsVariable:
    element, has_records, shape = _core.input_variable(handle, name)
    records = (_core.input_records(handle),) if has_records else ()
    is_packed, scale, offset = _core.input_packing(handle, name)
    return ContentsVariable(
        name,
        tuple(_core.input_dimensions(handle, name)),
        (*records, *shape),
        values.DTYPES[element],
        has_records,
        Packing(scale, offset) if is_packed else None,
        attributes_of(handle, name),
    )


def attributes_of(handle: _core.Input, variable: str) -> dict[str, Attribute]:
    """Of the file where the name is empty."""
    return {name: decoded(element, stored) for name, element, stored in _core.input_attributes(handle, variable)}


def decoded(element: _core.Type, stored: bytes) -> Attribute:
    if element == _core.Type.char:
        return stored.decode(errors="surrogateescape")
    numbers = np.frombuffer(stored, values.DTYPES[element])
    return numbers[0] if numbers.size == 1 else numbers
