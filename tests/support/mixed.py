"""Fields on a grid, along rivers and at points."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NY, NX, ROWS, CELLS, RECORDS = 12, 10, 23, 41, 3
SIZES = {"temp": (NY, NX), "flow": (ROWS,), "tracer": (CELLS,)}


def whole(name: str, record: int) -> NDArray[np.float64]:
    return np.arange(np.prod(SIZES[name]), dtype=np.float64).reshape(SIZES[name]) / 4 + 100 * record
