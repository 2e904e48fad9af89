"""A model with many small variables, for run_definitions.py: writes times.json.

model.py FORMAT VARIABLES CELLS: CELLS is boxes, or list for an index list
"""

import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import thalweg
from mpi4py import MPI

COMM = MPI.COMM_WORLD
LEVELS, ROWS, COLUMNS = 4, 48, 64


def cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


class Times(dict[str, list[float]]):
    """Of each step how long it took on the slowest rank, and the processor time of all ranks."""

    @contextmanager
    def of(self, step: str) -> Iterator[None]:
        COMM.Barrier()
        start_s, start_cpu_s = time.monotonic(), cpu_s()
        yield
        taken_s, taken_cpu_s = time.monotonic() - start_s, cpu_s() - start_cpu_s
        self[step] = [COMM.allreduce(taken_s, MPI.MAX), COMM.allreduce(taken_cpu_s, MPI.SUM)]


def define(history: thalweg.Collection, variables: int, dims: str, cells: object) -> None:
    history.define_dimension("lev", LEVELS)
    for v in range(variables):
        name = f"field_{v:03d}"
        history.define_variable(name, f"time,lev,{dims}" if v % 2 else f"time,{dims}", np.float32, cells)
        history.define_attribute(name, "units", "kg m-2 s-1")
        history.define_attribute(name, "long_name", f"a flux of kind {v} at the surface or at levels")
        history.define_attribute(name, "cell_methods", "time: mean")


def main() -> None:
    file_format, variables, is_list = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "list"
    ranks, rank = COMM.Get_size(), COMM.Get_rank()
    first, end = ROWS * rank // ranks, ROWS * (rank + 1) // ranks
    times = Times()
    with times.of("start"):
        config = {"report": "none", "collections": {"history": {"file": "history.nc", "format": file_format}}}
        io = thalweg.start(COMM, config)
    with times.of("declare"):
        if is_list:
            points = np.arange(rank, ROWS * COLUMNS, ranks)
            dims, cells = "cell", io.decompose_indices("cell", ROWS * COLUMNS, points)
            fields = [np.full((LEVELS, len(points)), rank, np.float32)[v] for v in (0, slice(None))]
        else:
            dims, cells = "lat,lon", io.decompose("lat,lon", (ROWS, COLUMNS), (first, 0), (end - first, COLUMNS))
            fields = [np.full((LEVELS, end - first, COLUMNS), rank, np.float32)[v] for v in (0, slice(None))]
        history = io.collection("history")
        define(history, variables, dims, cells)
    with times.of("ready"):
        io.ready()
    for record in ("first record", "second record"):
        with times.of(record):
            for v in range(variables):
                history.put(f"field_{v:03d}", fields[v % 2])
            io.advance(1.0 if record == "first record" else 2.0)
    with times.of("finish"):
        io.finish()
    if rank == 0:
        with open("times.json", "w") as file:
            json.dump(times, file)


main()
