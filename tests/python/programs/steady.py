"""What tests/programs/steady.cpp does, through the Python interface: RECORDS WAIT_EVERY NZ NY NX [PAUSE_MS].

The same configuration, values, files and exit codes; failures are one JSON object a line in rank<N>.jsonl, and rank 0
appends to committed.log how many records are known to be committed."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

STEP_S = 600.0
Cells = tuple[slice, ...]


@dataclass(frozen=True)
class Arguments:
    records: int
    wait_every: int
    nz: int
    ny: int
    nx: int
    pause_ms: int = 0


def value(variable: int, record: int, shape: tuple[int, ...], own: Cells) -> NDArray[np.float64]:
    """Below 2^24, so that float holds it exactly."""
    index = np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)[own]
    return ((variable * 1000003 + record * 7919 + index * 31) % 16777213).astype(np.float64)


def own_cells(comm: MPI.Intracomm, shape: tuple[int, int]) -> Cells:
    """This rank's part of the plane, among the ranks of the model."""
    parts = MPI.Compute_dims(comm.Get_size(), 2)
    place = divmod(comm.Get_rank(), parts[1])
    edges = [[extent * (p + at) // count for at in (0, 1)]
             for extent, p, count in zip(shape, place, parts, strict=True)]  # fmt: skip
    return tuple(slice(first, last) for first, last in edges)


class Outcomes:
    """What calls ended with that failed."""

    def __init__(self) -> None:
        self.code = 0
        self.file = Path(f"rank{MPI.COMM_WORLD.Get_rank()}.jsonl")
        self.file.touch()

    def __call__(self, label: str, call: Callable[..., Any], *words: Any, **named: Any) -> Any:
        """Makes a call, unless one before it has failed; the first code is kept."""
        if self.code != 0 and label != "finish":
            return None
        try:
            return call(*words, **named)
        except thalweg.Error as error:
            line = {"label": label, "code": error.code.value, "seconds": 0.0, "text": str(error)}
            with self.file.open("a") as lines:
                lines.write(json.dumps(line) + "\n")
            self.code = self.code or error.code.value
            return None


class Model:
    def __init__(self, arguments: Arguments) -> None:
        self.arguments, self.call = arguments, Outcomes()
        io = self.call("start", thalweg.start, MPI.COMM_WORLD, "thalweg.yaml", on_exception="raise")
        if io is None:
            return
        self.io = io
        if io.is_client:
            self.plane = (arguments.ny, arguments.nx)
            self.own = own_cells(io.model_comm, self.plane)
            self.declare()
            for record in range(arguments.records):
                self.write(record)
        self.call("finish", io.finish)

    def declare(self) -> None:
        start, count = [one.start for one in self.own], [one.stop - one.start for one in self.own]
        cells = self.call("decompose", self.io.decompose, "y,x", shape=self.plane, start=start, count=count)
        self.history = self.call("open_collection", self.io.collection, "history")
        if self.history is None:
            return
        self.history.define_dimension("z", self.arguments.nz)
        self.history.define_variable("temp", "time,z,y,x", np.float32, cells)
        self.history.define_variable("ssh", "time,y,x", np.float64, cells)
        self.history.define_variable("mean", "time", np.float64)
        self.history.define_variable("depth", "y,x", np.float64, cells)
        self.call("ready", self.io.ready)
        self.put("depth", value(3, 0, self.plane, self.own))

    def put(self, name: str, field: NDArray[np.float64]) -> None:
        """As an array in the order of Fortran, which has strides of its own."""
        self.call(f"put {name}", lambda: self.history.put(name, np.array(field, order="F")))

    def write(self, record: int) -> None:
        volume = (self.arguments.nz, *self.plane)
        self.put("temp", value(0, record, volume, (slice(None), *self.own)))
        self.put("ssh", value(1, record, self.plane, self.own))
        self.put("mean", value(2, record, (1,), (slice(1),))[0])
        self.call("advance", self.io.advance, STEP_S * (record + 1))
        time.sleep(self.arguments.pause_ms / 1000)
        if self.arguments.wait_every and (record + 1) % self.arguments.wait_every == 0:
            self.call("wait", self.io.wait)
            self.confirm(record + 1)

    def confirm(self, records: int) -> None:
        if self.call.code == 0 and self.io.model_comm.Get_rank() == 0:
            with Path("committed.log").open("a") as log:
                log.write(f"{records}\n")


def main() -> int:
    model = Model(Arguments(*map(int, sys.argv[1:])))
    if model.call.code != 0 and "THALWEG_TEST_FINALIZE" not in os.environ:
        time.sleep(0.5)  # the others get the time to say what they met, and then the whole job ends
        MPI.COMM_WORLD.Abort(model.call.code)
    return model.call.code


sys.exit(main())
