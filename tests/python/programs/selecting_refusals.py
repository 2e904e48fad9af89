"""Makes selections that are wrong, on two ranks, and prints what each raised on rank 0 as JSON."""

from __future__ import annotations

import json
import sys
from functools import partial

import thalweg
from mpi4py import MPI
from refusing import raised, refuse

rank = MPI.COMM_WORLD.Get_rank()
with thalweg.start(MPI.COMM_WORLD, {"report": "none"}) as io:
    found = io.open_input("input.nc")
    for label in sys.argv[1:]:
        text = f"y[{rank}]" if label == "each rank another" else label
        refuse(label, partial(found.select, "field", text))
    assert found.variable("field").shape == (3, 4, 3)  # nothing was changed
if rank == 0:
    print(json.dumps(raised))
