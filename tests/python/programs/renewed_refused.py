"""Puts variables without records where they cannot be put anew, says what is refused, and goes on."""

from __future__ import annotations

import json

import numpy as np
import thalweg
from mpi4py import MPI

refused: dict[str, str] = {}


def refuse(label: str, collection: thalweg.Collection, value: float) -> None:
    try:
        collection.put("mask", np.full(3, value))
    except thalweg.Error as error:
        refused[label] = str(error)


def main() -> None:
    world = MPI.COMM_WORLD
    with thalweg.start(world, "thalweg.yaml") as io:
        cells = io.decompose("x", (3 * world.size,), (3 * world.rank,), (3,))
        history, library = io.collection("history"), io.collection("library")
        for collection in (history, library):
            collection.define_variable("mask", "x", np.float64, cells)
            collection.define_variable("temp", "time,x", np.float64, cells)
            collection.put("mask", np.full(3, 1.0))
            refuse(f"{collection.name}, early", collection, 9.0)
        io.ready()
        refuse("before the first file", history, 9.0)
        for record, value in enumerate((2.0, 3.0)):
            for collection in (history, library):
                collection.put("temp", np.full(3, value))
            if record > 0:
                refuse("behind the first field", history, 9.0)
            io.advance(60.0 * (record + 1))
            if record > 0:
                continue
            refuse("of the library", library, 9.0)
            history.put("mask", np.full(3, 2.0))
            refuse("twice before a file", history, 9.0)
            history.new_file("second.nc")
    if world.rank == 1:
        print(json.dumps(refused))


main()
