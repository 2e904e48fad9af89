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
from support import python
from support.command import thalweg

NZ, NY, NX, RECORDS = 5, 19, 72, 3
FORMS: dict[str, tuple[Any, ...]] = {
    "cdf1.nc": ("NETCDF3_CLASSIC", {}),
    "cdf2.nc": ("NETCDF3_64BIT_OFFSET", {}),
    "cdf5.nc": ("NETCDF3_64BIT_DATA", {}),
    "netcdf4.nc": ("NETCDF4", {"zlib": True, "complevel": 1, "chunksizes": (1, 2, 5, 10)}),
}
CHUNKS = "collections.replay.chunks"
CONVERTED = {
    "store.zarr": ("--format", "zarr", "--compression", "zstd", "--set", f"{CHUNKS}={{lat: 7, lon: 9}}"),
    "set.nc": ("--format", "cdf5", "--pattern", "per-domain", "--layout", "2,2", "-n", "4"),
    "master.nc": ("--format", "netcdf4", "--pattern", "per-domain", "--layout", "1,3", "-n", "3"),
}
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
            ("lat", "f8", "lat", np.linspace(90.0, -90.0, NY)),
            ("lon", "f4", "lon", np.arange(0.0, 360.0, 5)),
        ):
            file.createVariable(name, code, (dim,), fill_value=False)[:] = values
        file["time"].units, file["time"].calendar = "hours since 2000-01-01", "standard"
        temp = file.createVariable("temp", "f8", tuple(sizes), fill_value=False, **options)
        temp.units = "degC"
        temp[:] = numbers.random((RECORDS, NZ, NY, NX))
        file.createVariable("depth", "i2", ("lat", "lon"), fill_value=False)[:] = numbers.integers(0, 5000, (NY, NX))
        packed = file.createVariable("packed", "i2", ("lat",), fill_value=False)
        packed.scale_factor, packed.add_offset = 0.25, 3.0
        packed[:] = numbers.integers(-3000, 3000, NY)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("opened")
    for name, (form, options) in FORMS.items():
        write(made / name, form, options)
    for name, words in CONVERTED.items():
        done = thalweg("convert", made / "cdf5.nc", made / name, *words)
        assert done.code == 0, done
    yield made
    for path in sorted(made.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()


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
