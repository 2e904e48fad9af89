#!/usr/bin/env python3
"""Writes the wind that drives the example ocean: zonal stress every six hours, by a formula.

    tau(t, lat, lon) = 0.12 N m-2 · -cos(4 lat) cos(lat) · (1 + 0.5 sin(6 lon - 2 pi t / 2 days))

easterly trades and westerlies, in which six waves of weather go around the globe to the east.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import netCDF4
import numpy as np

INTERVAL_S = 21600.0


def write_wind(path: Path, mask: Path, until_s: float) -> None:
    """On the eastern faces of the cells of a mask, from time 0 to the first record that is later than until_s."""
    with netCDF4.Dataset(mask) as file:
        ny, nx = file["wet"].shape
    lat = np.radians(-90 + (np.arange(ny) + 0.5) * 180 / ny)[:, None]
    lon = np.radians(-180 + np.arange(1, nx + 1) * 360 / nx)[None, :]
    steady = -0.12 * np.cos(4 * lat) * np.cos(lat)
    with netCDF4.Dataset(path, "w", format="NETCDF4") as file:
        file.createDimension("time", None)
        file.createDimension("lat", ny)
        file.createDimension("lon", nx)
        time = file.createVariable("time", "f8", ("time",))
        time.setncatts({"units": "seconds since 2000-01-01 00:00:00", "calendar": "standard", "axis": "T"})
        for name, values, units in (("lat", lat, "degrees_north"), ("lon", lon, "degrees_east")):
            axis = file.createVariable(name, "f8", (name,))
            axis.units = units
            axis[:] = np.degrees(values).ravel()
        taux = file.createVariable("taux", "f4", ("time", "lat", "lon"), chunksizes=(1, ny, nx))
        taux.setncatts({"units": "N m-2", "standard_name": "surface_downward_eastward_stress"})
        for record in range(int(until_s // INTERVAL_S) + 2):
            time[record] = record * INTERVAL_S
            taux[record] = steady * (1 + 0.5 * np.sin(6 * lon - 2 * np.pi * record * INTERVAL_S / 172800))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path, help="the file that is written")
    parser.add_argument(
        "--mask", type=Path, default=Path(__file__).with_name("mask_1deg.nc"), help="whose cells it has"
    )
    parser.add_argument("--days", type=float, default=10.0, help="how long it lasts (default: 10)")
    arguments = parser.parse_args()
    write_wind(arguments.path, arguments.mask, arguments.days * 86400)
