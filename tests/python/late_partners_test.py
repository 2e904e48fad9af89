# ctest: SHORT TIMEOUT 60
"""Fields that come late to others: in expressions, to a collection that goes on, beside coordinates of a region."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import thalweg
from field_runs import means_of, opened
from support import python  # noqa: F401 - the package of the build folder

HOUR = 3600.0


def test_an_operation_of_which_all_is_there_awaits_the_rest_of_its_expression(tmp_path: Path) -> None:
    """It would gather from the step on in which the rest comes; `mean(a * b)` has nothing before."""
    fields = [
        {"name": "apart", "expression": "mean('ocean/a') * max('ice/b')"},
        {"name": "joint", "expression": "mean('ocean/a' * 'ice/b') + mean('ice/b')"},
    ]
    for chosen, refused in ((fields[:1], True), (fields[1:], False)):
        with thalweg.start(config=means_of(tmp_path, a={"fields": chosen}), on_exception="raise") as io:
            a = io.define_field("ocean/a", "", np.float64)
            if refused:
                with pytest.raises(thalweg.Error, match="an operation within an expression, of which another field is"):
                    a.put(1.0)
                assert a.is_wanted
            else:
                a.put(1.0)
                io.advance(HOUR)
            b = io.define_field("ice/b", "", np.float64)
            for step in range(1 if refused else 2, 4):
                a.put(float(step))
                b.put(2.0)
                io.advance(step * HOUR)
        with opened(tmp_path, "a") as stored:
            assert stored[chosen[0]["name"]].values.tolist() == [4.0 if refused else 7.0]


def test_an_optional_one_is_left_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    made = {"name": "made", "expression": "mean('ocean/a') * max('ice/b')"}
    chosen = means_of(tmp_path, a={"fields": ["ocean/a", made], "optional": True})
    with thalweg.start(config=chosen, on_exception="raise") as io:
        a = io.define_field("ocean/a", "", np.float64)
        b = None
        for step in range(1, 4):
            a.put(float(step))
            if b:
                b.put(2.0)
            io.advance(step * HOUR)
            b = b or io.define_field("ice/b", "", np.float64)
    assert "these are left out, also if it comes: mean('ocean/a') * max('ice/b')" in capfd.readouterr().err
    with opened(tmp_path, "a") as stored:
        assert stored["a"].values.tolist() == [2.0] and "made" not in stored


def test_a_sketch_that_cannot_be_made_leaves_what_the_one_before_has(tmp_path: Path) -> None:
    late = {"from": "ice/b", "type": "int8", "operation": "max"}
    with thalweg.start(config=means_of(tmp_path, a={"fields": ["ocean/a", late]}), on_exception="raise") as io:
        a = io.define_field("ocean/a", "", np.float64)
        for step in range(1, 4):
            if step == 2:
                b = io.define_field("ice/b", "", np.int32)
                b.define_attribute("_FillValue", np.int32(-1000))
                with pytest.raises(thalweg.Error, match="has a number that int8 has not"):
                    _ = b.is_wanted
                b.define_attribute("_FillValue", np.int32(-1))
            a.put(float(step))
            if step > 1:
                b.put(np.int32(step))
            io.advance(step * HOUR)
    with opened(tmp_path, "a") as stored:
        assert (stored["a"].values.tolist(), stored["b"].values.tolist()) == ([2.0], [3.0])


def test_a_question_before_the_coordinate_of_a_region_ends_nothing(tmp_path: Path) -> None:
    region = {"y": {"values": {"from": 1, "to": 2}}}
    with thalweg.start(config=means_of(tmp_path, a={"fields": ["a"], "region": region}), on_exception="raise") as io:
        y = io.define_field("y", "y", np.float64, static=True)
        a = io.define_field("a", "y", np.float64, io.decompose("y", (4,), (0,), (4,)))
        with pytest.raises(thalweg.Error, match="was not put before"):
            _ = a.is_wanted
        y.put(np.arange(4.0))
        for step in range(1, 4):
            a.put(step * np.arange(4.0))
            io.advance(step * HOUR)
    with opened(tmp_path, "a") as stored:
        assert stored["a"].values.tolist() == [[2.0, 4.0]]


def test_one_that_goes_on_is_none_of_the_checkpoints_of_its_own_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = {"append": "continue"}
    chosen = means_of(tmp_path, a={"fields": ["ocean/a"], **more}, b={"fields": ["ice/b", "ocean/a"], **more})
    monkeypatch.chdir(tmp_path)
    with thalweg.start(config=chosen, on_exception="raise") as io:
        a = io.define_field("ocean/a", "", np.float64)
        io.ready()
        io.advance(HOUR)
        io.checkpoint()
        b = io.define_field("ice/b", "", np.float64)
        io.ready()
        for step in range(2, 4):
            a.put(float(step))
            b.put(float(step))
            io.advance(step * HOUR)
    with opened(tmp_path, "b") as stored:
        assert stored["b"].values.tolist() == [2.5]


def test_attributes_of_what_an_expression_has_come_before_its_put(tmp_path: Path) -> None:
    made = {"name": "made", "expression": "'ocean/a' * 2"}
    with thalweg.start(config=means_of(tmp_path, a={"fields": [made]}), on_exception="raise") as io:
        a = io.define_field("ocean/a", "", np.float64)
        a.put(1.0)
        with pytest.raises(thalweg.Error, match="collections have computed with what was put of it"):
            a.define_attribute("missing_value", 1.0)
        for step in range(1, 4):
            if step > 1:
                a.put(1.0)
            io.advance(step * HOUR)
