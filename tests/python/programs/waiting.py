"""A model of which one rank waits for a collection by itself: waiting.py RECORDS

Behind each step the last client does, while the others go on; it prints how many records the growing file has then, or
the code of the error that it gets.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import thalweg
from mpi4py import MPI


def committed_records(growing: Path) -> int:
    """As the header of a CDF-5 file says it."""
    return int.from_bytes(growing.read_bytes()[4:12], "big")


def look(history: thalweg.Collection) -> None:
    try:
        history.wait()
        print(committed_records(Path("history.nc.partial")), flush=True)
    except thalweg.Error as error:
        print(error.code.name, flush=True)


def main() -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if not io.is_client:
            return
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        cells = io.decompose("x", (4 * ranks,), (4 * rank,), (4,))
        history = io.collection("history")
        history.wait()  # for nothing: it has no record
        history.define_variable("temp", "time,x", np.float64, cells)
        io.ready()
        for record in range(int(sys.argv[1])):
            history.put("temp", 100.0 * record + np.arange(4) + 4 * rank)
            io.advance(60.0 * (record + 1))
            if rank == ranks - 1:
                look(history)


main()
