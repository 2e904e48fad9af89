# ctest: TIMEOUT 120
"""Fields that the configuration makes of others by expressions, beside NumPy's results, and what is refused."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
import xarray as xr
from support import mpi

Array = np.ndarray[Any, Any]

HOUR, STEPS = 3600.0, 4
SHAPE = (5, 411)  # rows and strips end at different cells
MISSING = float(np.float32(-1e30))
FILL = {"f4": np.float32(9.969209968386869e36), "f8": 9.969209968386869e36}


def compared(a: Array, b: Array, truth: Array) -> Array:
    return np.where(np.isnan(a) | np.isnan(b), np.nan, truth.astype("f8"))


def chosen(condition: Array, a: Any, b: Any) -> Array:
    return np.where(np.isnan(condition), np.nan, np.where(condition != 0, a, b))


# What IEEE 754 rounds is the same to the last bit; a library's functions are not.
EXACT: dict[str, Callable[[Array, Array, Array], Array]] = {
    "u + v - 2 * w": lambda u, v, w: u + v - 2 * w,
    "(u - v) / w": lambda u, v, w: (u - v) / w,
    "sqrt(u^2 + v^2 + w^2)": lambda u, v, w: np.sqrt(u**2 + v**2 + w**2),
    "-u^2": lambda u, v, w: -(u**2),
    "abs(min(u, v)) + max(v, w)": lambda u, v, w: np.abs(np.minimum(u, v)) + np.maximum(v, w),
    "u > v ? u : w": lambda u, v, w: chosen(compared(u, v, u > v), u, w),
    "cond(v <= 0, 1.5e-1, v * w)": lambda u, v, w: chosen(compared(v, v, v <= 0), 0.15, v * w),
    "(u < v) + 2 * (u >= w) + 4 * (v != w) + 8 * (u == v)": lambda u, v, w: (
        compared(u, v, u < v) + 2 * compared(u, w, u >= w) + 4 * compared(v, w, v != w) + 8 * compared(u, v, u == v)
    ),
    "u": lambda u, v, w: u,
}
OF_A_LIBRARY: dict[str, Callable[[Array, Array, Array], Array]] = {
    "exp(u) + log(abs(v)) + log10(w^2)": lambda u, v, w: np.exp(u) + np.log(np.abs(v)) + np.log10(w**2),
    "sin(u) * cos(v) - tan(w / 9)": lambda u, v, w: np.sin(u) * np.cos(v) - np.tan(w / 9),
    "asin(u / 9) + acos(v / 9) + atan(w)": lambda u, v, w: np.arcsin(u / 9) + np.arccos(v / 9) + np.arctan(w),
    "atan2(u, v) + pow(abs(w), 1.5) + abs(u)^v": lambda u, v, w: np.arctan2(u, v) + np.abs(w) ** 1.5 + np.abs(u) ** v,
}


def samples(missing: bool) -> Array:
    """Three fields of all steps; float32, so that what is read of files is the same."""
    made = np.random.default_rng(3).normal(0.0, 1.5, (3, STEPS, *SHAPE)).astype("f4")
    if missing:
        made[np.random.default_rng(4).random(made.shape) < 0.1] = MISSING
    return made


def run(config: dict[str, Any], fields: Array, dtype: str = "f8", order: tuple[int, ...] = (0, 1, 2)) -> None:
    with thalweg.start(config={"report": "none", "time-step": "1 h"} | config) as io:
        io.define_field_dimension("y", SHAPE[0])
        io.define_field_dimension("x", SHAPE[1])
        put = [io.define_field(f"ocean/{name}", "y,x", dtype, missing_value=MISSING, units="m") for name in "uvw"]
        for step in range(STEPS):
            for field in order[step % 3 :] + order[: step % 3]:
                put[field].put(fields[field, step].astype(dtype))
            io.advance((step + 1) * HOUR)


def opened(file: Path) -> xr.Dataset:
    return xr.open_dataset(file, decode_times=False, mask_and_scale=False)


@pytest.mark.parametrize("missing", [False, True], ids=["all there", "some missing"])
def test_expressions_are_numpys(tmp_path: Path, missing: bool) -> None:
    all_expressions = EXACT | OF_A_LIBRARY
    entries = [{"name": f"e{n}", "expression": text} for n, text in enumerate(all_expressions)]
    fields = samples(missing)
    collections = {
        "steps": {"file": str(tmp_path / "steps.nc"), "fields": entries},
        "mean": {"file": str(tmp_path / "mean.nc"), "every": "4 h", "operation": "mean", "fields": entries},
    }
    run({"collections": collections}, fields)
    u, v, w = np.where(fields == MISSING, np.nan, fields.astype("f8"))
    with opened(tmp_path / "steps.nc") as steps, opened(tmp_path / "mean.nc") as mean:
        for n, (text, of) in enumerate(all_expressions.items()):
            with np.errstate(all="ignore"):
                wanted = of(u, v, w)
            got = steps[f"e{n}"].values
            filled = np.where(np.isfinite(wanted), wanted, FILL["f8"])
            if text in EXACT:
                np.testing.assert_array_equal(got, filled, text)
            else:
                np.testing.assert_allclose(got, filled, rtol=1e-14, atol=1e-14, err_msg=text)
            number = np.isfinite(wanted).sum(axis=0)
            total = np.zeros(SHAPE)
            for step in got:
                total += np.where(step == FILL["f8"], 0.0, step)
            with np.errstate(all="ignore"):
                results = np.where(number > 0, total / number, FILL["f8"])
            np.testing.assert_array_equal(mean[f"e{n}"].values[0], results, text)


def test_operations_within_are_numpys(tmp_path: Path) -> None:
    fields = samples(missing=False)
    entries = {
        "anomaly": "mean(u * v) - mean(u) * mean(v)",
        "weighted": "mean(u * w) / mean(w)",
        "root": "sqrt(mean(this^2) - mean(this)^2)",
        "range": "(max(u) - min(u)) / count(u)",
        "plain": "sum(u - v)",
    }
    chosen = [{"name": name, "expression": text} for name, text in entries.items()]
    chosen[2]["from"] = "w"
    file = {"file": str(tmp_path / "m.nc"), "every": "4 h", "fields": chosen}
    run({"collections": {"m": file}}, fields, dtype="f4", order=(2, 0, 1))
    u, v, w = fields.astype("f8")

    def mean(of: Array) -> Array:
        return (((of[0] + of[1]) + of[2]) + of[3]) / 4

    wanted = {
        "anomaly": mean(u * v) - mean(u) * mean(v),
        "weighted": mean(u * w) / mean(w),
        "root": np.sqrt(mean(w**2) - mean(w) ** 2),
        "range": (u.max(axis=0) - u.min(axis=0)) / 4.0,
        "plain": sum((u - v)[1:], (u - v)[0]),
    }
    with opened(tmp_path / "m.nc") as stored:
        for name, values in wanted.items():
            assert stored[name].dtype == np.float32
            np.testing.assert_array_equal(stored[name].values[0], values.astype("f4"), name)


def test_files_say_what_an_expression_is(tmp_path: Path) -> None:
    given = {"speed": {"attributes": {"units": "m s-1", "long_name": "speed of the water"}}}
    chosen = [
        {"name": "speed", "expression": "sqrt(u^2 + v^2)"},
        {"name": "most", "expression": "max(u + v)"},
        {"name": "spread", "from": "u", "expression": "max(this) - min(this)"},
        {"name": "often", "expression": "count(u * v)"},
    ]
    file = {"file": str(tmp_path / "m.nc"), "every": "2 h", "operation": "mean", "fields": chosen, "variables": given}
    run({"collections": {"m": file}}, samples(missing=False))
    with opened(tmp_path / "m.nc") as stored:
        speed, most, spread, often = (stored[name].attrs for name in ("speed", "most", "spread", "often"))
        assert speed["units"] == "m s-1" and speed["long_name"] == "speed of the water"
        assert speed["cell_methods"] == "time: mean (interval: 1 hour)"
        assert most["long_name"] == "max(u + v)" and "units" not in most and "missing_value" not in most
        assert most["cell_methods"] == "time: maximum (interval: 1 hour)"
        assert spread["long_name"] == "max(this) - min(this), this: ocean/u" and "cell_methods" not in spread
        assert often["units"] == "1" and stored["often"].dtype == np.int32


def scalars(tmp_path: Path, expression: dict[str, Any], steps: Callable[[Any, int], None], **keys: Any) -> list[float]:
    """Means over two steps of what an expression makes of the fields a and b of two cells."""
    file = {"file": str(tmp_path / "m.nc"), "every": "2 h", "operation": "mean", "fields": [expression]} | keys
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"m": file}}) as io:
        io.define_field_dimension("n", 2)
        fields = {name: io.define_field(name, "n", np.float64) for name in ("a", "b")}
        for step in (1, 2):
            steps(fields, step)
            io.advance(step * HOUR)
    with opened(tmp_path / "m.nc") as stored:
        return stored[expression["name"]].values[0].tolist()


def test_parts_make_one_sample(tmp_path: Path) -> None:
    def put(fields: Any, step: int) -> None:
        fields["a"].put([1.0], start=[0])
        fields["b"].put([10.0, 20.0])
        if step == 1:
            fields["a"].put([5.0], start=[1])

    assert scalars(tmp_path, {"name": "s", "expression": "a + b"}, put) == [11.0, 25.0]


def test_weights_of_one_step_agree(tmp_path: Path) -> None:
    def put(fields: Any, step: int) -> None:
        fields["b"].put([1.0, 2.0], weight=3.0 if step == 1 else 1.0)
        if step == 1:
            with pytest.raises(thalweg.Error, match=r"field 'a': put with a weight of 2, but 'b' with 3 .* 'a \* b'"):
                fields["a"].put([1.0, 1.0], weight=2.0)
        fields["a"].put([step, step], weight=3.0 if step == 1 else 1.0)

    assert scalars(tmp_path, {"name": "s", "expression": "a * b"}, put) == [1.25, 2.5]


def test_what_has_no_value_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def put(fields: Any, step: int) -> None:
        fields["a"].put([-4.0, 4.0])
        if step == 1:
            fields["b"].put([0.0, 2.0])

    assert scalars(tmp_path, {"name": "s", "expression": "sqrt(a) / b"}, put) == [FILL["f8"], 1.0]
    said = capfd.readouterr().err
    assert said.count("expression 'sqrt(a) / b': 'a' was put in a step, but not 'b'") == 1
    assert "expression 'sqrt(a) / b': 1 cell of all steps had no finite result, and are missing" in said
    scalars(tmp_path, {"name": "s", "expression": "mean(a) / sqrt(mean(a))"}, put)
    assert "variable 's': 1 cell of 'mean(a) / sqrt(mean(a))' had no finite result" in capfd.readouterr().err


def test_a_program_is_asked_for_the_fields_of_an_expression(tmp_path: Path) -> None:
    file = {"file": str(tmp_path / "i.nc"), "every": "2 h", "fields": [{"name": "s", "expression": "a + b * c"}]}
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"i": file}}) as io:
        a, b, unused = (io.define_field(name, "", np.float64) for name in ("a", "b", "unused"))
        c = io.define_field("c", "", np.float64, static=True)
        assert a.is_wanted and c.is_wanted_now and not unused.is_wanted
        c.put(2.0)
        c.put(7.0)  # changes nothing
        assert not c.is_wanted_now
        wanted = []
        for step in range(1, 5):
            wanted.append(a.is_wanted_now)
            a.put(step)
            b.put(10.0)
            io.advance(step * HOUR)
        assert wanted == [False, True, False, True]
    with opened(tmp_path / "i.nc") as stored:
        np.testing.assert_array_equal(stored["s"].values, [22.0, 24.0])


def refused(tmp_path: Path, *entries: Any, **keys: Any) -> str:
    chosen = {"file": str(tmp_path / "c.nc"), "operation": "mean", "fields": list(entries)} | keys
    settings = {"report": "none", "time-step": "1 h", "collections": {"c": chosen}}
    with pytest.raises(thalweg.Error) as error, thalweg.start(config=settings, on_exception="raise") as io:
        io.define_field_dimension("x", 3)
        for name in ("ocean/t", "ice/t", "ocean/s"):
            io.define_field(name, "x", np.float32)
        io.define_field("column", "", np.float64)
        io.define_field("fixed", "x", np.float64, static=True)
        io.ready()
    return str(error.value)


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("sqrt(s^2 + q^2)", "column 12: there is no field 'q'; known are: ocean/t, ice/t, ocean/s, column, fixed"),
        ("2 * colum", "column 5: there is no field 'colum'; did you mean 'column'?"),
        ("ocean/t - 1", "there is no field 'ocean'; a name with its component is in quotes, as in 'ocean/t'"),
        ("s + t", "column 5: 't' are several fields: ocean/t, ice/t; write one of them in quotes"),
        ("s + column", "column 5: field 'column' has no dimensions, but 'ocean/s' has (x); fields of an expression"),
        ("mean(s) * mean(fixed)", "'fixed' is static, and has no mean(fixed) in time; put it together with a field"),
        ("max(2 * fixed)", "field '2 * fixed' is static, and has no max in time"),
        ("mean(mean(s))", "column 6: 'mean(s)' is within another operation"),
        ("s - mean(s)", "column 1: 's' is of a step, and 'mean(s)' of an interval"),
        ("sqrt(s", "column 7: an operator or ')' is wanted here\n      | sqrt(s\n      |       ^"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, expression: str, wanted: str) -> None:
    assert wanted in refused(tmp_path, {"name": "e", "expression": expression})


def test_what_is_optional_is_left_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def put(fields: Any, step: int) -> None:
        fields["a"].put([step, 1.0])

    more = [{"name": "s", "expression": "2 * a"}, {"name": "q", "expression": "a + co2"}]
    assert scalars(tmp_path, more[0], put, fields=more, optional=True) == [3.0, 2.0]
    assert "fields that the program does not define are left out: co2" in capfd.readouterr().err


def test_the_check_finds_faults_without_a_run(tmp_path: Path) -> None:
    text = "collections:\n  c:\n    file: c.nc\n    fields:\n      - {name: e, expression: 'sqr(a) + b)'}\n"
    (tmp_path / "c.yaml").write_text(text)
    command = [mpi.program("thalweg-check"), tmp_path / "c.yaml"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "c.yaml:5:31" in said and "column 1: 'sqr' is no function or operation; did you mean 'sqrt'" in said
