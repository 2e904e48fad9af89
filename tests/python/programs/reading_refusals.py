"""Makes calls of reading that are wrong, on two ranks, and prints what each raised on rank 0 as JSON."""

from __future__ import annotations

import datetime
import json

import numpy as np
import thalweg
from mpi4py import MPI
from refusing import raised, refuse


def main(io: thalweg.Session) -> None:
    refuse("no file", lambda: io.open_input("none.nc"))
    found = io.open_input("input.nc")
    frozen = np.zeros((5, 8), "i2")
    frozen.flags.writeable = False
    refuse("name", lambda: found.variable("tempp"))
    refuse("name of a get", lambda: found.get("tempp"))
    refuse("no record", lambda: found.get("temp"))
    refuse("record", lambda: found.get("temp", record=3))
    refuse("real record", lambda: found.get("temp", record=1.5))  # type: ignore[arg-type]
    refuse("date", lambda: found.record_at(datetime.datetime(2000, 1, 1)))  # type: ignore[arg-type]
    refuse("no such time", lambda: found.record_at(17.0))
    refuse("list", lambda: found.get("depth", [[0] * 8] * 5))  # type: ignore[arg-type]
    refuse("masked", lambda: found.get("depth", np.ma.zeros((5, 8))))
    refuse("frozen", lambda: found.get("depth", frozen))
    refuse("bool", lambda: found.get("depth", dtype=bool))
    refuse("foreign", lambda: found.get("depth", np.zeros((5, 8), ">i2")))
    refuse("shape", lambda: found.get("depth", np.zeros((8, 5), "i2")))
    refuse("too small", lambda: found.get("depth", dtype=np.int8))
    rows = io.decompose("y,x", (5, 8), boxes=[((MPI.COMM_WORLD.Get_rank(), 0), (1, 8))], masked=True)
    found.declare("depth", rows)
    refuse("no names", lambda: found.get("depth"))
    refuse("extents", lambda: found.declare("temp", rows, dims="time,y,x,z"))
    refuse("periodic", lambda: found.declare("depth", rows, periodic="lon"))
    found.get("depth", np.zeros((1, 8), "i2"))
    io.finish()
    refuse("finished", lambda: found.get("depth"))
    found.close()


io = thalweg.start(MPI.COMM_WORLD, {"report": "none"})
main(io)
if MPI.COMM_WORLD.Get_rank() == 0:
    print(json.dumps(raised))
