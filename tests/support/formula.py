"""The values that tests/programs/conform.cpp writes, computed again: a hash of (name, step, index), cut to the type."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MASK = (1 << 64) - 1
Steps = int | tuple[int, ...]


def dtype_of(type_name: str) -> np.dtype:
    return np.dtype("S1" if type_name == "char" else type_name)


def mix(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """splitmix64."""
    bits = bits + np.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> np.uint64(31))


def seed_of(name: str) -> np.uint64:
    """FNV-1a."""
    seed = 0xCBF29CE484222325
    for byte in name.encode():
        seed = ((seed ^ byte) * 0x100000001B3) & MASK
    return np.uint64(seed)


def hashes(name: str, step: Steps, shape: tuple[int, ...]) -> NDArray[np.uint64]:
    """Of one step, or of several along a dimension before all others."""
    index = np.arange(int(np.prod(shape, dtype=np.int64)), dtype=np.uint64)
    steps = np.array(step, dtype=np.uint64) << np.uint64(40)
    return mix(seed_of(name) + mix(steps[..., None] + index)).reshape(steps.shape + shape)


@lru_cache(maxsize=400)
def values(name: str, step: Steps, shape: tuple[int, ...], type_name: str, memory_type: str = "") -> NDArray:
    """What the file holds of a variable in one step or several; memory_type: the model's own type, where it differs."""
    bits = hashes(name, step, shape)
    if type_name.startswith("float"):
        real = (bits >> np.uint64(11)).astype(np.float64) * 2.0**-21 - 2.0**31
        found = np.asarray(real.astype(memory_type or type_name).astype(type_name))
    elif type_name == "char":
        found = np.asarray(bits.astype("uint8")).view("S1")
    else:
        found = np.asarray(bits.astype(type_name))
    found.flags.writeable = False  # all callers get the same array
    return found
