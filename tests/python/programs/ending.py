"""ending.py HOW: puts three records on each rank, and then: "well" finishes, "error" makes a call that fails and
aborts, "killed" kills itself. Two seconds are as long as it takes until a rank keeps its time line."""

import os
import signal
import sys
import time

import numpy as np
import thalweg
from mpi4py import MPI

comm, how = MPI.COMM_WORLD, sys.argv[1]
io = thalweg.start(comm, "thalweg.yaml")
rank, ranks = comm.Get_rank(), comm.Get_size()
cells = io.decompose("y", shape=(4 * ranks,), start=(4 * rank,), count=(4,))
history = io.collection("history")
history.define_variable("temp", "time,y", np.float64, cells)
for step in range(1, 4):
    history.put("temp", np.full(4, float(step)))
    io.advance(3600.0 * step)
if how == "error":
    try:
        history.put("salt", np.zeros(4))
    except thalweg.Error:
        comm.Abort(3)
time.sleep(3)
if how == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
io.finish()
