# ctest: TIMEOUT 300
"""Fields that the configuration chooses: what is gathered over intervals of time, and how files say it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
import xarray as xr
from field_cases import CASES, CELLS, Case
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


def opened(folder: Path, name: str) -> xr.Dataset:
    """As it is stored."""
    path = next(folder / (name + ending) for ending in (".nc", ".zarr") if (folder / (name + ending)).exists())
    plain = {"decode_times": False, "mask_and_scale": False}
    if path.suffix == ".zarr":
        return xr.open_zarr(path, consolidated=False, **plain)  # type: ignore[arg-type]
    return xr.open_dataset(path, **plain)  # type: ignore[arg-type]


def records(wanted: list[Any]) -> np.ndarray[Any, Any]:
    return np.stack([np.broadcast_to(np.asarray(record), (CELLS,)) for record in wanted])


def check_file(case: Case, name: str, wanted: dict[str, Any], stored: xr.Dataset) -> None:
    for variable, values in wanted.items():
        if variable in ("time", "bounds"):
            got = stored["time" if variable == "time" else "time_bnds"].values
            np.testing.assert_array_equal(got, values, f"{name}: {variable}")
            continue
        np.testing.assert_allclose(
            stored[variable].values, records(values), rtol=case.rounding, err_msg=f"{name}: {variable}"
        )
    np.testing.assert_array_equal(stored["c"].values, np.arange(CELLS))
    assert "unused" not in stored
    assert ("time_bnds" in stored) == (stored["time"].attrs.get("bounds") == "time_bnds")
    for variable, method in case.attributes.items():
        if variable == name:
            assert stored["x"].attrs["cell_methods"] == method


@pytest.mark.parametrize("name", CASES)
def test_files_have_what_was_put(written: Path, name: str) -> None:
    case = CASES[name]
    folder = written / name.replace(" ", "_")
    for file, wanted in case.wanted.items():
        with opened(folder, file) as stored:
            check_file(case, file, wanted, stored)
    made = {path.stem for path in folder.iterdir() if path.suffix in (".nc", ".zarr")}
    assert made == set(case.wanted)


def require_conventions(file: Path) -> None:
    """What the checker of IOOS has to say of CF is nothing."""
    command = [Path(sys.executable).with_name("compliance-checker"), "--test=cf:1.11", "--criteria=strict", file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "All tests passed!" in done.stdout, done.stdout + done.stderr


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


def refused(tmp_path: Path, collection: dict[str, Any], **session: Any) -> str:
    """What one rank is told that has the fields a/x and b/x of 3 cells, and puts them in three steps of an hour."""
    chosen = {"file": str(tmp_path / "c.nc")} | collection
    settings = {"report": "none", "time-step": "1 h", "collections": {"c": chosen}}
    with pytest.raises(thalweg.Error) as error, thalweg.start(config=settings | session, on_exception="raise") as io:
        fields = [io.define_field(name, "x", np.float32) for name in ("a/x", "b/x")]
        io.define_field_dimension("x", 3)
        for step in range(1, 4):
            for field in fields:
                field.put(np.zeros(3, "f4"))
            io.advance(step * 3600.0)
    return str(error.value)


@pytest.mark.parametrize(
    ("collection", "wanted"),
    [
        ({"fields": ["a/y"]}, "field 'a/y' is chosen, but the program does not define it; did you mean 'a/x'"),
        ({"fields": ["x"]}, "'x' are several fields: a/x, b/x; say which one"),
        ({"fields": [{"from": "a/x", "operation": "median"}]}, "'median' is none of instant, mean"),
        ({"fields": [{"form": "a/x"}]}, "unknown key 'form' of a field; did you mean 'from'"),
        ({"fields": {"a/x": "mean"}}, "a list of fields is wanted here"),
        ({"fields": ["a/x"], "operation": "mean", "append": "continue"}, "append: what was gathered"),
        ({"fields": ["a/x"], "operation": "mean", "every": "on-demand"}, "every: operations are over intervals"),
        ({"fields": ["a/x"], "operation": "mean", "initial-record": True}, "initial-record: nothing was gathered"),
        ({"fields": ["a/x", {"from": "b/x", "name": "y", "operation": "mean"}]}, "put the instants into a collection"),
        ({"fields": ["a/x"], "operation": "mean", "every": "30 min"}, "'every' must not be shorter than a step"),
        ({"fields": ["a/x"], "operation": "mean", "valid": 2}, "'2' is no number from 0 to 1"),
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
        with pytest.raises(thalweg.Error, match="collections have chosen their fields"):
            io.define_field("late", "n", np.float64)
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


def test_what_is_optional_is_left_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    chosen = {"file": str(tmp_path / "c.nc"), "fields": ["x", "co2"], "optional": True}
    settings = {"report": "none", "time-step": "1 h", "collections": {"c": chosen, "d": chosen | {"fields": ["co2"]}}}
    settings["collections"]["d"]["file"] = str(tmp_path / "d.nc")  # type: ignore[index]
    with thalweg.start(config=settings) as io:
        io.define_field("x", "", np.float64).put(1.0)
        io.advance(3600.0)
    assert "collection 'c': fields that the program does not define are left out: co2" in capfd.readouterr().err
    assert [path.name for path in tmp_path.glob("*.nc")] == ["c.nc"]


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
