"""A model that is forced by a field: what it waits for it, by records that it gets and by time. Rank 0 prints JSON.

model.py FILE RECORDS COMPUTING_S
"""

import json
import os
import sys
import time

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

RECORD_S = 21600.0
STEPS = 6  # within a record's time


def main() -> None:
    path, records, computing_s = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    world = MPI.COMM_WORLD
    seconds: dict[str, list[float]] = {"get": [], "passes a record": [], "between": [], "copy": []}
    with thalweg.start(config={"report": "none"}, comm=world) as io, io.open_input(path) as wind:
        ny, nx = wind.variable("u").shape
        rows = slice(ny * world.rank // world.size, ny * (world.rank + 1) // world.size)
        cells = io.decompose("y,x", (ny, nx), (rows.start, 0), (rows.stop - rows.start, nx))
        wind.declare("u", cells, dims="time,y,x")
        field = np.zeros((rows.stop - rows.start, nx), "f4")
        other = field.copy()

        def timed(way: str, action: object) -> None:
            world.Barrier()
            begin = time.perf_counter()
            action()  # type: ignore[operator]
            longest = world.allreduce(time.perf_counter() - begin, MPI.MAX)
            seconds[way].append(longest)

        drop(path, world)
        for record in range(records):
            timed("get", lambda record=record: wind.get("u", field, record))
        drop(path, world)
        wind.get_at("u", 0.0, field)
        for step in range(1, STEPS * (records - 2)):
            compute(computing_s, other)
            at = step / STEPS * RECORD_S
            way = "passes a record" if step % STEPS == 1 else "between"
            timed(way, lambda at=at: wind.get_at("u", at, field))
            timed("copy", lambda: np.copyto(other, field))
    if world.rank == 0:
        print(json.dumps(seconds))


def compute(seconds: float, field: NDArray[np.float32]) -> None:
    """As a model does: a processor that slept is slow at first."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        np.multiply(field[:64], 1.0, out=field[:64])


def drop(path: str, world: MPI.Comm) -> None:
    """Takes the file out of the page cache."""
    if world.rank == 0:
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    world.Barrier()


main()
