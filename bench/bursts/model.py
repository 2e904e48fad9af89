"""A model whose records come in bursts with time between them, for run_bursts.py: writes times.json.

model.py MIB RECORDS BURSTS PAUSE: of a record; of a burst; of the run; seconds between bursts
"""

import json
import sys
import time

import numpy as np
import thalweg
from mpi4py import MPI

COMM = MPI.COMM_WORLD
VARIABLES = 5
LEVELS, COLUMNS = 16, 256
FLOAT_BYTES = 4


def longest(seconds: float) -> float:
    return COMM.allreduce(seconds, MPI.MAX)


def main() -> None:
    mib, records, bursts, pause_s = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
    rows = int(mib * 2**20) // (VARIABLES * LEVELS * COLUMNS * FLOAT_BYTES)
    ranks, rank = COMM.Get_size(), COMM.Get_rank()
    first, end = rows * rank // ranks, rows * (rank + 1) // ranks
    fields = [np.full((LEVELS, end - first, COLUMNS), v + rank, np.float32) for v in range(VARIABLES)]
    warm = [np.zeros_like(field) for field in fields]
    io = thalweg.start(COMM, {"report": "none", "collections": {"history": {"file": "history.nc", "format": "cdf5"}}})
    history = io.collection("history")
    cells = io.decompose("z,y,x", (LEVELS, rows, COLUMNS), (0, first, 0), (LEVELS, end - first, COLUMNS))
    for variable in range(VARIABLES):
        history.define_variable(f"v{variable}", "time,z,y,x", np.float32, cells)
    io.ready()
    times: dict[str, list[list[float]]] = {"stall_s": [], "copy_s": []}
    number = 0
    for _ in range(bursts):
        stalls, copies = [], []
        for _ in range(records):
            number += 1
            COMM.Barrier()
            start_s = time.monotonic()
            for to, field in zip(warm, fields, strict=True):
                np.copyto(to, field)
            copies.append(longest(time.monotonic() - start_s))
            COMM.Barrier()
            start_s = time.monotonic()
            for variable, field in enumerate(fields):
                history.put(f"v{variable}", field)
            io.advance(float(number))
            stalls.append(longest(time.monotonic() - start_s))
        times["stall_s"].append(stalls)
        times["copy_s"].append(copies)
        time.sleep(pause_s)
    io.finish()
    if rank == 0:
        with open("times.json", "w") as file:
            json.dump(times, file)


main()
