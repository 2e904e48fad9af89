"""What Python gives to Thalweg: arrays, types of elements, values of attributes, lists of extents."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from thalweg._core import Type

TYPES = {np.dtype("S1" if element is Type.char else element.name): element for element in Type}
DTYPES = {element: dtype for dtype, element in TYPES.items()}
INT32 = np.iinfo(np.int32)

T = TypeVar("T")

Attribute = str | ArrayLike
"""The value of an attribute: a text, a number, or several numbers."""


def element_type(dtype: DTypeLike, what: str) -> Type:
    """The type of elements in a file or in memory.

    Raises:
        TypeError: if Thalweg has none for it, as for bool, complex numbers, texts and the other byte order.
    """
    found = TYPES.get(np.dtype(dtype))
    if found is None:
        raise TypeError(f"{what}: {what_is_wrong(np.dtype(dtype))}")
    return found


def what_is_wrong(dtype: np.dtype[Any]) -> str:
    if dtype.newbyteorder("=") in TYPES:
        return f"elements of {dtype.str} have the byte order of another machine; convert them: astype('{dtype.name}')"
    names = ", ".join("S1" if known.kind == "S" else known.name for known in TYPES)
    advice = "; take the characters of texts: array.view('S1').reshape(*array.shape, -1)" if dtype.kind == "S" else ""
    return f"there is no type for elements of {dtype}; possible are {names}{advice}"


def as_array(values: ArrayLike, what: str) -> NDArray[Any]:
    """The array itself where it is one; others are looked at without a copy where NumPy can.

    Raises:
        TypeError: for a masked array, whose mask would be lost.
    """
    # NumPy loads what is masked when it is first asked for, which would take the first put 8 ms.
    if type(values) is not np.ndarray and isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{what}: a masked array; give array.filled(VALUE) with the variable's _FillValue")
    return np.asarray(values)


def attribute_numbers(values: ArrayLike, what: str, dtype: DTypeLike | None = None) -> NDArray[Any]:
    """The numbers of an attribute, one after the other. Integers of Python become int32 where they fit, because old
    formats have no longer ones; other numbers keep their type, and have one of dtype if it is given."""
    numbers = np.ascontiguousarray(as_array(values, what), dtype)
    if dtype is None and numbers.dtype == np.int64 and not hasattr(values, "dtype"):
        fits = numbers.size > 0 and numbers.min() >= INT32.min and numbers.max() <= INT32.max
        numbers = numbers.astype(np.int32) if fits else numbers
    if numbers.ndim > 1:
        raise ValueError(f"{what}: an attribute holds a list of numbers, not an array of shape {numbers.shape}")
    return numbers


def with_seconds(what: str, time: object, call: Callable[[], T]) -> T:
    """What a call gives that takes this time.

    Raises:
        TypeError: for what is no number, such as a date.
    """
    try:
        return call()
    except TypeError:
        raise TypeError(
            f"{what}: {time!r} is no number of seconds since 'reference-date'; a date becomes one by "
            "(date - reference).total_seconds(), or by cftime.date2num(date, 'seconds since …', calendar)"
        ) from None


def integers(values: Iterable[Any]) -> list[int]:
    return [operator.index(value) for value in values]


def halo_widths(halo: Sequence[int | Sequence[int]] | None) -> tuple[list[int], list[int]]:
    """The cells before and behind a box: two lists with a value a dimension, or empty ones."""
    widths = () if halo is None else halo
    pairs = [(width, width) if isinstance(width, (int, np.integer)) else width for width in widths]
    return integers(low for low, _ in pairs), integers(high for _, high in pairs)


def index_list(index: ArrayLike) -> NDArray[np.int64]:
    """Raises:
    TypeError: for values that are no integers, that are masked, or in an array of several dimensions.
    """
    if isinstance(index, np.ma.MaskedArray):
        raise TypeError("index list: a masked array; leave points out (index.compressed()), or mark them by -1")
    given = np.asarray(index)
    if given.ndim != 1:
        raise TypeError(
            f"index list: an array of shape {given.shape}, but points are a list of one dimension, of their numbers "
            "counted row by row: np.flatnonzero(land), or np.ravel_multi_index(np.nonzero(land), land.shape)"
        )
    if given.size > 0 and given.dtype.kind not in "iu":
        raise TypeError(f"index list: indices are integers, not {given.dtype}")
    return np.ascontiguousarray(given, np.int64)


def writable(array: NDArray[Any], what: str) -> NDArray[Any]:
    """An array into which values go, where it lies."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"{what}: values go into an array of NumPy, not into {type(array).__name__}")
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(f"{what}: a masked array; give array.data, and say by set_missing what a hole is")
    if not array.flags.writeable:
        raise ValueError(f"{what}: the array is read-only; give a copy of it, or none")
    return array
