"""Puts variables without records anew before files of a series: some each time, some once, one on one rank alone, one
again as it is, and one late. What each file has to have follows from the number of the file (renewed_test.py)."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

SHAPE = (37, 24)
FILES = 5
CHANGES_ONCE = 2  # the first file with other values of 'once'
LATE = 2  # the last file that begins without 'late'
BASE = {"moving": 100.0, "once": 200.0, "corner": 300.0, "same": 400.0, "late": 500.0, "axis": 600.0, "ints": 700.0}
TYPES = {"ints": np.int32, "axis": np.float64, "once": np.float64}


def rows_of(rank: int, ranks: int) -> tuple[int, int]:
    return SHAPE[0] * rank // ranks, SHAPE[0] * (rank + 1) // ranks


def whole(name: str, version: int) -> NDArray[np.float64 | np.int32]:
    if name == "axis":
        return np.arange(SHAPE[1]) + 1000.0 * version
    rows, columns = np.indices(SHAPE)
    values = BASE[name] + rows * 0.5 + columns * 0.25 + 1000.0 * version
    return values.astype(np.int32) if name == "ints" else values


def version_of(name: str, file: int) -> int:
    """That is put for this file."""
    return {"once": 7 * (file >= CHANGES_ONCE), "same": 0, "late": 0}.get(name, file)


def is_put(name: str, file: int, rank: int, records_a_file: int) -> bool:
    if name == "late":  # what is not put before a file of one record ends has the fill value there
        return file == (LATE + 1 if records_a_file > 1 else 0)
    if file == 0 or name in ("moving", "same", "axis", "ints"):
        return True
    return file == CHANGES_ONCE if name == "once" else rank == 0


def main(kinds: list[str], file_that_dies: int) -> None:
    """kinds: a collection, the records of each of its files, and the end of their names; '': they have names."""
    world = MPI.COMM_WORLD
    io = thalweg.start(world, "thalweg.yaml")
    if not io.is_client:
        io.finish()
        return
    ranks = io.model_comm.size
    rank = io.model_comm.rank
    first, end = rows_of(rank, ranks)
    cells = io.decompose("y,x", shape=SHAPE, start=(first, 0), count=(end - first, SHAPE[1]))
    series = [(io.collection(name), int(records), suffix) for name, records, suffix in (k.split(":") for k in kinds)]
    for collection, _, _ in series:
        for variable in BASE:
            dims, of = ("x", None) if variable == "axis" else ("y,x", cells)
            collection.define_variable(variable, dims, TYPES.get(variable, np.float32), of)
        collection.define_variable("temp", "time,y,x", np.float32, cells)
    for record in range(2 * FILES):
        if record == 2 * file_that_dies + 1:
            io.wait()
            Path(f"confirmed.{world.rank}").touch()
            world.Barrier()
            os.kill(os.getpid(), signal.SIGKILL)
        for collection, records, suffix in series:
            file = record // records
            if record % records == 0:
                if suffix and file > 0:
                    collection.new_file(f"{collection.name}_{file}{suffix}")
                for variable in BASE:
                    if is_put(variable, file, rank, records):
                        values = whole(variable, version_of(variable, file))
                        collection.put(variable, values if variable == "axis" else values[first:end])
            collection.put("temp", np.full((end - first, SHAPE[1]), record, np.float32))
        io.advance(60.0 * (record + 1))
    io.finish()


if __name__ == "__main__":
    main(sys.argv[1].split(","), int(sys.argv[2]))
