"""Members of an ensemble, each on some of the ranks, which write together: one session of all of them, whose
decomposition has the members as its slowest dimension.

ensembles.py MEMBERS
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

NLAT, NLON, STEPS, HOUR = 6, 8, 6, 3600.0


def temperature(member: int, step: int) -> NDArray[np.float64]:
    return np.random.default_rng([member, step]).normal(280.0, 5.0, (NLAT, NLON))


def main() -> None:
    members = int(sys.argv[1])
    comm = MPI.COMM_WORLD
    ranks = comm.Get_size() // members
    member, rank = divmod(comm.Get_rank(), ranks)
    first, last = NLAT * rank // ranks, NLAT * (rank + 1) // ranks
    with thalweg.start(comm, "thalweg.yaml") as io:
        shape, start = (members, NLAT, NLON), (member, first, 0)
        cells = io.decompose("realization,lat,lon", shape, start, (1, last - first, NLON))
        t = io.define_field("t", "realization,lat,lon", np.float64, cells, units="K", long_name="temperature")
        number: dict[str, Any] = {"static": True, "units": "1", "standard_name": "realization"}
        io.define_field("realization", "realization", np.int32, **number).put(np.arange(1, members + 1, dtype="i4"))
        for name, of, size in (("lat", "latitude", NLAT), ("lon", "longitude", NLON)):
            axis: dict[str, Any] = {"static": True, "units": f"degrees_{'north' if name == 'lat' else 'east'}"}
            io.define_field(name, name, np.float64, standard_name=of, **axis).put(np.arange(float(size)))
        for step in range(1, STEPS + 1):
            t.put(temperature(member, step)[np.newaxis, first:last])
            io.advance(step * HOUR)


if __name__ == "__main__":
    main()
