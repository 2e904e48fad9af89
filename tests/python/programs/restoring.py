"""Writes a restart from registered arrays, or restores one and compares each array bit for bit with what was written.

restoring.py write STEPS; restoring.py restore PATH|- RECORD|- STEP; restoring.py refused CASE|path PATH [RECORD]
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

NZ, NY, NX = 3, 11, 8
MARK = -77.0
STEP_S = 3600.0
LAND = 5  # the first columns, of which no point is listed


def whole(name: str, step: int) -> NDArray[Any]:
    """What the model has at the end of a step, everywhere."""
    numbers = np.random.default_rng([step, len(name), ord(name[0])])
    shapes = {"temp": (NZ, NY, NX), "height": (NY, NX), "ice": (NY, NX), "depth": (NY, NX), "count": ()}
    if name == "count":
        return np.array(step * 7 + 1, "i4")
    if name == "depth":
        numbers = np.random.default_rng(1)
    return numbers.random(shapes[name], "f4" if name == "height" else "f8")


class Model:
    """Rows or blocks of cells, whichever the number of ranks says, with halos; and points of ice."""

    def __init__(self, io: thalweg.Session) -> None:
        self.io = io
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        across = 2 if ranks % 2 == 0 else 1
        down = ranks // across
        i, j = rank % across, rank // across
        self.rows = slice(NY * j // down, NY * (j + 1) // down)
        self.columns = slice(NX * i // across, NX * (i + 1) // across)
        start = (self.rows.start, self.columns.start)
        self.count = (self.rows.stop - start[0], self.columns.stop - start[1])
        cells = io.decompose("y,x", (NY, NX), start, self.count, halo=(1, 2))
        sea = np.arange(NY * NX).reshape(NY, NX)[:, LAND:].ravel()
        self.points = sea[rank::ranks]
        points = io.decompose_points("y,x", (NY, NX), self.points, masked=True)
        state = self.state = io.collection("restart")
        state.define_dimension("z", NZ)
        state.define_variable("temp", "time,z,y,x", "f8", cells, memory_dims="x,z,y")
        state.define_variable("height", "time,y,x", "f4", cells)
        state.define_variable("ice", "time,y,x", "f8", points)
        state.define_variable("count", "time", "i4")
        state.define_variable("depth", "y,x", "f8", cells)
        state.define_variable("unwanted", "time,y,x", "f8", cells)
        with open("thalweg.yaml") as file:
            variables = json.load(file)["collections"]["restart"]["variables"]
        self.off = [name for name in variables if not variables[name]["enabled"]]
        halo = (self.count[0] + 2, self.count[1] + 4)
        self.arrays = {
            "temp": np.full((halo[1], NZ, halo[0]), MARK),
            "height": np.full(halo, MARK, "f4"),
            "ice": np.full(len(self.points), MARK),
            "count": np.full((), -7, "i4"),
            "depth": np.full(self.count, MARK),
        }

    def register(self, names: list[str] | None = None) -> None:
        for name in names or self.arrays:
            self.state.register_array(name, self.arrays[name])

    def own(self, name: str, step: int) -> NDArray[Any]:
        field = whole(name, step)
        if name == "ice":
            return field.ravel()[self.points]
        own = field if name == "count" else field[..., self.rows, self.columns]
        return own.transpose(2, 0, 1) if name == "temp" else own

    def inner(self, name: str) -> NDArray[Any]:
        sections = {"temp": np.s_[2:-2, :, 1:-1], "height": np.s_[1:-1, 2:-2]}
        return self.arrays[name][sections.get(name, ...)]

    def set(self, step: int) -> None:
        for name in self.arrays:
            self.inner(name)[...] = self.own(name, step)

    def with_halo(self, step: int) -> NDArray[Any]:
        """Of `height`: from the other ranks, and as it was beyond the ends."""
        padded = np.full((NY + 2, NX + 4), MARK, "f4")
        padded[1:-1, 2:-2] = whole("height", step)
        return padded[self.rows.start : self.rows.stop + 2, self.columns.start : self.columns.stop + 4]

    def check(self, step: int) -> None:
        for name in self.arrays:
            if name in self.off:
                assert (self.arrays[name] == MARK).all()
                continue
            wanted = np.ascontiguousarray(self.own(name, step))
            found = np.ascontiguousarray(self.inner(name))
            assert found.tobytes() == wanted.tobytes(), f"'{name}': {found} is not {wanted}"
        assert self.arrays["height"].tobytes() == self.with_halo(step).tobytes()


def write(model: Model, steps: int) -> None:
    model.register()
    for step in range(1, steps + 1):
        model.set(step)
        model.state.put_arrays()
        model.io.advance(step * STEP_S)
    model.io.wait()


def restore(model: Model, path: str, record: str, step: int) -> None:
    model.register()
    number = None if record == "-" else int(record)
    time_s = model.state.restore(None if path == "-" else path, number)
    assert time_s == step * STEP_S, time_s
    model.check(step)
    model.io.set_time(time_s)  # from where the run goes on
    model.set(step + 1)
    model.state.put_arrays()
    model.io.advance((step + 1) * STEP_S)


def refused(model: Model, case: str) -> None:
    if case != "nothing registered":
        model.register(["temp", "height", "ice", "count"] if case == "one missing" else None)
    try:
        if case == "name":
            model.state.register_array("tmep", model.arrays["temp"])
        path, _, record = case.removeprefix("path ").partition(" ") if case.startswith("path") else ("", "", "")
        model.state.restore(path or None, int(record) if record else None)
        said = ["none", "", ""]
    except thalweg.Error as error:
        said = ["Error", error.code.name, str(error)]
    everywhere = model.io.model_comm.gather(said)
    if everywhere:
        assert all(one == everywhere[0] for one in everywhere), everywhere
        print(json.dumps(everywhere[0]))


with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    if io.is_client:
        model = Model(io)
        if sys.argv[1] == "write":
            write(model, int(sys.argv[2]))
        elif sys.argv[1] == "restore":
            restore(model, sys.argv[2], sys.argv[3], int(sys.argv[4]))
        else:
            refused(model, sys.argv[2])
