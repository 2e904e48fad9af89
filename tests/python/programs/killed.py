"""Writes the dataset of tests/support/python_dataset.py, and is killed when two of its records are committed."""

from __future__ import annotations

import os
import signal
import sys

import thalweg
from mpi4py import MPI
from support.python_dataset import HOUR_S, whole


def main(*names: str) -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        cells = thalweg.decompose_like(io, whole())
        collections = [io.collection(name) for name in names]
        for collection in collections:
            collection.define_like(whole(collection.name), cells)
        for step in range(2):
            for collection in collections:
                collection.put_dataset(whole(collection.name).isel(time=step).isel(cells.own))
            io.advance(HOUR_S * (step + 1))
        io.wait()
        MPI.COMM_WORLD.Barrier()
        os.kill(os.getpid(), signal.SIGKILL)


main(*sys.argv[1:])
