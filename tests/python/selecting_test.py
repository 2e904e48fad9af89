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
from support import python
from support.command import thalweg

NZ, NY, NX, RECORDS = 5, 181, 720, 3
FORMS: dict[str, tuple[Any, ...]] = {
    "cdf5.nc": ("NETCDF3_64BIT_DATA", {}),
    "netcdf4.nc": ("NETCDF4", {"zlib": True, "complevel": 1, "chunksizes": (1, 2, 50, 101)}),
}
CHUNKS = "collections.replay.chunks"
CONVERTED = {
    "store.zarr": ("--format", "zarr", "--compression", "zstd", "--set", f"{CHUNKS}={{lat: 70, lon: 99}}"),
    "set.nc": ("--format", "cdf5", "--pattern", "per-domain", "--layout", "2,2", "-n", "4"),
    "master.nc": ("--format", "netcdf4", "--pattern", "per-domain", "--layout", "1,3", "-n", "3"),
}
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


def write(path: Path, form: str, options: dict[str, Any]) -> None:
    numbers = np.random.default_rng(11)
    with netCDF4.Dataset(path, "w", format=form) as file:
        file.set_auto_maskandscale(False)
        file.title = "all around"
        sizes = {"time": None, "z": NZ, "lat": NY, "lon": NX}
        for name, size in sizes.items():
            file.createDimension(name, size)
        for name, code, dim, values in (
            ("time", "f8", "time", np.arange(RECORDS)),
            ("z", "f8", "z", np.array([5, 16.5, 30.5, 60, 100])),
            ("lat", "f8", "lat", np.arange(90.0, -91.0, -1.0)),
            ("lon", "f4", "lon", np.arange(0.0, 360.0, 0.5)),
            ("row", "i4", "lat", np.arange(NY)),
        ):
            file.createVariable(name, code, (dim,))[:] = values
        file["time"].units, file["time"].calendar = "hours since 2000-01-01", "standard"
        file["lon"].units = "degrees_east"
        temp = file.createVariable("temp", "f8", tuple(sizes), fill_value=False, **options)
        temp.units, temp.valid_range, temp.level = "degC", np.array([-2.5, 40.0]), np.int32(7)
        temp[:] = numbers.random((RECORDS, NZ, NY, NX))
        file.createVariable("depth", "i2", ("lat", "lon"), fill_value=False)[:] = numbers.integers(0, 5000, (NY, NX))
        packed = file.createVariable("packed", "i2", ("lat",), fill_value=False)
        packed.scale_factor, packed.add_offset = 0.25, 3.0
        packed[:] = numbers.integers(-3000, 3000, NY)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("selecting")
    for name, (form, options) in FORMS.items():
        write(made / name, form, options)
    for name, words in CONVERTED.items():
        done = thalweg("convert", made / "cdf5.nc", made / name, *words)
        assert done.code == 0, done
    yield made
    for path in sorted(made.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()


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
