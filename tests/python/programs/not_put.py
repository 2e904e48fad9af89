"""Rank 1 leaves out a field of a record and one without records, rank 0 puts one after the last advance; who is told
prints it."""

from __future__ import annotations

import numpy as np
import thalweg
from mpi4py import MPI

RANK = MPI.COMM_WORLD.Get_rank()
io = thalweg.start(MPI.COMM_WORLD, "thalweg.yaml")
if io.is_client:
    history = io.collection("history")
    cells = io.decompose("x", (4,), (2 * RANK,), (2,))
    for name, dims in (("strict", "time,x"), ("lenient", "time,x"), ("area", "x")):
        history.define_variable(name, dims, np.float64, cells)
    for step in range(3):
        for name in ("strict", "lenient"):
            if (RANK, step) != (1, 1):
                history.put(name, np.full(2, 10.0 * step + RANK))
        try:
            io.advance(3600.0 * (step + 1))
        except thalweg.Error as error:
            print(f"{error.code.name} of advance {step}: {error}", flush=True)
    if RANK == 0:
        history.put("area", np.full(2, 7.0))
        history.put("lenient", np.full(2, 99.0))
    try:
        io.finish()
    except thalweg.Error as error:
        print(f"{error.code.name} of finish: {error}", flush=True)
