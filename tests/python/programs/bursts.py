"""A model whose records come faster than they are written: bursts.py RECORDS [later]. A second collection of large
records is defined when the first ones are written (`later`)."""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt
import thalweg
from mpi4py import MPI

MIB = 2**20
RECORD_MIB, LATER_MIB, VARIABLES = 8, 40, 2


def values(mib: int, number: int, rows: slice) -> npt.NDArray[np.float32]:
    """Rows of 1024 cells, half of the record."""
    all_rows = np.arange(mib * MIB // 4 // 1024 // VARIABLES, dtype=np.float32)[rows]
    return all_rows[:, None] * 3.0 + np.float32(number) + np.arange(1024, dtype=np.float32) / 2048.0


class Series:
    def __init__(self, io: thalweg.Session, name: str, mib: int) -> None:
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        self.mib, rows = mib, mib * MIB // 4 // 1024 // VARIABLES
        self.rows = slice(rows * rank // ranks, rows * (rank + 1) // ranks)
        cells = io.decompose("y,x", (rows, 1024), (self.rows.start, 0), (self.rows.stop - self.rows.start, 1024))
        self.collection = io.collection(name)
        for variable in range(VARIABLES):
            self.collection.define_variable(f"v{variable}", "time,y,x", np.float32, cells)

    def record(self, number: int) -> None:
        for variable in range(VARIABLES):
            self.collection.put(f"v{variable}", values(self.mib, 100 * variable + number, self.rows))
        self.collection.record(float(number))


def main(records: int, is_later: bool) -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if not io.is_client:
            return
        first = Series(io, "first", RECORD_MIB)
        for number in range(1, records + 1):
            first.record(number)
        io.wait()
        if not is_later:
            return
        later = Series(io, "later", LATER_MIB)
        for number in range(1, records + 1):
            later.record(number)
            first.record(records + number)


if __name__ == "__main__":
    main(int(sys.argv[1]), "later" in sys.argv[2:])
