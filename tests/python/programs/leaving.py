"""Models that leave a session by an exception: leaving.py WAY

one    the last rank raises after the second record, the others go on
each   all ranks raise after it
all    all ranks raise, in a session that only raises, and catch it; then they write another file
shape  a second session would go on with the file by another shape, is refused, and nobody ends it
name   a variable cannot have its name in the file
"""

from __future__ import annotations

import sys
from typing import Literal

import numpy as np
import thalweg
from mpi4py import MPI

COMM = MPI.COMM_WORLD


def write(io: thalweg.Session, file: str, records: int) -> None:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    cells = io.decompose("x", (4 * ranks,), (4 * rank,), (4,))
    history = io.collection("history")
    history.define_variable("temp", "time,x", np.float64, cells)
    io.ready()
    history.new_file(file)
    for record in range(records):
        history.put("temp", 100.0 * record + np.arange(4) + 4 * rank)
        io.advance(60.0 * (record + 1))
        io.wait()


def go_on(cells: int, start_s: float) -> None:
    io = thalweg.start(COMM, "thalweg.yaml", on_exception="raise")
    io.set_time(start_s)
    rank = COMM.Get_rank()
    history = io.collection("history")
    history.define_variable("temp", "time,x", np.float64, io.decompose("x", (2 * cells,), (cells * rank,), (cells,)))
    history.put("temp", np.zeros(cells))
    io.advance(start_s + 60.0)
    io.finish()


def main() -> None:
    if sys.argv[1] == "shape":
        go_on(4, 0.0)
        try:
            go_on(5, 60.0)
        except thalweg.Error as error:
            print(f"refused {error}", flush=True)
        return
    if sys.argv[1] == "name":
        with thalweg.start(COMM, "thalweg.yaml") as io:
            io.collection("history").define_variable("a/b", "time,x", np.float64, io.decompose("x", (2,), (0,), (2,)))
            io.ready()
    way: Literal["abort", "raise"] = "raise" if sys.argv[1] == "all" else "abort"
    try:
        with thalweg.start(COMM, "thalweg.yaml", on_exception=way) as io:
            if io.is_client:
                run(io)
    except ArithmeticError as error:
        print(f"caught {error}", flush=True)
    COMM.Barrier()
    with thalweg.start(COMM, "thalweg.yaml") as io:
        write(io, "second.nc", 3)
    if COMM.Get_rank() == 0 and way == "raise":
        try:
            thalweg.recover("first.nc.partial")
        except thalweg.Error as error:
            print(f"refused {error}")


def run(io: thalweg.Session) -> None:
    write(io, "first.nc", 2)
    if sys.argv[1] in ("all", "each") or io.model_comm.Get_rank() == io.model_comm.Get_size() - 1:
        raise ArithmeticError("the model has become unstable")
    write_on(io)


def write_on(io: thalweg.Session) -> None:
    """Waits for the rank that has left, in the end."""
    for record in range(2, 100000):
        io.advance(60.0 * (record + 1))
        io.wait()


main()
