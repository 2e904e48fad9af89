"""Puts a tide in every step; tide.yaml says what is written of it: snapshots, daily means and extremes, a spread.

mpiexec -n 4 python tide.py
"""

from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI

NY, NX, HOURS = 12, 8, 72


def run_model(io: thalweg.Session) -> None:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    first, last = NY * rank // ranks, NY * (rank + 1) // ranks
    rows = io.decompose("y,x", shape=(NY, NX), start=(first, 0), count=(last - first, NX))

    y = io.define_field("y", "y", np.float64, static=True, units="km", long_name="along the coast")
    height = io.define_field("tide/height", "y,x", np.float32, rows, units="m", long_name="height of the surface")
    current = io.define_field("tide/current", "y,x", np.float32, rows, units="m s-1", long_name="speed along the coast")

    y.put(np.arange(NY, dtype="f8"))
    where = np.arange(first, last)[:, None] + 0.1 * np.arange(NX)
    for hour in range(1, HOURS + 1):
        phase = 2 * np.pi * hour / 12.42 - 0.3 * where
        height.put(np.cos(phase))
        if current.is_wanted:
            current.put(0.5 * np.sin(phase))
        io.advance(hour * 3600.0)


with thalweg.start(MPI.COMM_WORLD, Path(__file__).with_name("tide.yaml")) as io:
    if io.is_client:
        run_model(io)
