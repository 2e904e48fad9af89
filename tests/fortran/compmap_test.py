# ctest: SHORT TIMEOUT 60
"""A Fortran program passes a map of PIO as it is, and the file has the dimensions of the map's array."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi

NLON, NLAT, NLEV, RECORDS = 7, 5, 3, 2
FILL = netCDF4.default_fillvals["f4"]


def expected() -> np.ndarray:
    """By (time, lev, lat, lon): the number of an element counts the longitudes first."""
    time, lev = np.ogrid[1 : RECORDS + 1, 1 : NLEV + 1]
    element = np.arange(1, NLAT * NLON + 1)
    values = (10000 * time + 1000 * lev)[..., None] + element
    return np.where(element % 5 == 0, FILL, values).reshape(RECORDS, NLEV, NLAT, NLON).astype("f4")


@pytest.mark.parametrize(("ranks", "format_name"), [(3, "cdf5"), (2, "netcdf4")])
def test_a_compmap_is_passed_as_it_is(ranks: int, format_name: str, tmp_path: Path) -> None:
    history = f"{{file: land.nc, format: {format_name}, every: 1 h}}"
    (tmp_path / "compmap.yaml").write_text(f"report: none\ntime-step: 1 h\ncollections: {{history: {history}}}\n")
    mpi.run("compmap", ranks, tmp_path, limit_s=25)
    with netCDF4.Dataset(tmp_path / "land.nc") as dataset:
        dataset.set_auto_mask(False)
        for name in ("carbon", "turned"):
            assert dataset[name].dimensions == ("time", "lev", "lat", "lon")
            np.testing.assert_array_equal(dataset[name][...], expected())
