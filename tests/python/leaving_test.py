# ctest: SHORT TIMEOUT 120
"""Sessions that are left by an exception, and several sessions."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import mpi, python

CONFIGURATION: dict[str, Any] = {"collections": {"history": {"format": "netcdf4"}}, "deadline": "60 s"}


def values(file: Path) -> list[list[float]]:
    with netCDF4.Dataset(file) as dataset:
        return np.asarray(dataset["temp"][...]).tolist()


def expected(records: int, ranks: int) -> list[list[float]]:
    return [[100.0 * record + cell for cell in range(4 * ranks)] for record in range(records)]


@pytest.mark.parametrize(("ranks", "writers"), [(2, "thread"), (2, "sync"), (3, {"ranks": 1})])
def test_a_rank_that_leaves_by_an_exception_ends_the_job_at_once(tmp_path: Path, ranks: int, writers: object) -> None:
    done = python.start("leaving.py", ranks, tmp_path, CONFIGURATION | {"writers": writers}, "one")
    assert done.returncode not in (0, 124, 137), done.stdout
    assert "rank 1 left its session by an exception, and the job is aborted" in done.stderr
    assert "ArithmeticError: the model has become unstable" in done.stderr
    assert "caught" not in done.stdout
    assert not (tmp_path / "first.nc").exists()


def test_what_all_ranks_raise_is_printed_once(tmp_path: Path) -> None:
    done = python.start("leaving.py", 3, tmp_path, CONFIGURATION, "each")
    assert done.returncode not in (0, 124, 137), done.stdout
    assert done.stderr.count("ArithmeticError: the model has become unstable") == 1
    assert "rank 0 left its session by an exception" in done.stderr


def test_an_error_of_the_start_is_printed_once(tmp_path: Path) -> None:
    done = python.start("leaving.py", 3, tmp_path, CONFIGURATION | {"writer": "thread"}, "each")
    assert done.returncode not in (0, 124, 137), done.stdout
    assert done.stderr.count("did you mean 'writers'?") == 1, done.stderr


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_session_left_on_all_ranks_is_as_if_killed_and_another_one_works(tmp_path: Path, ranks: int) -> None:
    printed = python.run("leaving.py", ranks, tmp_path, CONFIGURATION, "all", alone=True)
    assert printed.count("caught the model has become unstable") == ranks
    assert "refused" in printed and "first.nc' is being written" in printed, "its process lives"
    command = [mpi.program("thalweg-recover"), "first.nc.partial"]
    recovered = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30, check=False)
    assert recovered.stdout == "first.nc: 2 records\n", recovered.stderr
    assert values(tmp_path / "first.nc") == expected(2, ranks)
    assert values(tmp_path / "second.nc") == expected(3, ranks)


def test_a_rank_that_is_alone_raises_its_exception(tmp_path: Path) -> None:
    printed = python.run("leaving.py", 1, tmp_path, CONFIGURATION, "one")
    assert "caught the model has become unstable" in printed
    assert values(tmp_path / "second.nc") == expected(3, 1)


def test_the_end_without_finish_names_only_files_that_are_there(tmp_path: Path) -> None:
    history = {"file": "first.nc", "append": "continue"}
    done = python.start("leaving.py", 2, tmp_path, {"time-step": "60 s", "collections": {"history": history}}, "shape")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("refused ") == 2, done.stdout
    assert "MPI_Finalize was called before thalweg_finish" in done.stderr
    assert "No file was begun." in done.stderr
    assert ".partial" not in done.stderr
    assert values(tmp_path / "first.nc") == [[0.0] * 8]


def test_a_name_that_a_file_cannot_have_is_told_with_its_file(tmp_path: Path) -> None:
    history = {"file": "first.nc", "format": "cdf5"}
    done = python.start("leaving.py", 1, tmp_path, {"collections": {"history": history}}, "name")
    assert done.returncode != 0
    assert "'a/b' cannot have this name in the CDF file 'first.nc'" in done.stderr, done.stderr
    assert "probe" not in done.stderr


def forking(folder: Path, ranks: int, way: str) -> subprocess.CompletedProcess[str]:
    """Under mpiexec a child that ends MPI waits for ever, in Open MPI itself; one without it is a job of its own."""
    settings = {"time-step": "60 s", "collections": {"history": {"file": "first.nc"}}, "time-line": "line.json"}
    if ranks > 1:
        return python.start("forking.py", ranks, folder, settings, way, alone=True)
    (folder / "thalweg.yaml").write_text(json.dumps({"report": "none"} | settings))
    words = ["timeout", "60", *python.INTERPRETER, str(python.PROGRAMS / "forking.py"), way]
    environment = mpi.OUTSIDE | {"PYTHONPATH": python.PATHS}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("way", "ranks", "code"), [("exit", 1, 7), ("raise", 1, 1), ("call", 2, 3)])
def test_the_end_of_a_forked_child_is_not_that_of_the_run(tmp_path: Path, way: str, ranks: int, code: int) -> None:
    done = forking(tmp_path, ranks, way)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"child {code}") == ranks, done.stdout
    assert "MPI_Finalize was called before" not in done.stderr
    assert values(tmp_path / "first.nc") == expected(4, ranks)
