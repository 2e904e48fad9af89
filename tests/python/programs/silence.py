"""A model that says to MPI where its phases begin: 1 definitions, 2 from the first put to the last advance."""

from __future__ import annotations

import numpy as np
import thalweg
from mpi4py import MPI

ROWS, COLUMNS, STEPS = 48, 512, 12


def main() -> None:
    MPI.Pcontrol(1)
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if not io.is_client:
            return
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        first, end = ROWS * rank // ranks, ROWS * (rank + 1) // ranks
        cells = io.decompose("y,x", (ROWS, COLUMNS), (first, 0), (end - first, COLUMNS))
        opened = [io.collection(name) for name in ("whole", "series")]
        for collection in opened:
            collection.define_variable("mask", "y,x", np.int32, cells)
            for name in ("t", "s"):
                collection.define_variable(name, "time,y,x", np.float32, cells)
        io.ready()
        field = np.arange((end - first) * COLUMNS, dtype=np.float32).reshape(end - first, COLUMNS)
        MPI.Pcontrol(2)
        for collection in opened:
            collection.put("mask", field.astype(np.int32))
        for step in range(1, STEPS + 1):
            for collection in opened:
                for name in ("t", "s"):
                    collection.put(name, field + np.float32(step))
            io.advance(3600.0 * step)
        MPI.Pcontrol(0)


if __name__ == "__main__":
    main()
