"""Compares netCDF files value by value: shapes, types, attributes, and every bit of every value."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np


@dataclass
class Comparison:
    values: int = 0
    variables: int = 0
    differences: list[str] = field(default_factory=list)

    @property
    def equal(self) -> bool:
        return self.variables > 0 and not self.differences

    def add(self, other: Comparison) -> None:
        self.values += other.values
        self.variables += other.variables
        self.differences += other.differences


def compare_files(reference: Path, other: Path) -> Comparison:
    """What the reference has, the other must have, and no variable more. More attributes are no difference."""
    result = Comparison()
    if not other.exists():
        result.differences.append(f"{other} does not exist")
        return result
    with netCDF4.Dataset(reference) as a, netCDF4.Dataset(other) as b:
        for file in (a, b):
            file.set_auto_maskandscale(False)
        if set(a.variables) != set(b.variables):
            result.differences.append(f"{other}: variables {sorted(b.variables)} in place of {sorted(a.variables)}")
        result.differences += attribute_differences(f"{other}", a, b)
        for name in sorted(set(a.variables) & set(b.variables)):
            compare_variable(f"{other}: {name}", a[name], b[name], result)
    return result


def compare_variable(place: str, a: Any, b: Any, result: Comparison) -> None:
    result.variables += 1
    if (a.dimensions, a.shape, a.dtype) != (b.dimensions, b.shape, b.dtype):
        result.differences.append(
            f"{place} is {b.dtype} {b.dimensions} {b.shape} in place of {a.dtype} {a.dimensions} {a.shape}"
        )
        return
    result.differences += attribute_differences(place, a, b)
    result.values += int(np.prod(a.shape, dtype=np.int64))
    for record in range(a.shape[0]):
        wrong = different_bits(a[record], b[record])
        if wrong:
            result.differences.append(f"{place}: {wrong} values of record {record} differ")
            return


def different_bits(a: Any, b: Any) -> int:
    """How many values differ in any bit; NaN equals NaN, and 0.0 is not -0.0."""
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    bits = f"u{a.dtype.itemsize}"
    return int(np.count_nonzero(a.view(bits) != b.view(bits)))


def attribute_differences(place: str, a: Any, b: Any) -> list[str]:
    return [
        f"{place}: attribute {name} is {b.__dict__.get(name)!r} in place of {value!r}"
        for name, value in a.__dict__.items()
        if not np.array_equal(value, b.__dict__.get(name))
    ]
