# ctest: LABELS mpi TIMEOUT 300
"""Fields that are defined behind the first record of a collection are in its next file: until then its files are, bit
for bit, those of a run without them, and from then on those of a run that has defined them first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
from field_runs import means_of, opened
from late_fields_test import ENDINGS, HOUR, content, require_equal, run, started
from support import mpi, python

LATE, EDGE, LAST = 10, 12, 30  # steps of an hour
FORMATS = ["netcdf4", "cdf5", "zarr"]


def collections(form: str) -> dict[str, dict[str, Any]]:
    """Each has a file that ends behind LATE, at EDGE."""

    def writing(file: str, fields: list[Any], **keys: Any) -> dict[str, Any]:
        said = {"file": f"{file}_%H%d.{ENDINGS[form]}", "format": form, "every": "3 h", "new-file": "12 h"}
        return said | {"fields": fields} | {key.replace("_", "-"): value for key, value in keys.items()}

    product = {"name": "product", "expression": "temp * aice"}
    return {
        "mean": writing("mean", ["*"], operation="mean"),
        "instant": writing("instant", ["*"]),
        "each": writing("each_%v", ["ice/*", "ocean/*"], operation="max", optional=True),
        "named": writing("named", ["temp", "aice", product, "drift"], operation="std", optional=True),
        "steps": writing("steps", ["*"], operation="rms", every="2 steps", new_file="6 steps"),
        "dated": writing("dated", ["*"], operation="min", new_file="never", file_date="start", every="4 h"),
        "region": writing(
            "region",
            ["temp", {"from": "?ice", "region": {"x": {"index": [1, 3]}}}],
            operation="mean",
            region={"y": {"values": {"from": 15, "to": 55}}},
            optional=True,
        ),
        "single": writing("single", ["*"], operation="mean", new_file="never", record_dimension="none"),
        "cycle": writing("cycle", ["*"], new_file="never", cycle=3) | {"file": f"cycle.%n.{ENDINGS[form]}"},
        "diurnal": writing("diurnal", ["*"], operation="diurnal 4", every="1 d", new_file="1 d"),
        "skip": writing("skip", ["temp", "*ice"], operation="mean", optional=True, when_not_put="skip"),
        "window": writing("window", ["*"], operation="max", until="2000-01-01 12:00:00"),
        "zonal": writing("zonal", ["ocean/temp", "ice/?ice"], operation="mean", optional=True, grid={"mean": ["x"]}),
    }


WAYS: dict[str, dict[str, Any]] = {
    "1 rank": {"ranks": 1, "within": True},
    "2 ranks, ready": {"ready": [2]},
    "3 ranks, sync": {"ranks": 3, "settings": {"writers": "sync"}, "says_steps": True},
    "4 ranks": {"ranks": 4, "within": True},
    "a server": {"ranks": 4, "within": True, "settings": {"writers": {"ranks": 1}}},
    "2 groups of servers": {"ranks": 4, "settings": {"writers": {"ranks": {"count": 2, "groups": 2}}}},
    "2 nodes": {"ranks": 4, "settings": {"emulate-nodes": 2}},
}
OF_LIBRARY = ("mean", "instant", "each", "zonal")
LIBRARY: dict[str, Any] = {"ranks": 3, "settings": {"defaults": {"engine": "library"}}}


def case(folder: str, form: str, defines: int, **keys: Any) -> dict[str, Any]:
    said = {"begins": LATE, "last": LAST, "collections": collections(form)} | keys
    if keys.get("settings") == LIBRARY["settings"]:
        said["collections"] = {name: of for name, of in collections(form).items() if name in OF_LIBRARY}
    return run(folder, form, defines, **said)


def cases(form: str, **ways: dict[str, Any]) -> list[dict[str, Any]]:
    """In these ways with late fields, and, in the first, with all of them from the first step on, and never."""
    first = next(iter(ways.values()))
    never = [case(f"{form}/without", form, LAST + 1, **first), case(f"{form}/with", form, 0, **first)]
    return never + [case(f"{form}/{way}", form, LATE, **keys) for way, keys in ways.items()]


def ways_of(form: str) -> list[str]:
    return [way for number, way in enumerate(WAYS) if form == FORMATS[number % 3]]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("next")
    started(folder, [of for form in FORMATS for of in cases(form, **{way: WAYS[way] for way in ways_of(form)})])
    return folder


def has_late_fields(name: str, is_ready: bool) -> bool:
    """Also all files of those that have no record before: with `ready` they have ended their definitions."""
    collection, _, begin = name.partition(".")[0].partition("_")
    if collection == "cycle" or (collection == "diurnal" and not is_ready):
        return True
    return int(begin[-2:]) > 1 or int(begin[-4:-2]) >= EDGE


def require_late_fields_in_next_files(folder: Path, way: str) -> None:
    late, with_them, without = (content(folder / of) for of in (way, "with", "without"))
    has_late = {name: has_late_fields(name, "ready" in way) for name in with_them}
    wanted = {name: values for name, values in without.items() if not has_late[name]}
    wanted |= {name: values for name, values in with_them.items() if has_late[name]}
    assert sorted(late) == sorted(wanted) != []
    assert [name for name, values in wanted.items() if values != late[name]] == []


@pytest.mark.parametrize("way", WAYS)
def test_late_fields_are_in_the_next_file(written: Path, way: str) -> None:
    for form in FORMATS:
        if way in ways_of(form):
            require_late_fields_in_next_files(written / form, way)


@pytest.mark.parametrize("form", ["netcdf4", "cdf5"])
def test_a_library_writes_them_as_well(tmp_path: Path, form: str) -> None:
    started(tmp_path, cases(form, late=LIBRARY))
    require_late_fields_in_next_files(tmp_path / form, "late")


@pytest.mark.parametrize("form", ["netcdf4", "zarr"])
def test_a_run_that_ends_with_a_file_has_no_other_one(tmp_path: Path, form: str) -> None:
    ways: dict[str, dict[str, Any]] = {
        "late": {"ready": [2]},
        "servers": {"ranks": 4, "settings": {"writers": {"ranks": {"count": 2, "groups": 2}}}},
    }
    if form == "netcdf4":
        ways["library"] = LIBRARY
    started(tmp_path, [case("without", form, LAST + 1, last=EDGE)])
    started(tmp_path, [case(way, form, LATE, last=EDGE, **keys) for way, keys in ways.items()])
    names = {path.name for path in (tmp_path / "without").iterdir()}
    for way in ways:
        made = {path.name for path in (tmp_path / way).iterdir()}
        if way == "library":
            assert made == {name for name in names if name.partition("_")[0] in OF_LIBRARY}
        else:
            assert made == names


def test_an_optional_collection_begins_with_its_first_field(tmp_path: Path) -> None:
    chosen = {
        "mean": {"operation": "mean", "file": "mean.nc"},
        "instant": {"file": "instant_%H%d.nc", "new-file": "6 h"},
        "named": {"operation": "max", "file": "named_%H%d.nc", "fields": ["aice", "drift"], "new-file": "6 h"},
    }
    usual = {"every": "3 h", "format": "cdf5", "fields": ["ice/*"], "optional": True}
    keys = {"collections": {name: usual | of for name, of in chosen.items()}, "last": 20}
    ways = {way: WAYS[way] for way in ("1 rank", "2 ranks, ready", "2 groups of servers", "2 nodes")}
    started(tmp_path, [case(way, "cdf5", LATE, **keys | of) for way, of in ways.items()])
    for way in ways:
        require_equal(tmp_path / "1 rank", tmp_path / way)
    with opened(tmp_path / "1 rank", "mean") as stored:
        assert stored["time_bnds"].values[:, 0].tolist() == [9 * HOUR, 12 * HOUR, 15 * HOUR, 18 * HOUR]
    names = sorted(path.name for path in (tmp_path / "1 rank").glob("*.nc"))
    assert names == ["instant_0601.nc", "instant_1201.nc", "mean.nc", "named_0601.nc", "named_1201.nc", "named_1801.nc"]


@pytest.mark.parametrize("form", FORMATS)
def test_a_rank_that_has_not_put_all_is_in_the_next_files_too(tmp_path: Path, form: str) -> None:
    """It alone is told so by the advance behind which they begin."""
    of = {name: collections(form)[name] | {"when-not-put": "error"} for name in ("mean", "instant", "each")}
    way: dict[str, Any] = {"ranks": 3, "skips": False, "forgets": [EDGE - 2, EDGE - 1, EDGE], "collections": of}
    said = started(tmp_path, [case("without", form, LAST + 1, **way), case("with", form, 0, **way)])
    said += started(tmp_path, [case("late", form, LATE, **way)])
    told = "not put before record 3 was closed; filled with the fill value, and 'when-not-put' is 'error'"
    assert said.count(told) == 3
    require_late_fields_in_next_files(tmp_path, "late")


@pytest.mark.parametrize("ends", [20, EDGE])
@pytest.mark.parametrize("form", FORMATS)
def test_a_run_goes_on_with_what_its_files_have_by_then(tmp_path: Path, form: str, ends: int) -> None:
    """The run before has made checkpoints without late fields, and then with them; it may end with a file that has
    not what the next one has."""
    chosen = ("mean", "each", "named", "zonal", "skip")
    of = {name: said | {"append": "continue"} for name, said in collections(form).items() if name in chosen}
    keys = {"collections": of, "skips": False}
    first = case("two", form, LATE, last=ends, keeps=[5, LATE, ends], ready=[1], **keys)
    second = case("two", form, 0, first=ends, keeps=[26], ready=[ends + 1], ranks=3, **keys)
    started(tmp_path, [first, second, case("whole", form, LATE, ready=[1], **keys)])
    for file in (tmp_path / "two").glob("checkpoint*"):
        file.unlink()
    require_equal(tmp_path / "whole", tmp_path / "two")


def test_fields_are_wanted_from_the_next_file_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    chosen = means_of(
        tmp_path,
        a={"fields": ["*"], "file": str(tmp_path / "a_%H.nc"), "new-file": "6 h"},
        b={"fields": ["x"], "file": str(tmp_path / "b_%H.nc"), "new-file": "6 h"},
        c={"fields": ["*"], "file": str(tmp_path / "c_%H.nc"), "new-file": "12 h", "optional": True},
    )
    with thalweg.start(config=chosen) as io:
        x = io.define_field("x", "", np.float64)
        late: thalweg.Field | None = None
        for step in range(1, 11):
            if step == 4:
                late = io.define_field("late", "", np.float32, coordinates="height", units="m")
                height = io.define_field("height", "", np.float64, static=True)
                assert height.is_wanted_now
                height.put(2.0)
            x.put(float(step))
            if late is not None:
                assert late.is_wanted and late.is_wanted_now == (step > 6)
                late.put(-float(step))
            io.advance(step * HOUR)
    said = capfd.readouterr().err
    assert said.count("'a': these fields are defined behind the end of its definitions") == 1
    assert f"collection 'a': from '{tmp_path / 'a_06.nc'}' on it has also late, height" in said
    assert "collection 'c': no file has begun since these fields were defined" in said and ": late, height" in said
    made = sorted(path.name for path in tmp_path.glob("*.nc"))
    assert made == ["a_00.nc", "a_06.nc", "b_00.nc", "b_06.nc", "c_00.nc"]
    for name in ("a_00", "b_06", "c_00"):
        with opened(tmp_path, name) as stored:
            assert list(stored) == ["time_bnds", "x"]
    with opened(tmp_path, "a_06") as stored:
        assert stored["x"].values.tolist() == [8.0, 10.0] and stored["late"].values.tolist() == [-8.0, -10.0]
        assert stored["height"].values == 2.0 and stored["late"].attrs["units"] == "m"


def test_what_the_next_file_cannot_have_ends_no_run(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """It is said once. The files go on without it."""
    chosen = means_of(
        tmp_path,
        a={"fields": ["x", "ice/*"], "optional": True, "file": str(tmp_path / "a_%H.nc"), "new-file": "3 h"},
        b={"fields": ["*"], "file": str(tmp_path / "b_%H.nc"), "new-file": "3 h"},
    )
    with thalweg.start(config=chosen) as io:
        x = io.define_field("ocean/x", "", np.float64)
        for step in range(1, 13):
            if step == 5:
                io.define_field("ice/x", "", np.float64)
            x.put(float(step))
            io.advance(step * HOUR)
    said = capfd.readouterr().err
    assert said.count("'x' are several fields: ocean/x, ice/x; say which one; the collection goes on without") == 1
    assert "no file has begun" not in said and "b_06.nc' on it has also x_mean\n" in said
    for name, variables in (("a_09", ["x"]), ("b_03", ["x"]), ("b_09", ["x", "x_mean"])):
        with opened(tmp_path, name) as stored:
            assert list(stored) == ["time_bnds", *variables]
            assert stored["x"].values.tolist() == [11.0 if "9" in name else 5.0]


def test_a_field_that_is_refused_is_awaited_by_nobody(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """By one collection, or since there is one of its name."""
    chosen = means_of(
        tmp_path,
        a={"fields": ["*"], "file": str(tmp_path / "a_%H.nc"), "new-file": "3 h"},
        b={"fields": ["ice/*", "x"], "optional": True},
        c={"fields": ["sea/*", "x"]},
    )
    with thalweg.start(config=chosen, on_exception="raise") as io:
        x = io.define_field("ocean/x", "", np.float64)
        io.define_field("sea/y", "", np.float64)
        for step in range(1, 10):
            if step == 5:
                for name, why in (("sea/late", "behind which no other one comes"), ("ocean/x", "defined already")):
                    with pytest.raises(thalweg.Error, match=why):
                        io.define_field(name, "", np.float64)
            x.put(float(step))
            io.advance(step * HOUR)
    said = capfd.readouterr().err
    assert "behind the end of its definitions" not in said and "has also" not in said
    assert sorted(path.name for path in tmp_path.glob("a_*.nc")) == ["a_00.nc", "a_03.nc", "a_06.nc"]


def test_memory_that_the_next_file_has_not_is_an_error_of_the_end(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """The files go on without the fields."""
    cells = 1 << 16
    chosen = means_of(tmp_path, a={"fields": ["*"], "file": str(tmp_path / "a_%H.nc"), "new-file": "3 h"})
    chosen["staging"] = f"{4 * 8 * cells} B"
    with thalweg.start(config=chosen, on_exception="raise") as io:
        io.define_field_dimension("n", cells)
        fields = [io.define_field("x", "n", np.float64)]
        for step in range(1, 13):
            if step == 5:
                fields += [io.define_field(f"late{number}", "n", np.float64) for number in range(4)]
            for number, field in enumerate(fields):
                field.put(np.full(cells, float(step + number)))
            io.advance(step * HOUR)
        with pytest.raises(thalweg.Error, match="staging"):
            io.finish()
    assert capfd.readouterr().err.count("files go on without the fields that were defined behind their first") == 1
    assert len(list(tmp_path.glob("*.nc"))) == 4
    for hour, mean in (("00", 2.0), ("09", 11.0)):
        with opened(tmp_path, f"a_{hour}") as stored:
            assert list(stored) == ["time_bnds", "x"] and stored["x"].values.tolist() == [[mean] * cells]


@pytest.mark.parametrize("writers", ["thread", "sync"])
@pytest.mark.parametrize("operation", ["mean", "instant"])
def test_a_procedure_is_told_of_one_file_after_the_other(operation: str, writers: str) -> None:
    """As if it were one collection, whose records are counted over all files."""
    told: dict[int, list[tuple[Any, ...]]] = {}
    for late in (0, 5):
        events = told.setdefault(late, [])

        def note(block: thalweg.Block, events: list[tuple[Any, ...]] = events) -> None:
            if block.event is not thalweg.Event.BLOCK:
                events.append((block.event, block.file, block.record, block.record_in_file))

        thalweg.register_procedure("told", note)
        of = {"format": "user", "file": "told_%H", "every": "1 h", "new-file": "2 h", "fields": ["*"]}
        of["operation"] = operation
        settings = {"report": "none", "time-step": "1 h", "writers": writers, "collections": {"told": of}}
        with thalweg.start(config=settings) as io:
            fields = [io.define_field("x", "", np.float64)]
            for step in range(1, 11):
                if step == max(1, late):
                    fields.append(io.define_field("y", "", np.float64))
                for field in fields:
                    field.put(float(step))
                io.advance(step * HOUR)
    assert len(told[0]) == 20 and told[5] == told[0]


# Open MPI lets the others live, as some launchers do.
SURVIVING = {"OMPI_MCA_orte_enable_recovery": "1", "OMPI_MCA_orte_abort_on_non_zero_status": "0"}


def test_servers_that_are_lost_leave_the_others_going_on(tmp_path: Path) -> None:
    """With those that are left no other collection is opened, and what has begun goes on without the late field."""
    of = means_of(tmp_path, a={"fields": ["*"], "file": str(tmp_path / "a_%H.nc"), "new-file": "3 h"})
    of |= {"writers": {"ranks": {"count": 2, "groups": 2}}, "on-server-loss": "continue"}
    (tmp_path / "thalweg.yaml").write_text(json.dumps(of))
    done = mpi.launch(
        ["-n", 4, *python.INTERPRETER, python.PROGRAMS / "late_and_lost.py"],
        tmp_path,
        environment={"PYTHONPATH": python.PATHS} | SURVIVING,
    )
    assert done.stdout.count("PEER the servers of group 1 (rank 3) are lost") == 2, done.stdout + done.stderr
    assert done.stderr.count("a group of servers is lost, and what is left of its files goes on without") == 1
    assert sorted(path.name for path in tmp_path.glob("*.nc")) == ["a_00.nc", "a_06.nc"]
    for hour in (0, 6):
        with opened(tmp_path, f"a_{hour:02}") as stored:
            assert list(stored) == ["time_bnds", "early"]
            assert stored["early"].values.tolist() == [[hour + 2.0] * 8]


def test_a_file_of_a_variable_that_is_not_defined_again_is_refused(tmp_path: Path) -> None:
    """What the checkpoint has of it would be lost, and nobody would hear of it. Others go on."""
    of = {"append": "continue", "optional": True, "fields": ["ocean/*", "ice/*"], "every": "6 h", "new-file": "12 h"}
    chosen = means_of(tmp_path, a=of | {"file": str(tmp_path / "%v_%H.nc")})
    chosen["collections"]["checkpoint"] = {"every": "on-demand", "cycle": 2, "file": str(tmp_path / "kept.%n.nc")}
    for first, last, names in ((0, 9, ("ocean/temp", "ice/conc")), (9, 12, ("ocean/temp",))):
        with thalweg.start(config=chosen, on_exception="raise") as io:
            io.set_time(first * HOUR)
            fields = [io.define_field(name, "", np.float64) for name in names]
            if first == 0:
                io.ready()
            else:
                with pytest.raises(
                    thalweg.Error, match="'a/conc': with 'append: continue' it would go on, but its field"
                ):
                    io.ready()
            for step in range(first + 1, last + 1):
                for field in fields:
                    field.put(float(step))
                io.advance(step * HOUR)
            io.checkpoint()
    with opened(tmp_path, "temp_00") as stored:
        assert stored["temp"].values.tolist() == [3.5, 9.5]
