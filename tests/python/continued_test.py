# ctest: SHORT LABELS mpi TIMEOUT 240 ALL 300
"""`append: continue`: runs that continue each other write what one run would, whoever writes it and how; a killed run
makes nothing worse, and what it had committed is gone on with."""

from __future__ import annotations

import filecmp
import shutil
import sys
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
import zarr
from support import python
from support.locks import owned
from support.ways import of

sys.path.insert(0, str(python.PROGRAMS))
from continued import OTHER, field

COLLECTIONS: dict[str, dict[str, Any]] = {
    "history": {"every": "2 steps", "format": "netcdf4", "compression": "zstd"},
    "series": {"every": "2 min", "new-file": "10 min", "file": "series_%H%M.nc", "format": "cdf2"},
    "begin": {"every": "4 min", "initial-record": True, "format": "cdf5"},
    "points": {"format": "cdf5", "every": "on-demand"},
    "plain": {"format": "netcdf4", "every": "on-demand", "compression": {"codec": "deflate", "keep-digits": 5}},
}
SETS = {"history": {"pattern": "per-rank"}, "begin": {"pattern": "per-domain"}}
LIBRARY = {
    "history": {"engine": "library", "compression": "none"},
    "series": {"engine": "library"},
    "plain": {"engine": "library", "compression": "none"},
}
ZARR: dict[str, dict[str, Any]] = {
    "history": {"format": "zarr", "file": "history.zarr"},
    "series": {"format": "zarr", "file": "series_%H%M.zarr", "compression": "zstd"},
    "begin": {"format": "zarr", "file": "begin.zarr", "sharding": True, "durability": "record"},
    "points": {"format": "zarr", "file": "points.zarr", "compression": {"checksum": False}},
    "plain": {"format": "zarr", "file": "plain.zarr", "compression": {"codec": "zstd", "keep-digits": 5}},
}
SHARDED = {"sharding": True, "compression": {"codec": "zstd", "shuffle": False}}
SHARDS = {name: of | SHARDED for name, of in ZARR.items()}
WAYS: dict[str, tuple[int, dict[str, Any], dict[str, dict[str, Any]]]] = {
    "thread": (3, {}, {}),
    "sync": (2, {"writers": "sync"}, {}),
    "sets": (3, {"emulate-nodes": [2, 1]}, SETS),
    "servers": (4, {"writers": {"ranks": 1}}, {}),
    "nodes": (5, {"writers": {"nodes": 2}, "emulate-nodes": [2, 1, 1, 1]}, SETS),
    "library": (3, {}, LIBRARY),
    "zarr": (3, {}, ZARR),
    "shards": (5, {"writers": {"nodes": 2}, "emulate-nodes": [2, 1, 1, 1]}, SHARDS),
}
MODEL = {"deadline": "20 s", "time-step": "1 min", "reference-date": "2000-01-01"}
FILES = ["history.nc", "series_0000.nc", "series_0010.nc", "series_0020.nc", "begin.nc", "points.nc", "plain.nc"]


def endings(way: str) -> str:
    return ".zarr" if WAYS[way][2] in (ZARR, SHARDS) else ".nc"


def configured(way: str, append: str = "continue") -> dict[str, Any]:
    """The collections of a way."""
    changes = WAYS[way][2]
    return {name: of | {"append": append} | changes.get(name, {}) for name, of in COLLECTIONS.items()}


def run(folder: Path, way: str, *words: object, append: str = "continue", ranks: int | None = None) -> str:
    own_ranks, settings, _ = WAYS[way]
    folder.mkdir(exist_ok=True)
    configuration = {**MODEL, "collections": configured(way, append)} | settings
    done = python.start("continued.py", ranks or own_ranks, folder, configuration, *words)
    assert ("dies" in words) == (done.returncode != 0), f"exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stderr


def content(path: Path) -> dict[str, bytes]:
    """The bytes of a file, or of all objects of a store."""
    files = path.rglob("*") if path.is_dir() else [path]
    return {str(file.relative_to(path)): file.read_bytes() for file in files if file.is_file()}


def arrays(path: Path) -> dict[str, tuple[np.ndarray, set[str]]]:
    """Of each variable its values and the names of its attributes."""
    if path.is_dir():
        group = zarr.open_group(path, mode="r")
        return {name: (np.asarray(of[...]), set(of.attrs)) for name, of in group.arrays()}
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        return {name: (np.asarray(of[...]), set(of.ncattrs())) for name, of in file.variables.items()}


def parts_of(folder: Path, name: str) -> list[Path]:
    return sorted(path for path in folder.glob(f"{name}*") if path.suffix not in (".checksums", ".partial"))


def require_equal(one: Path, other: Path) -> None:
    """Bit by bit, whatever the attribute says by which parts of a set know their run."""
    a, b = arrays(one), arrays(other)
    assert sorted(a) == sorted(b)
    for name, (values, attributes) in a.items():
        assert values.tobytes() == b[name][0].tobytes(), f"{name} of {other}"
        assert attributes == b[name][1]


def require_same_files(one: Path, other: Path, way: str, are_identical: bool) -> None:
    for name in FILES:
        name = name.replace(".nc", endings(way))
        parts = [path.name for path in parts_of(one, name)]
        assert parts == [path.name for path in parts_of(other, name)] != []
        for part in parts:
            require_equal(one / part, other / part)
            if not are_identical:
                continue
            sums = [folder / f"{part}.checksums" for folder in (one, other) if len(parts) == 1 or part != name]
            assert not sums or filecmp.cmp(*sums, shallow=False), part
            assert len(parts) > 1 or content(one / part) == content(other / part), part
    assert all(".old" in path.name for path in other.glob("*.partial*"))


# Nodes of servers write stores too, and sets are also those of writers on two nodes.
@pytest.mark.parametrize("way", of([way for way in WAYS if way not in ("sync", "nodes")], list(WAYS)))
def test_runs_that_continue_each_other_write_what_one_run_would(tmp_path: Path, way: str) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    run(one, way, 0, 25, append="new")
    assert "goes on" not in run(two, way, 0, 20)
    said = run(two, way, 12, 25, "bare")
    assert "goes on with" in said
    assert f"history{endings(way)}', 6 records up to 2000-01-01 00:12:00; 4 later ones, up to " in said
    # A library lays out what it writes as it likes.
    require_same_files(one, two, way, are_identical=way != "library")
    if way in ("thread", "zarr"):  # other ranks, and what is said of a series' other files
        run(two, way, 20, 25, ranks=2)
        require_same_files(one, two, way, are_identical=False)


@pytest.mark.parametrize("way", ["thread", "zarr"])
def test_a_killed_run_makes_nothing_worse_and_is_gone_on_with(tmp_path: Path, way: str) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    run(one, way, 0, 25, append="new")
    run(two, way, 0, 10)
    complete = tmp_path / "complete"
    shutil.copytree(two, complete)
    run(two, way, 8, 18, "dies")
    assert list(two.glob("confirmed.*")) and list(two.glob("*.partial"))
    for stem in ("history", "series_0000", "begin", "points", "plain"):
        name = stem + endings(way)
        assert content(complete / name) == content(two / name) != {}, name
    said = run(two, way, 16, 20, "dies", "bare")
    assert "what an unfinished run left of" in said
    said = run(two, way, 20, 25)
    require_same_files(one, two, way, are_identical=False)


def values(path: Path, name: str = "temp") -> np.ndarray:
    return arrays(path)[name][0]


@pytest.mark.parametrize("way", ["thread", "zarr"])
def test_the_records_of_the_last_run_count_where_it_began_earlier(tmp_path: Path, way: str) -> None:
    run(tmp_path, way, 0, 10)
    run(tmp_path, way, 4, 9, "other", "dies")
    assert "is what goes on now" in run(tmp_path, way, 8, 14, "other")
    times, history = 120.0 * np.arange(1, 8), tmp_path / f"history{endings(way)}"
    np.testing.assert_array_equal(values(history, "time"), times)
    expected = [field(time) + (OTHER if time > 240.0 else 0.0) for time in times]
    np.testing.assert_array_equal(values(history), expected)


@pytest.mark.parametrize("way", ["thread", "zarr"])
def test_values_that_were_never_put_may_still_come(tmp_path: Path, way: str) -> None:
    run(tmp_path, way, 0, 10, "bare", "dies")
    said = run(tmp_path, way, 10, 14)
    assert "other values than in" not in said
    for name in ("history", "begin"):
        np.testing.assert_array_equal(values(tmp_path / f"{name}{endings(way)}", "mask"), field(-1.0))


def test_parts_of_a_set_are_not_taken_for_a_file_that_came_behind_them(tmp_path: Path) -> None:
    run(tmp_path, "sets", 0, 4)
    with netCDF4.Dataset(tmp_path / "begin.nc", "w") as file:
        file.createDimension("time", None)
    before = {path: path.read_bytes() for path in tmp_path.glob("*.nc*")}
    collections = {name: of | {"append": "continue"} | SETS.get(name, {}) for name, of in COLLECTIONS.items()}
    done = python.start("continued.py", 3, tmp_path, MODEL | {"collections": collections}, 4, 8)
    assert done.returncode != 0 and "collection 'begin'" in done.stderr, done.stderr
    collections["begin"].pop("pattern")
    done = python.start("continued.py", 3, tmp_path, MODEL | {"collections": collections}, 4, 8)
    assert done.returncode != 0 and "parts of a set of its name are beside it" in done.stderr, done.stderr
    assert {path: path.read_bytes() for path in tmp_path.glob("*.nc*")} == before


def test_parts_of_other_lengths_are_not_cut(tmp_path: Path) -> None:
    WAYS["named"] = (3, {"emulate-nodes": [2, 1], "run-id": "one"}, SETS)
    run(tmp_path, "named", 0, 8)
    shorter = tmp_path / "shorter"
    run(shorter, "named", 0, 4)
    for name in ("history.nc.0002", "history.nc.0002.checksums"):
        shutil.copy(shorter / name, tmp_path / name)
    before = {path: path.read_bytes() for path in parts_of(tmp_path, "history")}
    ranks, settings, changes = WAYS.pop("named")
    collections = {name: of | {"append": "continue"} | changes.get(name, {}) for name, of in COLLECTIONS.items()}
    done = python.start("continued.py", ranks, tmp_path, MODEL | settings | {"collections": collections}, 8, 10)
    assert done.returncode != 0
    assert "its parts have different numbers of records, 2 to 4" in done.stderr, done.stderr
    assert {path: path.read_bytes() for path in before} == before


def test_the_master_goes_with_the_set_that_it_shows(tmp_path: Path) -> None:
    run(tmp_path, "sets", 0, 4)
    ranks, settings, changes = WAYS["sets"]
    collections = {name: of | {"append": "new"} | changes.get(name, {}) for name, of in COLLECTIONS.items()}
    collections["history"] = {"every": "2 steps", "format": "cdf5", "pattern": "per-rank", "append": "new"}
    done = python.start("continued.py", ranks, tmp_path, MODEL | settings | {"collections": collections}, 4, 8)
    assert done.returncode == 0, done.stderr
    assert "history.nc' of an earlier set, because it showed the parts of an earlier set" in done.stderr, done.stderr
    assert not (tmp_path / "history.nc").exists()
    assert len(parts_of(tmp_path, "history")) == 3


def test_parts_that_another_job_writes_are_left_to_it(tmp_path: Path) -> None:
    run(tmp_path, "sets", 0, 4)
    shutil.copy(tmp_path / "begin.nc.0000", tmp_path / "begin.nc.0000.partial")
    collections = {name: of | {"append": "continue"} | SETS.get(name, {}) for name, of in COLLECTIONS.items()}
    with owned(tmp_path / "begin.nc.0000"):
        done = python.start("continued.py", 3, tmp_path, MODEL | {"collections": collections}, 4, 8)
    assert done.returncode != 0 and "begin.nc.0000' is being written by another job" in done.stderr, done.stderr


def change_a_value(path: Path) -> None:
    if path.is_dir():
        packed = zarr.open_group(path, mode="r+")["packed"]
        packed[1, 2, 3] = packed[1, 2, 3] + 1.0
        return
    with netCDF4.Dataset(path, "r+") as file:
        file["packed"][1, 2, 3] += 1.0


@pytest.mark.parametrize("way", of(["thread", "shards"], ["thread", "servers", "zarr", "shards"]))
def test_a_record_that_changed_since_it_was_written_is_not_gone_on_with(tmp_path: Path, way: str) -> None:
    run(tmp_path, way, 0, 8)
    history = tmp_path / f"history{endings(way)}"
    change_a_value(history)
    changed = content(history)
    ranks, settings, _ = WAYS[way]
    sums = Path(f"{history}.checksums")
    whole = sums.read_text()
    for said, wanted in [
        (
            whole,
            "collection 'history', variable 'packed', record 1: with 'append: continue' it would have other values",
        ),
        (whole[: len(whole) // 2], "' cannot be understood: its "),
        (whole.replace('"sum"', '"sun"'), "' cannot be understood: "),
    ]:
        sums.write_text(said)
        done = python.start("continued.py", ranks, tmp_path, MODEL | {"collections": configured(way)} | settings, 8, 12)
        assert done.returncode != 0 and wanted in done.stderr, done.stderr
        assert content(history) == changed
    sums.unlink()
    for partial in tmp_path.glob("*.partial*"):
        shutil.rmtree(partial) if partial.is_dir() else partial.unlink()
    assert f"{history.name}', 4 records" in run(tmp_path, way, 8, 12)


@pytest.mark.parametrize("way", ["thread", "zarr"])
def test_values_that_no_rank_holds_any_more_are_not_lost(tmp_path: Path, way: str) -> None:
    run(tmp_path, way, 0, 12)
    points = tmp_path / f"points{endings(way)}"
    before = content(points)
    done = python.start("continued.py", 2, tmp_path, MODEL | {"collections": configured(way)}, 12, 14, "fewer")
    assert done.returncode != 0 and "variable 'carbon', record 0" in done.stderr, done.stderr
    assert "in cells that no rank of this run holds" in done.stderr
    assert content(points) == before


@pytest.mark.parametrize(
    ("words", "changes", "wanted"),
    [
        ((12, 14, "mute"), {}, "has not said when this run starts; call thalweg_set_time before definitions end"),
        ((0, 4), {}, "history.nc', but none of its 4 records is from before the start of this run (2000-01-01"),
        ((12, 14, "late"), {}, "thalweg_set_time comes before definitions end"),
        ((12, 14, "more"), {}, "variable 'more' of this run is not there"),
        ((12, 14), {"pattern": "per-rank"}, "this run writes a set of files"),
        (
            (12, 14, "plain"),
            {"compression": {"codec": "deflate", "keep-digits": 4}},
            "variable 'carbon' keeps 5 digits or bits there and 4 in this run, which would round its records once more",
        ),
        (
            (12, 14),
            {"attributes": {}, "variables": {"temp": {"attributes": {"units": "K"}}}},
            "attribute 'units' of variable 'temp' is not there in that file and 'K' in this run",
        ),
    ],
    ids=["mute", "start", "late", "more", "set", "digits", "units"],
)
def test_what_cannot_go_on_is_named_and_stays(
    tmp_path: Path, words: tuple[object, ...], changes: dict[str, Any], wanted: str
) -> None:
    if "late" not in words:
        run(tmp_path, "thread", 0, 8)
    before = {path: path.read_bytes() for path in tmp_path.glob("*.nc")}
    collections = {name: of | {"append": "continue"} for name, of in COLLECTIONS.items()}
    collections["plain" if "plain" in words else "history"] |= changes
    done = python.start("continued.py", 2, tmp_path, MODEL | {"collections": collections}, *words)
    assert done.returncode != 0 and wanted in done.stderr, done.stderr
    assert {path: path.read_bytes() for path in tmp_path.glob("*.nc")} == before
