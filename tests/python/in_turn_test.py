# ctest: SHORT LABELS mpi TIMEOUT 180
"""Restarts that replace each other in turn, the record of the end of a run, and its last step, in all formats."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray
from support import python

sys.path.insert(0, str(python.PROGRAMS))
from in_turn import END_S, STEP_S, field

COLLECTIONS: dict[str, dict[str, Any]] = {
    "rst": {"every": "on-demand", "file": "rst.%n.nc", "cycle": 2, "format": "cdf5"},
    "every": {"every": "3 steps", "file": "every.%n.nc", "cycle": 3, "format": "cdf2", "durability": "record"},
    "single": {"every": "2 min", "file": "single.%n.nc", "cycle": 1, "record-dimension": "none"},
    "zip": {"every": "1 step", "file": "zip.%n.nc", "cycle": 2, "format": "netcdf4", "compression": "zstd"},
    "store": {"every": "2 min", "file": "store.%n.zarr", "cycle": 2, "format": "zarr"},
    "shared": {"every": "2 min", "file": "shared.%n.nc", "cycle": 2, "format": "netcdf4", "pattern": "shared"},
    "end": {"every": "end", "file": "end_%H%M%S.nc"},
    "his": {"every": "5 min", "file": "his.nc"},
}
WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "thread": (3, {"writers": "thread"}),
    "sync": (2, {"writers": "sync"}),
    "two_nodes": (3, {"writers": "thread", "emulate-nodes": [2, 1]}),
    "on_flush": (3, {"writers": "thread", "drain": "on-flush", "emulate-nodes": [2, 1]}),
    "servers": (4, {"writers": {"ranks": 1}}),
    "nodes": (5, {"writers": {"nodes": 1}, "emulate-nodes": [2, 2, 1]}),
}
# The steps whose records the files of each collection have behind a first run and a second one, which begins with the
# oldest, by the numbers of the files.
LAST = [
    {
        "rst": {1: 10, 2: 12},
        "every": {1: 12, 2: 6, 3: 9},
        "single": {1: 10},
        "zip": {1: 11, 2: 12},
        "store": {1: 10, 2: 8},
        "shared": {1: 10, 2: 8},
    },
    {
        "rst": {1: 10, 2: 12},
        "every": {1: 9, 2: 12, 3: 6},
        "single": {1: 10},
        "zip": {1: 11, 2: 12},
        "store": {1: 8, 2: 10},
        "shared": {1: 8, 2: 10},
    },
]


def configuration(settings: dict[str, Any]) -> dict[str, Any]:
    return {"deadline": "20 s", "calendar": "noleap", "time-step": "1 min", "collections": COLLECTIONS} | settings


def check(file: Path, steps: list[int]) -> None:
    with xarray.open_dataset(file, engine="thalweg", mask_and_scale=False, decode_times=False) as found:
        times = [min(STEP_S * step, END_S) for step in steps]
        np.testing.assert_array_equal(np.atleast_1d(found["time"].values), times)
        temp = found["temp"].values
        np.testing.assert_array_equal(temp.reshape(-1, *temp.shape[-2:]), np.stack([field(step) for step in steps]))
        np.testing.assert_array_equal(found["mask"].values, field(99))


@pytest.mark.parametrize("way", WAYS)
def test_the_last_records_are_there_each_as_a_file(tmp_path: Path, way: str) -> None:
    ranks, settings = WAYS[way]
    for last in LAST:  # and the next run replaces what the first one has left
        python.run("in_turn.py", ranks, tmp_path, configuration(settings), "run")
        for name, files in last.items():
            for number, step in files.items():
                check(tmp_path / COLLECTIONS[name]["file"].replace("%n", str(number)), [step])
    check(tmp_path / "end_001130.nc", [12])
    check(tmp_path / "his.nc", [5, 10])
    assert not list(tmp_path.glob("*.partial*"))


def test_both_files_are_whole_when_the_run_is_killed(tmp_path: Path) -> None:
    done = python.start("in_turn.py", 2, tmp_path, configuration({"writers": "thread"}), "dies")
    assert done.returncode != 0
    for number, record in {1: 2, 2: 3}.items():
        with xarray.open_dataset(tmp_path / f"rst.{number}.nc", decode_times=False) as found:
            np.testing.assert_array_equal(found["temp"].values[0], field(record))


def test_a_chain_of_runs_with_one_restart_each_keeps_the_last_two(tmp_path: Path) -> None:
    for start in range(4):
        python.run("in_turn.py", 2, tmp_path, configuration({"writers": "thread"}), "one", start)
    check(tmp_path / "rst.1.nc", [3])
    check(tmp_path / "rst.2.nc", [4])
    other = python.start("in_turn.py", 2, tmp_path, configuration({"writers": "thread"}), "one", 2)
    assert other.returncode == 0, other.stderr
    assert "rst.2.nc' is of a later time than the start of this run" in other.stderr, other.stderr
    for number in (1, 2):
        check(tmp_path / f"rst.{number}.nc", [3])


def test_an_end_that_is_not_reached_is_said(tmp_path: Path) -> None:
    done = python.start("in_turn.py", 2, tmp_path, configuration({"writers": "thread"}), "short")
    assert done.returncode == 0, done.stderr
    said = "its record is that of 690 s, as thalweg_set_end_time said, but the run ends at 60 s"
    assert said in done.stderr, done.stderr


def test_ranks_that_say_different_ends_are_named(tmp_path: Path) -> None:
    done = python.start("in_turn.py", 2, tmp_path, configuration({"writers": "thread"}), "apart")
    assert done.returncode != 0
    said = done.stdout + done.stderr
    assert "the run of rank 1 ends at 630 s, and that of rank 0 ends at 690 s (thalweg_set_end_time)" in said, said


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    said = python.run("in_turn.py", 1, tmp_path, configuration({"writers": "thread"}), "wrong").splitlines()
    expected = [
        "ARGUMENT: set_end_time to -1 s, but the run starts at 0 s",
        "STATE: collection 'end': with 'every: end' its record is closed by the last advance",
        "ARGUMENT: set_time to 691 s, but set_end_time said that the run ends at 690 s",
        "STATE: collection 'rst': the new file 'other.nc' cannot be named, because its files are written in turn",
        "STATE: collection 'rst': with 'cycle' a file ends with its record, so there is none to be closed",
        "STATE: advance to 750 s, but set_end_time said that the run ends at 690 s",
        "STATE: set_end_time comes before the first put, also of what has no records",
    ]
    assert len(said) == len(expected), said
    for line, begin in zip(said, expected, strict=True):
        assert line.startswith(begin), line
