"""Makes calls that are wrong, on two ranks, and prints what each raised on rank 0 as JSON."""

from __future__ import annotations

import json

import numpy as np
import thalweg
from mpi4py import MPI
from refusing import raised, refuse

RANK = MPI.COMM_WORLD.Get_rank()


def wrong_starts() -> None:
    refuse("setting", lambda: thalweg.start(None, {"writers": "slaves", "no-such": 1}))
    refuse("text", lambda: thalweg.start_text(None, "deadline: 1 s\nwriters: slaves\n", "the run's script"))
    refuse("file", lambda: thalweg.start(None, "nowhere.yaml"))
    refuse("communicator", lambda: thalweg.start(17, None))  # type: ignore[arg-type]


def wrong_declarations(io: thalweg.Session, history: thalweg.Collection) -> None:
    refuse("decompose list", lambda: io.decompose("y,x", (4,), (0, 0), (4, 4)))
    refuse("decompose nothing", lambda: io.decompose("y,x", (4, 4)))
    refuse("decompose both", lambda: io.decompose("x", (4,), (0,), (4,), boxes=[]))
    refuse("decompose real", lambda: io.decompose("x", (4.5,), (0,), (4,)))  # type: ignore[arg-type]
    refuse("overlap", lambda: io.decompose("x", (4,), (0,), (4,)))
    refuse("real indices", lambda: io.decompose_indices("cell", 4, [0.5, 1.5]))
    refuse("places of points", lambda: io.decompose_points("y,x", (2, 4), np.nonzero(np.ones((2, 4))), masked=True))
    refuse("masked indices", lambda: io.decompose_indices("cell", 4, np.ma.masked_array([1, 2], [0, 1])))
    refuse("large index", lambda: io.decompose_indices("cell", 4, [2 * RANK, 2 * RANK + 7]))
    refuse("collection", lambda: io.collection("no such"))
    refuse("setting of a collection", lambda: io.collection("other", {"every": "6 parsecs"}))
    refuse("dtype", lambda: history.define_variable("a", "time", bool))
    refuse("complex", lambda: history.define_variable("a", "time", np.complex128))
    refuse("byte order", lambda: history.define_variable("a", "time", ">f4"))
    refuse("no dtype", lambda: history.define_variable("a", "time", "real"))
    refuse("twice", lambda: history.define_variable("temp", "time,x", np.float64))
    refuse("array attribute", lambda: history.define_attribute("temp", "b", np.ones((2, 2))))
    refuse("bool attribute", lambda: history.define_attribute("temp", "b", True))
    refuse("texts", lambda: history.define_variable("a", "time", "S5"))
    refuse("fill of characters", lambda: history.define_attribute("name", "_FillValue", "no"))
    refuse("text attributes", lambda: history.define_attribute("temp", "b", ["a", "b"]))
    refuse("early change", lambda: history.change_attribute("temp", "units", "K"))
    refuse("procedure", lambda: history.set_procedure(print))
    refuse("no procedure", lambda: history.set_procedure(3))  # type: ignore[arg-type]


def wrong_puts(history: thalweg.Collection) -> None:
    field = np.zeros(4)
    refuse("name", lambda: history.put("no such", field))
    refuse("shape", lambda: history.put("temp", np.zeros(5)))
    refuse("rank", lambda: history.put("temp", np.zeros((2, 2))))
    refuse("box", lambda: history.put("temp", field, box=3))
    refuse("type", lambda: history.put("count", field))
    refuse("number for character", lambda: history.put("name", field.astype(np.int8)))
    refuse("character for number", lambda: history.put("temp", field.astype("S1")))
    refuse("bool", lambda: history.put("temp", field.astype(bool)))
    refuse("half", lambda: history.put("temp", field.astype(np.float16)))
    refuse("date", lambda: history.put("temp", field.astype("M8[s]")))
    refuse("foreign", lambda: history.put("temp", field.astype(">f8")))
    refuse("masked", lambda: history.put("temp", np.ma.masked_less(field, 1)))
    refuse("object", lambda: history.put("temp", [None] * 4))
    refuse("name with NUL", lambda: history.put("temp\0b", field))
    refuse("nothing", lambda: history.put("temp", None))  # type: ignore[arg-type]


def main() -> None:
    wrong_starts()
    with thalweg.start(MPI.COMM_WORLD, {"report": "none", "collections": {"history": {}}}) as io:
        refuse("date as start", lambda: io.set_time("2000-01-01"))
        cells = io.decompose("x", (8,), (4 * RANK,), (4,))
        history = io.collection("history")
        history.define_variable("temp", "time,x", np.float64, cells)
        history.define_variable("name", "time,x", "S1", cells)
        history.define_variable("count", "time,x", np.int16, cells)
        wrong_declarations(io, history)
        refuse("other session", lambda: define_with(cells))
        io.ready()
        wrong_puts(history)
        history.put("temp", np.arange(4.0) + 4 * RANK)
        history.put("name", np.array(list("abcd"), "S1"))
        history.put("count", np.zeros(4, np.int16))
        refuse("put twice", lambda: history.put("temp", np.zeros(4)))
        io.advance(60.0)
        refuse("time", lambda: io.advance(30.0))
        refuse("date as time", lambda: io.advance("2000-01-01"))
        refuse("late time", lambda: io.set_time(0.0))
        refuse("late variable", lambda: history.define_variable("late", "time", np.float64))
    refuse("finished put", lambda: history.put("temp", np.zeros(4)))
    refuse("finished define", lambda: history.define_variable("b", "time,x", np.float64, cells))
    refuse("finished", io.finish)
    refuse("finished client", lambda: io.is_client)
    refuse("finished decomposition", lambda: define_with(cells))
    if RANK == 0:
        print(json.dumps(raised))


def define_with(cells: thalweg.Decomposition) -> None:
    """In a session that the decomposition is not from."""
    with thalweg.start(None, {"report": "none"}, on_exception="raise") as io:
        try:
            io.collection("other").define_variable("b", "time,x", np.float64, cells)
        finally:
            io.finish()


main()
