"""A model whose collection a Python callable writes: procedure.py MODE

keeps   it keeps copies of all that it is given, in blocks.<rank>.pickle
registers  the same, known before the session starts, as servers need it
raises  it raises an exception at the second record
holds   it holds on to the data of the first block
forgets the model ends without finish, while the callable is busy
"""

from __future__ import annotations

import pickle
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

NY, NX, RECORDS = 8, 6, 3
MODE = sys.argv[1]
RANK = MPI.COMM_WORLD.Get_rank()

kept: list[dict[str, Any]] = []
held: list[NDArray[Any] | None] = []


def keep(block: thalweg.Block) -> None:
    data = block.data
    assert data is None or (not data.flags.writeable and data.shape == block.count and data.flags.c_contiguous)
    names = (
        "collection",
        "file",
        "variable",
        "record",
        "record_in_file",
        "time_s",
        "start",
        "count",
        "shape",
        "checksum",
    )
    told = {name: getattr(block, name) for name in names}
    kept.append(told | {"event": block.event.name, "data": None if data is None else data.copy()})


def fail(block: thalweg.Block) -> None:
    if block.event is thalweg.Event.RECORD and block.record == 1:
        raise ValueError("no paper in the printer")


def hold(block: thalweg.Block) -> None:
    if block.data is not None:
        held.append(block.data[1:])


def linger(block: thalweg.Block) -> None:
    time.sleep(0.02)


def run(io: thalweg.Session) -> None:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    first, last = NY * rank // ranks, NY * (rank + 1) // ranks
    cells = io.decompose("y,x", (NY, NX), (first, 0), (last - first, NX - 1), masked=True)
    history = io.collection("history")
    history.define_variable("height", "time,y,x", np.float32, cells, _FillValue=-1)
    history.define_variable("depth", "y,x", np.int64, cells, _FillValue=-1)
    history.define_variable("mean", "time", np.float64)
    if MODE != "registers":
        history.set_procedure({"keeps": keep, "raises": fail, "holds": hold, "forgets": linger}[MODE])
    whole = np.arange(NY * NX).reshape(NY, NX)
    history.put("depth", whole[first:last, :-1])
    for record in range(RECORDS):
        history.put("height", (whole + 100.0 * record)[first:last, :-1])
        history.put("mean", np.float64(record))
        io.advance(60.0 * (record + 1))
    io.flush()


def main() -> None:
    if MODE == "forgets":
        warnings.simplefilter("always")
        run(thalweg.start(None, "thalweg.yaml"))
        time.sleep(1.0)  # the other ranks are to come as far before this one goes
        return
    if MODE == "registers":
        thalweg.register_procedure("history", keep)
    with thalweg.start(None, "thalweg.yaml") as io:
        if io.is_client:
            run(io)
    if kept:
        Path(f"blocks.{RANK}.pickle").write_bytes(pickle.dumps(kept))


main()
