# ctest: SHORT TIMEOUT 60
"""Bounds of a dataset that a collection is defined like: in the units and the calendar of their coordinate."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import xarray
from support import mpi, python

UNITS, CALENDAR = "days since 1850-01-01", "noleap"
MODEL = """
import sys
import thalweg
import xarray

calendar, decode = sys.argv[1], sys.argv[2] == "decoded"
settings = {"report": "none", "calendar": calendar, "reference-date": "1850-01-01", "collections": {"history": {}}}
coder = xarray.coders.CFDatetimeCoder(use_cftime=True) if decode else False
with xarray.open_dataset("cmip.nc", decode_times=coder) as cmip, thalweg.start(config=settings) as io:
    cells = thalweg.decompose_like(io, cmip, "lat")
    history = io.collection("history")
    try:
        history.define_like(cmip, cells)
    except ValueError as error:
        print(error)
        sys.exit()
    for step in range(2):
        history.put_dataset(cmip.isel(time=step))
        io.advance((step * 31 + 15.5) * 86400)
"""


def run(folder: Path, calendar: str, decoded: str) -> str:
    """A year of a model of CMIP, cut short."""
    with netCDF4.Dataset(folder / "cmip.nc", "w") as file:
        for name, size in (("time", None), ("lat", 3), ("bnds", 2)):
            file.createDimension(name, size)
        time = file.createVariable("time", "f8", ("time",))
        time.setncatts({"units": UNITS, "calendar": CALENDAR, "bounds": "time_bnds", "axis": "T"})
        time[:] = [15.5, 46.5]
        file.createVariable("time_bnds", "f8", ("time", "bnds"))[:] = [[0, 31], [31, 62]]
        lat = file.createVariable("lat", "f8", ("lat",))
        lat.setncatts({"units": "degrees_north", "bounds": "lat_bnds"})
        lat[:] = [-60, 0, 60]
        file.createVariable("lat_bnds", "f8", ("lat", "bnds"))[:] = [[-90, -30], [-30, 30], [30, 90]]
        file.createVariable("tas", "f4", ("time", "lat"))[:] = np.arange(6).reshape(2, 3)
    (folder / "model.py").write_text(MODEL)
    done = mpi.launch(
        ["-n", 1, *python.INTERPRETER, "model.py", calendar, decoded], folder, 30, {"PYTHONPATH": python.PATHS}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_bounds_of_time_are_counted_as_time_is(tmp_path: Path) -> None:
    assert run(tmp_path, "365_day", "decoded") == ""
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        assert file["time"].units == file["time_bnds"].units == "seconds since 1850-01-01 00:00:00"
        assert file["time"].calendar == file["time_bnds"].calendar == "noleap"
        assert file["time"].bounds == "time_bnds"
        assert file["time_bnds"][:].tolist() == [[0, 31 * 86400], [31 * 86400, 62 * 86400]]
        assert file["lat_bnds"][:].tolist() == [[-90, -30], [-30, 30], [30, 90]]
        assert not set(file["lat_bnds"].ncattrs()) & {"units", "calendar"}
    with xarray.open_dataset(tmp_path / "cmip.nc") as cmip, xarray.open_dataset(tmp_path / "history.nc") as history:
        for name in ("time", "time_bnds", "tas"):
            assert (cmip[name].values == history[name].values).all(), name


def test_numbers_that_nobody_has_decoded_say_how_they_count(tmp_path: Path) -> None:
    assert run(tmp_path, "noleap", "as stored") == ""
    with xarray.open_dataset(tmp_path / "cmip.nc") as cmip, xarray.open_dataset(tmp_path / "history.nc") as history:
        assert (cmip["time_bnds"].values == history["time_bnds"].values).all()


def test_dates_of_another_calendar_are_refused(tmp_path: Path) -> None:
    said = run(tmp_path, "360_day", "decoded")
    assert "'time_bnds' has dates of the calendar noleap, and time is counted in the calendar 360_day" in said
    assert "set 'calendar: noleap' in the configuration" in said


def bounds_defined(tmp_path: Path, dataset: str, own: str = "") -> list[str]:
    """What define_like makes of a dataset that Python's text gives, and of its attributes; or the error."""
    (tmp_path / "define.py").write_text(DEFINE.replace("OWN", own).replace("DATASET", dataset))
    done = mpi.launch(["-n", 1, *python.INTERPRETER, "define.py"], tmp_path, 30, {"PYTHONPATH": python.PATHS})
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


DEFINE = """
import numpy as np
import thalweg
import xarray

settings = {"report": "none", "reference-date": "1850-01-01", "collections": {"history": {}}}
dates = np.array(["1850-01-16", "1850-02-15"], "datetime64[ns]")
pairs = np.array([["1850-01-01", "1850-02-01"], ["1850-02-01", "1850-03-01"]], "datetime64[ns]")
days = {"units": "days since 1850-01-01", "calendar": "standard"}
with thalweg.start(config=settings) as io:
    history = io.collection("history")
    OWN
    dataset = xarray.Dataset(DATASET)
    try:
        history.define_like(dataset)
    except ValueError as error:
        print(error)
    for name in sorted(dataset.variables):
        for key in ("units", "calendar", "bounds", "climatology", "grid_mapping"):
            if (name, key) in history.said:
                print(name, key, history.said[name, key])
"""
TIME = '"time": ("time", dates, {"bounds": "b"}, days)'
DATES = '"b": (("time", "n"), pairs)'
SECONDS = "b units seconds since 1850-01-01 00:00:00"


def test_of_bounds_that_coordinates_share_the_count_of_time_is_the_last_word(tmp_path: Path) -> None:
    other = '"a": ("time", dates, {"bounds": "b"}, days)'
    assert SECONDS in bounds_defined(tmp_path, f"{{{TIME}, {other}, {DATES}}}")


def test_no_units_are_invented_for_numbers(tmp_path: Path) -> None:
    numbers = '{"time": ("time", dates, {"bounds": "b"}), "b": (("time", "n"), np.zeros((2, 2)))}'
    assert not [line for line in bounds_defined(tmp_path, numbers) if line.startswith("b units")]


def test_bounds_are_counted_as_a_time_of_the_model_s_own(tmp_path: Path) -> None:
    own = 'history.define_variable("time", "time", np.float64, units="hours since 1850-01-01", calendar="standard")'
    assert "b units hours since 1850-01-01" in bounds_defined(tmp_path, f"{{{TIME}, {DATES}}}", own)


def test_bounds_that_are_no_dates_are_refused(tmp_path: Path) -> None:
    said = bounds_defined(tmp_path, f'{{{TIME}, "b": (("time", "n"), pairs - pairs[0, 0])}}')
    assert "'b' has differences of time, and bounds of time are dates; leave it out: drop_vars('b')" in said[0]


def test_what_xarray_keeps_in_the_encoding_is_said_too(tmp_path: Path) -> None:
    coded = '"t": ("time", [1.0, 2.0], {}, {"grid_mapping": "crs"}), "crs": ((), 0)'
    climate = '"time": ("time", dates, {}, days | {"climatology": "b"})'
    said = bounds_defined(tmp_path, f"{{{climate}, {coded}, {DATES}}}")
    assert SECONDS in said
    assert "t grid_mapping crs" in said


def test_a_list_in_place_of_a_name_is_none(tmp_path: Path) -> None:
    assert bounds_defined(tmp_path, '{"time": ("time", dates, {"bounds": [1, 2]}, days)}') == []
