"""Several runs in one start of MPI, as a file says that the first argument names: a list in JSON."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mpi4py import MPI


def end_all(*error: Any) -> None:
    """Others may be in a session without this rank."""
    traceback.print_exception(*error)
    MPI.COMM_WORLD.Abort(1)


def make_all(make: Callable[[dict[str, Any], MPI.Intracomm], None]) -> None:
    """Each on as many ranks as it says (`ranks`), while the others wait, in the folder where all began."""
    sys.excepthook = end_all
    home = Path.cwd()
    for run in json.loads(Path(sys.argv[1]).read_text()):
        rank = MPI.COMM_WORLD.Get_rank()
        comm = MPI.COMM_WORLD.Split(0 if rank < run["ranks"] else MPI.UNDEFINED, rank)
        if comm != MPI.COMM_NULL:
            make(run, comm)
            comm.Free()
        os.chdir(home)
        barrier = MPI.COMM_WORLD.Ibarrier()
        while not barrier.Test():
            time.sleep(0.01)  # the others have the processors
