"""Puts fields whose lowest bits are noise, in chunks that are large enough for a codec to be spared them."""

from __future__ import annotations

import numpy as np
import thalweg
from mpi4py import MPI
from support.noisy_fields import COLLECTIONS, NX, NY, RECORDS, TYPES, field

with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    rows = slice(NY * rank // ranks, NY * (rank + 1) // ranks)
    cells = io.decompose("y,x", (NY, NX), (rows.start, 0), (rows.stop - rows.start, NX))
    collections = [io.collection(name) for name in COLLECTIONS]
    for collection in collections:
        for type_name in TYPES:
            collection.define_variable(type_name, "time,y,x", np.dtype(type_name), cells)
    for record in range(RECORDS):
        for collection in collections:
            for type_name in TYPES:
                collection.put(type_name, field(type_name, record)[rows])
        io.advance(3600.0 * (record + 1))
