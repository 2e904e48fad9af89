"""A cubed sphere: a collection for each tile, opened by all ranks and put by those that have some of its cells."""

from __future__ import annotations

import numpy as np
import thalweg
from mpi4py import MPI
from support.tiles import NX, NY, RECORDS, TILES, cells_of, whole

with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
    if io.is_client:
        rows_of = cells_of(io.model_comm.rank, io.model_comm.size)
        tiles = {}
        for tile in range(1, TILES + 1):
            own = [((first, 0), (last - first, NX)) for first, last in rows_of.get(tile, [])]
            cells = io.decompose("grid_yt,grid_xt", (NY, NX), boxes=own)
            tiles[tile] = io.collection(f"atmos.tile{tile}")
            tiles[tile].define_variable("t_ref", "time,grid_yt,grid_xt", np.float32, cells, units="K")
            tiles[tile].define_variable("area", "grid_yt,grid_xt", np.float64, cells)
        for record in range(RECORDS):
            for tile, rows in rows_of.items():
                for first, last in rows:
                    if record == 0:
                        tiles[tile].put("area", whole("area", tile, record)[first:last])
                    tiles[tile].put("t_ref", whole("t_ref", tile, record)[first:last])
            io.advance(1800.0 * (record + 1))
