"""A model that has two sessions one after the other, for run_sessions.py: writes times.json.

model.py MIB: of a record
"""

import json
import sys

import numpy as np
import thalweg
from driver.times_of_steps import Times
from mpi4py import MPI

COMM = MPI.COMM_WORLD
VARIABLES = 5
LEVELS, COLUMNS = 16, 1024
FLOAT_BYTES = 4


def write(number: int, rows: int) -> Times:
    times = Times()
    config = {"report": "none", "collections": {"history": {"file": f"session{number}.nc", "format": "cdf5"}}}
    ranks, rank = COMM.Get_size(), COMM.Get_rank()
    first, end = rows * rank // ranks, rows * (rank + 1) // ranks
    field = np.full((LEVELS, end - first, COLUMNS), number + rank, np.float32)
    with times.of("start_s"):
        io = thalweg.start(COMM, config)
    history = io.collection("history")
    cells = io.decompose("z,y,x", (LEVELS, rows, COLUMNS), (0, first, 0), (LEVELS, end - first, COLUMNS))
    for variable in range(VARIABLES):
        history.define_variable(f"v{variable}", "time,z,y,x", np.float32, cells)
    with times.of("ready_s"):
        io.ready()
    for record, step in enumerate(("first_record_s", "second_record_s")):
        with times.of(step):
            for variable in range(VARIABLES):
                history.put(f"v{variable}", field)
            io.advance(float(record + 1))
    with times.of("finish_s"):
        io.finish()
    return times


def main() -> None:
    rows = int(sys.argv[1]) * 2**20 // (VARIABLES * LEVELS * COLUMNS * FLOAT_BYTES)
    times = [write(number, rows) for number in (1, 2)]
    if COMM.Get_rank() == 0:
        with open("times.json", "w") as file:
            json.dump(times, file)


main()
