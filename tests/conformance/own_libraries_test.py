# ctest: SHORT TIMEOUT 120
"""A program keeps its libraries: its own PnetCDF, and its choice of MPI-IO as long as no library is to write for it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi

RANKS = 3
LINES = re.compile(r"rank \d+: (\d+)(.*)")


def configure(folder: Path, name: str, **settings: str) -> str:
    keys = ", ".join(f"{key}: {value}" for key, value in {"file": f"{name}.nc", **settings}.items())
    (folder / f"{name}.yaml").write_text(f"report: none\ndeadline: 20 s\ncollections: {{history: {{{keys}}}}}\n")
    return f"{name}.yaml"


def run(folder: Path, *steps: str) -> tuple[list[tuple[int, str]], str]:
    """What each rank has counted and found out, and the log."""
    done = mpi.start("own_libraries", RANKS, folder, *steps, limit_s=40)
    assert done.returncode == 0, done.stdout + done.stderr
    said = [(int(count), rest.strip()) for count, rest in LINES.findall(done.stdout)]
    assert len(said) == RANKS, done.stdout
    return said, done.stderr


def values(path: Path) -> np.ndarray:
    with netCDF4.Dataset(path) as file:
        return file["v"][...]


def assert_files(folder: Path, own: int, names: list[str]) -> None:
    for number in range(own):
        np.testing.assert_array_equal(values(folder / f"own{number}.nc"), 10 * (number + 1) + np.arange(RANKS))
    for name in names:
        np.testing.assert_array_equal(values(folder / f"{name}.nc"), [np.arange(RANKS), 10 + np.arange(RANKS)])


LIBRARY = {"engine": "library", "pattern": "shared", "layout": "[3]"}


@pytest.mark.parametrize("file_format", ["cdf1", "cdf5", "netcdf4"])
def test_sessions_leave_pnetcdf_and_mpiio_to_the_program(tmp_path: Path, file_format: str) -> None:
    first = configure(tmp_path, "first", format=file_format)
    second = configure(tmp_path, "second", format=file_format, pattern="per-rank")
    said, log = run(tmp_path, first, "pnetcdf", "mpiio", second, "pnetcdf", "mpiio", first, "pnetcdf")
    assert said == [(3, "OMPIO OMPIO")] * RANKS
    assert "ROMIO" not in log
    assert_files(tmp_path, 3, ["first"])


def test_libraries_that_write_for_a_session_are_its_own(tmp_path: Path) -> None:
    """The program's functions are not taken for PnetCDF's."""
    steps = [
        configure(tmp_path, "cdf", format="cdf5", **LIBRARY),
        configure(tmp_path, "nc4", format="netcdf4", **LIBRARY),
    ]
    said, log = run(tmp_path, steps[0], "pnetcdf", "mpiio", steps[1], "pnetcdf", "mpiio")
    assert said == [(2, "ROMIO ROMIO")] * RANKS
    assert log.count("prefer ROMIO to Open MPI's own MPI-IO") == 1
    assert_files(tmp_path, 2, ["cdf", "nc4"])


def test_ranks_agree_on_mpiio_after_sessions_that_do_without_it(tmp_path: Path) -> None:
    """Only some ranks make files of these sessions."""
    before = [
        configure(tmp_path, "one", format="cdf5"),
        configure(tmp_path, "two", format="netcdf4", pattern="per-rank"),
    ]
    said, _ = run(tmp_path, *before, configure(tmp_path, "cdf", format="cdf2", **LIBRARY), "mpiio")
    assert said == [(0, "ROMIO")] * RANKS
    assert_files(tmp_path, 0, ["one", "cdf"])


def test_a_program_that_has_chosen_its_mpiio_keeps_it_and_is_warned(tmp_path: Path) -> None:
    said, log = run(tmp_path, "pnetcdf", configure(tmp_path, "cdf", format="cdf5", **LIBRARY), "mpiio")
    assert said == [(1, "OMPIO")] * RANKS
    assert "OMPIO) is in use" in log
    assert_files(tmp_path, 1, ["cdf"])


def test_the_library_does_not_need_pnetcdf(tmp_path: Path) -> None:
    """It is opened when the first file is written by it."""
    library = mpi.BUILD / "lib/libthalweg.so"
    needed = subprocess.run(["objdump", "-p", library], capture_output=True, text=True, check=True).stdout
    assert "NEEDED               libmpi" in needed
    assert "pnetcdf" not in needed
