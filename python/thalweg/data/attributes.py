"""Compares attributes. JSON, in which Zarr keeps them, has one kind of number and no NaN."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from thalweg.data.compare import differing_bits

WORDS = {"NaN": np.nan, "Infinity": np.inf, "-Infinity": -np.inf}


@dataclass(frozen=True)
class AttributeDifference:
    owner: str  # a variable, or "" for the file
    name: str
    a: Any  # None: it has none
    b: Any


def attribute_differences(
    owner: str, a: Mapping[str, Any], b: Mapping[str, Any], ignored: Collection[str], typed: bool
) -> list[AttributeDifference]:
    """typed: whether the types of numbers count."""
    names = [name for name in [*a, *(name for name in b if name not in a)] if name not in ignored]
    return [
        AttributeDifference(owner, name, a.get(name), b.get(name))
        for name in names
        if name not in a or name not in b or not same(a[name], b[name], typed)
    ]


def same(a: Any, b: Any, typed: bool) -> bool:
    one, other = as_array(a), as_array(b)
    if not typed:
        one, other = without_words(one, other), without_words(other, one)
    if one.shape != other.shape or (one.dtype.kind in "OUS") != (other.dtype.kind in "OUS"):
        return False
    if one.dtype.kind in "OUS":
        return bool(one.tolist() == other.tolist())
    if typed and one.dtype != other.dtype:
        return False
    if one.dtype != other.dtype:
        return bool(np.array_equal(one, other, equal_nan=True))
    return not differing_bits(one, other).any()


def as_array(value: Any) -> np.ndarray[Any, Any]:
    """One number and a list of one are the same."""
    array = np.atleast_1d(np.asarray(value, dtype=object if isinstance(value, str | bytes) else None))
    if array.dtype.kind == "U":
        return array.astype(object)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def without_words(values: np.ndarray[Any, Any], beside: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The numbers that words of JSON stand for, where the other side has numbers."""
    if values.dtype.kind != "O" or beside.dtype.kind not in "iuf":
        return values
    try:
        return np.array([WORDS.get(value, value) if isinstance(value, str) else value for value in values], dtype="f8")
    except (TypeError, ValueError):
        return values


def shown(value: Any) -> str:
    """As a message shows it: short, and with the type of a number."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return repr(value if len(value) <= 60 else f"{value[:57]}...")
    array = np.atleast_1d(np.asarray(value))
    numbers = ", ".join(str(item) for item in array[:6].tolist()) + (", ..." if array.size > 6 else "")
    return f"{numbers if array.size == 1 else f'[{numbers}]'} ({array.dtype.name})"
