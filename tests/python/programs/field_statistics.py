"""Puts random fields of many shapes in every step; field_statistics_test.py compares what files have with NumPy.

field_statistics.py STEPS
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

NY, NX, NZ = 9, 12, 3
FILL = np.float32(-5e3)
HOUR = 3600.0


def values(name: str, step: int) -> NDArray[Any]:
    """The whole field (z, y, x), or (y, x), of a step: the same on any number of ranks."""
    random = np.random.default_rng([step, len(name)])
    if name == "surface":
        return random.normal(280, 10, (NY, NX))
    if name in ("levels", "parted"):
        field = random.random((NZ, NY, NX), "f4") * 20 - 10
        field[:, step % NY, : step % 5] = FILL
        field[1, 0, 0] = FILL
        return field
    if name == "steps":
        return random.integers(-100, 100, (NY, NX)).astype("i4")
    return random.random((NY, NX), "f4")  # of points


def put_parts(field: thalweg.Field, box: NDArray[Any], step: int) -> None:
    """Blocks of rows of (y, z, x), the last ones first; every fifth step the whole. A third of x comes by itself."""
    if step % 5 == 0:
        field.put(box)
        return
    for row in reversed(range(0, box.shape[0], 2)):
        block = box[row : row + 2]
        field.put(block[:, :, 4:], start=(row, 0, 4))
        field.put(np.asfortranarray(block[:, :, :4]), start=(row, 0, 0), mask=np.ones_like(block[:, :, :4], bool))


class Model:
    """A client's part of the fields, which are the same on any number of ranks."""

    def __init__(self, io: thalweg.Session) -> None:
        ranks, rank = io.model_comm.Get_size(), io.model_comm.Get_rank()
        self.rows = slice(NY * rank // ranks, NY * (rank + 1) // ranks)
        self.count = self.rows.stop - self.rows.start
        cells = io.decompose("y,x", (NY, NX), (self.rows.start, 0), (self.count, NX), halo=(1, 2))
        self.cells = cells
        self.sea = np.arange(NY * NX)[::-1][::2][rank::ranks]
        points = io.decompose_points("y,x", (NY, NX), self.sea, masked=True)
        io.define_field_dimension("z", NZ)
        self.surface = io.define_field("ocean/surface", "y,x", np.float64, cells, units="K")
        self.levels = io.define_field(
            "ocean/levels", "z,y,x", np.float32, cells, memory_dims="x,z,y", units="m s-1", missing_value=FILL
        )
        self.whole = io.define_field("ocean/steps", "y,x", np.int32, cells)
        self.listed = io.define_field("ice/listed", "y,x", np.float32, points)
        self.mean = io.define_field("ocean/average", "", np.float64)
        self.parted = io.define_field(
            "ocean/parted", "z,y,x", np.float32, cells, memory_dims="y,z,x", missing_value=FILL
        )

    def put(self, step: int) -> None:
        rows = self.rows
        with_halo = np.full((self.count + 2, NX + 4), -1e30)
        with_halo[1:-1, 2:-2] = values("surface", step)[rows]
        self.surface.put(with_halo)
        self.levels.put(np.ascontiguousarray(values("levels", step)[:, rows].transpose(2, 0, 1)))
        self.whole.put(values("steps", step)[rows])
        self.listed.put(values("listed", step).ravel()[self.sea])
        self.mean.put(values("surface", step).mean())
        put_parts(self.parted, values("parted", step)[:, rows].transpose(1, 0, 2), step)


def main() -> None:
    steps = int(sys.argv[1])
    with thalweg.start(config="thalweg.yaml", comm=MPI.COMM_WORLD) as io:
        if not io.is_client:
            return
        model = Model(io)
        for step in range(1, steps + 1):
            model.put(step)
            io.advance(step * HOUR)


if __name__ == "__main__":
    main()
