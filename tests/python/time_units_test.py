# ctest: SHORT TIMEOUT 120
"""Times of files in units that the libraries of Python take for others, or for none: as the core takes them. That it
does is seen in opened_test.py."""

from __future__ import annotations

import warnings
from pathlib import Path

import cftime
import netCDF4
import numpy as np
import pytest
import xarray
from support import python, time_forms  # noqa: F401 - python finds the package of the build folder
from thalweg.series_meaning import Meaning, conversion_of
from thalweg.time_units import parsed, plain
from thalweg.xarray_backend import ThalwegBackend

START = np.datetime64("2000-01-01")


def seconds_of(name: Path | str) -> list[float]:
    with xarray.open_dataset(name, engine=ThalwegBackend) as found:
        return [float(time) for time in (found["time"].values - START) / np.timedelta64(1, "s")]


@pytest.mark.parametrize("units", time_forms.FORMS)
def test_xarray_gets_times_as_they_are_meant(tmp_path: Path, units: str) -> None:
    time_forms.write(tmp_path / "a_1.nc", "days since 2000-01-01", 0.0)
    time_forms.write(tmp_path / "a_2.nc", units, 1.0)
    meant = pytest.approx(time_forms.FORMS[units], abs=1e-5)
    assert seconds_of(tmp_path / "a_2.nc") == [meant], "of a file alone"
    assert seconds_of(tmp_path / "a_*.nc") == [0, meant], "of a series"


@pytest.mark.parametrize("units", [*time_forms.FORMS, *time_forms.WEEKS])
def test_a_series_counts_from_any_of_its_files(units: str) -> None:
    here, there = ({"units": text} for text in (units, "seconds since 2000-01-01 00:00 -1:00"))
    meant = (time_forms.FORMS | time_forms.WEEKS)[units] - 3600
    for wanted, given, one, other in ((there, here, 1.0, meant), (here, there, meant, 1.0)):
        convert = conversion_of("time", Meaning("a.nc", wanted), Meaning("b.nc", given), np.dtype("f8"))
        assert convert is not None
        assert convert(np.array([one]))[0] == pytest.approx(other, rel=1e-12, abs=1e-6)


@pytest.mark.parametrize("units", time_forms.NONE)
def test_what_the_core_does_not_take_is_left_as_it_is(units: str) -> None:
    assert parsed(units, "standard") is None and plain(units, "standard") == units
    plain_ones = Meaning("a.nc", {"units": "days since 2000-01-01"})
    with pytest.raises(ValueError, match=r"'a\.nc' and 'b\.nc' are not joined: units of 'time' differ"):
        conversion_of("time", plain_ones, Meaning("b.nc", {"units": units}), np.dtype("f8"))


@pytest.mark.parametrize("units", ["days since 2000-1-1", "hours since 1900-01-01 06:00:00.5", "m", 7, None])
def test_what_needs_no_other_words_keeps_its_own(units: object) -> None:
    assert plain(units, "standard") is units


@pytest.mark.parametrize("calendar", ["standard", "noleap", "360_day", "all_leap", "julian", "proleptic_gregorian"])
@pytest.mark.parametrize("date", ["0001-01-01", "1582-10-04 12:00", "1850-03-01", "2000-02-28 18:30:00"])
def test_plain_dates_are_those_of_cftime(calendar: str, date: str) -> None:
    found = parsed(f"days since {date}", calendar)
    assert found is not None
    wanted = cftime.num2date(0, f"days since {date}", calendar, has_year_zero=True)
    assert found.reference == wanted
    clock = "" if " " in date else " 00"
    zoned = parsed(f"days since {date}{clock} -6", calendar)
    assert zoned is not None and (zoned.reference - wanted).total_seconds() == 6 * 3600


def test_a_month_is_thirty_days_where_all_are() -> None:
    of_360 = parsed("months since 2000-01-01", "360_day")
    assert of_360 is not None and of_360.microseconds == 30 * 86400 * 10**6
    assert plain("months since 2000-01-01 12", "360_day") == "months since 2000-01-01 12:00:00"


def test_years_that_others_count_otherwise_are_left_to_them() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cftime.CFWarning)
        assert plain("days since -0004-01-01 12", "standard") == "days since -0004-01-01 12"
    assert plain("days since -0004-01-01 12", "noleap") == "days since -0004-01-01 12:00:00"


def test_numbers_that_need_no_other_reference_stay_to_the_last_bit() -> None:
    one, two = (Meaning("a.nc", {"units": f"days since 2000-01-01{clock}"}) for clock in ("", " 00:00"))
    convert = conversion_of("time", one, two, np.dtype("f8"))
    values = np.random.default_rng(1).random(1000) * 1e5
    assert convert is not None and (convert(values) == values).all()


@pytest.mark.parametrize("key", ["bounds", "climatology"])
def test_bounds_without_units_are_counted_with_their_time(tmp_path: Path, key: str) -> None:
    for number, units in ((1, "days since 2000-01-01"), (2, "hours since 2000-01-01 12")):
        time_forms.write(tmp_path / f"a_{number}.nc", units, 1.0)
        with netCDF4.Dataset(tmp_path / f"a_{number}.nc", "a") as file:
            file.createDimension("two", 2)
            file["time"].setncattr(key, "edges")
            file.createVariable("edges", "f8", ("time", "two"))[:] = [[0.0, 2.0]]
    with xarray.open_dataset(tmp_path / "a_*.nc", engine=ThalwegBackend, decode_times=False) as found:
        assert found["edges"].values == pytest.approx(np.array([[0, 2], [0.5, 0.5 + 2 / 24]]))
