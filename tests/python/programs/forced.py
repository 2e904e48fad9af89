"""Gets a forcing by time and compares each value, bit for bit, with what NumPy makes of the records of forced_test.py.

forced.py linear|nearest|step STEPS STEP_S FIRST_S [cycle]
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

NY, NX, HALO = 9, 12, 2
HOUR = 3600.0
TILES = [((j, i), (j2 - j, i2 - i)) for j, j2 in ((0, 4), (4, 9)) for i, i2 in ((0, 5), (5, 6), (6, 12))]


def record(number: int) -> NDArray[Any]:
    """What forced_test.py has written as a record: some of its values are missing."""
    values = np.random.default_rng(number).random((NY, NX), "f4") * 20 - 10
    values[number % NY, :3] = np.nan
    return values


def between(moments: list[tuple[float, int]], kind: str, time_s: float) -> NDArray[Any]:
    """moments: times and numbers of records, in order of time."""
    before = max(i for i, (at, _) in enumerate(moments) if at <= time_s)
    lower = record(moments[before][1])
    if kind == "step" or moments[before][0] == time_s:
        return lower
    upper = record(moments[before + 1][1])
    weight = (time_s - moments[before][0]) / (moments[before + 1][0] - moments[before][0])
    if kind == "nearest":
        return lower if weight < 0.5 else upper
    low = lower.astype("f8")
    return (low + weight * (upper.astype("f8") - low)).astype("f4")


def main() -> None:
    kind, steps, step_s, first_s = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    numbers = range(-8, 16) if "cycle" in sys.argv else range(8)
    moments = [(6 * HOUR * number, number % 8) for number in numbers]
    with thalweg.start(config="thalweg.yaml", comm=MPI.COMM_WORLD) as io:
        if io.is_client:
            ranks, rank = io.model_comm.Get_size(), io.model_comm.Get_rank()
            rows = slice(NY * rank // ranks, NY * (rank + 1) // ranks)
            cells = io.decompose("y,x", (NY, NX), (rows.start, 0), (rows.stop - rows.start, NX), halo=(0, HALO))
            sea = np.arange(NY * NX)[rank::ranks][::2]
            points = io.decompose_points("y,x", (NY, NX), sea, masked=True)
            shares = [[tile for n, tile in enumerate(TILES) if n * n % ranks == of and n != 4] for of in range(ranks)]
            own, most = shares[rank], max(map(len, shares))
            boxes = io.decompose("y,x", (NY, NX), boxes=own, halo=(1, HALO), masked=True)
            with io.open_input("wind") as wind, io.open_input("wind") as tiled:
                wind.declare("u", cells, dims="time,y,x", memory_dims="x,y", periodic="x")
                wind.declare("v", points, dims="time,y,x")
                tiled.declare("u", boxes, dims="time,y,x", periodic="x")
                if kind != "linear":
                    tiled.set_missing("u", np.nan)
                    wind.set_missing("u", np.nan)
                    wind.set_missing("v", np.nan)
                field = np.full((NX + 2 * HALO, 2 * (rows.stop - rows.start)), -7.0, "f4")
                for step in [*range(steps), 0, steps - 1]:  # and back
                    time_s = first_s + step * step_s
                    whole = between(moments, kind, time_s)
                    wind.get_at("u", time_s, field[:, ::2])
                    wanted = np.pad(whole[rows], ((0, 0), (HALO, HALO)), mode="wrap").T
                    np.testing.assert_array_equal(field[:, ::2], wanted, f"u at {time_s} s")
                    assert (field[:, 1::2] == -7.0).all()
                    at_sea = wind.get_at("v", time_s)
                    np.testing.assert_array_equal(at_sea, whole.ravel()[sea], f"v at {time_s} s")
                    around = np.pad(np.pad(whole, ((1, 1), (0, 0))), ((0, 0), (HALO, HALO)), mode="wrap")
                    for box in range(most):
                        got = tiled.get_at("u", time_s, box=box)
                        if box < len(own):
                            (j, i), (down, across) = own[box]
                            wanted = around[j : j + down + 2, i : i + across + 2 * HALO]
                            np.testing.assert_array_equal(got, wanted, f"box {box} at {time_s} s")
    if MPI.COMM_WORLD.Get_rank() == 0:
        print("compared")


main()
