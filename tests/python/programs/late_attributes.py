"""A model that knows some attributes of its files only when they end: late_attributes.py WAY

run   gives them to the first and the last file of each series, in between and at the end
wrong asks for what is refused, and says what it is told
apart the last rank gives another one
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt
import thalweg
from mpi4py import MPI
from telling import told

NY, NX = 8, 5
NAMES = ("cdf", "netcdf4", "zip", "zarr", "part", "his", "sums")


def field(record: int) -> npt.NDArray[np.float64]:
    return np.arange(NY * NX).reshape(NY, NX) + 1000.0 * record


class Model:
    def __init__(self, io: thalweg.Session, names: tuple[str, ...]) -> None:
        self.io = io
        self.rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        self.is_last = self.rank == ranks - 1
        first, last = NY * self.rank // ranks, NY * (self.rank + 1) // ranks
        self.rows = slice(first, last)
        cells = io.decompose("y,x", (NY, NX), (first, 0), (last - first, NX))
        self.collections = {name: io.collection(name) for name in names}
        for name, collection in self.collections.items():
            collection.define_variable("temp", "time,y,x", np.float64, cells)
            collection.define_variable("mask", "y,x", np.float64, cells)
            collection.define_attribute(None, "title", f"files of {name}")
            collection.define_attribute("temp", "units", "K")
            collection.put("mask", field(99)[self.rows])

    def step(self, step: int) -> None:
        for name, collection in self.collections.items():
            if name != "his":
                collection.put("temp", field(step)[self.rows])
        self.io.advance(60.0 * step)


def run(io: thalweg.Session) -> None:
    model = Model(io, NAMES)
    io.ready()
    for step in range(1, 6):  # files of two records
        model.step(step)
        for name, collection in model.collections.items():
            if name == "his":
                continue
            if step == 1:
                collection.add_attribute("temp", "first", "K")
                collection.add_attribute(None, "title", f"the first, a longer title of {name}")
            if step in (1, 2):
                collection.add_attribute(None, "steps", np.int32(step))
                collection.add_attribute(None, "waited", 0.5 * model.rank)  # each rank knows its own
            if step == 5:
                collection.add_attribute("temp", "range", np.array([1.5, -2.5]))
                collection.add_attribute("mask", "empty", "")
    his = model.collections["his"]
    his.put("temp", field(7)[model.rows])
    his.record(300.0)
    his.add_attribute(None, "title", "short")
    his.add_attribute(None, "seconds", 12.5)
    his.close_file()


def give_others(io: thalweg.Session) -> None:
    model = Model(io, ("cdf",))
    model.step(1)
    model.collections["cdf"].add_attribute(None, "title" if model.is_last else "name", "one")


def ask_wrongly(io: thalweg.Session) -> None:
    model = Model(io, ("cdf", "set", "mpiio", "single"))
    cdf = model.collections["cdf"]
    told(cdf.add_attribute, None, "title", "early")
    model.step(1)
    told(cdf.add_attribute, "salt", "units", "1")
    told(cdf.add_attribute, "temp", "_FillValue", 1.0)
    told(cdf.add_attribute, None, "DIMENSION_LIST", "x")
    told(cdf.add_attribute, None, "a/b", "x")
    for _ in range(3):  # each in place of the one before
        told(cdf.add_attribute, None, "same", "x" * 3000)
    told(cdf.add_attribute, None, "same", "x")
    told(cdf.add_attribute, None, "long", "x" * 10000)
    told(cdf.add_attribute, None, "half", "x" * 5000)
    told(cdf.add_attribute, None, "half too", "x" * 5000)
    for name in ("set", "mpiio", "single"):
        told(model.collections[name].add_attribute, None, "title", "late")
    model.step(2)
    cdf.put("temp", field(3)[model.rows])
    told(cdf.add_attribute, None, "title", "of which file?")


WAYS = {"run": run, "wrong": ask_wrongly, "apart": give_others}


def main(way: str) -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if io.is_client:
            WAYS[way](io)


if __name__ == "__main__":
    main(sys.argv[1])
