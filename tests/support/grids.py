"""Files of one grid in several formats, which tests of reading read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
from support.command import ranks_that_stay, thalweg

NZ, RECORDS = 5, 3
# Of netCDF4: its name of the format, and options of the variable `temp`.
Form = tuple[str, Mapping[str, Any]]


def converted(chunks: str) -> dict[str, tuple[str, ...]]:
    """What "thalweg convert" makes of cdf5.nc, by its options. chunks: of the store."""
    zarr = ("--format", "zarr", "--compression", "zstd", "--set", f"collections.replay.chunks={chunks}")
    return {
        "store.zarr": zarr,
        "set.nc": ("--format", "cdf5", "--pattern", "per-domain", "--layout", "2,2", "-n", "4"),
        "master.nc": ("--format", "netcdf4", "--pattern", "per-domain", "--layout", "1,3", "-n", "3"),
    }


def write(path: Path, form: Form, ny: int, nx: int) -> None:
    numbers = np.random.default_rng(11)
    with netCDF4.Dataset(path, "w", format=form[0]) as file:
        file.set_auto_maskandscale(False)
        file.title = "all around"
        sizes = {"time": None, "z": NZ, "lat": ny, "lon": nx}
        for name, size in sizes.items():
            file.createDimension(name, size)
        for name, code, dim, values in (
            ("time", "f8", "time", np.arange(RECORDS)),
            ("z", "f8", "z", np.array([5, 16.5, 30.5, 60, 100])),
            ("lat", "f8", "lat", np.linspace(90.0, -90.0, ny)),
            ("lon", "f4", "lon", np.arange(nx) * (360.0 / nx)),
            ("row", "i4", "lat", np.arange(ny)),
        ):
            file.createVariable(name, code, (dim,))[:] = values
        file["time"].units, file["time"].calendar = "hours since 2000-01-01", "standard"
        file["lon"].units = "degrees_east"
        temp = file.createVariable("temp", "f8", tuple(sizes), fill_value=False, **form[1])
        temp.units, temp.valid_range, temp.level = "degC", np.array([-2.5, 40.0]), np.int32(7)
        temp[:] = numbers.random((RECORDS, NZ, ny, nx))
        file.createVariable("depth", "i2", ("lat", "lon"), fill_value=False)[:] = numbers.integers(0, 5000, (ny, nx))
        packed = file.createVariable("packed", "i2", ("lat",), fill_value=False)
        packed.scale_factor, packed.add_offset = 0.25, 3.0
        packed[:] = numbers.integers(-3000, 3000, ny)


@contextmanager
def written(
    folder: Path, forms: Mapping[str, Form], made: Mapping[str, tuple[str, ...]], ny: int, nx: int
) -> Iterator[Path]:
    """The files in the folder, which is empty behind it: many large ones would stay."""
    for name, form in forms.items():
        write(folder / name, form, ny, nx)
    with ranks_that_stay():
        for name, words in made.items():
            done = thalweg("convert", folder / "cdf5.nc", folder / name, *words)
            assert done.code == 0, done
    yield folder
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
