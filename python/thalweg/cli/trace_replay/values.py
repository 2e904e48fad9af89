"""Values for what is written again: a trace has none. They follow from the place, so that each way writes the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.trace.writes import Box

PERIOD = 4093
STEPS = (1, 7, 61, 509, 13)  # how far a cell's neighbour along each dimension, the fastest first, is in the table
# Of types in memory, as the names of functions have them.
MEMORY_TYPES = {
    "text": "u1", "schar": "i1", "uchar": "u1", "ubyte": "u1", "short": "i2", "ushort": "u2", "int": "i4",
    "uint": "u4", "long": "i8", "longlong": "i8", "ulonglong": "u8", "float": "f4", "double": "f8",
}  # fmt: skip
NAMES_OF_TYPES: tuple[str, ...] = (
    "", "schar", "text", "short", "int", "float", "double", "uchar", "ushort", "uint", "longlong", "ulonglong",
)  # fmt: skip


def table() -> NDArray[np.float64]:
    """A wave with a little noise between 1 and 100, which all types can hold."""
    wave = 50.5 + 49 * np.sin(2 * np.pi * np.arange(PERIOD) / PERIOD)
    return np.clip(wave + np.random.default_rng(1).normal(0, 0.05, PERIOD), 1, 100)


TABLE = table()
TABLES = {name: TABLE.astype(name) for name in {*MEMORY_TYPES.values()}}


def memory_type(function: str, variable_type: int) -> str:
    """The name of the type in memory: that of the function, or the variable's own."""
    words = function.removesuffix("_all").split("_")
    return words[-1] if words[-1] in MEMORY_TYPES else NAMES_OF_TYPES[variable_type]


def values_of(variable: int, type_name: str, boxes: list[Box]) -> NDArray[Any]:
    """One box behind the other."""
    values = TABLES[MEMORY_TYPES[type_name]]
    return np.concatenate([values[places_of(variable, box).reshape(-1)] for box in boxes])


def places_of(variable: int, box: Box) -> NDArray[np.int32]:
    start, count = box
    places = np.full((1,) * len(count), 97 * variable % PERIOD, np.int32)
    for dim, (begin, extent) in enumerate(zip(start, count, strict=True)):
        along = len(count) - 1 - dim
        step = STEPS[along % len(STEPS)]
        own = (np.arange(begin, begin + extent, dtype=np.int64) * step % PERIOD).astype(np.int32)
        places = places + own.reshape([-1 if other == dim else 1 for other in range(len(count))])
        np.remainder(places, PERIOD, out=places)
    return places
