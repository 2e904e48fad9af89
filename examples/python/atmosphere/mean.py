"""The mean of a field over the steps since the last record."""

from __future__ import annotations

import numpy as np
from grid import Array


class Mean:
    """It is part of a restart, because a run may end between two records of it."""

    def __init__(self, like: Array) -> None:
        self.total = np.zeros_like(like)
        self.begin_anew(0.0)

    def begin_anew(self, time_s: float) -> None:
        self.total[...] = 0.0
        self.steps, self.since_s = 0, time_s

    def add(self, field: Array) -> None:
        self.total += field
        self.steps += 1

    @property
    def value(self) -> Array:
        return self.total / self.steps
