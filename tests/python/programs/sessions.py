"""Two sessions at a time, on one rank each and on all; and what is about a session but its fields."""

from __future__ import annotations

import datetime
from pathlib import Path

import h5py
import netCDF4
import numpy as np
import thalweg
from mpi4py import MPI

COMM = MPI.COMM_WORLD
RANK, RANKS = COMM.Get_rank(), COMM.Get_size()
CONFIG = {
    "report": "none",
    "reference-date": datetime.date(2001, 2, 3),
    "time-step": "1 h",
    "collections": {"history": {"file": "all.nc", "every": "2 steps"}, "restart": {"file": Path("restart.nc")}},
}
OF_RESTART = {"file": Path("not.nc"), "variables": {"state": {"chunks": {"time": 2}}}}


def own(io: thalweg.Session) -> thalweg.Collection:
    history = io.collection("history")
    cells = io.decompose("x", (3,), (0,), (3,))
    history.define_variable("own", "time,x", np.int32, cells)
    return history


def write(everyone: thalweg.Session, alone: thalweg.Session) -> None:
    assert everyone.model_comm.Get_size() == RANKS
    assert alone.model_comm.Get_size() == 1
    history, restart, mine = everyone.collection("history"), everyone.collection("restart", OF_RESTART), own(alone)
    cells = everyone.decompose("x", (RANKS,), (RANK,), (1,))
    history.define_variable("rank", "time,x", np.int16, cells)
    restart.define_variable("state", "time,x", np.float64, cells)
    everyone.set_time(7200.0)
    everyone.ready()
    restart.change_attribute(None, "title", "the first")
    for step in range(1, 5):
        assert history.is_due == (step % 2 == 0)
        if step == 3:
            restart.new_file("later.nc")
            restart.change_attribute(None, "title", "the second")
            restart.change_attribute("state", "version", 2)
        history.put("rank", [np.int16(10 * step + RANK)])
        restart.put("state", [step + RANK / 4])
        mine.put("own", np.full(3, 100 * step + RANK, np.int32))
        everyone.advance(7200.0 + 3600.0 * step)
        alone.advance(float(step))
        everyone.flush()
    everyone.wait()


def main() -> None:
    text = f"report: none\ncollections: {{history: {{file: own{RANK}.nc, format: cdf5}}}}\n"
    with thalweg.start(COMM, CONFIG) as everyone, thalweg.start_text(MPI.COMM_SELF, text) as alone:
        write(everyone, alone)
    # Libraries of HDF5 and netCDF that came with their Python packages, in the same process.
    with netCDF4.Dataset(f"own{RANK}.nc") as file:
        assert np.asarray(file["own"][...]).tolist() == [[100 * step + RANK] * 3 for step in range(1, 5)]
    with h5py.File("all.nc") as file:
        assert file["rank"][...].tolist() == [[10 * step + rank for rank in range(RANKS)] for step in (2, 4)]


main()
