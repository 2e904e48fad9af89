"""Twelve records of fields of some size, and their sum, in two collections."""

from __future__ import annotations

import numpy as np
import thalweg
from mpi4py import MPI

NX, NY = 96, 240
with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    if io.is_client:
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        first, end = NY * rank // ranks, NY * (rank + 1) // ranks
        cells = io.decompose("y,x", (NY, NX), (first, 0), (end - first, NX))
        history, daily = io.collection("history"), io.collection("daily")
        for collection in (history, daily):
            collection.define_variable("temp", "time,y,x", np.float64, cells)
        values = np.random.default_rng(rank).random((end - first, NX))
        for step in range(12):
            history.put("temp", values + step)
            daily.put("temp", values - step)
            io.advance(3600.0 * (step + 1))
