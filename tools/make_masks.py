#!/usr/bin/env python3
"""Make the land/sea masks of the example ocean from the GLOBE 30 arc-second data.

Needs numpy, scipy, netCDF4 and global-land-mask (which ships the data). The result is committed, so this runs only
when a grid is to be added:  tools/make_masks.py [FOLDER]
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import netCDF4
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

GRIDS = {"1deg": (360, 180), "025deg": (1440, 720)}


def globe_ocean() -> NDArray[np.bool_]:
    """Ocean where true, southernmost row first, westernmost column (180 W) first."""
    path = files("global_land_mask") / "globe_combined_mask_compressed.npz"
    with np.load(str(path)) as data:
        ocean, lat, lon = data["mask"], data["lat"], data["lon"]
    assert lat[0] > lat[-1] and lon[0] < lon[-1], "GLOBE is expected north first, west first"
    return ocean[::-1]


def ocean_fraction(ocean: NDArray[np.bool_], nx: int, ny: int) -> NDArray[np.float32]:
    rows, columns = ocean.shape
    boxes = ocean.reshape(ny, rows // ny, nx, columns // nx)
    return boxes.mean(axis=(1, 3), dtype=np.float64).astype(np.float32)


def world_ocean(wet: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The largest set of cells that are connected by edges, across the date line too: no lakes, no Caspian."""
    label, _ = ndimage.label(wet)
    for west, east in zip(label[:, 0], label[:, -1], strict=True):
        if west and east and west != east:
            label[label == east] = west
    return label == np.bincount(label[label > 0]).argmax()


def add_axis(file: netCDF4.Dataset, name: str, count: int, first_edge: float, text: tuple[str, str, str]) -> None:
    width = -2.0 * first_edge / count
    axis = file.createVariable(name, "f8", (name,))
    axis.standard_name, axis.units, axis.axis = text
    axis[:] = first_edge + width * (np.arange(count) + 0.5)


def write_mask(path: Path, wet: NDArray[np.bool_]) -> None:
    ny, nx = wet.shape
    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as file:
        file.Conventions = "CF-1.8"
        file.title = f"Land/sea mask of a {nx} x {ny} longitude-latitude grid"
        file.source = (
            f"GLOBE 30 arc-second elevation model, as shipped in global-land-mask {version('global-land-mask')}"
        )
        file.method = (
            "Fraction of 30 arc-second cells that are ocean; wet where it is at least one half; then only the cells "
            "connected by edges to the world ocean are kept. Made by tools/make_masks.py."
        )
        file.createDimension("lat", ny)
        file.createDimension("lon", nx)
        add_axis(file, "lat", ny, -90.0, ("latitude", "degrees_north", "Y"))
        add_axis(file, "lon", nx, -180.0, ("longitude", "degrees_east", "X"))
        mask = file.createVariable("wet", "i1", ("lat", "lon"))
        mask.long_name = "cells of the world ocean"
        mask.flag_values = np.array([0, 1], dtype=np.int8)
        mask.flag_meanings = "land ocean"
        mask[:] = wet


def main() -> None:
    default = Path(__file__).resolve().parent.parent / "examples" / "ocean"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    ocean = globe_ocean()
    for name, (nx, ny) in GRIDS.items():
        wet = world_ocean(ocean_fraction(ocean, nx, ny) >= 0.5)
        path = folder / f"mask_{name}.nc"
        write_mask(path, wet)
        print(f"{path}: {nx} x {ny}, {wet.mean():.1%} wet, {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
