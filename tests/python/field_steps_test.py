# ctest: SHORT TIMEOUT 120
"""Which steps a collection takes of a field, what a step is that is put several times, and what is refused of these."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
from field_runs import opened, refused

MEANS = {"fields": ["a/x"], "operation": "mean", "every": "6 h"}


@pytest.mark.parametrize(
    ("collection", "wanted"),
    [
        ({"fields": ["a/x"], "sample": "2 h"}, "sample: it is of operations over intervals, and there are instants"),
        ({"fields": [{"from": "a/x", "sample": "2 h"}]}, "'sample' says of which steps an operation over an interval"),
        ({"fields": ["a/x"], "when-not-put": "skip"}, "when-not-put: records of fields over intervals are left out"),
        (MEANS | {"straddle": "split", "sample": "3 h"}, "straddle: with 'sample' a value stands for the time between"),
        (MEANS | {"straddle": "split", "operation": "sum"}, "variable 'a/x': the sum would have a step twice"),
        (MEANS | {"sample": "9 h"}, "sample: 9 h is longer than every: 6 h, which would have intervals without"),
        (MEANS | {"sample": "30 min"}, "sample: 30 min is shorter than the time-step of 1 h"),
        (MEANS | {"sample": "3 h", "sample-offset": "3 h"}, "sample-offset: 3 h is no part of sample: 3 h"),
        (MEANS | {"sample-offset": "1 h"}, "sample-offset: 1 h is no part of sample: 1 step"),
        (MEANS | {"sample": "3 h", "sample-offset": "1 month"}, "'1 month' is no offset, as it is not always as long"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, collection: dict[str, Any], wanted: str) -> None:
    assert wanted in refused(tmp_path, collection)


def test_a_model_need_not_compute_what_is_no_sample(tmp_path: Path) -> None:
    chosen = {
        "every": "6 h",
        "operation": "mean",
        "sample": "3 h",
        "fields": ["x", {"name": "two", "expression": "a + b", "sample": "2 h"}],
    }
    settings = {"report": "none", "time-step": "1 h", "collections": {"m": {"file": str(tmp_path / "m.nc")} | chosen}}
    asked = []
    with thalweg.start(config=settings) as io:
        fields = [io.define_field(name, "", np.float64) for name in ("x", "a", "b")]
        for step in range(1, 7):
            asked.append([field.is_wanted_now for field in fields])
            for field in fields:
                if field.is_wanted_now:
                    field.put(float(step))
            io.advance(step * 3600.0)
    steps = range(1, 7)
    assert asked == [[step % 3 == 0, step % 2 == 0, step % 2 == 0] for step in steps]
    with opened(tmp_path, "m") as stored:
        assert stored["x"].values == [4.5] and stored["two"].values == [8.0]


def test_cells_that_are_put_again_are_joined_cell_by_cell(tmp_path: Path) -> None:
    collections: dict[str, dict[str, Any]] = {
        "m": {"file": str(tmp_path / "m.nc"), "every": "2 h", "operation": "mean", "missing": "propagate"},
        "i": {"file": str(tmp_path / "i.nc")},
    }
    for of in collections.values():
        of |= {"fields": ["x"], "repeat": "add"}
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": collections}) as io:
        io.define_field_dimension("n", 4)
        x = io.define_field("x", "n", np.float64, missing_value=-1.0)
        x.put([1.0, 2.0], start=[0])
        x.put([9.0, 8.0], start=[1])
        io.advance(3600.0)
        x.put([1.0, 1.0, 1.0, 1.0], weight=3.0)
        io.advance(7200.0)
    with opened(tmp_path, "m") as means, opened(tmp_path, "i") as instants:
        np.testing.assert_array_equal(means["x"].values, [[1.0, 3.5, 2.75, 1.0]])
        np.testing.assert_array_equal(instants["x"].values, [[1.0, 11.0, 8.0, -1.0], [1.0, 1.0, 1.0, 1.0]])


@pytest.mark.parametrize("more", [{}, {"fields": ["x", {"name": "y", "expression": "x + 1"}], "repeat": "last"}])
def test_a_second_put_in_a_step_is_refused_and_the_first_stays(tmp_path: Path, more: dict[str, Any]) -> None:
    instants = {"file": str(tmp_path / "i.nc"), "fields": ["x"]} | more
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"i": instants}}) as io:
        x = io.define_field("x", "", np.float64)
        x.put(10.0)
        with pytest.raises(thalweg.Error, match="'x'.* put twice in (the step that ends at 3600 s|record 0)"):
            x.put(20.0)
        io.advance(3600.0)
    with opened(tmp_path, "i") as stored:
        assert stored["x"].values == [10.0]


def test_what_has_no_file_of_its_own_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    own = {"file": f"{tmp_path}/%v.nc", "every": "1 h", "fields": ["*"], "variables": {"off": {"enabled": False}}}
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"d": own}}) as io:
        io.define_field_dimension("n", 2)
        fields = [
            io.define_field(name, "n", np.float32, static=name in ("n", "area")) for name in ("n", "area", "on", "off")
        ]
        for number, field in enumerate(fields):
            field.put(np.full(2, number, "f4"))
        io.advance(3600.0)
    assert [path.name for path in tmp_path.glob("*.nc")] == ["on.nc"]
    with opened(tmp_path, "on") as stored:
        assert stored["on"].values.tolist() == [[2, 2]]
        assert stored["n"].values.tolist() == [0, 0]
    said = [line for line in capfd.readouterr().err.splitlines() if "static" in line]
    assert said == [
        "thalweg: collection 'd': static fields have no file of their own where 'file' has the name of a variable "
        + "(%v), and are left out: area; choose them in another collection"
    ]


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ({"from": "2000-02-01", "until": "2000-01-01"}, "until: 2000-01-01 00:00:00 is not behind from: 2000-02-01"),
        ({"from": "2000-02-30"}, "from: 2000-02-30 00:00:00 does not exist in the calendar standard"),
        ({"from": "2000-01-01", "operation": "mean", "straddle": "split"}, "straddle: with 'from' or 'until' a step"),
        ({"until": "2000-01-01", "fields": "none"}, "until: it is of the fields that a collection chooses"),
    ],
)
def test_a_window_that_there_is_not_is_refused(tmp_path: Path, keys: dict[str, Any], wanted: str) -> None:
    assert wanted in refused(tmp_path, {"fields": ["a/x"], "every": "1 d"} | keys)


def test_nothing_is_wanted_outside_of_a_window(tmp_path: Path) -> None:
    window = {"from": "2000-01-01 02:00:00", "until": "2000-01-01 04:00:00"}
    both = {"m": {"every": "1 d", "operation": "mean"}, "i": {"every": "1 h"}}
    said = {name: {"file": str(tmp_path / f"{name}.nc"), "fields": ["x"]} | of | window for name, of in both.items()}
    wanted = []
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": said}) as io:
        x = io.define_field("x", "", np.float64)
        for step in range(1, 7):
            wanted.append(x.is_wanted_now)
            if wanted[-1]:
                x.put(float(step))
            io.advance(step * 3600.0)
    assert wanted == [False, False, True, True, False, False]
    with opened(tmp_path, "m") as means, opened(tmp_path, "i") as instants:
        assert means["x"].values.tolist() == [3.5] and means["time_bnds"].values.tolist() == [[7200.0, 14400.0]]
        assert instants["x"].values.tolist() == [3.0, 4.0]
