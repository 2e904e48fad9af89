"""A file after the CF conventions: coordinates with bounds, and a time of the model's own in days, also with bounds.

mpiexec -n 4 python cf.py cf.yaml
"""

import sys

import numpy as np
import thalweg
from mpi4py import MPI

DAY = 86400.0
NY, NX = 18, 36


def declare_grid(history: thalweg.Collection) -> None:
    """Every rank has the coordinates as a whole, and puts all of them."""
    history.define_dimension("bnds", 2)
    for name, size, first, width in (("lat", NY, -90.0, 180.0 / NY), ("lon", NX, 0.0, 360.0 / NX)):
        axis, units, word = {"lat": ("Y", "degrees_north", "latitude"), "lon": ("X", "degrees_east", "longitude")}[name]
        edges = first + width * np.arange(size + 1)
        history.define_variable(
            name, name, np.float64, units=units, standard_name=word, axis=axis, bounds=f"{name}_bnds"
        )
        history.define_variable(f"{name}_bnds", f"{name},bnds", np.float64)  # units are those of the coordinate
        history.put(name, (edges[:-1] + edges[1:]) / 2)
        history.put(f"{name}_bnds", np.stack([edges[:-1], edges[1:]], axis=-1))


def run_model(io: thalweg.Session) -> None:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    first, last = NY * rank // ranks, NY * (rank + 1) // ranks
    cells = io.decompose("lat,lon", shape=(NY, NX), start=(first, 0), count=(last - first, NX))

    history = io.collection("history")
    declare_grid(history)
    history.define_variable(
        "time", "time", np.float64, units="days since 2000-01-01", calendar="noleap", standard_name="time", axis="T",
        bounds="time_bnds",
    )  # fmt: skip
    history.define_variable("time_bnds", "time,bnds", np.float64)
    history.define_variable(
        "tas", "time,lat,lon", np.float32, cells, units="K", standard_name="air_temperature", cell_methods="time: mean"
    )

    for day in range(1, 4):
        tas = np.full((last - first, NX), 280.0 + day)  # the day's mean, which the model has made
        history.put("tas", tas)
        history.put("time", day - 0.5)
        history.put("time_bnds", np.array([day - 1.0, day]))
        io.advance(day * DAY)


with thalweg.start(MPI.COMM_WORLD, sys.argv[1] if len(sys.argv) > 1 else None) as io:
    if io.is_client:
        run_model(io)
