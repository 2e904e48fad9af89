"""A model whose state is restored, and that keeps by checkpoints, every two hours, what a collection gathers.

checkpointed_restart.py HOUR: goes on until that hour from the time of the restart, if there is one, and prints it.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI

STEP_S = 3600.0

with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    rows = 6 // ranks
    cells = io.decompose("y,x", (6, 3), (rank * rows, 0), (rows, 3))
    field = io.define_field("ocean/t", "y,x", "f8", cells)
    state = io.collection("state")
    state.define_variable("t", "time,y,x", "f8", cells)
    t = np.zeros((rows, 3))
    state.register_array("t", t)
    start_s = 0.0
    if list(Path().glob("**/state_*.nc")):
        start_s = state.restore()
        io.set_time(start_s)
    io.ready()
    for hour in range(int(start_s / STEP_S) + 1, int(sys.argv[1]) + 1):
        end_s = hour * STEP_S
        io.step(end_s)
        t += 1.0
        field.put(t)
        state.put_arrays()
        io.advance(end_s)
        if hour % 2 == 0:
            io.checkpoint()
    if rank == 0:
        print(start_s)
