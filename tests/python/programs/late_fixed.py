"""Puts records, and a variable without records on no rank or on some, into each collection; then dies:
late_fixed.py WHEN COLLECTION…"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI

ROWS, COLUMNS = 40, 50


def main(when: str, names: list[str]) -> None:
    world = MPI.COMM_WORLD
    io = thalweg.start(world, "thalweg.yaml")
    shape = (ROWS * world.size, COLUMNS)
    cells = io.decompose("y,x", shape=shape, start=(ROWS * world.rank, 0), count=(ROWS, COLUMNS))
    collections = [io.collection(name) for name in names]
    for collection in collections:
        collection.define_variable("orog", "y,x", np.float64, cells)
        collection.define_variable("mask", "y,x", np.int16, cells)
        collection.define_variable("temp", "time,y,x", np.float64, cells)
    for step in (1.0, 2.0):
        for collection in collections:
            collection.put("temp", np.full((ROWS, COLUMNS), step))
        io.advance(3600.0 * step)
    io.wait()
    Path(f"confirmed.{world.rank}").touch()
    if when == "some" and world.rank == 0:
        for collection in collections:
            collection.put("orog", np.full((ROWS, COLUMNS), 5.0))
        time.sleep(0.5)  # its block is complete where the ranks have blocks of their own
    world.Barrier()
    os.kill(os.getpid(), signal.SIGKILL)


main(sys.argv[1], sys.argv[2:])
