# ctest: SHORT TIMEOUT 60
"""The example of docs/cf.md: what other tools understand of its file."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import cftime
import numpy as np
import pytest
import xarray
from support import mpi, python

EXAMPLES = mpi.SOURCE / "examples" / "python"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cf")
    shutil.copy(EXAMPLES / "cf.yaml", folder)
    python.run(EXAMPLES / "cf.py", 4, folder, None, "cf.yaml")
    return folder / "tas_2000.nc"


def test_times_are_the_middles_of_their_bounds(file: Path) -> None:
    with xarray.open_dataset(file, decode_times=xarray.coders.CFDatetimeCoder(use_cftime=True)) as data:
        assert data.time.values.tolist() == [cftime.DatetimeNoLeap(2000, 1, day, 12) for day in (1, 2, 3)]
        assert data.time.encoding["units"] == "days since 2000-01-01"
        edges = [cftime.DatetimeNoLeap(2000, 1, day) for day in (1, 2, 3, 4)]
        assert data.time_bnds.values.tolist() == [list(pair) for pair in pairwise(edges)]
        assert [np.unique(day).tolist() for day in data.tas.values] == [[281.0], [282.0], [283.0]]


def test_coordinates_lie_in_their_bounds(file: Path) -> None:
    with xarray.open_dataset(file, decode_times=False) as data:
        for name in ("lat", "lon"):
            assert data[data[name].attrs["bounds"]].mean("bnds").values.tolist() == data[name].values.tolist()
        assert data.lat_bnds.values[[0, -1]].tolist() == [[-90, -80], [80, 90]]


def test_attributes_come_from_the_model_and_from_the_configuration(file: Path) -> None:
    with xarray.open_dataset(file, decode_times=False) as data:
        assert data.attrs == {
            "Conventions": "CF-1.10",
            "institution": "Our Institute",
            "source": "the model, version 3",
            "title": "Daily means of the first days",
        }
        assert data.tas.attrs["comment"] == "a number a day, for the example"
        assert data.tas.attrs["cell_methods"] == "time: mean"
