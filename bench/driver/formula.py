"""The values that every file must hold: the formulas of output/formula.hpp, one level at a time."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

INDEX_FACTOR = 2654435761
VARIABLE_FACTOR = 2246822519
RECORD_FACTOR = 3266489917
WORD = 2**32


class Formula(Protocol):
    """One level of a variable's record, flat."""

    def level(self, variable: int, record: int, level: int) -> NDArray: ...


def base_of(variable: int, record: int) -> int:
    return (variable * VARIABLE_FACTOR + record * RECORD_FACTOR) % WORD


class NoiseFormula:
    """Every bit is noise. The products of a level's indices are made once."""

    def __init__(self, points: int) -> None:
        self.products = np.arange(points, dtype=np.uint32) * np.uint32(INDEX_FACTOR)

    def level(self, variable: int, record: int, level: int) -> NDArray:
        first = level * self.products.size
        base = (base_of(variable, record) + first * INDEX_FACTOR) % WORD
        return ((self.products + np.uint32(base)) >> np.uint32(8)).astype(np.float32)


class SmoothFormula:
    """Waves with eight bits of noise."""

    def __init__(self, ny: int, nx: int) -> None:
        self.indices = np.arange(ny * nx, dtype=np.uint32)
        self.x_phase = np.arange(nx)[None, :] * (65536 * 3 // nx) + 7 * np.arange(ny)[:, None]
        self.y_phase = np.arange(ny)[:, None] * (65536 * 2 // ny)

    def level(self, variable: int, record: int, level: int) -> NDArray:
        base = base_of(variable, record)
        shift = (base >> 16) + 500 * level
        product = (wave(self.x_phase + shift) * wave(self.y_phase + shift)) >> 15
        first = (base + level * self.indices.size) % WORD
        return ((3 << 22) + product.reshape(-1) * 64 + noise(self.indices + np.uint32(first))).astype(np.float32)


def wave(phase: NDArray) -> NDArray:
    along = phase & 32767
    arc = (along * (32768 - along)) >> 13
    return np.where(phase & 32768, -arc, arc)


def noise(numbers: NDArray) -> NDArray:
    bits = numbers * np.uint32(INDEX_FACTOR)
    bits = (bits ^ (bits >> np.uint32(15))) * np.uint32(VARIABLE_FACTOR)
    return ((bits ^ (bits >> np.uint32(13))) >> np.uint32(24)).astype(np.int64)


def formula_for(run: dict[str, Any], shape: str) -> Formula:
    ny, nx = (1, 1) if shape == "scalar" else (run["ny"], run["nx"])
    return SmoothFormula(ny, nx) if run["smooth"] else NoiseFormula(ny * nx)
