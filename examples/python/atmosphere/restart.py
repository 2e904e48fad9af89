"""Reads the last record of a restart. Each rank reads its own rows, however many ranks have written the file."""

from __future__ import annotations

from pathlib import Path

import netCDF4
from mean import Mean
from shallow_water import ShallowWater


def read(path: Path, model: ShallowWater, mean: Mean) -> float:
    """Fills the model and the mean, and returns the model time in seconds."""
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        found = (file.dimensions["lat"].size, file.dimensions["lon"].size)
        if found != (model.band.ny, model.band.nx):
            ny, nx = found
            raise ValueError(f"'{path}' is of a grid of {nx}x{ny}: say --grid {nx}x{ny}")
        for name, target in (("height", model.height), ("u", model.u), ("v", model.v), ("height_total", mean.total)):
            _, (first, _), (count, _) = model.band.box("lat_v,lon" if name == "v" else "lat,lon")
            target[len(target) - count :] = file[name][-1, first : first + count]
        mean.steps, mean.since_s = int(file["total_steps"][-1]), float(file["total_since"][-1])
        return float(file["time"][-1])
