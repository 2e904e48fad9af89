# ctest: TIMEOUT 600
"""thalweg.open: variables are indexed as arrays of NumPy are, alone and on several ranks, whatever the format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import grids, python, time_forms

NY, NX = 19, 72
FORMS: dict[str, grids.Form] = {
    "cdf1.nc": ("NETCDF3_CLASSIC", {}),
    "cdf2.nc": ("NETCDF3_64BIT_OFFSET", {}),
    "cdf5.nc": ("NETCDF3_64BIT_DATA", {}),
    "netcdf4.nc": ("NETCDF4", {"zlib": True, "complevel": 1, "chunksizes": (1, 2, 5, 10)}),
}
CONVERTED = grids.converted("{lat: 7, lon: 9}")
WAYS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "alone": (1, "self", {}),
    "2 ranks, serial": (2, "world", {"reading": "serial"}),
    "4 ranks on 2 nodes": (4, "world", {"reading": "domain", "emulate-nodes": 2}),
    "4 ranks, each for itself": (4, "world", {"reading": "independent"}),
}
REFUSED = {
    "no file": ("Error", "none.nc"),
    "no files": ("FileNotFoundError", "no file has a name like 'none_*.nc'"),
    "no series": ("ValueError", "'another.nc' and 'one_1.nc' are no series"),
    "settings": ("Error", "readig"),
    "name": ("KeyError", "'one_1.nc' has no variable 'fied'"),
    "beyond": ("IndexError", "6 is out of bounds for dimension 'time' of size 6"),
    "too many": ("IndexError", "has 3 dimensions, but the index has 4"),
    "two dots": ("IndexError", "a single '...'"),
    "a list": ("TypeError", "dimension 'time' is indexed by integers and slices, not by [0, 1]"),
    "a truth": ("TypeError", "not by True"),
    "a number": ("TypeError", "not by 1.0"),
    "no dimension": ("ValueError", "no dimension ['q']"),
    "decomposed": ("IndexError", "dimension 'x' is decomposed"),
    "not its": ("ValueError", "variable 'time' has no dimension ['x']"),
    "closed": ("Error", "finished"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with grids.written(tmp_path_factory.mktemp("opened"), FORMS, CONVERTED, NY, NX) as made:
        yield made


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("file", [*FORMS, *CONVERTED])
def test_an_index_gives_what_numpy_gives(folder: Path, file: str, way: str) -> None:
    ranks, comm, settings = WAYS[way]
    done = python.start("opened.py", ranks, folder, None, file, comm, json.dumps(settings), limit_s=120)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_series_is_one_and_wrong_calls_say_what_is_wrong(tmp_path: Path, ranks: int) -> None:
    for number in (1, 2, 3):
        write_series(tmp_path / f"one_{number}.nc", 2 * (number - 1))
    write_series(tmp_path / "another.nc", 0, 4)
    time_forms.write_all(tmp_path / "times")
    raised = json.loads(python.run("opened_refusals.py", ranks, tmp_path))
    assert raised.keys() == REFUSED.keys()
    for label, (kind, text) in REFUSED.items():
        assert raised[label][0] == kind and text in raised[label][1], (label, raised[label])


def write_series(path: Path, first: int, rows: int = 2) -> None:
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("time", None), ("y", rows), ("x", 3)):
            file.createDimension(name, size)
        time = file.createVariable("time", "f8", ("time",))
        time.units = "hours since 2000-01-01"
        time[:] = first + np.arange(2)
        file.createVariable("field", "f8", ("time", "y", "x"))[:] = (
            np.arange(6.0 * rows).reshape(2, rows, 3) + 6 * first
        )
