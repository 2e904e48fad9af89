"""A model whose domains of land have no rank, as FMS's mask table says: those with a rank are dealt out."""

from __future__ import annotations

import sys

import numpy as np
import thalweg
from mpi4py import MPI
from support.mask_table import HALO, RECORDS, boxes, shape, whole

rank, ranks = MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size
with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    if io.is_client:
        own = boxes(sys.argv[1])[io.model_comm.rank :: io.model_comm.size]
        cells = io.decompose("y,x", shape(sys.argv[1]), boxes=own, halo=[HALO, HALO], masked=True)
        history = io.collection("history")
        history.define_variable("temp", "time,y,x", np.float32, cells, units="degC")
        history.define_variable("depth", "y,x", np.float64, cells)
        for record in range(RECORDS):
            for name in ("temp", "depth"):
                for number, ((j, i), (nj, ni)) in enumerate(own):
                    if name == "temp" or record == 0:
                        field = np.pad(whole(name, record, sys.argv[1]), HALO)
                        history.put(name, field[j : j + nj + 2 * HALO, i : i + ni + 2 * HALO], box=number)
            io.advance(600.0 * (record + 1))
