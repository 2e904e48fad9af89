"""What the atmosphere did, from its history."""

from __future__ import annotations

import numpy as np

from thalweg.data import Dataset

SHADES = " .:-=+*#%@"
CRESTS = 4


def wave_speed_deg_a_day(dataset: Dataset) -> float:
    """Of the crests at 45 degrees north, from the first record to the last."""
    height = dataset.variables["height"]
    records, rows, columns = height.shape
    if records < 2:
        return float("nan")
    row = rows * 3 // 4
    along = height.read((slice(0, records), slice(row, row + 1), slice(0, columns)))[:, 0].astype(np.float64)
    phase = np.unwrap(np.angle(np.fft.rfft(along)[:, CRESTS])) / -CRESTS
    times_s = dataset.variables["time"].read()
    return float(np.degrees(phase[-1] - phase[0]) / (times_s[-1] - times_s[0]) * 86400)


def drawn(dataset: Dataset, columns: int = 72, rows: int = 18) -> list[str]:
    """The last record of the height in characters, north above."""
    height = dataset.variables["height"]
    records, ny, nx = height.shape
    last = height.read((slice(records - 1, records), slice(0, ny), slice(0, nx)))[0]
    columns, rows = min(columns, nx), min(rows, ny)
    some = last[np.ix_((2 * np.arange(rows)[::-1] + 1) * ny // (2 * rows), np.arange(columns) * nx // columns)]
    levels = (some - some.min()) / max(float(np.ptp(some)), 1e-30) * (len(SHADES) - 1)
    return ["".join(SHADES[round(float(level))] for level in row) for row in levels]
