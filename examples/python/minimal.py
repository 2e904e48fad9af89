"""The smallest complete program: a field of 12 x 8 cells, cut into bands of rows, three records of it.

mpiexec -n 4 python minimal.py [config.yaml]
"""

import sys

import numpy as np
import thalweg
from mpi4py import MPI


def run_model(io: thalweg.Session) -> None:
    """The model: each rank computes its rows of the field on the communicator of the clients."""
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    ny, nx = 12, 8
    first, last = ny * rank // ranks, ny * (rank + 1) // ranks

    rows = io.decompose("y,x", shape=(ny, nx), start=(first, 0), count=(last - first, nx))
    history = io.collection("history")
    history.define_variable("height", "time,y,x", np.float32, rows, units="m")

    for record in range(1, 4):
        height = 1000.0 * record + np.arange(first * nx, last * nx).reshape(-1, nx)
        history.put("height", height)  # height is free again
        io.advance(3600.0 * record)  # the record is complete


# When the block ends, all is written; an exception in it ends the job.
with thalweg.start(MPI.COMM_WORLD, sys.argv[1] if len(sys.argv) > 1 else None) as io:
    if io.is_client:  # not on ranks that the configuration makes servers: they come back when all is written
        run_model(io)
