"""A model whose restarts replace each other in turn, and that writes its last state: in_turn.py WAY

run   six restarts of each kind; the last step is shorter than the others
dies  is killed while it writes a restart, when four are complete
apart the last rank says another end
one   writes one restart, a step behind that of the next word
short stops behind its first step
wrong asks for what is refused, and says what it is told
"""

from __future__ import annotations

import os
import signal
import sys

import numpy as np
import numpy.typing as npt
import thalweg
from mpi4py import MPI
from rows import rows_of
from telling import told

NY, NX = 12, 7
STEP_S, END_S = 60.0, 690.0
COLLECTIONS = ("rst", "every", "single", "zip", "store", "shared", "end", "his")


def field(record: int) -> npt.NDArray[np.float64]:
    return np.arange(NY * NX).reshape(NY, NX) + 1000.0 * record


class Model:
    def __init__(self, io: thalweg.Session, names: tuple[str, ...]) -> None:
        self.first, self.last = rows_of(io.model_comm, NY)
        cells = io.decompose("y,x", (NY, NX), (self.first, 0), (self.last - self.first, NX))
        self.collections = {name: io.collection(name) for name in names}
        for collection in self.collections.values():
            collection.define_variable("mask", "y,x", np.float64, cells)
            collection.define_variable("temp", "time,y,x", np.float64, cells)

    def put(self, name: str, record: int) -> None:
        collection = self.collections[name]
        if self.first < self.last and collection.is_due:
            collection.put("temp", field(record)[self.first : self.last])

    def put_masks(self) -> None:
        for collection in self.collections.values():
            collection.put("mask", field(99)[self.first : self.last])


def run(io: thalweg.Session) -> None:
    model = Model(io, COLLECTIONS)
    io.set_end_time(END_S)
    model.put_masks()
    for step in range(1, 13):
        time_s = min(STEP_S * step, END_S)
        for name in COLLECTIONS[1:]:
            model.put(name, step)
        io.advance(time_s)
        if step % 2 == 0:
            model.put("rst", step)
            model.collections["rst"].record(time_s)


def die(io: thalweg.Session) -> None:
    model = Model(io, ("rst",))
    model.put_masks()
    for record in range(4):
        model.put("rst", record)
        model.collections["rst"].record(STEP_S * record)
    io.wait()
    model.put("rst", 4)
    io.model_comm.Barrier()
    os.kill(os.getpid(), signal.SIGKILL)


def say_another_end(io: thalweg.Session) -> None:
    model = Model(io, ("end",))
    is_last = io.model_comm.Get_rank() == io.model_comm.Get_size() - 1
    io.set_end_time(END_S - (STEP_S if is_last else 0.0))
    model.put_masks()
    for step in range(1, 11):
        model.put("end", step)
        io.advance(STEP_S * step)
    io.wait()


def write_one(io: thalweg.Session) -> None:
    first = int(sys.argv[2])
    model = Model(io, ("rst",))
    io.set_time(STEP_S * first)
    model.put_masks()
    model.put("rst", first + 1)
    model.collections["rst"].record(STEP_S * (first + 1))


def end_early(io: thalweg.Session) -> None:
    model = Model(io, ("end",))
    io.set_end_time(END_S)
    model.put_masks()
    io.advance(STEP_S)


def ask_wrongly(io: thalweg.Session) -> None:
    model = Model(io, ("rst", "end"))
    told(io.set_end_time, -1.0)
    told(io.advance, STEP_S)
    io.set_end_time(END_S)
    told(io.set_time, END_S + 1.0)
    told(model.collections["rst"].new_file, "other.nc")
    told(model.collections["rst"].close_file)
    io.advance(STEP_S)
    told(io.advance, END_S + STEP_S)
    told(io.set_end_time, END_S)


WAYS = {
    "run": run,
    "dies": die,
    "apart": say_another_end,
    "one": write_one,
    "short": end_early,
    "wrong": ask_wrongly,
}


def main(way: str) -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if io.is_client:
            WAYS[way](io)


if __name__ == "__main__":
    main(sys.argv[1])
