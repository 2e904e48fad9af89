# ctest: TIMEOUT 120
"""Old netCDF-4 files under the name of an output, whole and damaged: a run learns of which time they are, or that this
is not known, and never dies of one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import h5netcdf
import netCDF4
import numpy as np
import pytest
import xarray
from launch import BIN, environment, history, recover, run

SEED, DAMAGED = 20, 400
LATER_S = 86_400.0
HOURS = "hours since 2000-01-01 00:00:00"


def by_netcdf4(path: Path, units: object = HOURS, calendar: object = "noleap", **encoding: object) -> None:
    """Texts have a fixed length."""
    with netCDF4.Dataset(path, "w") as file:
        file.title = "as models write it"
        for name, size in {"time": None, "y": 6, "x": 8}.items():
            file.createDimension(name, size)
        time = file.createVariable("time", "f8", ("time",), **encoding)
        time.setncattr("units", units)
        time.setncattr("calendar", calendar)
        temp = file.createVariable("temp", "f4", ("time", "y", "x"), **encoding)
        temp.units = "K"
        time[:] = np.arange(3) + 1.0
        temp[:] = np.arange(3 * 48).reshape(3, 6, 8)


def by_netcdf4_compressed(path: Path) -> None:
    by_netcdf4(path, zlib=True, fletcher32=True)


def by_netcdf4_in_int32(path: Path) -> None:
    with netCDF4.Dataset(path, "w", format="NETCDF4_CLASSIC") as file:
        file.createDimension("time", None)
        time = file.createVariable("time", ">i4", ("time",), endian="big")
        time.units = "days since 2000-01-01"
        for number in range(9):
            time.setncattr(f"note_{number}", "more attributes than a header keeps")
        for number in range(12):
            file.createVariable(f"v{number}", "f8", ("time",))[:2] = number
        time[:] = [0, 1]


def by_netcdf4_with_strings_elsewhere(path: Path) -> None:
    by_netcdf4(path)
    with netCDF4.Dataset(path, "a") as file:
        file.setncattr_string("history", "of variable length")
        file["temp"].setncattr_string("long_name", "température")


def by_h5netcdf(path: Path) -> None:
    with h5netcdf.File(path, "w") as file:
        file.dimensions = {"time": None, "x": 5}
        time = file.create_variable("time", ("time",), "f8")
        time.attrs["units"] = np.bytes_(HOURS)
        temp = file.create_variable("temp", ("time", "x"), "f8", chunks=(1, 5))
        file.resize_dimension("time", 2)
        time[:] = [1.0, 2.0]
        temp[:] = 1.0


def by_xarray(path: Path) -> None:
    time = xarray.DataArray([1.0, 2.0], dims="time", attrs={"units": HOURS})
    data = xarray.Dataset({"temp": (("time", "x"), np.ones((2, 4)))}, coords={"time": time})
    data.to_netcdf(path, engine="netcdf4", unlimited_dims=["time"])


def by_thalweg(path: Path) -> None:
    yaml = history("sync", format="netcdf4", file=path.name)
    done = run(path.parent / "job", yaml, 1, ("steady", 3, 1, 2, 6, 8, 0))
    assert done.returncode == 0, done.output
    (path.parent / "job" / path.name).rename(path)


def by_thalweg_compressed(path: Path) -> None:
    yaml = history("sync", format="netcdf4", file=path.name, compression="{codec: zstd, level: 1}")
    done = run(path.parent / "job", yaml, 1, ("steady", 3, 1, 2, 6, 8, 0))
    assert done.returncode == 0, done.output
    (path.parent / "job" / path.name).rename(path)


WRITERS = [
    by_netcdf4,
    by_netcdf4_compressed,
    by_netcdf4_in_int32,
    by_netcdf4_with_strings_elsewhere,
    by_h5netcdf,
    by_xarray,
    by_thalweg,
    by_thalweg_compressed,
]


def with_strings(path: Path) -> None:
    """Units of variable length, which are not read."""
    by_netcdf4(path)
    with netCDF4.Dataset(path, "a") as file:
        file["time"].delncattr("units")
        file["time"].setncattr_string("units", HOURS)


def without_records(path: Path) -> None:
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", None)
        file.createVariable("time", "f8", ("time",)).units = HOURS


def without_coordinate(path: Path) -> None:
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", None)
        file.createVariable("temp", "f8", ("time",))[:3] = 1.0


def with_groups(path: Path) -> None:
    by_netcdf4(path)
    with netCDF4.Dataset(path, "a") as file:
        file.createGroup("more")


def look(start_s: float, *paths: Path) -> list[str]:
    words = [BIN / "first_records", f"{start_s:g}", *paths]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_the_time_of_whole_files_is_known_whoever_wrote_them(tmp_path: Path, write: Callable[[Path], None]) -> None:
    path = tmp_path / "old.nc"
    write(path)
    assert look(30 * LATER_S, path) == ["yes"]
    assert look(-1e6, path) == ["no"]


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (with_strings, "unknown: 'units' of 'time' is no text of fixed length"),
        (without_records, "no"),
        (without_coordinate, "unknown: "),
        (with_groups, "unknown: '"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_not_known_of_a_file_is_said(tmp_path: Path, write: Callable[[Path], None], said: str) -> None:
    path = tmp_path / "old.nc"
    write(path)
    assert look(LATER_S, path)[0].startswith(said), look(LATER_S, path)


def without_coordinate(file: netCDF4.Dataset) -> None:
    file.createDimension("t", None)
    file.createVariable("a", "f8", ("t", "x"))[:] = np.arange(30.0).reshape(10, 3)


def with_one_that_was_never_written(file: netCDF4.Dataset) -> None:
    file.createDimension("t", None)
    file.createVariable("t", "f8", ("t",))[:] = np.arange(10.0)
    file.createVariable("never", "f4", ("t", "x"))


@pytest.mark.parametrize("define", [without_coordinate, with_one_that_was_never_written])
def test_recovery_does_not_cut_what_another_program_wrote(
    tmp_path: Path, define: Callable[[netCDF4.Dataset], None]
) -> None:
    partial = tmp_path / "foreign.nc.partial"
    with netCDF4.Dataset(partial, "w") as file:
        file.createDimension("x", 3)
        define(file)
    before = partial.read_bytes()
    for _ in range(2):
        done = recover(partial)
        assert done.returncode != 0
        assert "neither a journal" in done.stdout + done.stderr
        assert "it is not cut" in done.stdout + done.stderr
        assert partial.read_bytes() == before
    assert not (tmp_path / "foreign.nc").exists()


@pytest.mark.timeout(60)
def test_no_damaged_file_ends_a_run(tmp_path: Path) -> None:
    """With this seed every reader that follows references within the file dies of some."""
    paths = []
    for write in (by_netcdf4, by_netcdf4_in_int32, by_netcdf4_with_strings_elsewhere, with_strings, by_h5netcdf):
        paths.append(tmp_path / f"{write.__name__}.nc")
        write(paths[-1])
    words = [BIN / "first_records", "damaged", tmp_path, SEED, DAMAGED, *paths]
    done = subprocess.run(
        [str(word) for word in words], env=environment(), capture_output=True, text=True, timeout=50, check=True
    )
    counts = done.stdout.split()
    assert dict(zip(counts[::2], counts[1::2], strict=True))["signal"] == "0", done.stdout
