# ctest: SHORT LABELS cli TIMEOUT 60
"""How thalweg replay makes the output of a model of a file: records, what is cut over the ranks, what is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.command import thalweg  # which makes the package of the sources known
from thalweg.cli.replay.clock import clock_of
from thalweg.cli.replay.cut import box_of, parts_of
from thalweg.cli.replay.holding import attribute_value
from thalweg.cli.replay.plan import Plan, make_plan
from thalweg.data import DataError, Dataset, Dimension, Variable

assert thalweg

SIZES = {"time": 5, "z": 30, "y": 40, "x": 60, "xu": 61, "yv": 41, "cell": 5000, "nv": 4, "n": 12}
TIME = {"units": "days since 2000-01-01"}


def dataset(
    variables: Mapping[str, str], unlimited: str = "time", attributes: Mapping[str, Mapping[str, Any]] | None = None
) -> Dataset:
    """variables: names, with their dimensions and a type, such as "time,y,x:f4"."""
    made = {}
    for name, text in variables.items():
        dims, _, dtype = text.partition(":")
        names = tuple(dim for dim in dims.split(",") if dim)
        shape = tuple(SIZES[dim] for dim in names)
        own = (attributes or {}).get(name, {})
        made[name] = Variable(name, names, shape, np.dtype(dtype or "f4"), own, lambda slab: np.zeros(0))
    used = {dim for variable in made.values() for dim in variable.dims}
    dims = {name: Dimension(size, name in unlimited.split(",")) for name, size in SIZES.items() if name in used}
    return Dataset(Path("a.nc"), "netcdf4", dims, made, {})


def cuts(plan: Plan) -> dict[str, str]:
    return {planned.name: ",".join(planned.cut) for planned in plan.variables}


OCEAN = {"time": "time", "z": "z", "y": "y", "x": "x", "temp": "time,z,y,x", "u": "time,z,y,xu", "v": "time,z,yv,x"}


def test_a_staggered_grid_has_a_decomposition_for_each_position() -> None:
    plan = make_plan(dataset(OCEAN, attributes={"time": TIME}), "netcdf4")
    assert (plan.record, plan.records) == ("time", 5)
    assert plan.grids == {("y", "x"): (40, 60), ("y", "xu"): (40, 61), ("yv", "x"): (41, 60)}
    assert cuts(plan) == {"time": "", "z": "", "y": "", "x": "", "temp": "y,x", "u": "y,xu", "v": "yv,x"}


def test_a_mesh_is_cut_along_its_points() -> None:
    mesh = {"temp": "time,z,cell", "lon": "cell", "corners": "cell,nv", "z": "z"}
    plan = make_plan(dataset(mesh), "netcdf4")
    assert cuts(plan) == {"temp": "cell", "lon": "cell", "corners": "cell", "z": ""}


@pytest.mark.parametrize("axis", [{"axis": "Z"}, {"positive": "down"}, {"standard_name": "depth"}])
def test_levels_are_not_cut(axis: dict[str, str]) -> None:
    section = {"z": "z", "section": "time,z,x"}
    assert cuts(make_plan(dataset(section, attributes={"z": axis}), "netcdf4"))["section"] == "x"
    assert cuts(make_plan(dataset(section), "netcdf4"))["section"] == "z,x"


def test_bounds_are_not_cut_along_their_vertices() -> None:
    assert cuts(make_plan(dataset({"bounds": "y,x,nv"}), "cdf1")) == {"bounds": "y,x"}


def test_characters_are_cut_as_others_but_not_along_the_length_of_texts() -> None:
    texts = {"flag": "time,y,x:S1", "a": "y,x", "name": "cell,n:S1", "word": "n:S1", "quality": "xu:S1", "u": "xu"}
    plan = make_plan(dataset(texts), "netcdf4")
    assert cuts(plan) == {"flag": "y,x", "a": "y,x", "name": "cell", "word": "", "quality": "xu", "u": "xu"}


def test_a_dimension_that_a_variable_has_twice_is_not_cut() -> None:
    plan = make_plan(dataset({"covariance": "n,n", "both": "n,n,x"}), "cdf1")
    assert cuts(plan) == {"covariance": "", "both": "x"}


def test_named_dimensions_are_cut() -> None:
    plan = make_plan(dataset(OCEAN), "netcdf4", cuts=[("z", "y"), ("yv",)])
    assert cuts(plan) == {"time": "", "z": "", "y": "", "x": "", "temp": "z,y", "u": "z,y", "v": "yv"}
    with pytest.raises(DataError, match="no dimension 'lat' to cut"):
        make_plan(dataset(OCEAN), "netcdf4", cuts=[("lat",)])


@pytest.mark.parametrize(
    ("variables", "unlimited", "record", "note"),
    [
        ({"time": "time", "a": "time,x"}, "time", "time", ""),
        ({"time": "time", "a": "time,x"}, "", "time", "'time' becomes unlimited"),
        ({"z": "z", "a": "z,x"}, "z", "z", ""),
        ({"a": "y,x"}, "y", None, "'y' has a fixed size"),
        ({"a": "time,x"}, "time", "time", "a variable 'time' is added"),
        ({"time": "time", "a": "x,time"}, "time", None, "'time' has a fixed size"),
        ({"time": "time", "z": "z", "a": "time,x", "b": "z,x"}, "time,z", "time", "'z' has a fixed size"),
        ({"a": "y,x"}, "", None, "an empty dimension 'record'"),
    ],
)
def test_records_are_those_of_time_or_of_the_unlimited_dimension(
    variables: dict[str, str], unlimited: str, record: str | None, note: str
) -> None:
    plan = make_plan(dataset(variables, unlimited, {"time": TIME} if "time" in variables else {}), "netcdf4")
    assert plan.record == record
    assert any(note in text for text in plan.notes) if note else plan.notes == []


def test_what_a_format_cannot_hold_is_left_out_with_the_reason() -> None:
    variables = {"long": "y,x:i8", "word": "n:S1", "a": "y,x", "t": "y,x:f2"}
    attributes = {
        "a": {"flags": np.uint8([1, 2]), "_FillValue": np.float64(1.0), "units": "m"},
        "word": {"_FillValue": "no", "units": ""},
    }
    in_cdf1 = make_plan(dataset(variables, attributes=attributes), "cdf1").left_out
    assert in_cdf1.keys() == {"long", "t", "a:flags", "a:_FillValue", "word:_FillValue"}
    assert in_cdf1["word:_FillValue"] == "1 of text: it has to be one of the variable's type char"
    assert in_cdf1["long"] == "type int64: cdf1 has no such type, cdf5, netcdf4 and zarr have"
    in_cdf5 = make_plan(dataset(variables, attributes=attributes), "cdf5").left_out
    assert in_cdf5.keys() == {"t", "a:_FillValue", "word:_FillValue"}


@pytest.mark.parametrize(
    ("format_name", "fill", "reason"), [("cdf1", "", ""), ("zarr", "", "it is the fill_value"), ("zarr", "x", "")]
)
def test_the_character_0_fills_where_an_attribute_can_say_it(format_name: str, fill: str, reason: str) -> None:
    source = dataset({"word": "n:S1"}, attributes={"word": {"_FillValue": fill}})
    written = attribute_value(source.variables["word"], "_FillValue", fill, "netcdf4")
    assert written == fill.encode()
    assert written.dtype == "S1"
    assert reason in make_plan(source, format_name).left_out.get("word:_FillValue", "")
    assert bool(reason) == bool(make_plan(source, format_name).left_out)


def test_numbers_of_a_store_get_the_types_that_its_attributes_lack() -> None:
    attributes = {"a": {"missing_value": [1e20], "flag_values": [1, 2], "large": [2**40]}}
    source = replace(dataset({"a": "y,x"}, attributes=attributes), kind="zarr")
    values = {
        name: attribute_value(source.variables["a"], name, value, "zarr") for name, value in attributes["a"].items()
    }
    assert {name: value.dtype.name for name, value in values.items()} == {
        "missing_value": "float32",
        "flag_values": "int32",
        "large": "int64",
    }
    assert make_plan(source, "cdf1").left_out.keys() == {"a:large"}


@pytest.mark.parametrize(
    ("times", "units", "start_s", "times_s"),
    [
        (
            [1.5, 2.0, 2.5, 3.0, 9.0],
            "days since 1850-01-01",
            86400.0,
            [129600.0, 172800.0, 216000.0, 259200.0, 777600.0],
        ),
        ([5, 4, 3, 2, 1], "days since 1850-01-01", 0.0, [1.0, 2.0, 3.0, 4.0, 5.0]),  # time does not grow
        ([1, 2, 3, 4, 5], "months", 0.0, [1.0, 2.0, 3.0, 4.0, 5.0]),
    ],
)
def test_the_model_time_is_that_of_the_axis_where_it_grows(
    times: list[float], units: str, start_s: float, times_s: list[float]
) -> None:
    source = dataset({"time": "time", "a": "time,x"}, attributes={"time": {"units": units, "calendar": "360_day"}})
    axis = replace(source.variables["time"], read_slab=lambda slab: np.array(times))
    source = replace(source, variables={**source.variables, "time": axis})
    clock = clock_of(source, make_plan(source, "cdf1"))
    assert (clock.start_s, clock.times_s) == (start_s, times_s)
    assert clock.settings in ({}, {"calendar": "360_day", "reference-date": "1850-01-01"})


def test_the_model_time_begins_where_the_zone_says() -> None:
    units = {"units": "hours since 1850-01-01 00:00:00 -6:00", "calendar": "noleap"}
    source = dataset({"time": "time", "a": "time,x"}, attributes={"time": units})
    axis = replace(source.variables["time"], read_slab=lambda slab: np.arange(5.0))
    clock = clock_of(replace(source, variables={**source.variables, "time": axis}), make_plan(source, "cdf1"))
    assert clock.times_s == [0.0, 3600.0, 7200.0, 10800.0, 14400.0]
    assert clock.settings["reference-date"] == "1850-01-01 06:00:00"


@pytest.mark.parametrize("shape", [(7,), (1, 9), (9, 1), (40, 60), (3, 5), (100, 3)])
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 7, 12, 13])
def test_blocks_cover_every_point_once(shape: tuple[int, ...], ranks: int) -> None:
    covered = np.zeros(shape, int)
    boxes = [box_of(shape, ranks, rank) for rank in range(ranks)]
    for box in boxes:
        if box is not None:
            assert min(box[1]) > 0
            covered[tuple(slice(start, start + count) for start, count in zip(*box, strict=True))] += 1
    assert (covered == 1).all()
    assert sum(box is not None for box in boxes) == prod(parts_of(shape, ranks))


@pytest.mark.parametrize(
    ("shape", "ranks", "parts"),
    [((40, 60), 4, (2, 2)), ((40, 60), 6, (2, 3)), ((60, 40), 6, (3, 2)), ((1, 9), 4, (1, 4)), ((3, 5), 7, (1, 5))],
)
def test_blocks_are_about_square(shape: tuple[int, ...], ranks: int, parts: tuple[int, ...]) -> None:
    assert prod(parts_of(shape, ranks)) >= prod(parts)
    if shape != (3, 5):
        assert parts_of(shape, ranks) == parts
