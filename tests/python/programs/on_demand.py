"""A model that closes the records of four collections by itself, each at moments of its own, beside one that has an
interval: on_demand.py WAY

run    advances, and closes records between the advances, before and behind them
alone  never advances
dies   is killed when three records are committed
names  begins a new file one record earlier on the last rank
apart  the last rank closes another record than the others
closes closes its files, of which one has no record, and looks for them
early  the last rank closes its file one record earlier
fewer  the last rank closes one record less, and waits
others the last rank names another file behind the last record
again  goes on under a name that is closed, and then under another one
wrong  asks for what is refused, and says what it is told
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import thalweg
from mpi4py import MPI
from rows import rows_of

WORLD = MPI.COMM_WORLD
NY, NX = 12, 7
MOMENTS = {
    "his": [60.0 * step for step in range(3, 13, 3)],
    "avg": [60.0 * step - 30.0 for step in range(4, 13, 4)],
    "dia": [0.0, 61.5, 62.0, 700.0],
    "rst": [300.0, 660.0],
}
"""when each of them closes records, in seconds"""
OWN_NAME = "ocean_time"
"""that the program gives the record dimension of some"""


def field(name: str, record: int) -> npt.NDArray[np.float64]:
    return np.arange(NY * NX).reshape(NY, NX) + 1000.0 * record + 0.25 * sum(name.encode())


class Model:
    def __init__(self, io: thalweg.Session, names: list[str]) -> None:
        self.io = io
        self.first, self.last = rows_of(io.model_comm, NY)
        cells = io.decompose("y,x", (NY, NX), (self.first, 0), (self.last - self.first, NX))
        self.collections = {name: io.collection(name) for name in names}
        for name, collection in self.collections.items():
            records = OWN_NAME if name in ("his", "dia") else "time"
            if records == OWN_NAME:
                collection.define_dimension(OWN_NAME, None)
            collection.define_variable("mask", "y,x", np.float64, cells)
            collection.define_variable("temp", f"{records},y,x", np.float64, cells)
            collection.define_variable("count", records, np.int32)
            collection.define_attribute(records, "long_name", f"time of {name}")

    def put(self, name: str, record: int) -> None:
        collection = self.collections[name]
        if record == 0:
            collection.put("mask", field(name, 99)[self.first : self.last])
        if self.first < self.last:
            collection.put("temp", field(name, record)[self.first : self.last])
        collection.put("count", np.int32(record))

    def close_until(self, time_s: float, done: dict[str, int]) -> None:
        for name, moments in MOMENTS.items():
            while done[name] < len(moments) and moments[done[name]] <= time_s:
                if name == "rst":
                    self.collections[name].new_file(f"rst_{done[name]}.nc")
                self.put(name, done[name])
                self.collections[name].record(moments[done[name]])
                done[name] += 1


def run(io: thalweg.Session, advances: bool) -> None:
    model = Model(io, ["every", *MOMENTS] if advances else list(MOMENTS))
    done = dict.fromkeys(MOMENTS, 0)
    model.close_until(0.0, done)
    for step in range(1, 13):
        if advances:
            model.put("every", step - 1)
            io.advance(60.0 * step)
        model.close_until(60.0 * step, done)
        if step == 6:
            io.wait()
        elif not advances and step == 9:
            model.collections["his"].wait()
    for name in ("his", "avg"):  # begun, and not closed
        model.collections[name].put("count", np.int32(-1))


def die(io: thalweg.Session) -> None:
    model = Model(io, ["his"])
    for record in range(3):
        model.put("his", record)
        model.collections["his"].record(60.0 * (record + 1))
    io.wait()
    model.put("his", 3)
    Path(f"confirmed.{WORLD.rank}").touch()
    io.model_comm.Barrier()
    os.kill(os.getpid(), signal.SIGKILL)


def close(io: thalweg.Session) -> None:
    """Files are there before the next ones begin, and those that are there stay as they are."""
    model = Model(io, ["his", "rst"])
    grid, rst = model.collections["his"], model.collections["rst"]
    grid.put("mask", field("his", 99)[model.first : model.last])
    grid.close_file()
    for record, time_s in enumerate(MOMENTS["rst"]):
        rst.new_file(f"rst_{record}.nc")
        model.put("rst", record)
        rst.record(time_s)
        rst.close_file()
        io.wait()
        expected = ("his.nc", f"rst_{record}.nc")
        missing = [name for name in expected if not [*Path().glob(f"{name}"), *Path().glob(f"{name}.0*0")]]
        assert not missing, f"rank {io.model_comm.Get_rank()} does not see {missing}"
    rst.new_file("rst_fixed.nc")
    rst.close_file()
    io.wait()
    assert Path("rst_fixed.nc").exists()
    rst.new_file("rst_last.nc")
    model.put("rst", 7)
    rst.record(1000.0)


def close_early(io: thalweg.Session) -> None:
    model = Model(io, ["his"])
    his = model.collections["his"]
    is_last = io.model_comm.Get_rank() == io.model_comm.Get_size() - 1
    for record in range(3):
        model.put("his", record)
        his.record(60.0 * (record + 1))
        if record == (1 if is_last else 2):
            his.close_file()
            his.new_file("other.nc")
    io.wait()


def close_fewer(io: thalweg.Session) -> None:
    model = Model(io, ["his"])
    for record in range(2 if model.last < NY else 1):
        model.put("his", record)
        model.collections["his"].record(60.0 * (record + 1))
    io.wait()


def name_another(io: thalweg.Session) -> None:
    model = Model(io, ["his"])
    model.put("his", 0)
    model.collections["his"].record(60.0)
    model.collections["his"].new_file(f"other_{io.model_comm.Get_rank()}.nc")
    io.wait()


def go_on_again(io: thalweg.Session) -> None:
    """An interval, and a file that is closed in its middle: the advance that has no file changes nothing."""
    model = Model(io, ["every", "his"])
    every = model.collections["every"]
    io.advance(60.0)
    model.put("every", 0)
    io.advance(120.0)
    every.close_file()
    io.advance(180.0)
    for call in (lambda: model.put("every", 1), lambda: io.advance(240.0)):
        try:
            call()
        except thalweg.Error as error:
            print(f"{error.code.name}: {error}", flush=True)
    every.new_file("every_2.nc")
    model.put("every", 1)
    io.advance(240.0)


def differ(io: thalweg.Session) -> None:
    model = Model(io, ["his", "avg"])
    model.put("his", 0)
    model.put("avg", 0)
    name = "avg" if io.model_comm.Get_rank() == io.model_comm.Get_size() - 1 else "his"
    model.collections[name].record(60.0)
    io.wait()


def name_others(io: thalweg.Session) -> None:
    model = Model(io, ["his"])
    is_last = io.model_comm.Get_rank() == io.model_comm.Get_size() - 1
    for record in range(3):
        if record == (1 if is_last else 2):
            model.collections["his"].new_file("other.nc")
        model.put("his", record)
        model.collections["his"].record(60.0 * (record + 1))
    io.finish()


def err(io: thalweg.Session) -> None:
    model = Model(io, ["every", "his"])
    his = model.collections["his"]
    his.new_file("his.nc")
    model.put("his", 0)
    his.record(60.0)
    for say in (
        lambda: his.new_file("his.nc"),
        lambda: model.collections["every"].record(60.0),
        lambda: his.record(60.0),
        lambda: his.record(59.0),
        lambda: his.record(float("nan")),
        lambda: (model.put("his", 1), his.close_file()),
        lambda: (his.record(60.5), his.close_file(), his.close_file()),
        lambda: his.put("count", np.int32(2)),
        lambda: his.new_file("his.nc"),
    ):
        try:
            say()
        except thalweg.Error as error:
            print(f"{error.code.name}: {error}", flush=True)
    model.put("every", 0)
    io.advance(60.0)
    his.new_file("his_2.nc")
    model.put("his", 2)
    his.record(61.0)


def name_none(io: thalweg.Session) -> None:
    """Files of one record, the second of which has no name."""
    model = Model(io, ["rst"])
    model.collections["rst"].new_file("rst_1.nc")
    for record in range(2):
        try:
            model.put("rst", record)
            model.collections["rst"].record(60.0 * (record + 1))
        except thalweg.Error as error:
            print(f"{error.code.name}: {error}", flush=True)
            return


WAYS: dict[str, Callable[[thalweg.Session], None]] = {
    "run": lambda io: run(io, advances=True),
    "alone": lambda io: run(io, advances=False),
    "dies": die,
    "apart": differ,
    "names": name_others,
    "wrong": err,
    "closes": close,
    "early": close_early,
    "fewer": close_fewer,
    "others": name_another,
    "none": name_none,
    "again": go_on_again,
}


def main(way: str) -> None:
    with thalweg.start(WORLD, "thalweg.yaml") as io:
        if io.is_client:
            WAYS[way](io)


if __name__ == "__main__":
    main(sys.argv[1])
