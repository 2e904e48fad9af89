"""A model whose values follow from the time alone, so that runs which continue each other write what one run would:
continued.py FIRST LAST [WORD ...]

Steps FIRST + 1 to LAST are made, of a minute each. Words:

bare   puts nothing without records
mute   does not say when it starts
late   says it behind thalweg_ready
dies   is killed behind its last step, when all is committed
more   has a variable more
other  has other values in its records
fewer  holds fewer points
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import thalweg
from mpi4py import MPI

NY, NX, NZ = 10, 6, 3
STEP_S = 60.0
OTHER = 5000.0
MOMENTS = [90.0, 200.0, 660.0, 700.0, 1300.0]
"""when the program closes the records of `points` and `plain`"""


def field(time_s: float) -> npt.NDArray[np.float64]:
    """Among them values that are no numbers, and those that rounding has to change."""
    values = np.arange(NY * NX).reshape(NY, NX) / 7.0 + 1000.0 * np.sin(time_s)
    values[int(time_s) % NY, 2] = np.nan
    return values


def columns(time_s: float) -> npt.NDArray[np.float32]:
    return np.arange(NZ * NY * NX, dtype=np.float32).reshape(NZ, NY * NX) + np.float32(time_s)


class Model:
    def __init__(self, io: thalweg.Session, words: list[str]) -> None:
        self.io = io
        self.shift = OTHER if "other" in words else 0.0
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        self.rows = slice(NY * rank // ranks, NY * (rank + 1) // ranks)
        cells = io.decompose("y,x", (NY, NX), (self.rows.start, 0), (self.rows.stop - self.rows.start, NX))
        # Every rank has points from everywhere, backwards, and some belong to nobody.
        self.points = np.arange(NY * NX)[::-1][rank::ranks]
        self.points = self.points[self.points % 11 != 3]
        if "fewer" in words:
            self.points = self.points[self.points % 11 != 4]
        land = io.decompose_indices("point", NY * NX, self.points, masked=True)
        self.clocked = [io.collection(name) for name in ("history", "series", "begin")]
        for collection in self.clocked:
            collection.define_dimension("z", NZ)
            collection.define_variable("mask", "y,x", np.float64, cells)
            collection.define_variable("temp", "time,y,x", np.float64, cells)
            collection.define_variable("packed", "time,x,y", np.float32, cells, memory_dims="y,x")
            collection.define_variable("count", "time", np.int32)
            collection.define_variable("depth", "z", np.float32)
            if "more" in words:
                collection.define_variable("more", "time", np.int32)
        self.on_demand = [io.collection(name) for name in ("points", "plain")]
        for collection in self.on_demand:
            collection.define_dimension("z", NZ)
            collection.define_variable("height", "point", np.float32, land)
            collection.define_variable("carbon", "time,z,point", np.float32, land)

    def put_fixed(self) -> None:
        for collection in self.clocked:
            collection.put("mask", field(-1.0)[self.rows])
            collection.put("depth", np.arange(NZ, dtype=np.float32))
        for collection in self.on_demand:
            collection.put("height", columns(-1.0)[0, self.points])

    def put(self, collection: thalweg.Collection, time_s: float) -> None:
        collection.put("temp", field(time_s)[self.rows] + self.shift)
        collection.put("packed", field(time_s)[self.rows].astype(np.float32))
        collection.put("count", np.int32(time_s))

    def record(self, time_s: float) -> None:
        for collection in self.on_demand:
            collection.put("carbon", np.ascontiguousarray(columns(time_s)[:, self.points]))
            collection.record(time_s)


def run(io: thalweg.Session, first: int, last: int, words: list[str]) -> None:
    if not {"mute", "late"} & set(words):
        io.set_time(first * STEP_S)
    model = Model(io, words)
    io.ready()
    if "late" in words:
        io.set_time(first * STEP_S)
    if "bare" not in words:
        model.put_fixed()
    for step in range(first, last + 1):
        time_s = step * STEP_S
        for collection in model.clocked:
            if collection.is_due:
                model.put(collection, time_s)
        io.advance(time_s)
        for moment in MOMENTS:
            if time_s - STEP_S < moment <= time_s and moment > first * STEP_S:
                model.record(moment)
    if "dies" in words:
        io.wait()
        Path(f"confirmed.{MPI.COMM_WORLD.rank}").touch()
        io.model_comm.Barrier()
        os.kill(os.getpid(), signal.SIGKILL)


def main(first: int, last: int, words: list[str]) -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if io.is_client:
            run(io, first, last, words)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
