# ctest: SHORT TIMEOUT 120
"""Parts of the day and differences: that files say by CF what they have, and what cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cftime
import numpy as np
import pytest
import thalweg
import xarray as xr
from field_runs import refused, require_conventions

HOUR = 3600.0
TEMP = {
    "units": "degC",
    "units_metadata": "temperature: on_scale",
    "standard_name": "sea_water_temperature",
    "long_name": "temperature",
    "coordinates": "depth",
}
SAID = {
    "title": "a test",
    "history": "none",
    "institution": "ours",
    "source": "none",
    "references": "none",
    "comment": "none",
}


def written(tmp_path: Path, collection: dict[str, Any], hours: int, **session: Any) -> Path:
    file = tmp_path / "c.nc"
    said = {"file": str(file), "attributes": SAID} | collection
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"c": said}} | session) as io:
        fixed = []
        for name, size, units in (("latitude", 3, "degrees_north"), ("longitude", 4, "degrees_east")):
            io.define_field_dimension(name[:3], size)
            field = io.define_field(name[:3], name[:3], np.float64, static=True, units=units, standard_name=name)
            fixed.append((field, np.arange(float(size))))
        depth = io.define_field(
            "depth", "", np.float64, static=True, units="m", positive="down", standard_name="depth", axis="Z"
        )
        temp = io.define_field("ocean/temp", "lat,lon", np.float32, **TEMP)
        for field, values in [*fixed, (depth, 5.0)]:
            field.put(values)
        if collection.get("initial-record"):
            temp.put(np.full((3, 4), 7.0))
            io.advance(0.0)
        for hour in range(1, hours + 1):
            temp.put(np.full((3, 4), float(hour)))
            io.advance(hour * HOUR)
    return file


def test_a_month_of_days_is_as_the_conventions_have_it(tmp_path: Path) -> None:
    """With the bounds of their example, of April 1997."""
    fields = ["temp", {"from": "temp", "operation": "diurnal 24", "name": "cycle"}]
    monthly = {"every": "1 month", "operation": "mean", "fields": fields}
    file = written(tmp_path, monthly, 61 * 24, **{"reference-date": "1997-04-01"})
    require_conventions(file)
    with xr.open_dataset(file) as data:
        assert data["cycle"].dims == ("time", "time_of_day_24", "lat", "lon")
        assert data["cycle"].attrs["cell_methods"] == ("time: mean within days time: mean over days")
        assert data["temp"].attrs["cell_methods"] == "time: mean (interval: 1 hour)"
        assert data["climatology_24"].dims == ("time", "time_of_day_24") and "climatology_24" in data["cycle"].coords
        times, bounds = data["climatology_24"].values, data["climatology_24_bnds"].values
        day = np.datetime64("1997-04-01T00:00", "ns")
        hours = np.arange(24) * np.timedelta64(1, "h")
        assert (times[0] == day + hours + np.timedelta64(30, "m")).all()
        assert (bounds[0, :, 0] == day + hours).all()
        assert (bounds[0, :, 1] == np.datetime64("1997-04-30T01:00", "ns") + hours).all()
        assert (bounds[1, :, 1] == np.datetime64("1997-05-31T01:00", "ns") + hours).all()
        assert (data["time_of_day_24"].values == np.arange(24) + 0.5).all()
        all_days = np.arange(1.0, 61 * 24 + 1).reshape(61, 24)
        for month, days in enumerate((slice(0, 30), slice(30, 61))):
            assert (data["cycle"].values[month, :, 1, 2] == all_days[days].mean(axis=0)).all()


def test_days_are_those_of_the_calendar(tmp_path: Path) -> None:
    """The reference date is no midnight."""
    daily = {"every": "30 d", "operation": "diurnal 4", "fields": ["temp"]}
    keys = {"calendar": "360_day", "reference-date": "2001-02-30T21:00:00"}
    file = written(tmp_path, daily, 27, **keys)
    with xr.open_dataset(file, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True)) as data:
        assert data["temp"].values[:, :, 0, 0].tolist()[0] == [6.5, 12.5, 18.5, 17.0]
        assert data["climatology_4_bnds"].values[0].tolist() == [
            [cftime.Datetime360Day(2001, 3, 1, 0), cftime.Datetime360Day(2001, 3, 1, 6)],
            [cftime.Datetime360Day(2001, 3, 1, 6), cftime.Datetime360Day(2001, 3, 1, 12)],
            [cftime.Datetime360Day(2001, 3, 1, 12), cftime.Datetime360Day(2001, 3, 1, 18)],
            [cftime.Datetime360Day(2001, 2, 30, 18), cftime.Datetime360Day(2001, 3, 2, 0)],
        ]


def test_a_difference_says_that_it_is_one(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    both = ["temp", {"from": "temp", "operation": "mean", "name": "average"}]
    daily = {"every": "12 h", "operation": "difference", "fields": both}
    file = written(tmp_path, daily | {"initial-record": True}, 24)
    assert "difference: in the first interval" not in capfd.readouterr().err
    require_conventions(file)
    with xr.open_dataset(file) as data:
        assert data["temp"].values[:, 0, 0].tolist() == [5.0, 12.0]
        assert data["average"].values[:, 0, 0].tolist() == [6.5, 18.5]
        attributes = data["temp"].attrs
        assert attributes["long_name"] == "change of temperature" and attributes["units"] == "degC"
        assert attributes["units_metadata"] == "temperature: difference"
        assert "standard_name" not in attributes and "cell_methods" not in attributes
        assert data["average"].attrs["standard_name"] == "sea_water_temperature"
    file = written(tmp_path, daily, 24)
    assert "difference: in the first interval of a run it is missing" in capfd.readouterr().err
    with xr.open_dataset(file) as data:
        assert np.isnan(data["temp"].values[0]).all() and data["temp"].values[1, 0, 0] == 12.0


def test_a_run_that_does_not_stand_at_its_start_is_told_to(tmp_path: Path) -> None:
    daily = {"file": str(tmp_path / "c.nc"), "every": "12 h", "operation": "difference", "fields": ["x"]}
    settings = {"report": "none", "time-step": "1 h", "collections": {"c": daily | {"initial-record": True}}}
    with thalweg.start(config=settings, on_exception="raise") as io:
        field = io.define_field("x", "", np.float64)
        field.put(1.0)
        with pytest.raises(thalweg.Error, match="'initial-record' is on, so the first advance must be at the start"):
            io.advance(HOUR)


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ({"operation": "diurnal"}, "operation: 'diurnal': of how many parts of the day is not said"),
        ({"operation": "diurnal x"}, "as in diurnal 24"),
        ({"operation": "diurnal 1"}, "'diurnal 1': of how many parts of the day is not said; 2 or more"),
        ({"operation": "diurnal 7"}, "'diurnal 7': parts of the day are whole seconds, and 7 does not divide 86400"),
        ({"operation": "diurnal 4", "every": "6 h"}, "every: 6 h is shorter than a day, of which 'diurnal 4' has all"),
        ({"operation": "diurnal 48"}, "operation: 'diurnal 48' has parts of 30 min, which are shorter than the time-s"),
        ({"fields": [{"from": "a/x", "operation": "diurnal 48"}]}, "fields: 'diurnal 48' has parts of 30 min"),
        ({"fields": [{"name": "y", "expression": "diurnal(x)"}]}, "'diurnal' is no function or operation"),
        ({"operation": "diurnl 4"}, "'diurnl 4' is none of instant"),
        ({"operation": "difference", "straddle": "split"}, "the difference would have a step twice"),
        ({"operation": "mean", "initial-record": True}, "initial-record: nothing was gathered at the start"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, keys: dict[str, Any], wanted: str) -> None:
    assert wanted in refused(tmp_path, {"fields": ["a/x"], "every": "1 d"} | keys)
