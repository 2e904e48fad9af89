# ctest: TIMEOUT 300
"""Parts of variables, by index and by coordinate, are those that xarray selects, bit for bit, whatever the format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import grids, python

NY, NX = 91, 360
FORMS: dict[str, grids.Form] = {
    "cdf5.nc": ("NETCDF3_64BIT_DATA", {}),
    "netcdf4.nc": ("NETCDF4", {"zlib": True, "complevel": 1, "chunksizes": (1, 2, 25, 51)}),
}
CONVERTED = grids.converted("{lat: 35, lon: 50}")
WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "1 rank": (1, {}),
    "4 ranks, serial": (4, {"reading": "serial"}),
    "4 ranks on 2 nodes": (4, {"reading": "domain", "emulate-nodes": 2}),
    "3 ranks, each for itself": (3, {"reading": "independent"}),
}
REFUSED = {
    "q[2]": ("NAME", "it has no dimension 'q', and none of which a variable of this name is the coordinate"),
    "bare[2:3], bare[0]": ("ARGUMENT", "'bare[2:3]' and 'bare[0]' are of one dimension"),
    "bare=3": ("NAME", "dimension 'bare' has no coordinate, a variable 'bare' of numbers"),
    "mixed=3:4": ("FORMAT", "the values of coordinate 'mixed' neither ascend nor descend all along"),
    "y=7": ("NAME", "no cell has y = 7; the nearest: 5 (cell 1) and 10 (cell 2); write 'y=~7' for the nearest one"),
    "y=11:12": ("ARGUMENT", "no cell has y from 11 to 12; the file has 3 cells from 0 to 10"),
    "y[2:4]": ("ARGUMENT", "'y[2:4]' are no cells of the file, which has 3 cells, counted from 0"),
    "y[2:2]": ("ARGUMENT", "'y[2:2]' are no cells of the file"),
    "time[1]": ("ARGUMENT", "'time' is the dimension of records"),
    "y[a]": ("ARGUMENT", "'y[a]' cannot be understood: 'a' is no whole number"),
    "each rank another": ("AGREEMENT", "calls that read"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with grids.written(tmp_path_factory.mktemp("selecting"), FORMS, CONVERTED, NY, NX) as made:
        yield made


@pytest.mark.parametrize("way", WAYS)
def test_a_part_is_what_xarray_selects(folder: Path, way: str) -> None:
    """Every second of the parts, so that each of them meets every file and every way. All files are read in one start:
    xarray takes longer to load than a file to read."""
    ranks, settings = WAYS[way]
    files = [*FORMS, *CONVERTED]
    shares = [word for f, file in enumerate(files) for word in (file, (f + list(WAYS).index(way)) % 2)]
    done = python.start("selecting.py", ranks, folder, settings, "thalweg.yaml", *shares, limit_s=200)
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(done.stdout.split()) == set(files)


def test_wrong_selections_say_what_is_wrong(tmp_path: Path) -> None:
    with netCDF4.Dataset(tmp_path / "input.nc", "w") as file:
        for name, size in (("time", None), ("y", 3), ("bare", 4), ("mixed", 3)):
            file.createDimension(name, size)
        file.createVariable("y", "f8", ("y",))[:] = [0, 5, 10]
        file.createVariable("mixed", "f8", ("mixed",))[:] = [0, 5, 1]
        file.createVariable("field", "f8", ("time", "y", "bare", "mixed"))[:] = np.zeros((1, 3, 4, 3))
        file["field"].units = "1"
    raised = json.loads(python.run("selecting_refusals.py", 2, tmp_path, {}, *REFUSED))
    assert raised.keys() == REFUSED.keys()
    for label, (code, text) in REFUSED.items():
        assert raised[label][:2] == ["Error", code], raised[label]
        assert text in raised[label][2], raised[label]
