"""A model whose records are 3 MB, four of them: larger_records.py"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import thalweg
from mpi4py import MPI

NY, NX = 600, 625


def field(record: int) -> npt.NDArray[np.float64]:
    return np.arange(NY * NX).reshape(NY, NX) * 0.5 + 1000.0 * record


def main() -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if not io.is_client:
            return
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        first, last = NY * rank // ranks, NY * (rank + 1) // ranks
        cells = io.decompose("y,x", (NY, NX), (first, 0), (last - first, NX))
        history = io.collection("history")
        history.define_variable("temp", "time,y,x", np.float64, cells)
        for record in range(4):
            history.put("temp", field(record)[first:last])
            io.advance(60.0 * (record + 1))


if __name__ == "__main__":
    main()
