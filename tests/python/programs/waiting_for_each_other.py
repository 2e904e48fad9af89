"""Two ranks, each of which waits for another collection by itself: rank 0, which owns the files, for a record of 'late'
that rank 1 puts when it has waited for 'early'. They print for which they have waited."""

from __future__ import annotations

import numpy as np
import thalweg
from mpi4py import MPI


def main() -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        rank = MPI.COMM_WORLD.Get_rank()
        cells = io.decompose("x", (8,), (4 * rank,), (4,))
        early, late = io.collection("early"), io.collection("late")
        for collection in (early, late):
            collection.define_variable("temp", "time,x", np.float64, cells)
        io.ready()

        def step(record: int) -> None:
            for collection in (early, late):
                collection.put("temp", 100.0 * record + np.arange(4) + 4 * rank)
            io.advance(60.0 * (record + 1))

        step(0)
        step(1)
        if rank == 1:
            early.wait()
            print("early", flush=True)
        step(2)
        if rank == 0:
            late.wait()
            print("late", flush=True)


main()
