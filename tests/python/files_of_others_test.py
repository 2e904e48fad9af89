# ctest: SHORT TIMEOUT 120
"""What attributes and dimensions of files of others mean, where programs differ in what they write."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import h5py
import netCDF4
import numpy as np
import pytest
import thalweg
import xarray as xr
import zarr

HOUR = 3600.0
Values = np.ndarray[Any, Any]


def session(**keys: Any) -> thalweg.Session:
    return thalweg.start(config={"report": "none", "owner": "lowest-rank"} | keys)


def get(path: Path, name: str, dtype: Any = None, **keys: Any) -> Values:
    with session() as io, io.open_input(str(path)) as data:
        return data.get(name, dtype=dtype, **keys)


def write(path: Path, stored: Values, **attributes: Any) -> Path:
    with netCDF4.Dataset(path, "w") as data:
        data.createDimension("x", len(stored))
        data.createVariable("v", stored.dtype, "x").setncatts(attributes)
        data["v"].set_auto_maskandscale(False)
        data["v"][:] = stored
    return path


@pytest.mark.parametrize(
    ("attribute", "value"), [("scale_factor", "0.5"), ("add_offset", [1.0, 2.0]), ("missing_value", "-7")]
)
def test_packing_that_is_no_number_is_an_error(tmp_path: Path, attribute: str, value: Any) -> None:
    path = write(tmp_path / "a.nc", np.arange(4, dtype="i2"), **{attribute: value})
    with pytest.raises(thalweg.Error, match=f"its attribute {attribute} = .* is no number") as met:
        get(path, "v", "f8")
    assert met.value.code.name == "FORMAT"
    np.testing.assert_array_equal(get(path, "v"), np.arange(4, dtype="i2"))


def test_what_is_missing_of_packed_values_is_nan(tmp_path: Path) -> None:
    stored = np.array([0, -32768, 10, 7], "i2")
    path = write(
        tmp_path / "a.nc", stored, scale_factor=0.1, add_offset=270.0, missing_value=np.array([-32768, 7], "i2")
    )
    np.testing.assert_array_equal(get(path, "v", "f8"), [270.0, np.nan, 271.0, np.nan])
    np.testing.assert_array_equal(get(path, "v"), stored)
    plain = write(tmp_path / "b.nc", np.array([1, 1e20], "f4"), missing_value=np.float32(1e20))
    np.testing.assert_array_equal(get(plain, "v", "f8"), [1, np.float32(1e20)])


def series(path: Path, times: Values, name: str = "time", dimension: str = "time", **attributes: Any) -> Path:
    with netCDF4.Dataset(path, "w") as data:
        data.createDimension(dimension, None)
        time = data.createVariable(name, times.dtype, dimension, fill_value=attributes.pop("_FillValue", None))
        time.set_auto_maskandscale(False)
        time.setncatts({"units": "hours since 2000-01-01"} | attributes)
        time[:] = times
        data.createVariable("v", "f8", dimension)[:] = np.arange(len(times)) * 10.0
    return path


def times_of(path: Path) -> list[float]:
    with session(**{"reference-date": "2000-01-01"}) as io, io.open_input(str(path)) as data:
        return list(data.times)


def test_times_are_unpacked(tmp_path: Path) -> None:
    packed = series(tmp_path / "a.nc", np.arange(3, dtype="i2"), scale_factor=6.0, add_offset=1.0)
    assert times_of(packed) == [1 * HOUR, 7 * HOUR, 13 * HOUR]
    unsigned = series(tmp_path / "b.nc", np.array([100, -56], "i1"), _Unsigned="true")
    assert times_of(unsigned) == [100 * HOUR, 200 * HOUR]


def test_a_time_that_is_missing_is_an_error(tmp_path: Path) -> None:
    path = series(tmp_path / "a.nc", np.array([-999.0, 6.0]), _FillValue=-999.0)
    with pytest.raises(thalweg.Error, match="record 0 of .*: it has the time nan"):
        times_of(path)


def test_times_need_not_be_called_as_their_dimension(tmp_path: Path) -> None:
    path = series(tmp_path / "a.nc", np.array([0.0, 6.0]), name="time", dimension="rec")
    assert times_of(path) == [0.0, 6 * HOUR]
    with session(forcing={"wind": {"file": str(path)}}) as io:
        assert io.open_input("wind").get_at("v", 3 * HOUR) == 5.0


@pytest.mark.parametrize("reading", ["serial", "domain", "independent"])
def test_a_variable_that_is_shorter_than_its_dimensions_has_its_values_in_their_places(
    tmp_path: Path, reading: str
) -> None:
    path = tmp_path / "a.nc"
    values = np.arange(24, dtype="f4").reshape(4, 3, 2)
    with netCDF4.Dataset(path, "w") as data:
        for name in "abc":
            data.createDimension(name, None)
        data.createVariable("short", "f4", ("a", "b", "c"), fill_value=-1.0)[:] = values
        data.createVariable("long", "f4", ("a", "b", "c"))[:] = np.zeros((4, 5, 7))
    wanted = np.full((4, 5, 7), -1.0, "f4")
    wanted[:, :3, :2] = values
    with session(reading=reading) as io, io.open_input(str(path)) as data:
        got = np.stack([data.get("short", record=record) for record in range(4)])
    np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("reading", ["serial", "domain", "independent"])
def test_a_point_that_is_listed_twice_is_got_twice(tmp_path: Path, reading: str) -> None:
    field = np.random.default_rng(1).random((3, 35))
    path = tmp_path / "a.nc"
    xr.Dataset({"v": (("z", "p"), field)}).to_netcdf(path)
    for seed in range(20):
        points = np.random.default_rng(seed).integers(-1, 35, 40)
        with session(reading=reading) as io:
            cells = io.decompose_indices("p", 35, points, masked=True)
            with io.open_input(str(path)) as data:
                data.declare("v", cells)
                got = data.get("v", np.full((3, 40), -1.0))
        np.testing.assert_array_equal(got, np.where(points < 0, -1.0, field[:, points]))


def test_a_point_that_is_listed_twice_is_got_twice_by_time(tmp_path: Path) -> None:
    field = np.random.default_rng(2).random((2, 35))
    since = {"units": "hours since 2000-01-01"}
    xr.Dataset({"v": (("time", "p"), field)}, {"time": ("time", [0.0, 6.0], since)}).to_netcdf(tmp_path / "a.nc")
    points = np.random.default_rng(3).integers(-1, 35, 40)
    with session() as io:
        cells = io.decompose_indices("p", 35, points, masked=True)
        with io.open_input(str(tmp_path / "a.nc")) as data:
            data.declare("v", cells)
            for time_s in (0.0, 3 * HOUR, 6 * HOUR):
                got = data.get_at("v", time_s, np.full(40, -1.0))
                wanted = field[0] + time_s / (6 * HOUR) * (field[1] - field[0])
                np.testing.assert_array_equal(got, np.where(points < 0, -1.0, wanted[points]))


def test_what_hdf5_says_of_a_damaged_chunk_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.nc"
    with h5py.File(path, "w") as data:
        data.create_dataset("v", data=np.arange(1000.0), chunks=(100,), fletcher32=True)
        where = data["v"].id.get_chunk_info(3).byte_offset
    with path.open("r+b") as file:
        file.seek(where + 5)
        file.write(b"\x55")
    with pytest.raises(thalweg.Error, match=r"variable 'v'.*HDF error \(.*checksum"):
        get(path, "v")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(thalweg.Error, match="truncated file"):
        get(path, "v")


def year(path: Path, number: int, units: str | None = None, grows: bool = True, **attributes: Any) -> Path:
    times = [float(number * 4 + record) for record in range(4)]
    first = units or "days since 2000-01-01"
    offset = 0.0 if units is None else float(number * 4)
    data = xr.Dataset(
        {"v": (("time", "x"), np.arange(12.0).reshape(4, 3) + 100.0 * number, attributes)},
        {"time": ("time", np.array(times) - offset, {"units": first})},
    )
    data.to_netcdf(path, unlimited_dims=["time"] if grows else [])
    return path


@pytest.mark.parametrize("grows", [True, False])
def test_a_series_has_the_records_of_all_its_files(tmp_path: Path, grows: bool) -> None:
    year(tmp_path / "a_0.nc", 0, grows=grows)
    year(tmp_path / "a_1.nc", 1, "days since 2000-01-05", grows=grows)
    with thalweg.open(str(tmp_path / "a_*.nc")) as data:
        assert data["v"].shape == (8, 3)
        np.testing.assert_array_equal(data["v"][3:6, 0], [9.0, 100.0, 103.0])
        np.testing.assert_array_equal(data["time"][...], np.arange(8.0))
        dates = data.to_xarray()["time"].values
    np.testing.assert_array_equal(dates, np.datetime64("2000-01-01") + np.arange(8) * np.timedelta64(1, "D"))


def test_files_that_are_packed_otherwise_are_no_series(tmp_path: Path) -> None:
    year(tmp_path / "a_0.nc", 0, scale_factor=0.25)
    year(tmp_path / "a_1.nc", 1, scale_factor=0.5)
    with pytest.raises(ValueError, match="not joined: scale_factor of 'v' differ"):
        thalweg.open(str(tmp_path / "a_*.nc"))


def test_a_forcing_of_many_files_has_few_of_them_open(tmp_path: Path) -> None:
    for number in range(40):
        year(tmp_path / f"a_{number:02}.nc", number)
    forcing = {"wind": {"file": str(tmp_path / "a_%n.nc")}}
    with session(forcing=forcing, **{"reference-date": "2000-01-01"}) as io:
        wind = io.open_input("wind")
        for day in np.arange(0.0, 159.0, 0.5):
            got = wind.get_at("v", float(day) * 86400.0)
            low = np.array([record % 4 * 3.0 + record // 4 * 100.0 for record in (int(day), int(np.ceil(day)))])
            assert got[0] == low.mean()
            open_files = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if is_open(fd)]
            assert len({name for name in open_files if name.startswith(str(tmp_path))}) <= 4


def is_open(fd: str) -> bool:
    return os.path.lexists(f"/proc/self/fd/{fd}")


def test_a_file_that_is_missing_in_a_series_is_asked_for(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for number in (0, 1, 5):
        year(tmp_path / f"a_{number}.nc", number)
    with session(forcing={"wind": {"file": str(tmp_path / "a_%n.nc")}}) as io:
        io.open_input("wind")
    said = capfd.readouterr().err
    assert "a_1.nc' and the first of" in said and "a_5.nc' there are 1123200 s" in said and "is a file missing?" in said


def test_files_of_a_series_whose_times_overlap_are_named(tmp_path: Path) -> None:
    year(tmp_path / "a_0.nc", 0)
    year(tmp_path / "a_1.nc", 1, "days since 2000-01-03")
    with (
        session(forcing={"wind": {"file": str(tmp_path / "a_%n.nc")}}) as io,
        pytest.raises(thalweg.Error, match="the records of '.*a_0.nc' reach up to .* and those of '.*a_1.nc' begin"),
    ):
        io.open_input("wind")


def test_a_store_that_is_filled_with_zeros_may_begin_at_zero(tmp_path: Path) -> None:
    for version in (2, 3):
        store = zarr.open_group(tmp_path / f"a{version}.zarr", mode="w", zarr_format=version)
        names = {"dimension_names": ["time"]} if version == 3 else {}
        for name, values in (("time", np.array([0.0, 6.0])), ("v", np.array([1.0, 2.0]))):
            array = store.create_array(name, shape=(2,), dtype="f8", fill_value=0.0, **names)
            array[:] = values
            array.attrs["units"] = "hours since 2000-01-01" if name == "time" else "1"
            if version == 2:
                array.attrs["_ARRAY_DIMENSIONS"] = ["time"]
        assert times_of(tmp_path / f"a{version}.zarr") == [0.0, 6 * HOUR]


def test_of_several_coordinates_with_dates_the_one_of_time_has_the_records(tmp_path: Path) -> None:
    since = {"units": "hours since 2000-01-01"}
    data = xr.Dataset(
        {"v": (("time", "run"), np.arange(6.0).reshape(3, 2))},
        {"run": ("run", [0.0, 24.0], since), "time": ("time", [0.0, 1.0, 2.0], since | {"calendar": ""})},
    )
    data.to_netcdf(tmp_path / "a.nc")
    data.to_zarr(tmp_path / "a.zarr", zarr_format=2, consolidated=False)
    for name in ("a.nc", "a.zarr"):
        assert times_of(tmp_path / name) == [0.0, HOUR, 2 * HOUR]
        np.testing.assert_array_equal(get(tmp_path / name, "v", record=2), [4.0, 5.0])


def test_a_file_that_another_program_has_written_again_is_compared_with_its_checksums(tmp_path: Path) -> None:
    path = tmp_path / "a.nc"
    with session(collections={"a": {"file": str(path), "format": "cdf5"}}, **{"time-step": "1 h"}) as io:
        cells = io.decompose("x", (4,), (0,), (4,))
        history = io.collection("a")
        history.define_variable("v", "time,x", "f8", cells)
        for step in range(3):
            history.put("v", np.full(4, float(step)))
            io.advance((step + 1) * HOUR)
    assert Path(f"{path}.checksums").exists()
    data = xr.load_dataset(path)
    data.to_netcdf(path)
    np.testing.assert_array_equal(get(path, "v", record=2), np.full(4, 2.0))
    (data * 10).to_netcdf(path)
    with pytest.raises(thalweg.Error, match="its values are not those that were written"):
        get(path, "v", record=2)
