"""Sessions one after the other in one job, and at the same time.

later_sessions.py PLAN: steps, in JSON: each a list of sessions {"name", "ranks", "levels", "kill"} that are open at a
time, by these ranks. The rank "kill" is killed in the second record. The first rank of each session prints the numbers
of the staging memories that it has mapped.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI

COMM = MPI.COMM_WORLD
RANK = COMM.Get_rank()
ROWS, COLUMNS, RECORDS = 5, 13, 3  # of a rank; behind them a row that nobody has
CONTROL_BYTES = 100_000  # what ranks tell each other lies in less
FORMATS = {
    "cdf1": {"format": "cdf1"},
    "netcdf4": {"format": "netcdf4", "chunks": {"y": 4, "x": 5}},
    "packed": {"format": "netcdf4", "chunks": {"y": 4, "x": 5}, "compression": {"codec": "zstd", "shuffle": True}},
    "zarr": {"format": "zarr", "chunks": {"y": 4, "x": 5}, "sharding": True},
}
TYPES = {"bytes": np.int8, "shorts": np.int16, "floats": np.float32, "doubles": np.float64}


def memories() -> list[int]:
    """Of the files in memory that hold blocks."""
    maps = Path("/proc/self/maps").read_text().splitlines()
    spans = {int(line.split()[4]): line.split()[0].split("-") for line in maps if "memfd:thalweg-staging" in line}
    return sorted(number for number, (begin, end) in spans.items() if int(end, 16) - int(begin, 16) > CONTROL_BYTES)


class Model:
    """A session of some ranks with a collection of each format."""

    def __init__(self, comm: MPI.Comm, name: str, levels: int, kill: int) -> None:
        self.name, self.levels, self.kill = name, levels, kill
        self.rank, ranks = comm.Get_rank(), comm.Get_size()
        files = {key: format_ | {"file": f"{name}.{key}"} for key, format_ in FORMATS.items()}
        self.io = thalweg.start(comm, {"report": "none", "deadline": "20 s", "collections": files})
        shape = ((ROWS + 1) * ranks, COLUMNS)
        cells = self.io.decompose("y,x", shape, ((ROWS + 1) * self.rank, 0), (ROWS, COLUMNS), masked=True)
        self.collections = [self.io.collection(key) for key in FORMATS]
        for collection in self.collections:
            collection.define_dimension("z", levels)
            for variable, element in TYPES.items():
                collection.define_variable(variable, "time,z,y,x", element, cells)
            collection.define_variable("depth", "y,x", np.int16, cells)

    def write(self) -> None:
        for record in range(1, RECORDS + 1):
            for collection in self.collections:
                if record == 1:
                    collection.put("depth", np.full((ROWS, COLUMNS), 7 + self.rank, np.int16))
                for variable, element in TYPES.items():
                    noise = np.random.default_rng(record).integers(1, 100, (self.levels, ROWS, COLUMNS))
                    collection.put(variable, (noise + self.rank).astype(element))
            if record == 2 and RANK == self.kill:
                self.io.flush()
                os.kill(os.getpid(), signal.SIGKILL)
            self.io.advance(float(record))
            self.io.wait()

    def finish(self) -> None:
        self.io.finish()


def main() -> None:
    for step in json.loads(sys.argv[1]):
        models = []
        for session in step:
            ranks = session["ranks"]
            if RANK not in ranks:
                continue
            comm = COMM.Create_group(COMM.group.Incl(ranks))
            models.append(Model(comm, session["name"], session["levels"], session.get("kill", -1)))
        for model in models:
            model.write()
            if model.rank == 0:
                print(json.dumps([model.name, memories()]) + "\n", end="", flush=True)
        for model in models:
            model.finish()


main()
