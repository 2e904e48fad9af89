# ctest: SHORT TIMEOUT 300
"""Fields that the configuration chooses: what is gathered over intervals of time, and how files say it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
import xarray as xr
from day_cases import DAYS
from field_cases import CASES, CELLS, Case
from field_runs import opened, refused, require_conventions
from step_cases import STEPS
from support import mpi, python

# Ranks, the format, and what the session says as well.
JOBS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "one rank, netCDF-4": (1, "netcdf4", {}),
    "two ranks, CDF-5": (2, "cdf5", {}),
    "four ranks, a store": (4, "zarr", {}),
    "a server": (3, "netcdf4", {"writers": {"ranks": 1}}),
    "two nodes": (3, "cdf2", {"emulate-nodes": 2, "writers": "sync"}),
}


@pytest.fixture(scope="module", params=JOBS)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    ranks, form, keys = JOBS[request.param]
    folder = tmp_path_factory.mktemp("fields")
    python.start("chosen_fields.py", ranks, folder, None, form, json.dumps(keys), limit_s=60).check_returncode()
    return folder


def records(wanted: list[Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    return np.stack([np.broadcast_to(np.asarray(record), shape) for record in wanted])


def check_file(case: Case, name: str, wanted: dict[str, Any], stored: xr.Dataset) -> None:
    for variable, values in wanted.items():
        if variable in ("time", "bounds"):
            got = stored["time" if variable == "time" else "time_bnds"].values
            np.testing.assert_array_equal(got, values, f"{name}: {variable}")
            continue
        if "time" not in stored[variable].dims:
            np.testing.assert_array_equal(stored[variable].values, values, f"{name}: {variable}")
            continue
        np.testing.assert_allclose(
            stored[variable].values,
            records(values, stored[variable].shape[1:]),
            rtol=case.rounding,
            err_msg=f"{name}: {variable}",
        )
    np.testing.assert_array_equal(stored["c"].values, np.arange(CELLS))
    assert "unused" not in stored
    assert ("time_bnds" in stored) == (stored["time"].attrs.get("bounds") == "time_bnds")
    for variable, method in case.attributes.items():
        if variable == name:
            assert stored["x"].attrs["cell_methods"] == method


@pytest.mark.parametrize("name", CASES | STEPS | DAYS)
def test_files_have_what_was_put(written: Path, name: str) -> None:
    case = (CASES | STEPS | DAYS)[name]
    folder = written / name.replace(" ", "_")
    for file, wanted in case.wanted.items():
        with opened(folder, file) as stored:
            check_file(case, file, wanted, stored)
    made = {path.stem for path in folder.iterdir() if path.suffix in (".nc", ".zarr")}
    assert made == set(case.wanted)


def tide(hours: range) -> np.ndarray[Any, Any]:
    """Phases as the programs of examples/tide have them."""
    where = np.arange(12)[:, None] + 0.1 * np.arange(8)
    return np.stack([2 * np.pi * hour / 12.42 - 0.3 * where for hour in hours])


@pytest.mark.parametrize("language", ["cpp", "fortran", "python"])
def test_the_examples_write_what_the_page_says(tmp_path: Path, language: str) -> None:
    examples = mpi.SOURCE / "examples" / "tide"
    if language == "python":
        python.start(examples / "tide.py", 3, tmp_path).check_returncode()
    else:
        mpi.run(f"tide_{language}", 3, tmp_path, examples / "tide.yaml")
    height, current = np.cos(tide(range(1, 73))), 0.5 * np.sin(tide(range(1, 73)))
    days = height.reshape(3, 24, 12, 8)
    with opened(tmp_path, "daily") as daily:
        assert list(daily) == ["time_bnds", "height", "current", "high_water", "low_water"]
        np.testing.assert_allclose(daily["height"].values, days.mean(axis=1), atol=1e-6)
        np.testing.assert_allclose(daily["high_water"].values, days.max(axis=1), atol=1e-6)
        np.testing.assert_allclose(daily["low_water"].values, days.min(axis=1), atol=1e-6)
        assert daily["high_water"].attrs["cell_methods"] == "time: maximum (interval: 1 hour)"
        assert daily["height"].attrs["units"] == "m"
        np.testing.assert_array_equal(daily["y"].values, np.arange(12))
    with opened(tmp_path, "snapshots") as snapshots:
        np.testing.assert_array_equal(snapshots["time"].values, 3600.0 * np.arange(12, 73, 12))
        np.testing.assert_allclose(snapshots["current"].values, current[11::12], atol=1e-6)
    require_conventions(tmp_path / "daily.nc")
    assert sorted(path.name for path in tmp_path.glob("spread*.nc")) == ["spread_20000101.nc", "spread_20000103.nc"]
    with opened(tmp_path, "spread_20000101") as spread:
        np.testing.assert_allclose(spread["current"].values[0], current[:48].std(axis=0), atol=1e-12)


@pytest.mark.parametrize(
    ("collection", "wanted"),
    [
        ({"fields": ["a/y"]}, "field 'a/y' is chosen, but the program does not define it; did you mean 'a/x'"),
        ({"fields": ["x"]}, "'x' are several fields: a/x, b/x; say which one"),
        ({"fields": [{"from": "a/x", "operation": "median"}]}, "'median' is none of instant, mean"),
        ({"fields": [{"form": "a/x"}]}, "unknown key 'form' of a field; did you mean 'from'"),
        ({"fields": {"a/x": "mean"}}, "a list of fields is wanted here"),
        ({"fields": ["a/x"], "operation": "mean", "append": "continue"}, "call thalweg_ready before its first put"),
        (
            {"fields": ["a/x"], "operation": "mean", "append": "continue", "file": "h_%H.nc", "new-file": "3 steps"},
            "new-file: with 'append: continue' files end at dates, and steps are counted anew in each run",
        ),
        ({"fields": ["a/x"], "operation": "mean", "every": "on-demand"}, "every: records of fields are closed"),
        ({"fields": ["a/x"], "operation": "mean", "initial-record": True}, "initial-record: nothing was gathered"),
        ({"fields": ["a/x", {"from": "b/x", "name": "y", "operation": "mean"}]}, "put the instants into a collection"),
        ({"fields": ["a/x"], "operation": "mean", "every": "30 min"}, "every: 30 min is shorter than the time-step"),
        ({"fields": ["a/x"], "operation": "mean", "valid": 2}, "'2' is no number from 0 to 1"),
        (
            {"fields": ["a/x"], "file": "%v.nc", "variables": {"y": {"compression": "none"}}},
            "variable 'y' is configured, but none is chosen that is called so; did you mean 'x'",
        ),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, collection: dict[str, Any], wanted: str) -> None:
    assert wanted in refused(tmp_path, collection)


def test_the_run_is_told_what_it_does_wrong(tmp_path: Path) -> None:
    daily = {"file": str(tmp_path / "d.nc"), "every": "3 h", "operation": "mean", "fields": ["x"]}
    with thalweg.start(config={"report": "none", "collections": {"d": daily}}) as io:
        io.define_field_dimension("n", 2)
        field = io.define_field("x", "n", np.float64)
        with pytest.raises(thalweg.Error, match="'x' is defined already"):
            io.define_field("x", "n", np.float64)
        assert field.is_wanted and field.is_wanted_now
        with pytest.raises(thalweg.Error, match="nobody knows when the step ends; call thalweg_step"):
            field.put([1.0, 2.0])
        with pytest.raises(thalweg.Error, match="a step that ends at 0 s, but model time is 0 s"):
            io.step(0.0)
        io.step(3600.0)
        with pytest.raises(thalweg.Error, match="field 'x': dimension 0 of the array .* has 3 elements"):
            field.put([1.0, 2.0, 3.0])
        field.put([1.0, 2.0])
        with pytest.raises(thalweg.Error, match="field 'x': put twice in the step that ends at 3600 s"):
            field.put([7.0, 8.0])
        with pytest.raises(thalweg.Error, match="advance to 7200 s, but thalweg_step said that the step ends at 3600"):
            io.advance(7200.0)
        io.advance(3600.0)
        io.step(3 * 3600.0)
        field.put([4.0, 8.0])
        io.advance(3 * 3600.0)
    with opened(tmp_path, "d") as stored:
        np.testing.assert_array_equal(stored["x"].values, [[3.0, 6.0]])


def test_fields_that_were_forgotten_and_those_for_nothing_are_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chosen = {"file": str(tmp_path / "c.nc"), "every": "1 steps", "fields": ["x", "forgotten"]}
    settings = {"report": "none", "profile": str(tmp_path / "run.json"), "time-step": "1 h"}
    with thalweg.start(config=settings | {"collections": {"c": chosen}}) as io:
        fields = {name: io.define_field(name, "", np.float64) for name in ("x", "forgotten", "vain", "unused")}
        for step in range(2):
            for name in ("x", "vain"):
                fields[name].put(float(step))
            io.advance(3600.0 * (step + 1))
    said = capfd.readouterr().err
    assert "fields that collections have and the program never put: 'forgotten' (of c)\n" in said
    assert "fields that were put and no collection has: 'vain'\n" in said
    (rank,) = json.loads((tmp_path / "run.json").read_text())["ranks"]
    puts = {one["name"]: (one["puts"], one["collections"]) for one in rank["fields"]}
    assert puts == {"x": (2, ["c"]), "forgotten": (0, ["c"]), "vain": (2, []), "unused": (0, [])}


def test_what_is_optional_is_left_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    chosen = {"file": str(tmp_path / "c.nc"), "fields": ["x", "co2"], "optional": True}
    settings = {"report": "none", "time-step": "1 h", "collections": {"c": chosen, "d": chosen | {"fields": ["co2"]}}}
    settings["collections"]["d"]["file"] = str(tmp_path / "d.nc")  # type: ignore[index]
    with thalweg.start(config=settings) as io:
        io.define_field("x", "", np.float64).put(1.0)
        io.advance(3600.0)
    assert "collection 'c': fields that the program does not define are left out: co2" in capfd.readouterr().err
    assert [path.name for path in tmp_path.glob("*.nc")] == ["c.nc"]


def run_means(tmp_path: Path, steps: list[tuple[float, Any]], **keys: Any) -> xr.Dataset:
    """A scalar x, or what the keys of a field say, put in steps that end then; no value: none is put."""
    field = {"dims": "", "dtype": np.float64} | keys.pop("field", {})
    session = {"report": "none", "time-step": "1 h"} | keys.pop("session", {})
    end_s, says_steps = keys.pop("end_s", None), keys.pop("says_steps", False)
    chosen = {"file": str(tmp_path / "m.nc"), "every": "6 h", "operation": "mean", "fields": ["x"]} | keys
    with thalweg.start(config=session | {"collections": {"m": chosen}}) as io:
        if end_s is not None:
            io.set_end_time(end_s)
        x = io.define_field("x", **field)
        for time_s, value in steps:
            if says_steps:
                io.step(time_s)
            if value is not None:
                x.put(value)
            io.advance(time_s)
    return opened(tmp_path, "m")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("array", ["f4", "f8"])
@pytest.mark.parametrize("attribute", ["f4", "f8"])
def test_missing_values_are_known_in_any_precision(tmp_path: Path, dtype: str, array: str, attribute: str) -> None:
    settings = {"every": "2 h", "operation": "mean", "fields": ["x"], "file": str(tmp_path / "m.nc")}
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"m": settings}}) as io:
        x = io.define_field("x", "", dtype)
        x.define_attribute("missing_value", np.dtype(attribute).type(1e20))
        for step, value in enumerate((1e20, 5.0), 1):
            x.put(np.dtype(array).type(value))
            io.advance(step * 3600.0)
    with opened(tmp_path, "m") as stored:
        assert stored["x"].values == [5.0]


def test_several_values_stand_for_none(tmp_path: Path) -> None:
    field = {"missing_value": -999.0, "_FillValue": 1e20}
    steps = [(3600.0, -999.0), (7200.0, 1e20), (10800.0, 4.0)]
    with run_means(tmp_path, steps, every="3 h", field=field) as stored:
        assert stored["x"].values == [4.0]


def test_results_that_a_type_has_not_are_missing(tmp_path: Path) -> None:
    fields = [
        {"from": "x", "operation": "count", "type": "int8", "name": "often"},
        {"from": "x", "operation": "max", "type": "uint8", "name": "negative"},
        {"from": "x", "operation": "max", "type": "int16", "name": "held"},
    ]
    steps = [(36.0 * n, -3.9) for n in range(1, 201)]
    with run_means(tmp_path, steps, every="2 h", fields=fields, session={"time-step": "36 s"}) as stored:
        assert stored["often"].values == [-127] and stored["negative"].values == [255] and stored["held"].values == [-3]
    with pytest.raises(thalweg.Error, match="attribute missing_value has a number that int16 has not"):
        short = [{"from": "x", "type": "int16", "operation": "max"}]
        run_means(tmp_path, steps, fields=short, field={"missing_value": 1e20})


def test_a_last_shorter_step_is_of_the_last_interval(tmp_path: Path) -> None:
    steps = [(3000.0 * n, float(n)) for n in range(1, 8)] + [(21600.0, 8.0)]
    with run_means(tmp_path, steps, session={"time-step": "50 min"}, end_s=21600.0) as stored:
        assert stored["x"].values == [4.5]
        np.testing.assert_array_equal(stored["time_bnds"].values, [[0, 21600]])


def test_steps_that_are_not_as_said_are_refused(tmp_path: Path) -> None:
    with pytest.raises(thalweg.Error, match="by 'time-step' the step of which fields were put ends at 3600 s"):
        run_means(tmp_path, [(4 * 3600.0, 1.0)])
    with pytest.raises(thalweg.Error, match="has a whole interval within it, from 21600 s on"):
        run_means(tmp_path, [(5 * 3600.0, 1.0), (12 * 3600.0, 2.0)], says_steps=True)


def test_bounds_join_where_an_edge_is_nearly_met(tmp_path: Path) -> None:
    steps = [(6 * 3600.0 - 20, 1.0), (12 * 3600.0 + 20, 2.0)]
    with run_means(tmp_path, steps, says_steps=True) as stored:
        np.testing.assert_array_equal(stored["time_bnds"].values, [[0, 21600], [21600, 43200]])
        np.testing.assert_array_equal(stored["x"].values, [1.0, 2.0])


def test_intervals_and_files_are_counted_from_one_anchor(tmp_path: Path) -> None:
    """The reference date is in mid-month, and nobody counts from there."""
    days = [(86400.0 * n, float(n)) for n in range(1, 60)]
    series = {"new-file": "1 month", "every": "1 month"}
    session = {"report": "none", "time-step": "1 d", "calendar": "noleap", "reference-date": "2001-01-15"}
    collections = {
        "i": series | {"file": str(tmp_path / "i_%Y%m.nc"), "fields": ["x"]},
        "m": series | {"file": str(tmp_path / "m_%Y%m.nc"), "fields": ["x"], "operation": "mean"},
    }
    with thalweg.start(config=session | {"collections": collections}) as io:
        x = io.define_field("x", "", np.float64)
        for time_s, value in days:
            x.put(value)
            io.advance(time_s)
    names = [f"{kind}_2001{month}" for kind in "im" for month in ("01", "02", "03")]
    assert sorted(path.stem for path in tmp_path.glob("*.nc")) == [name for name in names if name != "i_200103"]
    with opened(tmp_path, "i_200101") as stored:
        np.testing.assert_array_equal(stored["x"].values, [17.0])
    with opened(tmp_path, "m_200102") as stored:
        np.testing.assert_array_equal(stored["time_bnds"].values, [[17 * 86400, 45 * 86400]])


def test_the_end_of_a_run_that_nobody_says(tmp_path: Path) -> None:
    daily = {"every": "end", "new-file": "1 d", "file": str(tmp_path / "e_%Y%m%d.nc")}
    with pytest.raises(StopIteration):
        run_means(tmp_path, [(3600.0, 1.0)], **daily)
    assert [path.name for path in tmp_path.glob("*.nc")] == ["e_20000101.nc"]


def test_what_fails_once_fails_again(tmp_path: Path) -> None:
    chosen = {"file": str(tmp_path / "a.nc"), "fields": ["x"]}
    collections = {"a": chosen, "b": {"file": str(tmp_path / "b.nc"), "fields": ["y"]}}
    settings = {"report": "none", "time-step": "1 h", "collections": collections}
    with thalweg.start(config=settings, on_exception="raise") as io:
        x = io.define_field("x", "", np.float64)
        x.put(1.0)
        for _ in range(2):
            with pytest.raises(thalweg.Error, match="collection 'b': field 'y' is chosen"):
                io.advance(3600.0)
        with pytest.raises(thalweg.Error, match="collection 'a': its fields are chosen by 'fields', so that Thalweg"):
            io.collection("a")
        with pytest.raises(thalweg.Error, match="field 'y' is chosen"):
            io.finish()
    assert not list(tmp_path.glob("*.nc"))


def test_a_put_that_is_refused_changes_nothing(tmp_path: Path) -> None:
    collections = {
        "m": {"file": str(tmp_path / "m.nc"), "every": "2 h", "operation": "mean", "fields": ["x"]},
        "i": {"file": str(tmp_path / "i.nc"), "fields": [{"from": "x", "type": "int32"}, "once"]},
    }
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": collections}) as io:
        io.define_field_dimension("n", 2)
        x, once = io.define_field("x", "n", np.float64), io.define_field("once", "n", np.float64, static=True)
        assert once.is_wanted_now
        with pytest.raises(thalweg.Error, match="SHAPE|elements"):
            once.put([1.0])
        once.put([1.0, 2.0])
        assert not once.is_wanted_now
        for step in (1, 2):
            with pytest.raises(thalweg.Error, match="the array is float64, the variable int32"):
                x.put([7.0, 7.0])
            x.put([step, 3])
            io.advance(step * 3600.0)
    with opened(tmp_path, "m") as means, opened(tmp_path, "i") as instants:
        np.testing.assert_array_equal(means["x"].values, [[1.5, 3.0]])
        np.testing.assert_array_equal(instants["once"].values, [1.0, 2.0])


def test_what_was_not_put_in_an_interval_is_an_error_where_that_is_said(tmp_path: Path) -> None:
    with pytest.raises(thalweg.Error, match="'x'.*not put"):
        run_means(tmp_path, [(3600.0, None), (7200.0, None)], every="2 h", **{"when-not-put": "error"})


def test_parts_are_one_sample(tmp_path: Path) -> None:
    collections = {
        "m": {"file": str(tmp_path / "m.nc"), "every": "2 h", "operation": "mean", "fields": ["x"]},
        "i": {"file": str(tmp_path / "i.nc"), "every": "2 h", "fields": ["x", "once"]},
    }
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": collections}) as io:
        io.define_field_dimension("n", 4)
        x = io.define_field("x", "n", np.float64, missing_value=-1.0)
        once = io.define_field("once", "n", np.float32, static=True)
        once.put([1.0, 2.0], start=[0])
        once.put([3.0, 4.0], start=[2])
        x.put([1.0, 2.0], start=[0])
        with pytest.raises(thalweg.Error, match="field 'x': cells are put twice in the step that ends at 3600 s"):
            x.put([9.0, 9.0], start=[1])
        with pytest.raises(thalweg.Error, match="put twice in the step"):
            x.put([9.0, 9.0, 9.0, 9.0])
        with pytest.raises(thalweg.Error, match="a part of 2 cells from 3 on in dimension 0 .* but the box has 4"):
            x.put([9.0, 9.0], start=[3])
        x.put([3.0], start=[3])
        io.advance(3600.0)
        x.put([5.0], start=[1], mask=[False])
        x.put([7.0], start=[2], weight=4.0)
        x.put([4.0], start=[0])
        io.advance(7200.0)
    with opened(tmp_path, "m") as stored:
        np.testing.assert_array_equal(stored["x"].values, [[2.5, 2.0, 7.0, 3.0]])
    with opened(tmp_path, "i") as stored:
        np.testing.assert_array_equal(stored["x"].values, [[4.0, -1.0, 7.0, -1.0]])
        np.testing.assert_array_equal(stored["once"].values, [1.0, 2.0, 3.0, 4.0])


def test_a_variable_that_is_switched_off_is_not_written(tmp_path: Path) -> None:
    chosen = {
        "file": str(tmp_path / "c.nc"),
        "every": "2 h",
        "operation": "mean",
        "fields": ["x", "y"],
        "variables": {"x": {"enabled": False}},
    }
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"c": chosen}}) as io:
        x, y = io.define_field("x", "", np.float64), io.define_field("y", "", np.float64)
        assert y.is_wanted and not x.is_wanted
        for step in range(1, 3):
            x.put(step)
            y.put(step)
            if step == 1:
                with pytest.raises(thalweg.Error, match="set_time comes before the first put of a field"):
                    io.set_time(0.0)
            io.advance(step * 3600.0)
    with opened(tmp_path, "c") as stored:
        assert list(stored) == ["time_bnds", "y"] and stored["y"].values == [1.5]
