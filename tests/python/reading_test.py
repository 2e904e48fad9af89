# ctest: SHORT TIMEOUT 120
"""Python gets what files hold, bit for bit, into arrays of any kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import python

NY, NX, NZ, RECORDS = 5, 8, 2, 3
WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "1 rank": (1, {}),
    "4 ranks": (4, {}),
    "4 ranks, each for itself": (4, {"reading": "independent"}),
    "4 ranks on 2 nodes": (4, {"reading": "domain", "emulate-nodes": 2}),
    "3 ranks and a server": (4, {"writers": {"ranks": 1}}),
    "2 ranks, one of them reads": (2, {"reading": "serial"}),
    "5 ranks on 3 nodes": (5, {"reading": "domain", "emulate-nodes": [2, 2, 1]}),
}
REFUSED = {
    "no file": ("Error", "STORAGE", "none.nc"),
    "name": ("Error", "NAME", "temp"),
    "name of a get": ("Error", "NAME", "temp"),
    "no record": ("Error", "ARGUMENT", "record"),
    "record": ("Error", "ARGUMENT", "record 3"),
    "real record": ("TypeError", "", "float"),
    "date": ("TypeError", "", "record_at: datetime.datetime(2000, 1, 1, 0, 0) is no number of seconds"),
    "no such time": ("Error", "NAME", "17"),
    "list": ("TypeError", "", "get of 'depth': values go into an array of NumPy, not into list"),
    "masked": ("TypeError", "", "get of 'depth': a masked array"),
    "frozen": ("ValueError", "", "get of 'depth': the array is read-only"),
    "bool": ("TypeError", "", "get of 'depth': there is no type for elements of bool"),
    "foreign": ("TypeError", "", "get of 'depth': elements of >i2 have the byte order of another machine"),
    "shape": ("Error", "SHAPE", "depth"),
    "too small": ("Error", "ARGUMENT", "depth"),
    "no names": ("ValueError", "", "get of 'depth': a new array needs the names of its dimensions"),
    "extents": ("Error", "SHAPE", "temp"),
    "periodic": ("Error", "NAME", "lon"),
    "finished": ("Error", "STATE", "finished"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """With input.nc, which another program has written."""
    numbers = np.random.default_rng(7)
    with netCDF4.Dataset(tmp_path / "input.nc", "w") as file:
        file.set_auto_maskandscale(False)
        for name, size in (("time", None), ("z", NZ), ("y", NY), ("x", NX), ("length", 4)):
            file.createDimension(name, size)
        time = file.createVariable("time", "f8", ("time",))
        time.setncattr_string("units", "hours since 2000-01-01")  # as h5netcdf writes every text
        time.calendar = "standard"
        time[:] = np.arange(1.0, RECORDS + 1)
        file.createVariable("temp", "f4", ("time", "z", "y", "x"))[:] = numbers.random((RECORDS, NZ, NY, NX), "f4")
        depth = numbers.integers(200, 5000, (NY, NX)) * (numbers.random((NY, NX)) > 0.3)
        file.createVariable("depth", "i2", ("y", "x"))[:] = depth
        packed = file.createVariable("packed", "i2", ("x",), fill_value=-77)
        packed.scale_factor, packed.add_offset = 0.5, 3.0
        packed[:] = [1, -77, 3, -4, 5, 6, -77, 8]
        names = np.array([b"oslo", b"rome", b"bern", b"lima", b"pisa"])
        file.createVariable("name", "S1", ("y", "length"))[:] = names.view("S1").reshape(NY, 4)
        file.createVariable("number", "u8", ())[...] = 2**63 + 1
    return tmp_path


@pytest.mark.parametrize("way", WAYS)
def test_arrays_have_the_values_of_the_file(folder: Path, way: str) -> None:
    ranks, settings = WAYS[way]
    python.run("reading.py", ranks, folder, settings)


@pytest.mark.parametrize("way", WAYS)
def test_a_rank_of_several_boxes_gets_each_of_them(folder: Path, way: str) -> None:
    ranks, settings = WAYS[way]
    python.run("several_boxes.py", ranks, folder, settings)
    with netCDF4.Dataset(folder / "input.nc") as before, netCDF4.Dataset(folder / "state.nc") as after:
        wanted = np.asarray(before["temp"][-1])
        after.set_auto_mask(False)
        wanted[:, 2:5, 3:5] = after["temp"]._FillValue  # no rank has these cells
        assert np.array_equal(after["temp"][:], np.stack([wanted, wanted]))
        deep = np.asarray(before["depth"])
        deep[2:5, 3:5] = after["depth"]._FillValue
        assert np.array_equal(after["depth"][:], deep)


def test_wrong_calls_raise_what_is_wrong(folder: Path) -> None:
    raised = json.loads(python.run("reading_refusals.py", 2, folder))
    assert raised.keys() == REFUSED.keys()
    for label, (kind, code, text) in REFUSED.items():
        assert raised[label][:2] == [kind, code], raised[label]
        assert text in raised[label][2], raised[label]
