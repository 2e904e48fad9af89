"""A model that is forced by a field: what it waits for it, by records that it gets and by time. Rank 0 prints JSON.

model.py FILE RECORDS COMPUTING_S
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

WORLD = MPI.COMM_WORLD
RECORD_S = 21600.0
STEPS = 6  # within a record's time


def main() -> None:
    path, records, computing_s = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    seconds: dict[str, list[float]] = {"get": [], "passes a record": [], "between": [], "copy": []}
    with tempfile.TemporaryDirectory() as folder:
        for way, calls in (("get", by_record), ("get_at", by_time)):
            time_line = WORLD.bcast(f"{folder}/{way}.json")
            with (
                thalweg.start(config={"report": "none", "time-line": time_line}, comm=WORLD) as io,
                io.open_input(path) as wind,
            ):
                ny, nx = wind.variable("u").shape
                rows = slice(ny * WORLD.rank // WORLD.size, ny * (WORLD.rank + 1) // WORLD.size)
                cells = io.decompose("y,x", (ny, nx), (rows.start, 0), (rows.stop - rows.start, nx))
                wind.declare("u", cells, dims="time,y,x")
                drop(path)
                calls(wind, np.zeros((rows.stop - rows.start, nx), "f4"), records, computing_s, seconds)
            if WORLD.rank == 0:
                seconds[f"waits of {way}"] = waits_in(Path(time_line))
    if WORLD.rank == 0:
        seconds["waits of get_at"] = seconds["waits of get_at"][2:]  # nobody knew of the first two records before
        print(json.dumps(seconds))


def waits_in(time_line: Path) -> list[float]:
    """Seconds for which the slowest rank waited in each get of a record until the storage had given it."""
    spans = [event for event in json.loads(time_line.read_text())["traceEvents"] if event["ph"] == "X"]
    ranks = {event["pid"] for event in spans}
    return [max(of_get) for of_get in zip(*(waits_of(rank, spans) for rank in ranks), strict=True)]


def waits_of(rank: int, spans: list[dict[str, Any]]) -> list[float]:
    def named(name: str) -> list[dict[str, Any]]:
        return sorted((span for span in spans if span["pid"] == rank and span["name"] == name), key=itemgetter("ts"))

    waits = named("wait_read")
    return [
        1e-6 * sum(wait["dur"] for wait in waits if get["ts"] <= wait["ts"] < get["ts"] + get["dur"])
        for get in named("get")
    ]


def timed(seconds: list[float], action: Callable[[], object]) -> None:
    WORLD.Barrier()
    begin = time.perf_counter()
    action()
    seconds.append(WORLD.allreduce(time.perf_counter() - begin, MPI.MAX))


def by_record(
    wind: thalweg.Input, field: NDArray[np.float32], records: int, _computing_s: float, seconds: dict[str, list[float]]
) -> None:
    for record in range(records):
        timed(seconds["get"], partial(wind.get, "u", field, record))


def by_time(
    wind: thalweg.Input, field: NDArray[np.float32], records: int, computing_s: float, seconds: dict[str, list[float]]
) -> None:
    other = field.copy()
    wind.get_at("u", 0.0, field)
    for step in range(1, STEPS * (records - 1)):
        compute(computing_s, other)
        at = step / STEPS * RECORD_S
        way = "passes a record" if step % STEPS == 1 else "between"
        timed(seconds[way], partial(wind.get_at, "u", at, field))
        timed(seconds["copy"], partial(np.copyto, other, field))


def compute(seconds: float, field: NDArray[np.float32]) -> None:
    """As a model does: a processor that slept is slow at first."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        np.multiply(field[:64], 1.0, out=field[:64])


def drop(path: str) -> None:
    """Takes the file out of the page cache."""
    if WORLD.rank == 0:
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    WORLD.Barrier()


main()
