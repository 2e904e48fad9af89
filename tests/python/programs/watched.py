"""Makes a record in each step until a file called 'enough' is there: of a run of 900 hours, as it says."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI

NX, NY = 64, 48
with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    if io.is_client:
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        first, end = NY * rank // ranks, NY * (rank + 1) // ranks
        cells = io.decompose("y,x", (NY, NX), (first, 0), (end - first, NX))
        io.set_end_time(900 * 3600.0)
        history = io.collection("history")
        history.define_variable("temp", "time,y,x", np.float64, cells)
        values = np.random.default_rng(rank).random((end - first, NX))
        for step in range(900):
            history.put("temp", values + step)
            io.advance(3600.0 * (step + 1))
            time.sleep(0.05)
            if io.model_comm.bcast(Path("enough").exists()):
                break
