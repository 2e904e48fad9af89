"""A model whose records are files of their own: one_record.py RECORDS [WORD ...]. Of `clock` the configuration says
when and under which names, of `restart` the program does; both have a field that is put once. Words:

open      puts a field of a further record that is not closed
dies      is killed then
unmasked  does not put what has no records
doubles   has fields of eight bytes alone, as checksums of FMS are for
lame      the last rank puts nothing, and is killed a while later
"""

from __future__ import annotations

import os
import signal
import sys
import time

import numpy as np
import numpy.typing as npt
import thalweg
from mpi4py import MPI

NY, NX, NZ = 12, 7, 2


def field(time_s: float) -> npt.NDArray[np.float64]:
    values = np.arange(NZ * NY * NX).reshape(NZ, NY, NX) / 3.0 + time_s
    values[0, 0, 0] = np.nan
    return values


def main(records: int, words: list[str]) -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if not io.is_client:
            return
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        rows = slice(NY * rank // ranks, NY * (rank + 1) // ranks)
        cells = io.decompose("y,x", (NY, NX), (rows.start, 0), (rows.stop - rows.start, NX))
        small, whole = (np.float64, np.int64) if "doubles" in words else (np.float32, np.int32)
        clock, restart = (io.collection(name) for name in ("clock", "restart"))
        for collection in (clock, restart):
            collection.define_dimension("z", NZ)
            collection.define_variable("mask", "y,x", whole, cells)
            collection.define_variable("temp", "time,z,y,x", np.float64, cells)
            collection.define_variable("ice", "time,x,y", small, cells, memory_dims="y,x")
            collection.define_variable("step", "time", np.int64)
            if "unmasked" not in words:
                collection.put("mask", np.full((NY, NX), 7, whole)[rows])
        if "lame" in words and rank == ranks - 1:
            io.ready()
            time.sleep(1.5)
            os.kill(os.getpid(), signal.SIGKILL)
        for step in range(1, records + 1):
            time_s = 60.0 * step
            restart.new_file(f"restart_{step}")
            for collection in (clock, restart):
                collection.put("temp", field(time_s)[:, rows])
                if step != 2:
                    collection.put("ice", field(time_s)[0, rows].astype(small))
                collection.put("step", np.int64(step))
            restart.record(time_s)
            io.advance(time_s)
            if step == 3:
                io.wait()
                print("there" if rank else "", end="")
        if "open" in words:
            restart.new_file(f"restart_{records + 1}")
            for collection in (clock, restart):
                collection.put("temp", field(0.0)[:, rows])
        if "dies" in words:
            io.model_comm.Barrier()
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
