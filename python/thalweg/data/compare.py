"""Compares two arrays value by value: bit for bit, or within tolerances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Tolerance:
    """|a - b| <= atol + rtol * |b|; both 0: bit for bit, where NaN is NaN and -0.0 is not 0.0."""

    rtol: float = 0.0
    atol: float = 0.0

    @property
    def is_exact(self) -> bool:
        return self.rtol == 0.0 and self.atol == 0.0


@dataclass
class Differences:
    """Of one variable."""

    compared: int = 0
    count: int = 0
    first: list[tuple[tuple[int, ...], Any, Any]] = field(default_factory=list)  # index, value of A, value of B
    largest: float = 0.0  # difference of two finite values
    largest_relative: float = 0.0

    def add(self, a: NDArray[Any], b: NDArray[Any], start: Sequence[int], tolerance: Tolerance, shown: int) -> None:
        """Two boxes of the same shape; start is their corner in the variable."""
        differ = differing(a, b, tolerance)
        self.compared += a.size
        count = int(np.count_nonzero(differ))
        if count == 0:
            return
        self.count += count
        for place in first_places(differ, shown - len(self.first)):
            index = tuple(int(s + p) for s, p in zip(start, place, strict=True))
            self.first.append((index, a[place], b[place]))
        self.measure(a[differ], b[differ])

    def measure(self, a: NDArray[Any], b: NDArray[Any]) -> None:
        if not numeric(a) or not numeric(b):
            return
        wide_a, wide_b = widened(a), widened(b)
        with np.errstate(all="ignore"):
            apart = np.abs(wide_a - wide_b)
            relative = apart / np.maximum(np.abs(wide_a), np.abs(wide_b))
        self.largest = max(self.largest, largest_finite(apart))
        self.largest_relative = max(self.largest_relative, largest_finite(relative))


def largest_finite(values: NDArray[Any]) -> float:
    finite = values[np.isfinite(values)]
    return float(finite.max()) if finite.size else 0.0


def first_places(differ: NDArray[np.bool_], wanted: int) -> list[tuple[int, ...]]:
    """Of as many true elements as wanted; a list of all places could be larger than the values."""
    if wanted <= 0:
        return []
    flat = differ.reshape(-1)
    places: list[tuple[int, ...]] = []
    at = 0
    while len(places) < wanted and at < flat.size:
        step = int(np.argmax(flat[at:]))
        if not flat[at + step]:
            break
        places.append(tuple(int(i) for i in np.unravel_index(at + step, differ.shape)))
        at += step + 1
    return places


def numeric(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iuf"


def widened(values: NDArray[Any]) -> NDArray[Any]:
    """A type in which differences of all values are exact, or rounded once: integers have up to 64 bits."""
    large = values.dtype.kind in "iu" and values.dtype.itemsize == 8
    return values.astype(np.longdouble if large else np.float64)


def differing(a: NDArray[Any], b: NDArray[Any], tolerance: Tolerance) -> NDArray[np.bool_]:
    if tolerance.is_exact or not numeric(a) or not numeric(b):
        return differing_bits(a, b)
    wide_a, wide_b = widened(a), widened(b)
    with np.errstate(all="ignore"):
        near = np.abs(wide_a - wide_b) <= tolerance.atol + tolerance.rtol * np.abs(wide_b)
    # Neither a difference of infinities nor a tolerance that is one says anything.
    either_infinite = np.isinf(wide_a) | np.isinf(wide_b)
    near = np.where(either_infinite, wide_a == wide_b, near)
    return np.asarray(~(near | (np.isnan(wide_a) & np.isnan(wide_b))))


def differing_bits(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
    if a.dtype != b.dtype or a.dtype.kind != "f":
        return np.asarray(a != b, dtype=bool)
    bits = np.dtype(f"u{a.dtype.itemsize}")
    differ = np.ascontiguousarray(a).view(bits) != np.ascontiguousarray(b).view(bits)
    return np.asarray(differ & ~(np.isnan(a) & np.isnan(b))).reshape(a.shape)
