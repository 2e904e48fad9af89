"""Variables that are put from arrays of other types, with the values that the arrays have and that files get."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

NY, NX, RECORDS = 12, 5, 3
SCALE, OFFSET, FILL = 0.01, 273.15, -32768


@dataclass(frozen=True)
class Converted:
    array: type
    type: type
    attributes: dict[str, Any] = field(default_factory=dict)
    has_record: bool = True
    memory_dims: str | None = None
    is_listed: bool = False

    @property
    def is_packed(self) -> bool:
        return np.dtype(self.array).kind == "f" and np.dtype(self.type).kind != "f"


PACKING = {"scale_factor": np.float64(SCALE), "add_offset": np.float64(OFFSET), "_FillValue": np.int16(FILL)}
VARIABLES = {
    "int32": Converted(np.int64, np.int32),
    "uint8": Converted(np.int16, np.uint8, memory_dims="x,y"),
    "int16": Converted(np.uint16, np.int16),
    "bits": Converted(np.int32, np.uint32),
    "real": Converted(np.int32, np.float32),
    "packed": Converted(np.float64, np.int16, PACKING),
    "packed_single": Converted(np.float32, np.uint8, {"scale_factor": np.float32(0.5)}, memory_dims="x,y"),
    "as_packed": Converted(np.int32, np.int16, PACKING),
    "points": Converted(np.float64, np.int16, PACKING, is_listed=True),
    "fixed": Converted(np.float64, np.int16, PACKING, has_record=False),
}


def whole(name: str, record: int) -> np.ndarray:
    """What is put, on all ranks together."""
    of = VARIABLES[name]
    shape = (NY,) if of.is_listed else (NY, NX)
    numbers = np.arange(np.prod(shape)).reshape(shape) + 100 * record
    if name == "bits":
        return (-1 - numbers).astype(of.array)
    if not of.is_packed:
        return np.minimum(numbers, 255).astype(of.array)
    if name == "packed_single":
        return (numbers % 250 / 4).astype(of.array)
    values = (OFFSET + (numbers - 40) * 0.7071).astype(of.array)
    values[2] = np.nan
    return values


def stored(name: str, record: int) -> np.ndarray:
    """What files have of it: of half integers the even one, as IEEE 754 rounds."""
    of = VARIABLES[name]
    values = whole(name, record)
    if not of.is_packed:
        return values.astype(of.type)
    offset = of.attributes.get("add_offset", 0.0)
    packed = np.rint((values.astype(np.float64) - offset) / np.float64(of.attributes["scale_factor"]))
    return np.where(np.isnan(packed), FILL, packed).astype(of.type)
