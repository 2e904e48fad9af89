"""A day of a model that begins anew, or from its newest restart, and leaves one.

mpiexec -n 4 python restart.py [restore]
"""

import sys

import numpy as np
import thalweg
from mpi4py import MPI

SETTINGS = {"file": "restart.%n.nc", "cycle": 2, "every": "on-demand"}


def run_model(io: thalweg.Session) -> None:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    ny, nx = 12, 8
    first, last = ny * rank // ranks, ny * (rank + 1) // ranks
    rows = io.decompose("y,x", shape=(ny, nx), start=(first, 0), count=(last - first, nx))

    state = {"height": np.zeros((last - first, nx)), "speed": np.zeros((last - first, nx), np.float32)}
    restart = io.collection("restart", SETTINGS)
    for name, array in state.items():
        restart.define_variable(name, "time,y,x", array.dtype, rows)
        restart.register_array(name, array)

    time_s = restart.restore() if "restore" in sys.argv else 0.0
    for array in state.values():
        array += rank + 1  # the model's day
    restart.put_arrays()
    restart.record(time_s + 86400.0)


with thalweg.start(MPI.COMM_WORLD) as io:
    if io.is_client:
        run_model(io)
