# ctest: SHORT TIMEOUT 120
"""A dataset of xarray, divided over ranks, is the same dataset again when its file is read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
import xarray
from support import python
from support.python_dataset import check, whole

COLLECTIONS: dict[str, dict[str, Any]] = {
    "cdf5": {"format": "cdf5", "file": "cdf5.nc"},
    "netcdf4": {"format": "netcdf4", "file": "netcdf4.nc", "compression": "deflate"},
    "zarr": {"format": "zarr", "file": "store.zarr"},
    "local": {"format": "cdf5", "file": "local.nc"},
    "set": {"format": "netcdf4", "file": "set.nc", "pattern": "per-domain", "layout": [2, 2]},
    "cdf_set": {"format": "cdf5", "file": "cdf_set.nc", "pattern": "per-domain", "layout": [2, 1]},
    "series": {"format": "cdf5", "file": "series_%H.nc", "new-file": "2 steps"},
    "series_of_sets": {"format": "netcdf4", "file": "part_%H.nc", "new-file": "1 step", "pattern": "per-domain"},
}
PLAIN = {"cdf5": "netcdf4", "netcdf4": "netcdf4", "zarr": "zarr", "set": "netcdf4"}


@pytest.fixture(scope="module", params=[1, 2, 4], ids=lambda ranks: f"{ranks} ranks")
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("like")
    more = {"emulate-nodes": 2} if request.param == 4 else {}
    python.run("like.py", request.param, folder, {"time-step": "1 h", "collections": COLLECTIONS, **more}, *COLLECTIONS)
    return folder


@pytest.mark.parametrize("name", PLAIN)
def test_file_is_the_dataset_for_xarray_itself(folder: Path, name: str) -> None:
    with xarray.open_dataset(folder / COLLECTIONS[name]["file"], engine=PLAIN[name], chunks=None) as found:
        check(found, whole(name))


@pytest.mark.parametrize("name", COLLECTIONS)
def test_file_is_the_dataset_for_our_engine(folder: Path, name: str) -> None:
    with xarray.open_dataset(folder / COLLECTIONS[name]["file"].replace("%H", "*"), engine="thalweg") as found:
        check(found, whole(name))


def test_values_lie_in_the_file_as_they_were_in_memory(folder: Path) -> None:
    with netCDF4.Dataset(folder / "cdf5.nc") as file:
        file.set_auto_maskandscale(False)
        assert file["temp"].dimensions == ("time", "z", "y", "x")
        assert file["turned"].dimensions == ("time", "x", "z", "y")
        assert file["temp"]._FillValue == np.float32(-99)
        assert np.isnan(file["temp"][0, 1, 2, 3])
        assert file["narrow"].dtype == np.float32
        assert file["since"].units == "days since 1990-01-01"


def test_what_cannot_be_defined_or_put_is_refused(tmp_path: Path) -> None:
    names = ("texts", "rows", "history", "by_hand")
    printed = python.run("like_refusals.py", 1, tmp_path, {"collections": {name: {} for name in names}}).splitlines()
    wanted = (
        r"ValueError decompose_like: no dimension \['lon'\] in \['time', ",
        r"TypeError variable 'name': no file has elements of .*drop_vars\('name'\)",
        r"ValueError define_like: 'temp' has the dimensions \['y', 'x'\], which are decomposed, but no decomposition",
        r"ValueError put_dataset: collection 'history' has no variable \['count'\]",
        r"ValueError put of 'temp': 3 values along 'time'; one record is put at a time: isel\(time=step\)",
        r"ValueError put of 'temp': the array has the dimensions \['y', 'x'\], the variable \['z', 'y', 'x'\] and",
        r"Error .*variable 'temp': dimension 1 of the array \(slowest first\) has 4 elements, but it must have 9",
    )
    for line, text in zip(printed, wanted, strict=True):
        assert re.match(text, line), line
