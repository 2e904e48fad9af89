"""How the rows of a field are spread over ranks."""

from __future__ import annotations

from mpi4py import MPI


def rows_of(comm: MPI.Comm, rows: int) -> tuple[int, int]:
    """The first row of this rank and the one behind its last; the last rank has none where there are three or more."""
    rank, ranks = comm.Get_rank(), comm.Get_size()
    parts = ranks - 1 if ranks > 2 else ranks
    return rows * min(rank, parts) // parts, rows * min(rank + 1, parts) // parts
