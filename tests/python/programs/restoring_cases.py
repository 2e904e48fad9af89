"""Two collections of the same variables, put by `put_arrays`, and what is said where their restores go wrong.

restoring_cases.py write; restoring_cases.py read: prints what came back, and the errors of all ranks, as JSON
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

ROWS, COLUMNS = 6, 5


class Model:
    def __init__(self, io: thalweg.Session) -> None:
        self.io = io
        self.rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        first, last = ROWS * self.rank // ranks, ROWS * (self.rank + 1) // ranks
        self.cells = io.decompose("y,x", (ROWS, COLUMNS), (first, 0), (last - first, COLUMNS))
        numbers = np.arange(ROWS * COLUMNS, dtype="f8").reshape(ROWS, COLUMNS)[first:last] + 0.25
        self.collections: dict[str, thalweg.Collection] = {}
        self.arrays: dict[str, dict[str, NDArray[Any]]] = {}
        for shift, name in enumerate(("first", "second")):
            collection = self.collections[name] = io.collection(name)
            collection.define_variable("short", "time,y,x", "f4", self.cells, scale_factor=0.01)
            collection.define_variable("long", "time,y,x", "f8", self.cells, scale_factor=2.0, add_offset=1.0)
            collection.define_variable("depth", "y,x", "f8", self.cells)
            arrays = {"short": (numbers + shift).astype("f4"), "long": numbers * 2 + shift, "depth": -numbers - shift}
            self.arrays[name] = arrays

    def register(self, *names: str) -> None:
        for name, collection in self.collections.items():
            for variable in names:
                collection.register_array(variable, self.arrays[name][variable])

    def said(self, call: Callable[[], Any]) -> list[str]:
        """The code and the text of what a call said on each rank."""
        try:
            call()
            said = "none: "
        except thalweg.Error as error:
            said = f"{error.code.name}: {error}"
        return self.io.model_comm.allgather(said)


def write(model: Model) -> None:
    for collection in model.collections.values():
        collection.put_arrays()  # of none: those that are registered later are put by the next call
    model.register("short", "long", "depth")
    for step in (1, 2):
        for collection in model.collections.values():
            collection.put_arrays()
        model.io.advance(step * 3600.0)
    model.io.wait()


def read(model: Model) -> dict[str, Any]:
    model.register("short", "long", "depth")
    first, second = model.collections["first"], model.collections["second"]
    is_first = model.rank == 0
    found: dict[str, Any] = {}
    wanted = {name: array.copy() for name, array in model.arrays["first"].items()}
    for array in model.arrays["first"].values():
        array[...] = -1
    found["restored"] = model.said(first.restore)
    same = {name: array.tobytes() == wanted[name].tobytes() for name, array in model.arrays["first"].items()}
    found["same"] = model.io.model_comm.allgather(same)
    found["other collection"] = model.said((first if is_first else second).restore)
    found["other path"] = model.said(lambda: first.restore("first.nc" if is_first else None))
    found["record"] = model.said(lambda: first.restore(record=2))
    found["no record"] = model.said(lambda: first.restore("empty.nc"))
    found["type"] = model.said(lambda: first.register_array("long", np.zeros((1, 1), "i4")))
    return found


with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    if io.is_client:
        if sys.argv[1] == "write":
            write(Model(io))
        else:
            found = read(Model(io))
            if io.model_comm.Get_rank() == 0:
                print(json.dumps(found))
