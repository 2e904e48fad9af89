"""A rank's band of rows: its neighbours, and sums that do not depend on the number of ranks."""

from __future__ import annotations

import math
from itertools import chain

from grid import Array
from mpi4py import MPI


class Band:
    """Rows `first` to `last` - 1 of `ny`. Local arrays have one more row on either side."""

    def __init__(self, comm: MPI.Comm, ny: int, nx: int) -> None:
        rank, ranks = comm.Get_rank(), comm.Get_size()
        if ny < 2 * ranks:
            raise ValueError(f"{ny} rows on {ranks} ranks: each needs 2 or more; take a finer grid or fewer ranks")
        self.comm, self.ny, self.nx = comm, ny, nx
        self.first, self.last = ny * rank // ranks, ny * (rank + 1) // ranks
        self.rows = self.last - self.first
        self.south = rank - 1 if rank > 0 else MPI.PROC_NULL
        self.north = rank + 1 if rank + 1 < ranks else MPI.PROC_NULL

    def exchange(self, state: Array) -> None:
        """Fills the outer rows with the neighbours' rows. Beyond a pole lies a copy of the last row, which counts for
        nothing, because the edge between them has no length."""
        if self.south == MPI.PROC_NULL:
            state[0] = state[1]
        if self.north == MPI.PROC_NULL:
            state[-1] = state[-2]
        self.comm.Sendrecv(state[-2], self.north, recvbuf=state[0], source=self.south)
        self.comm.Sendrecv(state[1], self.south, recvbuf=state[-1], source=self.north)

    def box(self, dims: str) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
        """The whole, and this rank's part of it: shape, start, count. "lat_v" leaves out the south pole."""
        without_pole = dims.startswith("lat_v")
        first, last = (max(row - without_pole, 0) for row in (self.first, self.last))
        return (self.ny - without_pole, self.nx), (first, 0), (last - first, self.nx)

    def total(self, cells: Array) -> float:
        """The sum over all cells of the sphere. `fsum` rounds once, so the order does not matter to a row, and rows are
        the same on any number of ranks."""
        rows = [math.fsum(row) for row in cells.tolist()]
        return math.fsum(chain.from_iterable(self.comm.allgather(rows)))

    def largest(self, cells: Array) -> float:
        return float(self.comm.allreduce(float(abs(cells).max()), MPI.MAX))
