# ctest: SHORT TIMEOUT 240
"""Fields got by time: between records, over several files, in cycles, into halos and lists of points."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import cftime
import netCDF4
import numpy as np
import pytest
import thalweg
import xarray as xr
from support import python

HOUR = 3600.0
NY, NX = 9, 12


def record(number: int) -> np.ndarray[Any, Any]:
    """As programs/forced.py has it."""
    values = np.random.default_rng(number).random((NY, NX), "f4") * 20 - 10
    values[number % NY, :3] = np.nan
    return values


def write(path: Path, numbers: range, calendar: str = "standard", **encoding: Any) -> None:
    values = np.stack([record(number) for number in numbers])
    times = ("time", [6.0 * number for number in numbers], {"units": "hours since 2000-01-01", "calendar": calendar})
    data = xr.Dataset({name: (("time", "lat", "lon"), values) for name in ("u", "v")}, {"time": times})
    plain: dict[str, Any] = {"_FillValue": np.float32(1e20)} | encoding
    if path.suffix == ".zarr":
        stored = {name: plain | {"compressors": None} for name in ("u", "v")}
        data.to_zarr(path, zarr_format=3, encoding=stored, consolidated=False)
    else:
        data.to_netcdf(path, encoding={name: plain for name in ("u", "v")}, unlimited_dims=["time"])


def settings(file: str, **keys: Any) -> dict[str, Any]:
    session = {key: keys.pop(key) for key in ("reading", "writers", "calendar", "emulate-nodes") if key in keys}
    return session | {"forcing": {"wind": {"file": file} | keys}}


# What is read, by how many ranks, and how.
WAYS: dict[str, tuple[str, int, dict[str, Any], str]] = {
    "one netCDF-4 file": ("wind.nc", 1, {}, "linear"),
    "readers of domains": ("wind.nc", 3, {"reading": "domain"}, "linear"),
    "each rank by itself": ("wind.nc", 2, {"reading": "independent"}, "linear"),
    "five ranks on three nodes": ("wind.nc", 5, {"reading": "domain", "emulate-nodes": [2, 2, 1]}, "linear"),
    "beside servers": ("wind.nc", 3, {"writers": {"ranks": 1}}, "linear"),
    "CDF": ("wind3.nc", 2, {}, "linear"),
    "a dimension of time that does not grow": ("fixed.nc", 2, {}, "linear"),
    "such a one in CDF": ("fixed3.nc", 3, {"reading": "domain"}, "linear"),
    "a store": ("wind.zarr", 2, {}, "linear"),
    "a series of files": ("wind_%Y%m%d.nc", 2, {}, "linear"),
    "the nearest": ("wind.nc", 2, {"interpolation": "nearest"}, "nearest"),
    "the last": ("wind.nc", 2, {"interpolation": "step"}, "step"),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wind")
    write(folder / "wind.nc", range(8), chunksizes=(1, 4, 5), zlib=True)
    data = xr.open_dataset(folder / "wind.nc", decode_times=False, mask_and_scale=False)
    data.to_netcdf(folder / "wind3.nc", format="NETCDF3_CLASSIC", unlimited_dims=["time"])
    data.to_netcdf(folder / "fixed.nc")
    data.to_netcdf(folder / "fixed3.nc", format="NETCDF3_64BIT")
    write(folder / "wind.zarr", range(8))
    write(folder / "wind_20000102.nc", range(4, 8))
    write(folder / "wind_20000101.nc", range(4))
    return folder


@pytest.mark.parametrize("way", WAYS)
def test_values_are_those_between_the_records(files: Path, way: str) -> None:
    file, ranks, keys, kind = WAYS[way]
    said = python.run("forced.py", ranks, files, settings(file, **keys), kind, 29, 1.5 * HOUR, 0)
    assert said == "compared\n"


def test_records_come_again(files: Path) -> None:
    cycle = settings("wind.nc", cycle="2 d")
    assert python.run("forced.py", 2, files, cycle, "linear", 40, 2.5 * HOUR, -30 * HOUR, "cycle") == "compared\n"


def one(folder: Path, keys: dict[str, Any], time_s: float, dtype: str = "f4") -> np.ndarray[Any, Any]:
    """Of one rank."""
    with thalweg.start(config={"report": "none"} | settings(str(folder / "wind.nc"), **keys)) as io:
        return io.open_input("wind").get_at("u", time_s, dtype=dtype)


def test_a_path_is_read_by_time_too(files: Path) -> None:
    with thalweg.start(config={"report": "none"}) as io, io.open_input(str(files / "wind.nc")) as wind:
        wind.set_missing("u", -1.0)
        got = wind.get_at("u", 3 * HOUR)
    wanted = (record(0).astype("f8") + 0.5 * (record(1).astype("f8") - record(0))).astype("f4")
    np.testing.assert_array_equal(got, np.where(np.isnan(wanted), np.float32(-1.0), wanted))


def test_only_what_the_file_marks_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "wind.nc"
    stored = {
        "u": np.array([[1.0, np.nan, 1e20, -5.0, 2.0], [3.0, 4.0, 5.0, -5.0, np.nan]], "f4"),
        "d": np.array([[1.0, np.nan, 1e20, -5.0, 2.0], [3.0, 4.0, 5.0, -5.0, np.nan]], "f8"),
        "packed": np.array([[2, 4, -1, -7, 6], [4, 6, 8, -7, -1]], "i2"),
    }
    with netCDF4.Dataset(path, "w") as file:
        file.set_auto_maskandscale(False)
        file.createDimension("time", None)
        file.createDimension("x", 5)
        file.createVariable("time", "f8", ("time",)).units = "hours since 2000-01-01"
        file["time"][:] = [0.0, 6.0]
        for name, values in stored.items():
            of = file.createVariable(name, values.dtype, ("time", "x"), fill_value=values[0, 2])
            of.missing_value = values[0, 3]
            of[:] = values
        file["packed"].scale_factor = 0.5
    nan = np.nan
    wanted = {
        "u": ([1.0, nan, -1.0, -1.0, 2.0], [2.0, nan, -1.0, -1.0, nan]),
        "d": ([1.0, nan, -1.0, -1.0, 2.0], [2.0, nan, -1.0, -1.0, nan]),
        "packed": ([1.0, 2.0, -1.0, -1.0, 3.0], [1.5, 2.5, -1.0, -1.0, -1.0]),
    }
    with thalweg.start(config={"report": "none"}) as io, io.open_input(str(path)) as wind:
        for name, (exact, between) in wanted.items():
            for dtype in ("f4", "f8"):
                wind.set_missing(name, -1.0)  # begins anew, with another type
                np.testing.assert_array_equal(wind.get(name, record=0, dtype=dtype), np.array(exact, dtype))
                np.testing.assert_array_equal(wind.get_at(name, 0.0, dtype=dtype), np.array(exact, dtype))
                np.testing.assert_array_equal(wind.get_at(name, 3 * HOUR, dtype=dtype), np.array(between, dtype))


def test_what_one_file_of_a_series_refuses_changes_none(files: Path, tmp_path: Path) -> None:
    shutil.copy(files / "wind_20000101.nc", tmp_path / "wind_2000.nc")
    data = xr.open_dataset(files / "wind_20000102.nc", decode_times=False, mask_and_scale=False)
    narrow = data.isel(lon=slice(0, NX - 1)).assign(u=(("time", "lat", "lon"), np.full((4, NY, NX - 1), "a", "S1")))
    narrow.to_netcdf(tmp_path / "wind_2001.nc", unlimited_dims=["time"], encoding={"u": {"char_dim_name": "one"}})
    with thalweg.start(config={"report": "none"} | settings(str(tmp_path / "wind_%Y.nc"))) as io:
        wind = io.open_input("wind")
        filled = np.nan_to_num(record(0), nan=np.float32(1e20))
        with pytest.raises(thalweg.Error, match="wind_2001.nc'.*lon"):
            wind.select("v", f"lon[0:{NX}]")
        with pytest.raises(thalweg.Error, match="wind_2001.nc'.*dimension 'lon' has 11 cells"):
            wind.declare("v", io.decompose("lat,lon", (NY, NX), (0, 0), (NY, NX)), dims="time,lat,lon")
        assert wind.variable("v").shape == (NY, NX)
        np.testing.assert_array_equal(wind.get("v", record=0), filled)
        with pytest.raises(thalweg.Error, match="wind_2001.nc'.*holds text"):
            wind.set_missing("u", -1.0)
        np.testing.assert_array_equal(wind.get("u", record=0), filled)


def test_a_record_that_is_read_ahead_may_be_got_meanwhile(files: Path) -> None:
    with thalweg.start(config={"report": "none"}) as io, io.open_input(str(files / "wind.nc")) as wind:
        wind.get_at("u", 3 * HOUR)  # record 2 is read ahead
        np.testing.assert_array_equal(wind.get("u", record=2), np.nan_to_num(record(2), nan=np.float32(1e20)))
        np.testing.assert_array_equal(wind.get_at("u", 12 * HOUR), record(2))
        np.testing.assert_array_equal(wind.get_at("u", 36 * HOUR), record(6))  # and not 3, which is read ahead


def test_the_profile_says_what_was_read(files: Path, tmp_path: Path) -> None:
    configured = settings(str(files / "wind_%Y%m%d.nc")) | {"profile": str(tmp_path / "profile.json")}
    with thalweg.start(config={"report": "none"} | configured) as io:
        wind = io.open_input("wind")
        for hour in range(1, 12):  # three records
            wind.get_at("u", hour * HOUR)
        with io.open_input(str(files / "wind3.nc")) as other:
            other.get("v", record=2)
    counted = json.loads((tmp_path / "profile.json").read_text())["ranks"][0]["inputs"]
    whole = {Path(of["name"]).name: (of["gets"], of["get_bytes"] / (NY * NX * 4)) for of in counted}
    assert whole == {"wind": (3, 3.0), "wind3.nc": (1, 1.0)}
    assert all(of["get_s"] >= of["wait_read_s"] > 0 for of in counted)


def test_a_part_of_a_field_is_got_by_time(files: Path) -> None:
    with thalweg.start(config={"report": "none"} | settings(str(files / "wind_%Y%m%d.nc"))) as io:
        wind = io.open_input("wind")
        wind.select("u", "lat[2:8:3], lon[4:9]")
        between = record(3).astype("f8") + 0.5 * (record(4).astype("f8") - record(3))
        np.testing.assert_array_equal(wind.get_at("u", 21 * HOUR), between.astype("f4")[2:8:3, 4:9])
        wind.select("u", "lon[0:5]")  # the record that is read ahead is of the other part
        np.testing.assert_array_equal(wind.get_at("u", 30 * HOUR), record(5)[:, 0:5])
        assert list(wind.times) == [6 * HOUR * number for number in range(8)]
        np.testing.assert_array_equal(wind.get("u", record=6)[0], record(6)[0, 0:5])


def test_what_lies_outside_is_an_error_or_held(files: Path) -> None:
    with pytest.raises(thalweg.Error, match="forcing 'wind' has nothing at 151201 s.*its last at 151200 s") as error:
        one(files, {}, 42 * HOUR + 1)
    assert error.value.code.name == "NAME"
    np.testing.assert_array_equal(one(files, {"outside": "hold"}, 50 * HOUR), record(7))
    np.testing.assert_array_equal(one(files, {"outside": "hold"}, -1.0), record(0))


def test_times_of_another_calendar_are_those_of_the_same_dates(tmp_path: Path) -> None:
    write(tmp_path / "wind.nc", range(230, 245), calendar="standard")  # 2000-02-27 12:00 to 2000-03-02 00:00
    day = 86400.0
    # Without 29 February, of which four records are, the last one before it is followed by the first of March.
    first = (31 + 27) * day + 18 * HOUR
    got = one(tmp_path, {"calendar": "noleap"}, first + 3 * HOUR, "f8")
    low, high = record(235).astype("f8"), record(240).astype("f8")
    np.testing.assert_array_equal(got, low + 0.5 * (high - low))


UNITS = [
    "hours since 2001-01-01 00:00:00.000000",
    "hours since 1900-01-01 00:00:0.0",
    "days since 1-1-1 00:00:0.0",
    "days since 1979-1-1",
    "days since 1979-12-31T06:30:00Z",
    "hours since 2000-01-01 00:00:00 -06:00",
    "Hours since 2000-01-01 06:30:15.5",
    "minutes since 2000-01-01 12:00",
    "milliseconds since 2000-01-01",
]


@pytest.mark.parametrize(
    "calendar", ["standard", "Gregorian", "proleptic_gregorian", "NOLEAP", "365_day", "julian", "360_day"]
)
def test_times_are_understood_as_cftime_does(tmp_path: Path, calendar: str) -> None:
    run = {"gregorian": "standard", "365_day": "noleap"}.get(calendar.lower(), calendar.lower())
    for number, units in enumerate(UNITS):
        if calendar == "360_day" and "-31" in units:
            continue
        path, days = tmp_path / f"{number}.nc", [730500.0, 730600.25]
        times = cftime.date2num(cftime.num2date(days, "days since 0001-01-01", calendar=run), units, calendar=run)
        with netCDF4.Dataset(path, "w") as data:
            data.createDimension("time", None)
            time = data.createVariable("time", "f8", "time")
            time.setncatts({"units": units, "calendar": calendar})
            time[:] = times
        dates = cftime.num2date(netCDF4.Dataset(path)["time"][:], units, calendar=run)
        wanted = cftime.date2num(dates, "seconds since 2000-01-01", calendar=run)
        config = {"report": "none", "calendar": run, "reference-date": "2000-01-01"}
        with thalweg.start(config=config) as io, io.open_input(str(path)) as data:
            np.testing.assert_allclose(data.times, wanted, rtol=0, atol=1e-3, err_msg=units)


def test_what_is_no_forcing_is_refused(files: Path, tmp_path: Path) -> None:
    with pytest.raises(thalweg.Error, match="get it into an array of float32 or float64"):
        one(files, {}, 3 * HOUR, "i4")
    nowhere = {"report": "none"} | settings(str(tmp_path / "none_%Y.nc"))
    none = pytest.raises(thalweg.Error, match="there is no file of a name like .*none_%Y.nc")
    with thalweg.start(config=nowhere) as io, none:
        io.open_input("wind")
    with pytest.raises(thalweg.Error, match="do not fit into its cycle"):
        one(files, {"cycle": "1 d"}, 0.0)
    configured = {"report": "none"} | settings(str(files / "wind.nc"))
    with thalweg.start(config=configured) as io, io.open_input("wind") as wind:
        with pytest.raises(thalweg.Error, match="nan s is no time"):
            wind.get_at("u", float("nan"))
        with pytest.raises(thalweg.Error, match="no variable 'w'"):
            wind.get_at("w", 0.0)
        wind.get_at("u", 0.0, dtype="f8")
        with pytest.raises(thalweg.Error, match="it was got into an array of float64 of the extents .9,12. first"):
            wind.get_at("u", 0.0, dtype="f4")
        with pytest.raises(TypeError):
            wind.get_at("u", "2000-01-01")  # type: ignore[arg-type]


def test_a_damaged_record_is_an_error_when_it_is_wanted(files: Path, tmp_path: Path) -> None:
    bad = tmp_path / "wind.nc"
    shutil.copy(files / "wind3.nc", bad)
    with thalweg.start(config={"report": "none"} | settings(str(bad))) as io, io.open_input("wind") as wind:
        wind.get_at("u", 0.0)  # the second record is read ahead
        os.truncate(bad, bad.stat().st_size - NY * NX * 4 * 13)  # without a moment in which it has nothing
        with pytest.raises(thalweg.Error, match="cut short while it was read"):
            for hour in range(40):
                wind.get_at("u", hour * HOUR)


@pytest.mark.parametrize("way", ["get", "get_at"])
@pytest.mark.parametrize("file", ["wind.nc", "wind3.nc"])
def test_a_file_that_is_cut_short_while_it_is_open_is_an_error(
    files: Path, tmp_path: Path, file: str, way: str
) -> None:
    path = tmp_path / "wind.nc"
    if file == "wind.nc":
        write(path, range(8))  # not compressed: what HDF5 finds behind the end are zeros
    else:
        shutil.copy(files / file, path)
    with thalweg.start(config={"report": "none"}) as io, io.open_input(str(path)) as wind:
        wind.get_at("u", 0.0)
        os.truncate(path, path.stat().st_size * 6 // 10)
        with pytest.raises(thalweg.Error, match="cut short while it was read") as error:
            for number in range(2, 8):
                wind.get("u", record=number) if way == "get" else wind.get_at("u", (6 * number - 3) * HOUR)
        assert error.value.code.name == "STORAGE"


def test_a_netcdf4_file_that_is_written_to_while_it_is_open_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "wind.nc"
    write(path, range(8))
    with thalweg.start(config={"report": "none"}) as io, io.open_input(str(path)) as wind:
        np.testing.assert_array_equal(wind.get_at("u", 0.0), record(0))
        written = path.read_bytes()
        with path.open("r+b") as other:
            other.write(written)
        os.utime(path, (1e9, 1e9))  # clocks of file systems are coarse
        with pytest.raises(thalweg.Error, match="has changed since it was opened"):
            wind.get("u", record=5)
    write(tmp_path / "other.nc", range(8, 16))
    with thalweg.start(config={"report": "none"}) as io, io.open_input(str(path)) as wind:
        wind.get_at("u", 0.0)
        (tmp_path / "other.nc").rename(path)  # the file that is open stays
        np.testing.assert_array_equal(wind.get_at("u", 30 * HOUR), record(5))


def test_a_file_that_lacks_the_field_is_an_error_when_it_is_wanted(tmp_path: Path) -> None:
    write(tmp_path / "wind_2000.nc", range(4))
    later = xr.Dataset({"w": ("time", [1.0])}, {"time": ("time", [24.0], {"units": "hours since 2000-01-01"})})
    later.to_netcdf(tmp_path / "wind_2001.nc", unlimited_dims=["time"])
    with thalweg.start(config={"report": "none"} | settings(str(tmp_path / "wind_%Y.nc"))) as io:
        wind = io.open_input("wind")
        np.testing.assert_array_equal(wind.get_at("u", 18 * HOUR), record(3))  # whose next one cannot be read ahead
        with pytest.raises(thalweg.Error, match="wind_2001.nc' has no variable 'u'"):
            wind.get_at("u", 18.5 * HOUR)
