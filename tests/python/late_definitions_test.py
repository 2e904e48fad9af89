# ctest: SHORT TIMEOUT 120
"""Whatever is put between two definitions, files are those of a run in which all is defined first, bit for bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
from field_runs import means_of, opened
from support import mpi, python

HOUR = 3600.0
NONE = -1e20
STEPS = 6

Call = tuple[Any, ...]
"""What is called, of which field, and with what. Numbers that are put are of the step and the call's place in it."""


def define(name: str, dims: str = "x", **keys: Any) -> Call:
    return ("define", name, {"dims": dims, "dtype": np.float64} | keys)


def attribute(name: str, key: str, value: Any) -> Call:
    return ("attribute", name, key, value)


def put(name: str, *values: float, **terms: Any) -> Call:
    return ("put", name, values, terms)


X, MASK = (1.0, NONE, 3.0, 4.0), [True, False, True, True]
HEIGHTS: dict[str, Any] = {
    "from": "t",
    "vertical": {"coordinate": "h", "to": [15, 20], "name": "height", "dimension": "k"},
}
CASES: dict[str, tuple[dict[str, Any], list[Call], list[Call]]] = {
    "missing values": (
        {"fields": ["x", "y"], "operation": "sum"},
        [define("a/y"), put("a/y", 5.0), define("b/x"), put("a/z", 1.0), attribute("b/x", "missing_value", NONE)],
        [put("b/x", *X)],
    ),
    "missing values, put again": (
        {"fields": ["x"], "repeat": "mean"},
        [define("b/x"), put("a/z", 1.0), attribute("b/x", "missing_value", NONE)],
        [put("b/x", *X), put("b/x", 3.0)],
    ),
    "of an operand": (
        {"fields": [{"name": "made", "expression": "x * y"}]},
        [define("y"), define("x"), put("a/z", 1.0), attribute("x", "missing_value", NONE)],
        [put("x", *X), put("y", 2.0)],
    ),
    "of an operation within an expression": (
        {"fields": [{"name": "made", "expression": "mean(x) + max(y)"}]},
        [define("y"), define("x"), put("y", 2.0), attribute("x", "missing_value", NONE)],
        [put("x", *X)],
    ),
    "places of what is made": (
        {"fields": [{"name": "made", "expression": "x * y"}], "operation": "instant"},
        [define("x"), define("y"), define("area", static=True), put("area", 1.0, 2.0, 3.0, 4.0)]
        + [attribute(name, "coordinates", "area") for name in "xy"],
        [put("x", *X), put("y", 2.0)],
    ),
    "units of levels": (
        {"fields": [HEIGHTS]},
        [define("t", "k,x"), define("h", "k,x"), put("a/z", 1.0), attribute("h", "units", "m")],
        [put("h", 10.0, 20.0, 30.0), put("t", 1.0, 2.0, 4.0)],
    ),
    "levels in other units": (
        {"fields": [HEIGHTS | {"vertical": HEIGHTS["vertical"] | {"units": "m", "to": [0.015]}}], "operation": "sum"},
        [define("h", "k,x", units="m"), define("t", "k,x"), put("a/z", 1.0), attribute("h", "units", "mm")],
        [put("h", 10.0, 20.0, 30.0), put("t", 1.0, 2.0, 4.0)],
    ),
    "a coordinate before its field": (
        {"fields": [HEIGHTS], "operation": "sum"},
        [define("h", "k,x"), put("h", 10.0, 20.0, 30.0), define("t", "k,x"), put("t", 1.0, 2.0, 4.0)],
        [],
    ),
    "an operand before a pattern's field": (
        {"fields": [{"from": "ice/*", "expression": "this * w"}], "operation": "sum"},
        [define("ice/a"), define("w"), put("ice/a", 3.0), put("w", 2.0), define("ice/b"), put("ice/b", *X)],
        [],
    ),
    "an operand before the field of its entry": (
        {"fields": [{"from": "late", "name": "made", "expression": "this - w"}], "operation": "sum"},
        [define("w"), put("w", *X), define("late"), put("late", 1.0)],
        [],
    ),
    "static, with a mask": (
        {"fields": ["late"]},
        [define("area", static=True), put("area", *X, mask=MASK), define("late", coordinates="area")],
        [put("late", 2.0)],
    ),
    "static, in parts": (
        {"fields": ["late"]},
        [define("area", static=True), put("area", 1.0, 2.0, start=0), put("area", 3.0, start=3)]
        + [define("late", coordinates="area"), put("late", 2.0)],
        [put("area", 9.0, start=2)],
    ),
    "static, of which all is put behind a part": (
        {"fields": ["area", "late"]},
        [define("area", static=True), put("area", 1.0, 2.0, start=0), put("area", *X), define("late")],
        [put("late", 2.0), put("area", 7.0)],
    ),
    "static, in parts within an expression": (
        {"fields": [{"from": "late", "name": "made", "expression": "area * this"}]},
        [define("area", static=True), put("area", 1.0, 2.0, start=0, mask=[True, False]), put("area", 3.0, start=2)]
        + [define("late"), put("late", 2.0)],
        [put("area", 9.0, start=3)],
    ),
    "static, of what is counted": (
        {"fields": [{"name": "made", "expression": "area * x"}], "operation": "count"},
        [define("area", static=True), define("x"), put("a/z", 1.0), put("area", *X)],
        [put("x", 1.0)],
    ),
    "a coordinate in parts, by whose values cells are chosen": (
        {"fields": ["late"], "region": {"x": {"values": {"from": 2, "to": 3.5}}}},
        [define("x", static=True), put("x", 3.0, 4.0, start=2), put("x", 1.0, 2.0, start=0), put("a/z", 1.0)]
        + [define("late"), put("late", *X)],
        [],
    ),
}


def call(io: thalweg.Session, fields: dict[str, thalweg.Field], of: Call) -> None:
    what, name, *said = of
    if what == "define":
        fields[name] = io.define_field(name, **said[0])
    elif what == "attribute":
        fields[name].define_attribute(*said)
    else:
        values, terms = np.array(said[0]), dict(said[1])
        if "start" in terms:
            terms["start"] = (terms["start"],)
        elif len(values) == 3:
            values = np.repeat(values, 4).reshape(3, 4)
        elif len(values) == 1:
            values = np.repeat(values, 4)
        if "mask" in terms:
            terms["mask"] = np.array(terms["mask"])
        fields[name].put(values, **terms)


def run(folder: Path, chosen: dict[str, Any], calls: list[Call], more: list[Call]) -> dict[str, bytes]:
    """The second step has the calls, and those behind it have more, and what the calls put of what is not static."""
    folder.mkdir()
    fixed = [of[1] for of in calls if of[0] == "define" and of[2].get("static")]
    again = [of for of in calls if of[0] == "put" and of[1] not in fixed]
    with thalweg.start(config=means_of(folder, c=chosen, other={"fields": ["a/z"]})) as io:
        for name, size in {"x": 4, "k": 3}.items():
            io.define_field_dimension(name, size)
        fields: dict[str, thalweg.Field] = {}
        for step in range(1, STEPS + 1):
            if step == 1:
                call(io, fields, define("a/z"))
            for of in {1: [], 2: calls + more}.get(step, again + more):
                call(io, fields, of)
            io.advance(step * HOUR)
    return {path.name: path.read_bytes() for path in folder.glob("*.nc")}


@pytest.mark.parametrize("case", CASES)
def test_files_are_those_of_a_run_in_which_all_is_defined_first(tmp_path: Path, case: str) -> None:
    chosen, calls, more = CASES[case]
    late = run(tmp_path / "late", chosen, calls, more)
    first = run(tmp_path / "first", chosen, sorted(calls, key=lambda of: of[0] == "put"), more)
    assert first.keys() == late.keys() == {"c.nc", "other.nc"}
    assert first == late


def test_what_is_made_of_a_field_has_its_attributes_when_it_is_open(tmp_path: Path) -> None:
    chosen = means_of(tmp_path, c={"fields": [{"name": "made", "expression": "x * y"}]})
    with thalweg.start(config=chosen) as io:
        x, y = io.define_field("x", "", np.float64), io.define_field("y", "", np.float64)
        io.ready()
        with pytest.raises(thalweg.Error, match="attribute 'missing_value': collection 'c' has the field already"):
            x.define_attribute("missing_value", NONE)
        for step in range(1, 4):
            x.put(NONE)
            y.put(2.0)
            io.advance(step * HOUR)
    with opened(tmp_path, "c") as stored:
        assert stored["made"].values.tolist() == [2 * NONE]


@pytest.mark.parametrize(
    ("puts", "wanted"),
    [
        (
            [{"mask": [True, True, False, True]}],
            "1 of 4 cells of the field 'x', of whose values they are, were not put",
        ),
        ([{"start": (0,)}], "2 of 4 cells of the field 'x'"),
        ([{"start": (3,)}], "was put with 2 values from 3 on, but the dimension has 4 cells"),
    ],
)
def test_a_coordinate_that_lacks_values_chooses_nothing(
    tmp_path: Path, puts: list[dict[str, Any]], wanted: str
) -> None:
    """Until all of them are there."""
    region = {"x": {"values": {"from": 2, "to": 3}}}
    with thalweg.start(config=means_of(tmp_path, c={"fields": ["t"], "region": region}), on_exception="raise") as io:
        io.define_field_dimension("x", 4)
        x, t = io.define_field("x", "x", np.float64, static=True), io.define_field("t", "x", np.float64)
        for terms in puts:
            values = np.arange(1.0, 5.0)[: 2 if "start" in terms else 4]
            x.put(values, **{key: np.array(of) if key == "mask" else of for key, of in terms.items()})
        with pytest.raises(thalweg.Error, match=wanted):
            t.put(np.zeros(4))
        with pytest.raises(thalweg.Error, match=wanted):
            io.finish()


@pytest.mark.parametrize(
    ("shape", "terms", "wanted"),
    [
        (3, {}, "field 'area': dimension 0 of the array .* has 3 elements, but it must have 4"),
        (4, {"start": (1,)}, "field 'area': a part of 4 cells from 1 on"),
        (4, {"mask": np.ones(4), "weight": -1.0}, "field 'area': a weight of -1"),
    ],
)
def test_a_static_field_is_checked_before_anything_has_it(
    tmp_path: Path, shape: int, terms: dict[str, Any], wanted: str
) -> None:
    """A call that is refused is as none: the right one may follow."""
    with thalweg.start(config=means_of(tmp_path, c={"fields": ["late"]})) as io:
        io.define_field_dimension("x", 4)
        area = io.define_field("area", "x", np.float64, static=True)
        late: thalweg.Field | None = None
        io.advance(HOUR)
        with pytest.raises(thalweg.Error, match=wanted):
            area.put(np.zeros(shape), **terms)
        area.put(np.arange(4.0))
        for step in (2, 3):
            late = late or io.define_field("late", "x", np.float64, coordinates="area")
            late.put(np.ones(4))
            io.advance(step * HOUR)
    with opened(tmp_path, "c") as stored:
        assert stored["area"].values.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_checkpoints_have_what_was_opened_behind_the_first_one(tmp_path: Path) -> None:
    """A collection that waits is in none, as in the first ones here. A run goes on from the last."""
    every = {"every": "8 h", "append": "continue"}
    chosen = means_of(tmp_path, a=every | {"fields": ["ice/x", "ice/late"]}, b=every | {"fields": ["y"]})
    of_checkpoints = {"every": "on-demand", "cycle": 2, "format": "cdf5"}
    chosen["collections"]["checkpoint"] = of_checkpoints | {"file": str(tmp_path / "checkpoint.%n.nc")}
    for first, last in ((0, 6), (6, 8)):
        with thalweg.start(config=chosen, on_exception="raise") as io:
            io.set_time(first * HOUR)
            for name, size in {"k": 3, "n": 2}.items():
                io.define_field_dimension(name, size)
            y = io.define_field("ocean/y", "n", np.float64)
            io.ready()
            others: list[thalweg.Field] = []
            for step in range(first + 1, last + 1):
                if not others and step >= 3:
                    others = [io.define_field(f"ice/{name}", "k", np.float64) for name in ("x", "late")]
                    io.ready()
                y.put([1.0 * step, 2.0 * step])
                for other in others:
                    other.put(np.full(3, 3.0 * step))
                io.advance(step * HOUR)
                io.checkpoint()
        if last == 6:
            kept = sorted(path.name for path in tmp_path.glob("checkpoint*.nc"))
            assert kept == ["checkpoint.1.nc", "checkpoint.2.nc"]
            with opened(tmp_path, "checkpoint.2") as stored:
                assert stored["time"].values.tolist() == [6 * HOUR] and stored["values_3"].dims == ("time", "n")
                np.testing.assert_allclose(stored["values_3"].values[-1], [21.0, 42.0])
    for name, variable, mean in (("a", "late", [16.5] * 3), ("b", "y", [4.5, 9.0])):
        with opened(tmp_path, name) as stored:
            np.testing.assert_allclose(stored[variable].values, [mean])


def work(folder: Path, *words: object) -> int:
    """In pieces of memory, as many on a busy machine as on an idle one."""
    counting = {"LD_PRELOAD": str(mpi.BUILD / "lib" / "libcount_allocations.so"), "PYTHONPATH": mpi.PYTHON_PATHS}
    command = [sys.executable, str(python.PROGRAMS / "counted_work.py"), *map(str, words)]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | counting, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.parametrize(
    ("collection", "attributes", "most"),
    [
        ({"file": "a.nc", "operation": "mean"}, 0, 15),
        ({"file": "a.nc", "operation": "max"}, 1, 15),
        ({"file": "a.nc"}, 0, 15),
        ({"file": "a.nc", "fields": ["ocean/*"], "operation": "mean"}, 0, 15),
        ({"file": "a_%v.nc", "operation": "mean"}, 0, 20),
    ],
)
def test_to_define_a_field_and_put_it_is_work_for_each_field_once(
    tmp_path: Path, collection: dict[str, Any], attributes: int, most: int
) -> None:
    """What collections have chosen they look at again with each definition, but they do not make it again: the work is
    a few pieces of memory for each two fields, and not for each three."""
    fields = 150
    assert work(tmp_path, "fields", fields, attributes, json.dumps(collection)) < most * fields**2


def test_templates_that_extend_each_other_are_work_for_each_once(tmp_path: Path) -> None:
    assert work(tmp_path, "templates", 1000) < 200 * 1000


def test_a_checkpoint_that_cannot_be_says_so_each_time(tmp_path: Path) -> None:
    """Of dimensions of one name and two sizes. The run and its files go on."""
    chosen = means_of(tmp_path, a={"fields": ["x"]}, b={"fields": ["y"]})
    with thalweg.start(config=chosen, on_exception="raise") as io:
        fields = {}
        for name, size in (("x", 2), ("y", 3)):
            cells = io.decompose("n", (size,), (0,), (size,))
            fields[name] = (io.define_field(name, "n", np.float64, cells), size)
        for step in range(1, 4):
            for field, size in fields.values():
                field.put(np.full(size, float(step)))
            io.advance(step * HOUR)
            with pytest.raises(thalweg.Error, match="dimension 'n' has size 2 already; it cannot be 3 as well"):
                io.checkpoint()
    for name, variable, size in (("a", "x", 2), ("b", "y", 3)):
        with opened(tmp_path, name) as stored:
            assert stored[variable].values.tolist() == [[2.0] * size]
    assert not list(tmp_path.glob("checkpoint*"))
