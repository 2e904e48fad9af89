# ctest: WAITS LABELS mpi TIMEOUT 180
"""Storage that stands still while it is read: nobody waits longer than the deadline, and what was put is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import netCDF4
import pytest
from support import mpi
from wind_file import write, write_for_hdf5_alone


def stalling(folder: Path) -> dict[str, str]:
    """The storage of "wind.nc" stands still for the thread that reads ahead."""
    return {
        "LD_PRELOAD": str(mpi.BUILD / "lib" / "libdisturbed_calls.so"),
        "THALWEG_TEST_STALL_PATH": "wind.nc",
        "THALWEG_TEST_STALL_S": "60",
        "THALWEG_TEST_STALL_MARK": str(folder / "stalls"),
    }


STALLED = """
import os, sys, time
import thalweg

def say(call):
    try:
        call()
        print("done")
    except thalweg.Error as error:
        print(error.code.name, error)

path, way = sys.argv[1:]
io = thalweg.start(config={"report": "none", "deadline": "2 s"})
wind = io.open_input(path)
wind.get_at("temp", 3600.0)  # the next record is read ahead
while not os.path.exists(os.environ["THALWEG_TEST_STALL_MARK"]):
    time.sleep(0.01)
begin = time.monotonic()
if way == "get":
    say(lambda: wind.get_at("temp", 5400.0))
if way != "finish":
    say(wind.close)
say(io.finish)
print(time.monotonic() - begin)
"""


@pytest.mark.parametrize("kind", ["NETCDF4", "NETCDF3_64BIT_DATA"])
@pytest.mark.parametrize("way", ["get", "close", "finish"])
def test_storage_that_stands_still_while_a_record_is_read_ahead_ends_no_later_than_the_deadline(
    tmp_path: Path, kind: str, way: str
) -> None:
    write(tmp_path / "wind.nc", format=kind)
    environment = os.environ | stalling(tmp_path)
    words = [sys.executable, "-c", STALLED, tmp_path / "wind.nc", way]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=40, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    *said, seconds = done.stdout.splitlines()
    assert said[0].startswith("DEADLINE rank 0, input ")
    assert "wind.nc', variable 'temp', record 1: the storage has not given" in said[0]
    assert said[1:] == ["done"] * (2 if way == "get" else 1 if way == "close" else 0)
    assert float(seconds) < 20


SAYING = """
import json, os, sys, time
from pathlib import Path
from mpi4py import MPI
import thalweg

def say(call):
    try:
        call()
        return "done"
    except thalweg.Error as error:
        return f"{error.code.name} {error}"
"""


def said_by_all(folder: Path, ranks: int, environment: dict[str, str], program: str, *words: object) -> list[list[Any]]:
    """What rank 0 has gathered of the ranks of the program."""
    (folder / "program.py").write_text(program)
    command = [sys.executable, folder / "program.py", *words]
    done = mpi.launch(["-n", ranks, *command], folder, 50, {"PYTHONPATH": mpi.PYTHON_PATHS} | environment)
    assert done.returncode == 0, done.stdout + done.stderr
    said: list[list[Any]] = json.loads(done.stdout)
    return said


STANDS_STILL = (
    SAYING
    + """
path, reading, way = sys.argv[1:]
io = thalweg.start(MPI.COMM_WORLD, config={"report": "none", "deadline": "2 s", "reading": reading})
if way == "get":
    field = io.open_input(path)
    field.get("temp", record=0)
io.model_comm.Barrier()
Path(os.environ["THALWEG_TEST_STALL_IF"]).touch()
begin = time.monotonic()
said = [say(lambda: field.get("temp", record=1) if way == "get" else io.open_input(path)), say(io.finish)]
everywhere = MPI.COMM_WORLD.gather([*said, time.monotonic() - begin])
if everywhere:
    print(json.dumps(everywhere))
"""
)


@pytest.mark.parametrize("kind", ["NETCDF4", "NETCDF3_64BIT_DATA"])
@pytest.mark.parametrize(
    ("reading", "way", "ranks"),
    [
        ("independent", "get", 3),
        ("serial", "get", 2),
        ("domain", "get", 2),
        ("auto", "get", 1),
        ("auto", "open", 2),
    ],
)
def test_storage_that_stands_still_in_a_get_or_an_open_ends_no_later_than_the_deadline(
    tmp_path: Path, kind: str, reading: str, way: str, ranks: int
) -> None:
    write(tmp_path / "wind.nc", format=kind)
    environment = stalling(tmp_path) | {
        "THALWEG_TEST_STALL_THREAD": "thw reads",
        "THALWEG_TEST_STALL_IF": str(tmp_path / "now"),
    }
    said = said_by_all(tmp_path, ranks, environment, STANDS_STILL, tmp_path / "wind.nc", reading, way)
    for got, finished, seconds in said:
        assert got.startswith("DEADLINE "), got
        assert "wind.nc" in got and "the storage has not given" in got, got
        assert finished == "done"
        assert seconds < 20


FINISHES = (
    SAYING
    + """
import numpy as np

form, slow, other = sys.argv[1:]
rank = MPI.COMM_WORLD.Get_rank()
io = thalweg.start(MPI.COMM_WORLD, config={
    "report": "none", "deadline": "2 s", "reading": "serial", "time-step": "1 h",
    # A busy disk may take longer than the deadline to sync.
    "collections": {"h": {"file": "out.nc", "every": "1 h", "format": form, "durability": "none"}},
})
wind, before = io.open_input(slow), io.open_input(other)
cells = io.decompose("y", (4,), (2 * rank,), (2,))
out = io.collection("h")
out.define_variable("u", "y", "f8", cells)
out.put("u", np.ones(2))
io.advance(3600.0)
io.model_comm.Barrier()
Path(os.environ["THALWEG_TEST_STALL_IF"]).touch()
said = [say(lambda: wind.get("temp", record=1))]
begin = time.monotonic()
said.append(say(io.finish))
everywhere = MPI.COMM_WORLD.gather([*said, time.monotonic() - begin])
if everywhere:
    print(json.dumps(everywhere))
"""
)


@pytest.mark.parametrize("form", ["netcdf4", "cdf5"])
def test_what_was_put_is_finished_while_a_read_keeps_hdf5(tmp_path: Path, form: str) -> None:
    write_for_hdf5_alone(tmp_path / "wind.nc")
    write(tmp_path / "other.nc")
    environment = stalling(tmp_path) | {
        "THALWEG_TEST_STALL_THREAD": "thw reads",
        "THALWEG_TEST_STALL_IF": str(tmp_path / "now"),
    }
    said = said_by_all(tmp_path, 2, environment, FINISHES, form, tmp_path / "wind.nc", tmp_path / "other.nc")
    for got, finished, seconds in said:
        assert got.startswith("DEADLINE "), got
        assert finished == "done"
        assert seconds < 20
    with netCDF4.Dataset(tmp_path / "out.nc") as out:
        assert out["u"][:].tolist() == [1.0] * 4 or out["u"][:].tolist() == [[1.0] * 4]


SEARCHES = (
    SAYING
    + """
import numpy as np

io = thalweg.start(MPI.COMM_WORLD, config={
    "report": "none", "deadline": "2 s", "time-step": "1 h",
    "collections": {"state": {"file": "wind_%Y.nc", "every": "1 d", "durability": "none"}},
})
state = io.collection("state")
state.define_dimension("lat", 4)
state.define_dimension("lon", 6)
state.define_variable("temp", "time,lat,lon", "f8")
state.register_array("temp", np.zeros((4, 6)))
Path(os.environ["THALWEG_TEST_STALL_IF"]).touch()
begin = time.monotonic()
said = [say(state.restore), say(io.finish)]
everywhere = MPI.COMM_WORLD.gather([*said, time.monotonic() - begin])
if everywhere:
    print(json.dumps(everywhere))
"""
)


@pytest.mark.parametrize("ranks", [1, 2])
def test_nobody_waits_longer_than_the_deadline_for_the_newest_file(tmp_path: Path, ranks: int) -> None:
    write(tmp_path / "wind_2000.nc")
    environment = stalling(tmp_path) | {
        "THALWEG_TEST_STALL_PATH": "wind_2000.nc",
        "THALWEG_TEST_STALL_THREAD": "thw reads",
        "THALWEG_TEST_STALL_IF": str(tmp_path / "now"),
    }
    said = said_by_all(tmp_path, ranks, environment, SEARCHES)
    for restored, _, seconds in said:
        assert restored.startswith("DEADLINE search for the newest file"), restored
        assert "wind_%Y.nc" in restored and "the storage has not given" in restored, restored
        assert seconds < 20


BEHIND = (
    SAYING
    + """
slow, other = sys.argv[1:]
rank = MPI.COMM_WORLD.Get_rank()
io = thalweg.start(MPI.COMM_WORLD, config={"report": "none", "deadline": "3 s", "reading": "serial"})
before, wind = io.open_input(other), io.open_input(slow)
before.get("temp", record=0)
wind.get_at("temp", 3600.0)  # the next record is read ahead
while not os.path.exists(os.environ["THALWEG_TEST_STALL_MARK"]):
    time.sleep(0.01)
io.model_comm.Barrier()
begin = time.monotonic()
said = [say(lambda: io.open_input(other)), say(before.close), say(wind.close), say(io.finish)]
everywhere = MPI.COMM_WORLD.gather([*said, time.monotonic() - begin])
if everywhere:
    print(json.dumps(everywhere))
"""
)


def said_behind(folder: Path, ranks: int) -> list[list[Any]]:
    write(folder / "other.nc")
    return said_by_all(folder, ranks, stalling(folder), BEHIND, folder / "wind.nc", folder / "other.nc")


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_file_is_not_opened_behind_a_stalled_one_later_than_the_deadline(tmp_path: Path, ranks: int) -> None:
    """HDF5 has one thread at a time, and the one that reads ahead does not come back from the storage."""
    write_for_hdf5_alone(tmp_path / "wind.nc")
    (reader, *others) = said_behind(tmp_path, ranks)
    assert reader[0].startswith(f"DEADLINE rank 0: cannot open '{tmp_path}/other.nc' yet"), reader
    assert f"to read record 1 of 'temp' of '{tmp_path}/wind.nc' (deadline: 3 s)" in reader[0], reader
    assert reader[1] == "done" and reader[2].startswith("DEADLINE rank 0, input "), reader
    assert reader[-1] < 30
    for opened, *closed, _, seconds in others:
        assert opened == reader[0]
        assert closed == ["done", "done"] and seconds < 30


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_file_is_opened_beside_a_stalled_one_that_is_read_without_hdf5(tmp_path: Path, ranks: int) -> None:
    write(tmp_path / "wind.nc")
    (reader, *others) = said_behind(tmp_path, ranks)
    assert reader[:2] == ["done", "done"] and reader[2].startswith("DEADLINE rank 0, input "), reader
    assert all(seconds < 30 for *_, seconds in (reader, *others))
    assert all(said[:3] == ["done"] * 3 for said in others)
