# ctest: SHORT TIMEOUT 120
"""Sessions beside each other, and puts that copy nothing but into the block."""

from __future__ import annotations

import sys
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi, python


@pytest.mark.parametrize("ranks", [1, 4])
def test_two_sessions_at_a_time_write_their_files(tmp_path: Path, ranks: int) -> None:
    python.run("sessions.py", ranks, tmp_path)
    for name, title, steps in (("restart.nc", "the first", (1, 2)), ("later.nc", "the second", (3, 4))):
        with netCDF4.Dataset(tmp_path / name) as file:
            state = np.asarray(file["state"][...])
            assert state.tolist() == [[step + rank / 4 for rank in range(ranks)] for step in steps]
            assert file.title == title
            assert np.asarray(file["time"][...]).tolist() == [7200.0 + 3600.0 * step for step in steps]
            assert file["time"].units.startswith("seconds since 2001-02-03")
            assert getattr(file["state"], "version", 1) == (2 if name == "later.nc" else 1)
            assert file["state"].chunking()[0] == 2
    with netCDF4.Dataset(tmp_path / "all.nc") as file:
        assert np.asarray(file["time"][...]).tolist() == [14400.0, 21600.0]


def test_a_put_makes_no_copy_of_the_array(tmp_path: Path) -> None:
    assert python.run("copies.py", 1, tmp_path) == "a copy was not possible\n"
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        assert np.asarray(file["field"][0]).tobytes() == np.load(tmp_path / "field.npy").tobytes()


def test_a_program_that_only_serves_ends_with_the_model(tmp_path: Path) -> None:
    (tmp_path / "thalweg.yaml").write_text("report: none\n")
    model = [sys.executable, mpi.SOURCE / "examples" / "python" / "minimal.py", "thalweg.yaml"]
    server = [sys.executable, "-c", "import thalweg; thalweg.serve(config='thalweg.yaml'); print('served')"]
    done = mpi.launch(["-n", 2, *model, ":", "-n", 1, *server], tmp_path, 30, {"PYTHONPATH": python.PATHS})
    assert (done.returncode, done.stdout) == (0, "served\n"), done.stderr
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        assert np.asarray(file["height"][:, 11, 7]).tolist() == [1095.0, 2095.0, 3095.0]
