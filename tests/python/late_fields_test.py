# ctest: LABELS mpi TIMEOUT 300
"""Fields that are defined behind some steps are in the files of their collections as if they had been defined before
the first one, bit for bit, on any ranks, with servers, in any format; what comes too late is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
from field_runs import means_of, opened
from support import python

ENDINGS = {"netcdf4": "nc", "cdf5": "nc", "zarr": "zarr"}
LAST, LATE, HOUR = 26, 3, 3600.0
HEIGHTS = {"coordinate": "ice/heights", "to": [5, 12.5], "name": "height"}


def collections(form: str) -> dict[str, dict[str, Any]]:
    def writing(file: str, fields: list[Any], every: str = "3 h", **keys: Any) -> dict[str, Any]:
        said = {"file": f"{file}.{ENDINGS[form]}", "format": form, "every": every, "fields": fields}
        return said | {key.replace("_", "-"): value for key, value in keys.items()}

    made = {"name": "ratio", "expression": "mean('ocean/temp' * 'ice/aice') / mean('ice/aice')"}
    return {
        "ocean": writing("ocean", ["temp", "salt"], operation="mean"),
        "ice": writing("ice", ["aice", "hice", "drift"], operation="mean"),
        "kinds": writing("kinds", ["ice/kind", "drift"]),
        "mixed": writing(
            "mixed", ["aice", "temp", "hice", made, {"from": "temp", "operation": "max"}], operation="std"
        ),
        "all": writing("all", ["*"]),
        "files": writing("files_%v_%Y%m%d%H", ["ice/*", "ocean/*"], "4 h", new_file="8 h", operation="max"),
        "turned": writing("turned", ["ice/?ice", "ocean/*"], "4 h", operation="difference", repeat="mean"),
        "levels": writing(
            "levels", [{"from": "u", "vertical": HEIGHTS}, "salt"], "5 h", operation="mean", missing="propagate"
        ),
        "region": writing(
            "region",
            ["temp", {"from": "aice", "region": {"x": {"index": [1, 3]}}}, {"from": "drift", "region": "none"}],
            operation="mean",
            region={"y": {"values": {"from": 15, "to": 55}}},
        ),
        "cut": writing("cut", ["drift", "u"], "4 h", operation="min", region={"i": {"index": [0, 4]}}),
        "optional": writing("optional", ["co2", "aice", "temp"], "4 h", optional=True),
        "diurnal": writing("diurnal", ["aice", "temp"], "1 d", operation="diurnal 8"),
        "end": writing("end", ["hice", "*"], "1 d", operation="rms"),
        "window": writing("window", ["aice", "temp"], "2 h", operation="mean", **{"from": "2000-01-01 05:00:00"}),
        "skip": writing("skip", ["aice"], operation="mean", when_not_put="skip"),
        "split": writing("split", ["hice", "salt"], "150 min", operation="mean", straddle="split"),
        "joined": writing("joined", ["temp", "aice"], operation="mean", repeat="mean"),
    }


def run(folder: str, form: str, defines: int = LATE, ranks: int = 2, **keys: Any) -> dict[str, Any]:
    said = {"folder": folder, "defines": defines, "ranks": ranks, "begins": LATE, "first": 0, "last": LAST}
    said |= {
        "keeps": [],
        "ready": [],
        "says_steps": False,
        "within": False,
        "skips": True,
        "alone": False,
        "forgets": [],
    } | keys
    all_of = keys.get("collections") or collections(form)
    said["settings"] = {"report": "none", "time-step": "1 h", "collections": all_of} | keys.get("settings", {})
    return said


WAYS: dict[str, dict[str, Any]] = {
    "1 rank": {"ranks": 1, "within": True},
    "2 ranks": {},
    "3 ranks, sync": {"ranks": 3, "settings": {"writers": "sync"}, "says_steps": True},
    "4 ranks": {"ranks": 4, "within": True},
    "4 ranks, at once": {"ranks": 4, "within": True, "defines": 1},
    "a server": {"ranks": 4, "within": True, "settings": {"writers": {"ranks": 1}}},
    "2 groups of servers": {"ranks": 4, "settings": {"writers": {"ranks": {"count": 2, "groups": 2}}}},
    "2 nodes": {"ranks": 4, "settings": {"emulate-nodes": 2}},
}
FORMATS = ["netcdf4", "cdf5", "zarr"]


def started(folder: Path, runs: list[dict[str, Any]], ranks: int = 4) -> str:
    (folder / "runs.json").write_text(json.dumps(runs))
    done = python.start("late_fields.py", ranks, folder, None, "runs.json", limit_s=240)
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


def content(path: Path) -> dict[str, bytes]:
    return {str(file.relative_to(path)): file.read_bytes() for file in sorted(path.rglob("*")) if file.is_file()}


def require_equal(one: Path, other: Path) -> None:
    first, second = content(one), content(other)
    assert first.keys() == second.keys() != set()
    different = [name for name, values in first.items() if values != second[name]]
    assert not different


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("late")
    runs = [run(f"{form}/first", form, defines=0) for form in FORMATS]
    for number, (way, keys) in enumerate(WAYS.items()):
        for form in FORMATS[number % 3 :][:2]:
            runs.append(run(f"{form}/{way}", form, **keys))
    started(folder, runs)
    return folder


@pytest.mark.parametrize("way", WAYS)
def test_late_fields_are_written_as_if_they_had_been_defined_first(written: Path, way: str) -> None:
    compared = [form for form in FORMATS if (written / form / way).exists()]
    assert compared
    for form in compared:
        require_equal(written / form / "first", written / form / way)


def gathering(form: str) -> dict[str, dict[str, Any]]:
    """Those that go on within their intervals, of fields that are all of the ocean or all of the ice."""
    chosen = ("ocean", "ice", "skip")
    ours = {name: of for name, of in collections(form).items() if name in chosen}
    more = {"at": ours["ice"] | {"file": f"at.{ENDINGS[form]}", "fields": ["aice", "drift"], "append": "continue"}}
    more["at"].pop("operation")
    return {name: of | {"append": "continue", "every": "5 h"} for name, of in ours.items()} | more


@pytest.mark.parametrize("form", FORMATS)
def test_a_run_goes_on_with_fields_that_it_defines_late(tmp_path: Path, form: str) -> None:
    """The second run defines the ice behind its first step, and reads then what the checkpoint of its start has."""
    of = gathering(form)
    said = {"collections": of, "skips": False}
    first = run("two", form, defines=2, last=7, keeps=[7], ready=[1, 2], begins=2, **said)
    second = run("two", form, defines=9, first=7, last=16, ready=[8, 9], begins=9, ranks=3, **said)
    whole = run("whole", form, defines=0, last=7, keeps=[7], ready=[1], begins=2, **said)
    again = run("whole", form, defines=0, first=7, last=16, ready=[8], begins=9, **said)
    started(tmp_path, [first, second, whole, again])
    for folder in ("two", "whole"):
        for file in (tmp_path / folder).glob("checkpoint*"):
            file.unlink()
    require_equal(tmp_path / "whole", tmp_path / "two")


def test_a_field_that_nobody_defines_is_an_error_at_the_first_record(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """It is said with the first step. What was complete stays, and what is committed is published."""
    (tmp_path / "b.nc").write_text("of an earlier run")
    chosen = means_of(tmp_path, a={"fields": ["x"]}, b={"fields": ["ocean/sallt"], "every": "6 h"})
    with thalweg.start(config=chosen, on_exception="raise") as io:
        x = io.define_field("ocean/x", "", np.float64)
        io.define_field("ocean/salt", "", np.float64)
        for step in range(1, 6):
            x.put(float(step))
            io.advance(step * HOUR)
        wanted = "collection 'b': field 'ocean/sallt' is chosen, but the program does not define it; did you mean"
        x.put(6.0)
        for _ in range(2):
            with pytest.raises(thalweg.Error, match=wanted):
                io.advance(6 * HOUR)
        with pytest.raises(thalweg.Error, match=wanted):
            io.finish()
    said = capfd.readouterr().err
    assert said.count("collection 'b' waits for fields until its first record: field 'ocean/sallt' is chosen") == 1
    assert (tmp_path / "b.nc").read_text() == "of an earlier run"
    with opened(tmp_path, "a") as stored:
        np.testing.assert_array_equal(stored["x"].values[0], 2.0)


def test_the_error_is_over_when_the_field_is_defined(tmp_path: Path) -> None:
    with thalweg.start(config=means_of(tmp_path, a={"fields": ["x"], "every": "2 h"})) as io:
        io.advance(HOUR)
        with pytest.raises(thalweg.Error, match="field 'x' is chosen, but the program defines no fields"):
            io.advance(2 * HOUR)
        x = io.define_field("x", "", np.float64)
        x.put(5.0)
        io.advance(2 * HOUR)
    with opened(tmp_path, "a") as stored:
        assert stored["x"].values.tolist() == [5.0] and stored["time_bnds"].values.tolist() == [[0.0, 2 * HOUR]]


def test_an_end_before_the_first_record_is_told_the_same(tmp_path: Path) -> None:
    io = thalweg.start(config=means_of(tmp_path, a={"fields": ["x"]}, b={"fields": ["y"], "every": "1 d"}))
    x = io.define_field("x", "", np.float64)
    for step in range(1, 4):
        x.put(1.0)
        io.advance(step * HOUR)
    with pytest.raises(thalweg.Error, match="collection 'b': field 'y' is chosen, but the program does not define it"):
        io.finish()
    assert [path.name for path in tmp_path.glob("*.nc")] == ["a.nc"]


def test_ready_ends_definitions_of_those_that_have_what_they_name(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chosen = means_of(
        tmp_path,
        all={"fields": ["ocean/*"]},
        some={"fields": ["x", "co2"], "optional": True},
        like={"fields": ["?2"], "optional": True},
        ice={"fields": ["aice"]},
    )
    with thalweg.start(config=chosen) as io:
        x = io.define_field("ocean/x", "", np.float64)
        io.ready()
        with pytest.raises(
            thalweg.Error,
            match="field 'ocean/y': the definitions of collection 'all', which has all that is like 'ocean/.', have",
        ):
            io.define_field("ocean/y", "", np.float64)
        co2 = io.define_field("air/co2", "", np.float64)
        vain = io.define_field("air/vain", "", np.float64)
        late = io.define_field("ice/aice", "", np.float64)
        assert late.is_wanted and late.is_wanted_now and not co2.is_wanted and not vain.is_wanted
        late.define_attribute("units", "1")
        for step in range(1, 4):
            for field in (x, late, vain):
                field.put(float(step))
            io.advance(step * HOUR)
        with pytest.raises(thalweg.Error, match="attribute 'units': collection 'ice' has the field already"):
            late.define_attribute("units", "percent")
    said = capfd.readouterr().err
    assert "collection 'some': field 'air/co2' is defined behind the end of its definitions" in said
    assert "fields that were put and no collection has: 'air/vain'\n" in said
    assert sorted(path.name for path in tmp_path.glob("*.nc")) == ["all.nc", "ice.nc", "some.nc"]
    with opened(tmp_path, "ice") as stored:
        assert stored["aice"].values.tolist() == [2.0] and stored["aice"].attrs["units"] == "1"
    with opened(tmp_path, "some") as stored:
        assert list(stored) == ["time_bnds", "x"]


def test_static_fields_are_kept_for_those_who_wait(tmp_path: Path) -> None:
    """Also those that decide what is chosen."""
    region = {"k": {"values": {"from": 15, "to": 35}}}
    chosen = means_of(tmp_path, ice={"fields": ["drift"], "region": region}, ocean={"fields": ["x"]})
    with thalweg.start(config=chosen) as io:
        x = io.define_field("ocean/x", "", np.float64)
        i = io.define_field("i", "i", np.float64, static=True, units="km")
        io.define_field_dimension("i", 2)
        assert i.is_wanted and i.is_wanted_now
        i.put([1.0, 2.0])
        x.put(1.0)
        io.advance(HOUR)
        io.define_field_dimension("k", 4)
        drift = io.define_field("drift", "k,i", np.float64)
        k = io.define_field("k", "k", np.float64, static=True)
        k.put([10.0, 20.0, 30.0, 40.0])
        for step in (2, 3):
            drift.put(np.arange(8.0).reshape(4, 2))
            io.advance(step * HOUR)
    with opened(tmp_path, "ice") as stored:
        assert stored["i"].values.tolist() == [1.0, 2.0] and stored["k"].values.tolist() == [20.0, 30.0]
        assert stored["drift"].values.tolist() == [[[2.0, 3.0], [4.0, 5.0]]]


def test_one_that_goes_on_takes_nothing_before_all_is_there(tmp_path: Path) -> None:
    chosen = means_of(tmp_path, mixed={"fields": ["x", "y"], "append": "continue"})
    with thalweg.start(config=chosen) as io:
        x = io.define_field("ocean/x", "", np.float64)
        io.ready()
        wanted = "call thalweg_ready before its first put, when all fields that the collection names are defined"
        with pytest.raises(thalweg.Error, match=wanted):
            x.put(1.0)
        y = io.define_field("ice/y", "", np.float64)
        io.ready()
        for step in range(1, 4):
            x.put(1.0)
            y.put(2.0)
            io.advance(step * HOUR)
    with opened(tmp_path, "mixed") as stored:
        assert (stored["x"].values.tolist(), stored["y"].values.tolist()) == ([1.0], [2.0])


@pytest.mark.parametrize(
    ("defined", "chosen", "refused"),
    [
        ("ocean/salt", "ocean/sallt", True),
        ("ocean/salt", "ocean/s?l", True),
        ("ocean/salt", "ice/aice", False),
        ("ocean/salt", "aice", False),
        ("salt", "sallt", True),
        ("salt", "ice/aice", False),
    ],
)
def test_ready_says_that_components_have_all_of_their_fields(
    tmp_path: Path, defined: str, chosen: str, refused: bool
) -> None:
    """So a misspelled name is an error before the first step."""
    with thalweg.start(config=means_of(tmp_path, a={"fields": [chosen]}), on_exception="raise") as io:
        io.define_field(defined, "", np.float64)
        if refused:
            with pytest.raises(thalweg.Error, match="collection 'a': (field|no field is like)"):
                io.ready()
        else:
            io.ready()
        late = io.define_field(chosen.replace("?", "a"), "", np.float64)
        io.ready()
        for step in range(1, 4):
            late.put(1.0)
            io.advance(step * HOUR)
    with opened(tmp_path, "a") as stored:
        assert stored[chosen.rpartition("/")[2].replace("?", "a")].values.tolist() == [1.0]


def test_those_that_come_later_have_their_share_of_the_staging_memory(tmp_path: Path) -> None:
    """With room for one record of each, neither is refused, whichever comes first."""
    cells = 1 << 17
    small = means_of(tmp_path, a={"fields": ["x"]}, b={"fields": ["x", "y*"]}, c={"fields": ["x", "z"]})
    small["staging"] = f"{6 * 8 * cells + (1 << 19)} B"
    with thalweg.start(config=small) as io:
        io.define_field_dimension("n", cells)
        x, y = io.define_field("x", "n", np.float64), io.define_field("y", "n", np.float64)
        x.put(np.full(cells, 1.0))
        io.advance(HOUR)
        z = io.define_field("z", "n", np.float64)
        for step in range(2, 7):
            for number, field in enumerate((x, y, z)):
                field.put(np.full(cells, float(number + step)))
            io.advance(step * HOUR)
    for name, variables in {"a": ["x"], "b": ["x", "y"], "c": ["x", "z"]}.items():
        with opened(tmp_path, name) as stored:
            assert [of for of in stored if of != "time_bnds"] == variables
            assert stored["x"].values[1].tolist() == [5.0] * cells


def test_a_rank_that_defines_something_alone_is_told_at_once(tmp_path: Path) -> None:
    chosen = {"all": collections("cdf5")["all"] | {"every": "1 d"}, "ice": collections("cdf5")["ice"]}
    chosen["ice"] = chosen["ice"] | {"fields": ["aice"], "every": "1 d"}
    said = run("alone", "cdf5", ranks=2, collections=chosen, alone=True, settings={"deadline": "50 s"})
    (tmp_path / "runs.json").write_text(json.dumps([said]))
    done = python.start("late_fields.py", 2, tmp_path, None, "runs.json", limit_s=40, alone=True)
    assert done.returncode != 0
    assert "to thalweg_wait, thalweg_finish or the end of later definitions after 2 advances" in done.stderr
    assert "or one of them defined what the other did not" in done.stderr
