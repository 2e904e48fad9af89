"""Puts arrays of other types than those of the variables: conversions.py [ready] writes them, conversions.py refused
and packing print a line for each error of what cannot be."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import numpy as np
import thalweg
from mpi4py import MPI
from support import conversions
from support.conversions import NX, NY, RECORDS, whole


def define(io: thalweg.Session) -> tuple[thalweg.Collection, slice, np.ndarray]:
    clients = io.model_comm
    rows = slice(NY * clients.rank // clients.size, NY * (clients.rank + 1) // clients.size)
    cells = io.decompose("y,x", (NY, NX), (rows.start, 0), (rows.stop - rows.start, NX), halo=(1, 1))
    # A rank has its points backwards, and one of its neighbour's behind them.
    points = np.arange(clients.rank, NY, clients.size)[::-1]
    listed = io.decompose_indices("cell", NY, np.append(points, -1))
    history = io.collection("history")
    for name, of in conversions.VARIABLES.items():
        dims = ("time," if of.has_record else "") + ("cell" if of.is_listed else "y,x")
        history.define_variable(
            name, dims, of.type, listed if of.is_listed else cells, memory_dims=of.memory_dims, **of.attributes
        )
    return history, rows, points


def local(name: str, record: int, rows: slice, points: np.ndarray) -> np.ndarray:
    """This rank's array, with values beside its own that no variable can hold."""
    of = conversions.VARIABLES[name]
    values = whole(name, record)
    beside = np.inf if values.dtype.kind == "f" else np.iinfo(values.dtype).max
    if of.is_listed:
        return np.append(values[points], values.dtype.type(beside))
    array = np.pad(values[rows], 1, constant_values=beside)
    return array.T if of.memory_dims else array


def write(io: thalweg.Session, is_ready: bool) -> None:
    history, rows, points = define(io)
    if is_ready:
        io.ready()
    for record in range(RECORDS):
        for name, of in conversions.VARIABLES.items():
            if of.has_record or record == 0:
                history.put(name, local(name, record, rows, points))
        io.advance(3600.0 * (record + 1))
    history.new_file("second.nc")
    history.put("fixed", local("fixed", 1, rows, points))
    history.put("packed", local("packed", 0, rows, points))
    io.advance(3600.0 * (RECORDS + 1))


def said(what: str, call: Callable[[], object]) -> None:
    try:
        call()
    except thalweg.Error as error:
        print(f"{what}: {error.code.name}: {error}", flush=True)
    else:
        print(f"{what}: taken", flush=True)


def refuse(io: thalweg.Session) -> None:
    history, _rows, _points = define(io)
    io.ready()
    history.change_attribute("as_packed", "scale_factor", 0.02)
    shape = (NY, NX)
    large = np.zeros(shape, np.int64)
    large[2, 1] = 3_000_000_000
    said("beyond int32", lambda: history.put("int32", large))
    said("again", lambda: history.put("int32", np.minimum(large, 7)))
    said("negative", lambda: history.put("uint8", np.full((NX, NY), -1, np.int16)))
    said("reals", lambda: history.put("int16", np.zeros(shape)))
    packed = np.full(shape, 280.0)
    packed[0, 3] = 700.0
    said("beyond the packed", lambda: history.put("packed", packed))
    packed[0, 3] = 273.15 - 327.68
    said("the fill value", lambda: history.put("packed", packed))
    said("characters", lambda: history.put("int16", np.zeros(shape, "S1")))
    said("changed", lambda: history.put("as_packed", np.full(shape, 280.0)))
    said("packed by the model", lambda: history.put("as_packed", np.full(shape, 8, np.int32)))
    io.advance(3600.0)


SCALES = {"zero": 0.0, "nan": np.nan, "text": "0.01", "two": np.array([1.0, 2.0])}


def refuse_packing(io: thalweg.Session) -> None:
    """NaN that no fill value stands for, and packing by what is no number."""
    history = io.collection("history")
    cells = io.decompose("y,x", (4, 4), (0, 0), (4, 4))
    history.define_variable("unfilled", "time,y,x", np.uint8, cells, scale_factor=0.5)
    for name, scale in SCALES.items():
        history.define_variable(name, "time,y,x", np.int16, cells, scale_factor=scale)
    values = np.full((4, 4), 1.5)
    values[1, 2] = np.nan
    said("NaN", lambda: history.put("unfilled", values))
    said("again", lambda: history.put("unfilled", np.full((4, 4), 1.5)))
    for name in SCALES:
        said(name, partial(history.put, name, values))
    io.advance(3600.0)


def main(what: str) -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if not io.is_client:
            return
        if what == "refused":
            refuse(io)
        elif what == "packing":
            refuse_packing(io)
        else:
            write(io, what == "ready")


main(sys.argv[1])
