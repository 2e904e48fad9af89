"""Units of time in the forms that files have. The core and Python take them apart, each by a parser of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import netCDF4

HOUR_S = 3600
DAY_S = 86400
# What the number 1 means, in seconds since 2000-01-01.
FORMS: dict[str, float] = {
    "days since 2000-01-01": DAY_S,
    "hours since 2000-01-01 00:00:00 -6:00": 7 * HOUR_S,
    "hours since 2000-01-01 00:00:00 -06:00": 7 * HOUR_S,
    "hours since 2000-01-01 00:00:00-06": 7 * HOUR_S,
    "hours since 2000-01-01 00:00 +1": 0,
    "hours since 2000-01-01 00:00 +0530": -4.5 * HOUR_S,
    "hours since 2000-01-01 00:00:00 6": -5 * HOUR_S,
    "hours since 2000-01-01 12003 -6": 8 * HOUR_S + 20 * 60 + 3,
    "hours since 2000-01-01Z": HOUR_S,
    "hours since 2000-01-01 12": 13 * HOUR_S,
    "hours since 2000-01-01 6:5": 7 * HOUR_S + 300,
    "hours since 2000-01-01T1200": 13 * HOUR_S,
    "hours since 2000-01-01T120030.5Z": 13 * HOUR_S + 30.5,
    "hours since 2000-01-01 130": 2.5 * HOUR_S,
    "Hours Since 20000101T06": 7 * HOUR_S,
    "hr since 2000-1-1 06:00:0.": 7 * HOUR_S,
    "h since 2000-01-01 06:00:00 UTC": 7 * HOUR_S,
    "h since 2000-01-01 06:00:00.25 gmt": 7 * HOUR_S + 0.25,
    "min since 2000-01": 60,
    "sec since 2000": 1,
    "milliseconds since 2000-01-02": DAY_S + 0.001,
    "days since +1999-12-31 18:00": 0.75 * DAY_S,
}
WEEKS = {"weeks since 2000-01-01 12": 7.5 * DAY_S}  # xarray does not know them
NONE = (
    "hours since 2000-01-01 -5:00",
    "days since 2000-02-30",
    "days since 2001-02-29",
    "days since 2000-13-01",
    "days since 2000-01-01 24:00",
    "days since 2000-01-01 12:60",
    "days since 2000-01-01 12:00:60",
    "days since 2000-01-01 12:00 +19",
    "days since 2000-01-01 0600.5",
    "days since 2000-06:00",
    "days since 2000-01-01 00:00:00 PST",
    "days since the flood",
    "months since 2000-01-01",
    "sincedays since",
)


def numbered(units: Iterable[str]) -> Iterator[tuple[int, str]]:
    return enumerate(sorted(units))


def write(path: Path, units: str, value: float) -> None:
    path.parent.mkdir(exist_ok=True)
    with netCDF4.Dataset(path, "w", format="NETCDF3_CLASSIC") as file:
        file.createDimension("time", None)
        time = file.createVariable("time", "f8", ("time",))
        time.setncatts({"units": units, "calendar": "standard"})
        time[:] = [value]


def write_all(folder: Path) -> None:
    """For each form N a series of two files N_1.nc and N_2.nc, of which the first has plain units."""
    for number, units in numbered(FORMS):
        write(folder / f"{number}_1.nc", "days since 2000-01-01", 0.0)
        write(folder / f"{number}_2.nc", units, 1.0)
    for number, units in numbered(NONE):
        write(folder / f"none_{number}.nc", units, 1.0)
