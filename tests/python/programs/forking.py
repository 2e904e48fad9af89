"""Models whose ranks fork a child within a session: forking.py WAY

exit   the child ends as Python programs do, by an exception that leaves the session, and ends MPI
raise  the child leaves the session by an error
call   the child makes calls, which are refused, and ends by _exit
"""

from __future__ import annotations

import os
import sys

import numpy as np
import thalweg
from mpi4py import MPI

WAY = sys.argv[1]


def child(io: thalweg.Session, history: thalweg.Collection) -> None:
    if WAY == "exit":
        sys.exit(7)
    if WAY == "raise":
        raise ArithmeticError("of the child")
    refused = 0
    for call in (lambda: history.put("temp", np.zeros(4)), lambda: io.advance(1e6), io.finish):
        try:
            call()
        except thalweg.Error as error:
            refused += error.code == thalweg.Code.STATE and "a child by fork()" in str(error)
    os._exit(refused)


def ended(number: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    history = io.collection("history")
    history.define_variable("temp", "time,x", np.float64, io.decompose("x", (4 * ranks,), (4 * rank,), (4,)))
    for record in range(4):
        history.put("temp", 100.0 * record + np.arange(4) + 4 * rank)
        io.advance(60.0 * (record + 1))
        if record == 1:
            number = os.fork()
            if number == 0:
                child(io, history)
            print(f"child {ended(number)}", flush=True)
