"""Puts a variable without records behind a field of the first file, and anew before each of two more."""

from __future__ import annotations

import numpy as np
import thalweg
from mpi4py import MPI


def main() -> None:
    world = MPI.COMM_WORLD
    with thalweg.start(world, "thalweg.yaml") as io:
        cells = io.decompose("x", (3 * world.size,), (3 * world.rank,), (3,))
        history = io.collection("history", "every: on-demand")
        history.define_variable("mask", "x", np.float64, cells)
        history.define_variable("temp", "time,x", np.float64, cells)
        io.ready()
        for file in range(3):
            history.new_file(f"file{file}.nc")
            if file > 0:
                history.put("mask", np.full(3, file + world.rank))
            history.put("temp", np.full(3, 10.0 * file))
            if file == 0:
                history.put("mask", np.full(3, world.rank))
            history.record(60.0 * (file + 1))


main()
