# ctest: SHORT LABELS mpi TIMEOUT 180
"""Records that the program closes, collection by collection, at moments of its own, in all formats and beside records
that follow the clock."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray
from support import mpi, python

sys.path.insert(0, str(python.PROGRAMS))
from on_demand import MOMENTS, NX, NY, OWN_NAME, field

FORMATS: dict[str, dict[str, Any]] = {
    "every": {"every": "2 steps", "file": "every.nc", "format": "cdf2"},
    "his": {"file": "his.nc", "format": "cdf5"},
    "avg": {"file": "avg.nc", "format": "netcdf4", "compression": "zstd"},
    "dia": {"file": "dia.zarr", "format": "zarr", "record-dimension": "time"},
    "rst": {"file": "rst.nc", "format": "netcdf4"},
}
SETS = {"his": {"pattern": "per-rank"}, "avg": {"pattern": "shared"}, "dia": {"pattern": "shared"}}
LIBRARY = {"his": {"engine": "library"}, "avg": {"engine": "library", "compression": "none"}}
WAYS: dict[str, tuple[int, dict[str, Any], dict[str, dict[str, Any]]]] = {
    "thread": (3, {"writers": "thread"}, {}),
    "sync": (2, {"writers": "sync"}, {}),
    "one_rank": (1, {"writers": "thread"}, SETS),
    "sets": (3, {"writers": "thread", "emulate-nodes": [2, 1]}, SETS),
    "servers": (4, {"writers": {"ranks": 1}}, {}),
    "nodes": (5, {"writers": {"nodes": 1}, "emulate-nodes": [2, 2, 1]}, SETS),
    "library": (3, {"writers": "thread"}, LIBRARY),
}


def configuration(settings: dict[str, Any], changes: dict[str, dict[str, Any]]) -> dict[str, Any]:
    collections = {name: {"every": "on-demand"} | of | changes.get(name, {}) for name, of in FORMATS.items()}
    return {"deadline": "20 s", "calendar": "noleap", "collections": collections} | settings


def check(folder: Path, file: str, name: str, records: list[int], times: list[float]) -> None:
    with xarray.open_dataset(folder / file, engine="thalweg", mask_and_scale=False, decode_times=False) as found:
        coordinate = found[OWN_NAME if name == "his" else "time"]
        assert coordinate.attrs["long_name"] == f"time of {name}"
        np.testing.assert_array_equal(coordinate.values, times)
        np.testing.assert_array_equal(found["count"].values, records)
        expected = np.stack([field(name, record) for record in records]) if records else np.empty((0, NY, NX))
        np.testing.assert_array_equal(found["temp"].values, expected)
        if records and records[0] == 0:
            np.testing.assert_array_equal(found["mask"].values, field(name, 99))


@pytest.mark.parametrize("way", WAYS)
def test_each_collection_has_the_records_that_the_program_closed(tmp_path: Path, way: str) -> None:
    ranks, settings, changes = WAYS[way]
    python.run("on_demand.py", ranks, tmp_path, configuration(settings, changes), "run")
    check(tmp_path, "every.nc", "every", list(range(1, 12, 2)), [120.0 * n for n in range(1, 7)])
    for name in ("his", "avg", "dia"):
        check(tmp_path, FORMATS[name]["file"], name, list(range(len(MOMENTS[name]))), MOMENTS[name])
    for record, time_s in enumerate(MOMENTS["rst"]):
        check(tmp_path, f"rst_{record}.nc", "rst", [record], [time_s])
    assert not list(tmp_path.glob("*.partial*"))


@pytest.mark.parametrize("way", WAYS)
def test_a_file_that_is_closed_is_there_after_a_wait(tmp_path: Path, way: str) -> None:
    ranks, settings, changes = WAYS[way]
    python.run("on_demand.py", ranks, tmp_path, configuration(settings, changes), "closes")
    with xarray.open_dataset(tmp_path / "his.nc", engine="thalweg", decode_times=False) as found:
        assert found.sizes[OWN_NAME] == 0
        np.testing.assert_array_equal(found["mask"].values, field("his", 99))
    for record, time_s in enumerate(MOMENTS["rst"]):
        check(tmp_path, f"rst_{record}.nc", "rst", [record], [time_s])
    check(tmp_path, "rst_fixed.nc", "rst", [], [])
    check(tmp_path, "rst_last.nc", "rst", [7], [1000.0])
    assert not list(tmp_path.glob("*.partial*"))


def test_a_model_need_not_advance(tmp_path: Path) -> None:
    settings = configuration({"writers": "thread"}, {})
    del settings["collections"]["every"]
    python.run("on_demand.py", 2, tmp_path, settings, "alone")
    for name in ("his", "avg", "dia"):
        check(tmp_path, FORMATS[name]["file"], name, list(range(len(MOMENTS[name]))), MOMENTS[name])


@pytest.mark.parametrize("settings", [{"writers": "thread"}, {"writers": {"ranks": 1}}], ids=["thread", "servers"])
def test_what_is_committed_outlives_the_job(tmp_path: Path, settings: dict[str, Any]) -> None:
    python.start("on_demand.py", 3, tmp_path, configuration(settings, {}), "dies")
    assert list(tmp_path.glob("confirmed.*"))
    command = [str(mpi.program("thalweg-recover")), "his.nc.partial"]
    recovery = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30, check=False)
    assert recovery.stdout == "his.nc: 3 records\n", recovery.stderr
    check(tmp_path, "his.nc", "his", [0, 1, 2], [60.0, 120.0, 180.0])


@pytest.mark.parametrize("nodes", ["none", [1, 1]], ids=["one_node", "two_nodes"])
def test_ranks_that_close_different_records_are_told(tmp_path: Path, nodes: object) -> None:
    settings = configuration({"writers": "thread", "emulate-nodes": nodes}, {})
    done = python.start("on_demand.py", 2, tmp_path, settings, "apart")
    assert done.returncode not in (0, 124, 137), done.stderr
    assert "in their advance or record number 1" in done.stderr
    assert "a record of collection 'his' at 60 s" in done.stderr
    assert "a record of collection 'avg' at 60 s" in done.stderr
    assert not (tmp_path / "his.nc").exists()


@pytest.mark.parametrize("nodes", ["none", [1, 1]], ids=["one_node", "two_nodes"])
def test_a_rank_that_closes_fewer_records_is_named_by_a_wait(tmp_path: Path, nodes: object) -> None:
    settings = configuration({"writers": "thread", "emulate-nodes": nodes}, {})
    done = python.start("on_demand.py", 2, tmp_path, settings, "fewer")
    assert done.returncode not in (0, 124, 137), done.stderr
    # Said by the one that comes to the step, or by the one that waits.
    assert "rank 1 stopped earlier" in done.stderr, done.stderr
    assert re.search(r"advances? (and|or) records?.*close[sd] a record of", done.stderr), done.stderr


@pytest.mark.parametrize("nodes", ["none", [1, 1]], ids=["one_node", "two_nodes"])
@pytest.mark.parametrize("kind", [{"format": "zarr"}, {"format": "cdf5", "pattern": "per-rank"}], ids=["zarr", "set"])
def test_ranks_that_begin_other_files_are_told(tmp_path: Path, nodes: object, kind: dict[str, Any]) -> None:
    settings = configuration({"writers": "thread", "emulate-nodes": nodes}, {"his": kind})
    done = python.start("on_demand.py", 2, tmp_path, settings, "names")
    assert done.returncode not in (0, 124, 137), done.stderr
    assert "began other files: thalweg_new_file was called with another name" in done.stderr, done.stderr


def test_a_file_of_one_record_that_has_no_name_is_told_as_such(tmp_path: Path) -> None:
    settings = configuration({"writers": "thread"}, {"rst": {"record-dimension": "none"}})
    (told,) = python.run("on_demand.py", 1, tmp_path, settings, "none").splitlines()
    own = "collection 'rst': each record is a file of its own ('record-dimension: none'), behind 'rst_1.nc'"
    assert told.startswith(f"STATE: {own}, and the program has not named the next one; call thalweg_new_file"), told


def test_what_cannot_be_closed_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    settings = configuration({"writers": "thread"}, {"his": {"file": "unused.nc"}})
    printed = python.run("on_demand.py", 1, tmp_path, settings, "wrong").splitlines()
    codes = ["STORAGE", "STATE", "STATE", "STATE", "ARGUMENT", "STATE", "STATE", "STATE", "STORAGE"]
    assert [line.split(":")[0] for line in printed] == codes
    assert "two files of the series would have the name" in printed[0]
    assert "collection 'every': its records are closed by `advance`" in printed[1]
    assert "a record at 60 s, but its last one is of 60 s; time must grow" in printed[2]
    assert "record to nan s" in printed[4]
    assert "its file 'his.nc' cannot be closed, because the coming record has fields already" in printed[5]
    assert "its file 'his.nc' is closed already, and no next one is named" in printed[6]
    assert "its file 'his.nc' is closed, and the program has not named the next one" in printed[7]
    check(tmp_path, "his.nc", "his", [0, 1], [60.0, 60.5])
    check(tmp_path, "his_2.nc", "his", [2], [61.0])


def test_a_file_that_is_closed_early_by_one_rank_is_not_published(tmp_path: Path) -> None:
    done = python.start("on_demand.py", 2, tmp_path, configuration({"writers": "thread"}, {}), "early")
    assert done.returncode not in (0, 124, 137), done.stderr
    assert "in their advance or record number 3" in done.stderr, done.stderr
    assert "the file of collection 'his'" in done.stderr, done.stderr
    assert not (tmp_path / "his.nc").exists()


@pytest.mark.parametrize("nodes", ["none", [1, 1]], ids=["one_node", "two_nodes"])
def test_a_name_behind_the_last_record_is_agreed_on(tmp_path: Path, nodes: object) -> None:
    settings = configuration({"writers": "thread", "emulate-nodes": nodes}, {})
    done = python.start("on_demand.py", 2, tmp_path, settings, "others")
    assert done.returncode not in (0, 124, 137), done.stderr
    assert "but named other files behind it (thalweg_new_file)" in done.stderr, done.stderr


def test_an_advance_without_a_file_changes_nothing(tmp_path: Path) -> None:
    printed = python.run("on_demand.py", 1, tmp_path, configuration({"writers": "thread"}, {}), "again").splitlines()
    assert [line.split(":")[0] for line in printed] == ["STORAGE", "STORAGE"]
    check(tmp_path, "every.nc", "every", [0], [120.0])
    check(tmp_path, "every_2.nc", "every", [1], [240.0])
