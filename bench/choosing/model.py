"""A model with 200 quantities in five collections, for run_choosing.py: writes times.json.

model.py fields: it defines fields, of which the configuration says what collections have
model.py variables: it opens the collections itself and defines in each the variables that it has in the other way
"""

import json
import sys
from pathlib import Path

import numpy as np
import thalweg
from driver.times_of_steps import Times
from mpi4py import MPI

COMM = MPI.COMM_WORLD
LEVELS, ROWS, COLUMNS, QUANTITIES = 4, 96, 120, 200
NAMES = [f"flux_{n:03d}" for n in range(QUANTITIES)]
ATTRIBUTES = {"units": "kg m-2 s-1", "long_name": "a flux at the surface or at levels", "standard_name": "water_flux"}
COORDINATES = {"lat": "degrees_north", "lon": "degrees_east", "lev": "m"}

# Rhythm, and what of which of them, as the configuration says it: all, by patterns and by names.
COLLECTIONS = {
    "snapshots": ("6 h", "instant", "[ocean/*]"),
    "daily": ("1 d", "mean", "[ocean/*]"),
    "least": ("1 d", "min", "['ocean/flux_0*', 'ocean/flux_1*']"),
    "monthly": ("1 month", "mean", "[" + ", ".join(f"{name}" for name in NAMES) + "]"),
    "greatest": ("1 month", "max", "[" + ", ".join(f"{{from: ocean/{name}}}" for name in NAMES) + "]"),
}


def configuration(has_fields: bool) -> str:
    lines = ["report: none", "time-step: 1 h", "collections:"]
    for name, (every, operation, chosen) in COLLECTIONS.items():
        of_fields = f", operation: {operation}, fields: {chosen}" if has_fields else ""
        # A program's own collections have records at times, and not over intervals that end with the month.
        rhythm = every if has_fields else every.replace("1 month", "30 d")
        lines.append(f"  {name}: {{file: {name}.nc, every: {rhythm}{of_fields}}}")
    return "\n".join(lines) + "\n"


def dims_of(number: int) -> str:
    return "lev,lat,lon" if number % 2 else "lat,lon"


def define_fields(io: thalweg.Session, cells: object) -> None:
    io.define_field_dimension("lev", LEVELS)
    for name, units in COORDINATES.items():
        coordinate = io.define_field(f"grid/{name}", name, np.float64, static=True)
        coordinate.define_attribute("units", units)
    for number, name in enumerate(NAMES):
        field = io.define_field(f"ocean/{name}", dims_of(number), np.float32, cells)
        for attribute, text in ATTRIBUTES.items():
            field.define_attribute(attribute, text)


def define_variables(io: thalweg.Session, cells: object) -> None:
    for collection, (_, operation, _) in COLLECTIONS.items():
        own = io.collection(collection)
        own.define_dimension("lev", LEVELS)
        for name, units in COORDINATES.items():
            own.define_variable(name, name, np.float64)
            own.define_attribute(name, "units", units)
        for number, name in enumerate(NAMES):
            own.define_variable(name, f"time,{dims_of(number)}", np.float32, cells)
            for attribute, text in ATTRIBUTES.items():
                own.define_attribute(name, attribute, text)
            own.define_attribute(name, "cell_methods", f"time: {operation}")


def main() -> None:
    has_fields = sys.argv[1] == "fields"
    ranks, rank = COMM.Get_size(), COMM.Get_rank()
    first, end = ROWS * rank // ranks, ROWS * (rank + 1) // ranks
    times = Times()
    if rank == 0:
        Path("thalweg.yaml").write_text(configuration(has_fields))
    with times.of("start"):
        io = thalweg.start(COMM, "thalweg.yaml")
    with times.of("declare"):
        cells = io.decompose("lat,lon", (ROWS, COLUMNS), (first, 0), (end - first, COLUMNS))
        (define_fields if has_fields else define_variables)(io, cells)
    with times.of("ready"):
        io.ready()
    io.finish()
    if rank == 0:
        Path("times.json").write_text(json.dumps(times))


main()
