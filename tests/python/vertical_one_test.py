# ctest: SHORT TIMEOUT 120
"""Fields at levels, of one rank: how they may be put, what files say of them, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
import xarray as xr
from field_runs import opened, require_conventions

HOUR, FILL, NLEV, NX = 3600.0, -1.0, 5, 6
AT: dict[str, Any] = {"coordinate": "air/p", "to": [850, 500], "units": "hPa", "by": "log", "name": "plev"}
# Each column by itself ascends, from the top of the air down.
P = 1e4 * (1 + 2 * np.arange(NLEV, dtype="f8").reshape(-1, 1)) + 10.0 * np.arange(NX)


class Model:
    def __init__(self, tmp_path: Path, collection: dict[str, Any], whole: bool = True) -> None:
        said = {"file": str(tmp_path / "c.nc"), "every": "2 h"} | collection
        config = {"report": "none", "time-step": "1 h", "collections": {"c": said}}
        self.io = thalweg.start(config=config, on_exception="raise")
        if whole:
            cells = self.io.decompose("lon", (NX,), (0,), (NX,))
            self.io.define_field_dimension("lev", NLEV)
        else:
            cells = self.io.decompose("lev,lon", (NLEV, NX), (0, 0), (NLEV, NX))
        keys: dict[str, Any] = {"decomposition": cells, "missing_value": FILL}
        pressure = {"units": "Pa", "standard_name": "air_pressure", "long_name": "pressure"}
        self.p = self.io.define_field("air/p", "lev,lon", np.float64, **keys, **pressure)
        heat = {"units": "K", "standard_name": "air_temperature", "units_metadata": "temperature: on_scale"}
        self.t = self.io.define_field("air/t", "lev,lon", np.float32, **keys, **heat, long_name="temperature")
        place = {"units": "degrees_east", "standard_name": "longitude"}
        self.lon = self.io.define_field("lon", "lon", np.float64, static=True, **place)


def temperature(step: int) -> Any:
    return np.random.default_rng(step).normal(280, 5, (NLEV, NX)).astype("f4")


def wanted(t: Any, hpa: float) -> Any:
    """What np.interp has, which lacks the last bit."""
    return [np.interp(np.log(hpa * 100), np.log(P[:, c]), t[:, c].astype("f8")) for c in range(NX)]


def run(model: Model, steps: int = 2) -> None:
    with model.io as io:
        model.lon.put(np.arange(float(NX)))
        for step in range(1, steps + 1):
            model.p.put(P)
            model.t.put(temperature(step))
            io.advance(step * HOUR)


def test_a_mean_is_of_what_was_interpolated(tmp_path: Path) -> None:
    about = {"title": "air", "history": "made", "institution": "none", "source": "a test", "references": "none"}
    fields = [{"from": "t", "vertical": AT}, "p"]
    run(Model(tmp_path, {"operation": "mean", "attributes": about | {"comment": "none"}, "fields": fields}))
    with opened(tmp_path, "c") as file:
        for number, level in enumerate((850, 500)):
            mean = np.mean([wanted(temperature(step), level) for step in (1, 2)], axis=0)
            np.testing.assert_allclose(file["t"][0, number], mean, rtol=1e-6)
        assert file["t"].dims == ("time", "plev", "lon") and file["p"].dims == ("time", "lev", "lon")
        says = {
            "standard_name": "air_pressure",
            "long_name": "pressure",
            "units": "hPa",
            "positive": "down",
            "axis": "Z",
        }
        assert file["plev"].attrs == says | {"axis": "Z"} and file["plev"].values.tolist() == [850, 500]
        assert file["t"].attrs["standard_name"] == "air_temperature"
    require_conventions(tmp_path / "c.nc")


def test_parts_and_masks_are_taken_as_wholes_are(tmp_path: Path) -> None:
    """A mask leaves out what the level above needs, and the step without values there is left out of the mean."""
    model = Model(tmp_path, {"operation": "mean", "vertical": AT, "fields": ["t"]})
    with model.io as io:
        mask = np.ones((NLEV, NX), bool)
        mask[4, 2] = mask[0, 3] = False
        t = temperature(1)
        model.t.put(np.ascontiguousarray(t[:, :2]), start=(0, 0))
        model.p.put(np.ascontiguousarray(P[3:]), start=(3, 0))
        model.t.put(np.ascontiguousarray(t[:, 2:]), start=(0, 2))
        model.p.put(np.ascontiguousarray(P[:3]), start=(0, 0))
        io.advance(HOUR)
        model.p.put(P)
        model.t.put(temperature(2), mask=mask)
        io.advance(2 * HOUR)
    with opened(tmp_path, "c") as file:
        first, second = wanted(temperature(1), 850), wanted(temperature(2), 850)
        mean = [(a + b) / 2 if c != 2 else a for c, (a, b) in enumerate(zip(first, second, strict=True))]
        np.testing.assert_allclose(file["t"][0, 0], mean, rtol=1e-6)


def test_a_region_takes_some_of_the_levels(tmp_path: Path) -> None:
    one = {"from": "t", "name": "one", "vertical": AT, "region": {"plev": {"index": 1}}}
    run(Model(tmp_path, {"every": "1 h", "vertical": AT, "fields": ["t", one]}))
    with opened(tmp_path, "c") as file:
        np.testing.assert_array_equal(file["one"][:, 0], file["t"][:, 1])
        assert file["one"].dims == ("time", "plev_2", "lon") and file["plev_2"].values.tolist() == [500]


def test_a_step_without_the_coordinate_has_no_value(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model = Model(tmp_path, {"operation": "mean", "vertical": AT, "fields": ["t"]})
    with model.io as io:
        model.p.put(P)
        model.t.put(temperature(1))
        io.advance(HOUR)
        model.t.put(temperature(2))
        io.advance(2 * HOUR)
    with opened(tmp_path, "c") as file:
        np.testing.assert_allclose(file["t"][0, 1], wanted(temperature(1), 500), rtol=1e-6)
    said = capfd.readouterr().err
    assert "'air/t at air/p = 850, 500 hPa, by log': 'air/t' was put in a step, but not 'air/p'" in said


def test_a_coordinate_that_is_never_put_is_named_with_whom_it_is_for(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with Model(tmp_path, {"operation": "mean", "vertical": AT, "fields": ["t"]}).io as io:
        io.advance(2 * HOUR)
    assert "'air/p' (of what is made of it for c)" in capfd.readouterr().err


def test_what_goes_with_an_unknown_coordinate_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    fields = ["lon", {"from": "t", "vertical": AT | {"coordinate": "q"}}]
    run(Model(tmp_path, {"optional": True, "fields": fields}))
    said = "collection 'c': fields that the program does not define are left out: q; and what needs them: air/t"
    assert said in capfd.readouterr().err


def test_a_value_that_becomes_the_missing_one_in_other_units_is_there(tmp_path: Path) -> None:
    levels = {"coordinate": "z", "to": [0.1, 0.3], "name": "depth"}
    chosen = [{"from": "t", "units": "degC"}, {"from": "t", "name": "at", "vertical": levels}]
    collection = {"file": str(tmp_path / "c.nc"), "every": "1 h", "fields": chosen}
    config = {"report": "none", "time-step": "1 h", "collections": {"c": collection}}
    with thalweg.start(config=config, on_exception="raise") as io:
        io.define_field_dimension("z", 3)
        t = io.define_field("t", "z", np.float64, units="K", missing_value=0.0)
        io.define_field("z", "z", np.float32, static=True).put(np.array([0.1, 0.2, 0.3], "f4"))
        t.put(np.array([273.15, 0.0, 300.0]))
        io.advance(HOUR)
    with opened(tmp_path, "c") as file:
        zero, none, warm = file["t"][0].values
        assert 0.0 < zero < 1e-300 and none == 0.0 and warm == 300.0 - 273.15
        np.testing.assert_array_equal(file["at"][0], [273.15, 300.0])


def test_weights_of_field_and_coordinate_are_the_same(tmp_path: Path) -> None:
    model = Model(tmp_path, {"operation": "mean", "vertical": AT, "fields": ["t"]})
    model.p.put(P)
    with pytest.raises(thalweg.Error, match="both are in 'air/t at air/p = 850, 500 hPa, by log', whose fields"):
        model.t.put(temperature(1), weight=2.0)
    model.t.put(temperature(1))
    model.io.advance(HOUR)
    model.io.finish()


def test_all_of_a_column_says_how_it_was_made(tmp_path: Path) -> None:
    """Of the mean over two steps; the weights change with them, and lack a cell."""
    about = {"title": "air", "history": "made", "institution": "none", "source": "a test", "references": "none"}
    fields = [
        {"from": "t", "name": "content", "vertical": {"sum": "lev", "by": "p"}},
        {"from": "t", "name": "in_bar", "vertical": {"sum": "lev", "by": "p"}, "units": "K bar"},
        {"from": "t", "name": "whole", "vertical": {"mean": "lev"}},
        {"from": "t", "name": "coldest", "vertical": {"min": "lev"}},
    ]
    model = Model(tmp_path, {"operation": "mean", "attributes": about | {"comment": "none"}, "fields": fields})
    wanted = []
    with model.io as io:
        model.lon.put(np.arange(float(NX)))
        for step in (1, 2):
            p = P * step
            p[step, 3] = FILL
            model.p.put(p)
            model.t.put(temperature(step))
            io.advance(step * HOUR)
            wanted.append(np.where(p == FILL, 0, p * temperature(step)).sum(axis=0))
    with opened(tmp_path, "c") as file:
        np.testing.assert_allclose(file["content"][0], np.mean(wanted, axis=0), rtol=1e-6)
        np.testing.assert_allclose(file["in_bar"][0] * 1e5, file["content"][0], rtol=1e-6)
        means = np.mean([temperature(step).mean(axis=0) for step in (1, 2)], axis=0)
        np.testing.assert_allclose(file["whole"][0], means, rtol=1e-6)
        assert file["content"].dims == ("time", "lon") and "lev" not in file.dims
        says = file["content"].attrs
        assert says["units"] == "K Pa" and file["in_bar"].attrs["units"] == "K bar" and "standard_name" not in says
        assert says["comment"] == "sum along lev (weighted by p)"
        assert file["whole"].attrs["standard_name"] == "air_temperature" and file["whole"].attrs["units"] == "K"
        assert file["coldest"].attrs["cell_methods"] == "time: mean (interval: 1 hour)"
    require_conventions(tmp_path / "c.nc")


def test_a_column_by_itself_comes_to_one_number(tmp_path: Path) -> None:
    vertical = {"mean": "z", "by": "h"}
    collection = {"file": str(tmp_path / "c.nc"), "every": "1 h", "vertical": vertical, "fields": ["*"]}
    config = {"report": "none", "time-step": "1 h", "collections": {"c": collection}}
    with thalweg.start(config=config, on_exception="raise") as io:
        io.define_field_dimension("z", 3)
        io.define_field_dimension("y", 2)
        h = io.define_field("h", "z", np.float32, static=True)
        t = io.define_field("t", "y,z", np.float64, cell_methods="y: point", units="K", standard_name="air_temperature")
        z = io.define_field(
            "z", "z", np.float32, static=True, standard_name="height", units="m", positive="up", axis="Z"
        )
        z.put(np.array([1, 2, 3], "f4"))
        h.put(np.array([1, 0, 3], "f4"))
        for step in (1, 2):
            t.put(np.array([[step, 99.0, 5.0], [0.0, 1.0, 2.0]]))
            io.advance(step * HOUR)
    with opened(tmp_path, "c") as file:
        assert file["t"].values.tolist() == [[4.0, 1.5], [4.25, 1.5]]
        assert file["t"].attrs["cell_methods"] == "y: point height: mean (weighted by h) time: point"
        assert file["h"].values.tolist() == [1, 0, 3], "it has no column, and stays"


def column(tmp_path: Path, **keys: Any) -> thalweg.Session:
    """Of a run that has steps of an hour, and a record in each."""
    said = {"file": str(tmp_path / "c.nc"), "every": "1 h"} | keys
    config = {"report": "none", "time-step": "1 h", "collections": {"c": said}}
    return thalweg.start(config=config, on_exception="raise")


def test_weights_that_are_put_before_the_field_is_defined_weigh_it(tmp_path: Path) -> None:
    with column(tmp_path, fields=[{"from": "t", "vertical": {"mean": "z", "by": "h"}}]) as io:
        io.define_field_dimension("z", 2)
        h = io.define_field("h", "y,z", np.float64)
        io.define_field_dimension("y", 1)
        assert h.is_wanted
        h.put(np.array([[1.0, 3.0]]))
        io.define_field("t", "y,z", np.float64).put(np.array([[4.0, 8.0]]))
        io.advance(HOUR)
    with opened(tmp_path, "c") as file:
        assert file["t"].values.tolist() == [[7.0]]


def test_what_has_no_columns_needs_no_weights(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with column(tmp_path, optional=True, vertical={"mean": "z", "by": "nothing"}, fields=["*"]) as io:
        io.define_field_dimension("z", 2)
        io.define_field_dimension("y", 1)
        io.define_field("t", "y,z", np.float64).put(np.zeros((1, 2)))
        io.define_field("flat", "y", np.float64).put(np.ones(1))
        io.advance(HOUR)
    assert "left out: nothing; and what needs them: t\n" in capfd.readouterr().err
    with opened(tmp_path, "c") as file:
        assert file["flat"].values.tolist() == [[1.0]] and "t" not in file


IN_OTHER_UNITS: dict[str, tuple[dict[str, Any], str]] = {
    "another zero": ({"vertical": {"sum": "z"}, "units": "degC"}, "of sums these units have another zero"),
    "another sign": ({"vertical": {"min": "z"}, "units": "-1 K"}, "the least cell of a column is the greatest there"),
    "a product with another zero": (
        {"from": "cold", "vertical": {"sum": "z", "by": "h"}, "units": "K m"},
        "field 'cold, sum along z by h' has no units",
    ),
    "no dimension of theirs": ({"vertical": {"mean": "zz"}}, "field 't' has the dimensions (y,z), and not 'zz'"),
}


@pytest.mark.parametrize("case", IN_OTHER_UNITS)
def test_units_of_columns_are_refused_where_nobody_knows_them(tmp_path: Path, case: str) -> None:
    entry, words = IN_OTHER_UNITS[case]
    with pytest.raises(thalweg.Error) as error, column(tmp_path, fields=[{"from": "t"} | entry]) as io:
        io.define_field_dimension("z", 2)
        io.define_field_dimension("y", 1)
        io.define_field("t", "y,z", np.float64, units="K")
        io.define_field("cold", "y,z", np.float64, units="degC")
        io.define_field("h", "z", np.float64, static=True, units="m")
        io.ready()
    assert words in str(error.value)


REFUSED: dict[str, tuple[dict[str, Any], bool, str]] = {
    "columns that are divided": (
        {"vertical": AT},
        False,
        "each rank needs whole columns; decompose",
    ),
    "an unknown coordinate": (
        {"vertical": AT | {"coordinate": "q"}},
        True,
        "field 'q' is chosen, but the program",
    ),
    "other units": ({"vertical": AT | {"units": "m"}}, True, "levels in 'm' are not converted to 'Pa', the units of"),
    "a level of no logarithm": ({"vertical": AT | {"to": [5, 0]}}, True, "by: log is of levels above 0"),
    "all of columns that are divided": (
        {"vertical": {"mean": "lev"}},
        False,
        "each rank needs whole columns; decompose",
    ),
    "all of columns of another field": (
        {"fields": [{"from": "lon", "vertical": {"mean": "lev"}}]},
        True,
        "field 'lon' has the dimensions (lon), and not 'lev', along which the mean is taken",
    ),
    "all of columns of no field": ({"vertical": {"mean": "levv"}}, True, "none of its fields has the dimension 'levv'"),
    "unknown weights": ({"vertical": {"sum": "lev", "by": "q"}}, True, "field 'q' is chosen, but the program"),
    "weights of other cells": (
        {"vertical": {"sum": "lev", "by": "lon"}},
        True,
        "field 'air/t' has the dimensions (lev,lon), but 'lon', by which its cells are weighed, has (lon)",
    ),
    "weights that weigh themselves": (
        {"fields": [{"from": "t", "vertical": {"sum": "lev", "by": "t"}}]},
        True,
        "field 'air/t' would weigh its own cells",
    ),
    "an unknown key": ({"vertical": AT | {"extend": "yes"}}, True, "unknown key 'extend' of 'vertical'"),
    "the levels of an expression": (
        {"fields": [{"name": "e", "expression": "t + 1", "vertical": AT}]},
        True,
        "fields that are computed stay at the levels of the model",
    ),
    "two kinds of levels of one name": (
        {"fields": [{"from": "t", "vertical": AT}, {"from": "t", "name": "u", "vertical": AT | {"to": [1]}}]},
        True,
        "'t' and 'u' have different levels that are both called 'plev'; give one of them another name",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_by_name(tmp_path: Path, case: str) -> None:
    collection, whole, words = REFUSED[case]
    with pytest.raises(thalweg.Error) as error, Model(tmp_path, {"fields": ["t"]} | collection, whole).io as io:
        io.ready()
    assert words in str(error.value)
    assert not list(tmp_path.iterdir())


def test_levels_beside_those_of_the_model_are_read_by_xarray(tmp_path: Path) -> None:
    entries = [
        "t",
        {"from": "t", "name": "near", "vertical": AT | {"to": [20, 2000], "outside": "nearest", "name": "ends"}},
    ]
    run(Model(tmp_path, {"every": "1 h", "fields": entries}))
    with xr.open_dataset(tmp_path / "c.nc") as file:
        np.testing.assert_array_equal(file["near"].sel(ends=20), file["t"][:, 0])
        np.testing.assert_array_equal(file["near"].sel(ends=2000), file["t"][:, -1])
