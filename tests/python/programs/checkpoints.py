"""Runs of the model of field_statistics.py that go on from each other's checkpoints, many in one start.

checkpoints.py RUNS: a file with a list of them, in JSON. Each has
    folder    in which it writes
    settings  of its session
    ranks     of its session; others wait for it
    first     the last step of the run before
    keeps     behind which steps it makes a checkpoint
    last      its last step
    dies      whether the ranks are killed behind it
    wanted    what the error of `ready` has in it
    fails     whether nothing can be done behind that error
    misuse    whether it calls where it must not
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import field_statistics
import numpy as np
import thalweg
from field_statistics import HOUR, NX, NY, NZ
from mpi4py import MPI
from runs import make_all


class Model(field_statistics.Model):
    """Has fields as well that are put with weights and masks of their own."""

    def __init__(self, io: thalweg.Session) -> None:
        super().__init__(io)
        cells = io.decompose("y,x", (NY, NX), (self.rows.start, 0), (self.count, NX))
        self.masked = io.define_field("ocean/masked", "y,x", np.float64, cells)
        self.depth = io.define_field("ocean/depth", "y,x", np.float64, cells, static=True)
        self.heights = io.define_field("ocean/heights", "z,y,x", np.float64, self.cells, memory_dims="x,z,y", units="m")

    def put(self, step: int) -> None:
        super().put(step)
        random = np.random.default_rng([step, 77])
        values, weight, mask = random.normal(size=(NY, NX)), random.random(), random.random((NY, NX)) < 0.7
        heights = 10.0 * np.arange(NZ).reshape(NZ, 1, 1) + 6.0 * random.normal(size=(NZ, NY, NX))
        self.heights.put(np.ascontiguousarray(heights[:, self.rows].transpose(2, 0, 1)))
        self.masked.put(values[self.rows], weight=weight, mask=mask[self.rows] if step % 3 else None)

    def put_fixed(self) -> None:
        self.depth.put(np.arange(NY * NX, dtype="f8").reshape(NY, NX)[self.rows])


def ready(io: thalweg.Session, wanted: list[str]) -> None:
    try:
        io.ready()
        said = ""
    except thalweg.Error as error:
        if not wanted:
            raise
        said = str(error)
    for words in wanted:
        assert words in said, f"{words!r} is not in {said!r}"


def refused(call: Callable[[], Any], words: str) -> None:
    try:
        call()
    except thalweg.Error as error:
        assert error.code == thalweg.Code.STATE and words in str(error), error
        return
    raise AssertionError(f"nothing was said of {words!r}")


def misuse(io: thalweg.Session) -> None:
    """None of it changes anything: the run goes on, and its checkpoint is one."""
    model = Model(io)
    refused(lambda: model.put(1), "call thalweg_ready before its first put")
    io.ready()
    model.put_fixed()
    model.put(1)
    refused(io.checkpoint, "within a step, of which fields were put that ends at 3600 s")
    io.advance(HOUR)
    if io.model_comm.Get_rank() == 0:
        model.put(2)
    io.advance(2 * HOUR)
    refused(io.checkpoint, "'surface': some ranks have put it in 1 step of its interval and others in 2")
    for step in range(3, 8):
        model.put(step)
        io.advance(step * HOUR)
    io.checkpoint()
    io.checkpoint()  # of the same time there is one


def steps(io: thalweg.Session, run: dict[str, Any]) -> None:
    model = Model(io)
    io.set_time(run["first"] * HOUR)
    ready(io, run.get("wanted", []))
    if run.get("fails"):
        return
    model.put_fixed()
    for step in range(run["first"], run["last"] + 1):
        if step > run["first"]:
            model.put(step)
            io.advance(step * HOUR)
        if step in run["keeps"]:
            io.checkpoint()


def make(run: dict[str, Any], comm: MPI.Intracomm) -> None:
    folder = Path(run["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    io = thalweg.start(config=run["settings"], comm=comm)
    if io.is_client:
        if run.get("misuse"):
            misuse(io)
        else:
            steps(io, run)
    if run.get("dies"):
        os.kill(os.getpid(), signal.SIGKILL)
    try:
        io.finish()
    except thalweg.Error:
        if not run.get("fails"):
            raise


if __name__ == "__main__":
    make_all(make)
