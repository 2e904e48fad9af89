"""Reads the last record of what minimal.py has written, with a halo, and goes on from there in again.nc.

mpiexec -n 4 python reading.py
"""

import numpy as np
import thalweg
from mpi4py import MPI


def read(io: thalweg.Session, rows: thalweg.Decomposition) -> np.ndarray:
    """This rank's rows with the halo that they were declared with."""
    with io.open_input("history.nc") as before:
        before.declare("height", rows, dims="time,y,x", periodic="x")
        return before.get("height", record=before.records - 1, dtype=np.float64)


def run_model(io: thalweg.Session) -> None:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    ny, nx = 12, 8
    first, last = ny * rank // ranks, ny * (rank + 1) // ranks
    rows = io.decompose("y,x", shape=(ny, nx), start=(first, 0), count=(last - first, nx), halo=(1, 1))
    height = read(io, rows)

    again = io.collection("again")
    again.define_variable("height", "time,y,x", np.float64, rows)
    again.put("height", height)
    io.advance(3600.0)


with thalweg.start(MPI.COMM_WORLD) as io:
    if io.is_client:
        run_model(io)
