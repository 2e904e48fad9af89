"""A model on two ranks with two groups of one server. That of the second one dies when the model has defined a field
behind the first file of its collections."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI

CELLS, HOUR, LATE, DEATH, LAST = 4, 3600.0, 4, 5, 12


def die_when_told() -> None:
    while not Path("die").exists():
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)


def run_model(io: thalweg.Session) -> None:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    cells = io.decompose("x", (CELLS * ranks,), (CELLS * rank,), (CELLS,))
    fields = [io.define_field("early", "x", np.float64, cells)]
    for step in range(1, LAST + 1):
        if step == LATE:
            fields.append(io.define_field("late", "x", np.float64, cells))
        if step == DEATH and rank == 0:
            Path("die").touch()
            time.sleep(0.5)
        for field in fields:
            field.put(np.full(CELLS, float(step)))
        io.advance(step * HOUR)


world = MPI.COMM_WORLD
if world.Get_rank() == world.Get_size() - 1:
    threading.Thread(target=die_when_told, daemon=True).start()
session = thalweg.start(world, "thalweg.yaml", on_exception="raise")
try:
    if session.is_client:
        run_model(session)
    session.finish()
except thalweg.Error as error:
    print(error.code.name, error, flush=True)
os._exit(0)  # MPI_Finalize would wait for the server
