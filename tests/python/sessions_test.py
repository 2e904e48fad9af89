# ctest: SHORT TIMEOUT 120
"""Sessions beside each other, and puts that copy nothing but into the block."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import thalweg
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


def test_one_thread_at_a_time_uses_a_session(tmp_path: Path) -> None:
    """The one is in a call as long as the procedure of the writer is not done."""
    begun, may_end = threading.Event(), threading.Event()

    def procedure(block: thalweg.Block) -> None:
        begun.set()
        may_end.wait(30)

    mine = {"format": "user", "file": str(tmp_path / "mine"), "pattern": "shared"}
    config = {"report": "none", "collections": {"mine": mine}}
    with thalweg.start(config=config, on_exception="raise") as io:
        history = io.collection("mine")
        history.define_variable("x", "time", np.float64)
        history.set_procedure(procedure)
        history.put("x", np.zeros(()))
        io.advance(1.0)
        waiting = threading.Thread(target=io.wait)
        waiting.start()
        try:
            assert begun.wait(30)
            with pytest.raises(thalweg.Error, match="another thread is in a call of this session") as error:
                while waiting.is_alive():
                    assert io.is_client
            assert error.value.code.name == "STATE"
        finally:
            may_end.set()
            waiting.join()
        io.advance(2.0)


def test_a_program_that_only_serves_ends_with_the_model(tmp_path: Path) -> None:
    (tmp_path / "thalweg.yaml").write_text("report: none\n")
    model = [sys.executable, mpi.SOURCE / "examples" / "python" / "minimal.py", "thalweg.yaml"]
    server = [sys.executable, "-c", "import thalweg; thalweg.serve(config='thalweg.yaml'); print('served')"]
    done = mpi.launch(["-n", 2, *model, ":", "-n", 1, *server], tmp_path, 30, {"PYTHONPATH": python.PATHS})
    assert (done.returncode, done.stdout) == (0, "served\n"), done.stderr
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        assert np.asarray(file["height"][:, 11, 7]).tolist() == [1095.0, 2095.0, 3095.0]
