"""A collection whose variables have decompositions of one and of two dimensions, and a list of points."""

from __future__ import annotations

import sys

import numpy as np
import thalweg
from mpi4py import MPI
from support.mixed import CELLS, NX, NY, RECORDS, ROWS, whole

with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    if io.is_client:
        rank, ranks = io.model_comm.rank, io.model_comm.size
        parts = {size: (size * rank // ranks, size * (rank + 1) // ranks) for size in (NY, ROWS)}
        (first, last), (first_row, last_row) = parts[NY], parts[ROWS]
        grid = io.decompose("y,x", (NY, NX), (first, 0), (last - first, NX))
        rows = io.decompose("river", (ROWS,), (first_row,), (last_row - first_row,))
        history = io.collection("history")
        history.define_variable("temp", "time,y,x", np.float64, grid)
        history.define_variable("flow", "time,river", np.float32, rows)
        pieces = {"temp": slice(first, last), "flow": slice(first_row, last_row)}
        if "points" in sys.argv:
            points = io.decompose_indices("cell", CELLS, np.arange(CELLS)[rank::ranks])
            history.define_variable("tracer", "time,cell", np.float64, points)
            pieces["tracer"] = slice(rank, None, ranks)
        for record in range(RECORDS):
            for name, piece in pieces.items():
                history.put(name, whole(name, record)[piece])
            io.advance(60.0 * (record + 1))
