"""Runs of a coupled model, an ocean and ice, whose ice defines its fields behind some steps; many in one start.

late_fields.py RUNS: a file with a list of them, in JSON. Each has
    folder    in which it writes
    settings  of its session
    ranks     of its session; others wait for it
    defines   the first step before which the ice defines its fields; it puts them from `begins` on in any case
    begins    that step
    first     the last step of the run before
    last      its last step
    keeps     behind which steps it makes a checkpoint
    within    whether it defines them behind the puts of the ocean
    alone     whether the first rank alone defines those of the ice
    skips     whether ranks without cells put nothing
    forgets   steps in which its last rank puts nothing; it goes on when it is told so
    says_steps  whether it says when each step ends
    ready     at which steps it calls `ready`, when fields are defined and before their first put
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from runs import make_all

HOUR = 3600.0
NZ, NY, NX, NJ = 3, 9, 5, 7
MISSING = -1e20


def rows_of(rank: int, ranks: int, rows: int) -> slice:
    """Ranks before the first one and behind the last one have none."""
    if not 0 <= rank < ranks:
        return slice(0, 0)
    return slice(rows * rank // ranks, rows * (rank + 1) // ranks)


class Ocean:
    """Of which the first rank has nothing where there are three or more."""

    def __init__(self, io: thalweg.Session, skips: bool) -> None:
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        none = 1 if ranks > 2 else 0
        self.rows = rows_of(rank - none, ranks - none, NY)
        self.puts = not skips or self.rows.stop > self.rows.start
        self.cells = io.decompose("y,x", (NY, NX), (self.rows.start, 0), (self.rows.stop - self.rows.start, NX))
        io.define_field_dimension("z", NZ)
        field = {"dims": "y,x", "dtype": np.float64, "decomposition": self.cells}
        self.temp = io.define_field("ocean/temp", **field, units="K", coordinates="lat")
        self.salt = io.define_field("ocean/salt", **field | {"dtype": np.float32})
        self.u = io.define_field("ocean/u", **field | {"dims": "z,y,x"})
        self.area = io.define_field("ocean/area", **field, static=True)
        self.lat = io.define_field("lat", **field, static=True, units="degrees_north")
        self.y = io.define_field("y", "y", np.float64, static=True)

    def put_fixed(self) -> None:
        self.y.put(np.arange(0.0, 10.0 * NY, 10.0))
        if self.puts:
            self.area.put(1.0 + np.arange(NY * NX, dtype="f8").reshape(NY, NX)[self.rows])
            self.lat.put(np.arange(NY * NX, dtype="f8").reshape(NY, NX)[self.rows] - 20)

    def put(self, step: int) -> None:
        random = np.random.default_rng([step, 1])
        temp, salt, u = random.normal(size=(NY, NX)), random.normal(size=(NY, NX)), random.normal(size=(NZ, NY, NX))
        if self.puts:
            self.temp.put(temp[self.rows])
            self.salt.put(salt[self.rows])
            self.u.put(np.ascontiguousarray(u[:, self.rows]))


class Ice:
    """It has fields of the ocean's cells and of its own, of which the last rank has none."""

    def __init__(self, io: thalweg.Session, ocean: Ocean, skips: bool, defines: bool) -> None:
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        self.ocean = ocean
        self.rows = rows_of(rank, max(1, ranks - 1), NJ)
        self.puts = not skips or self.rows.stop > self.rows.start
        count = self.rows.stop - self.rows.start
        self.cells = io.decompose("j,i", (NJ, NX), (self.rows.start, 0), (count, NX), masked=False)
        if not defines:
            return
        field = {"dims": "y,x", "dtype": np.float64, "decomposition": ocean.cells}
        self.aice = io.define_field("ice/aice", **field, coordinates="lat")
        self.hice = io.define_field("ice/hice", **field, missing_value=MISSING)
        self.heights = io.define_field("ice/heights", **field | {"dims": "z,y,x"}, units="m")
        self.drift = io.define_field("ice/drift", "j,i", np.float32, self.cells, coordinates="kind")
        self.kind = io.define_field("ice/kind", "j,i", np.int32, self.cells, static=True)

    def put_fixed(self) -> None:
        if self.puts:
            self.kind.put(np.arange(NJ * NX, dtype="i4").reshape(NJ, NX)[self.rows])

    def put(self, step: int) -> None:
        random = np.random.default_rng([step, 2])
        aice, hice = random.random((NY, NX)), random.normal(size=(NY, NX))
        hice[random.random((NY, NX)) < 0.3] = MISSING
        heights = 10.0 * np.arange(NZ).reshape(NZ, 1, 1) + 6.0 * random.normal(size=(NZ, NY, NX))
        drift = random.normal(size=(NJ, NX)).astype("f4")
        if self.ocean.puts:
            self.heights.put(np.ascontiguousarray(heights[:, self.ocean.rows]))
            self.aice.put(aice[self.ocean.rows])
            self.hice.put(
                hice[self.ocean.rows], weight=1.0 + step % 2, mask=random.random((NY, NX))[self.ocean.rows] < 0.8
            )
        if self.puts:
            self.drift.put(drift[self.rows])


def steps(io: thalweg.Session, run: dict[str, Any]) -> None:
    if run["first"]:
        io.set_time(run["first"] * HOUR)
    ocean = Ocean(io, run["skips"])
    ice: Ice | None = None
    defines = not run["alone"] or io.model_comm.Get_rank() == 0
    begins = max(run["begins"], run["first"] + 1)
    for step in range(run["first"] + 1, run["last"] + 1):
        if ice is None and step >= run["defines"] and not run["within"]:
            ice = Ice(io, ocean, run["skips"], defines)
        if step in run["ready"]:
            io.ready()
        if step == run["first"] + 1:
            ocean.put_fixed()
        if run["says_steps"]:
            io.step(step * HOUR)
        forgets = step in run["forgets"] and io.model_comm.Get_rank() == io.model_comm.Get_size() - 1
        if not forgets:
            ocean.put(step)
        if ice is None and step >= run["defines"]:
            ice = Ice(io, ocean, run["skips"], defines)
        if ice is not None and defines and step >= begins:
            if step == begins:
                ice.put_fixed()
            if not forgets:
                ice.put(step)
        if not defines and step == run["defines"] + 1:
            time.sleep(1.0)  # so that it is not far ahead of the one that defines them
        advance(io, step * HOUR, may_lack_puts=bool(run["forgets"]))
        if step in run["keeps"]:
            io.checkpoint()


def advance(io: thalweg.Session, time_s: float, may_lack_puts: bool) -> None:
    try:
        io.advance(time_s)
    except thalweg.Error as error:
        if not may_lack_puts or "'when-not-put' is 'error'" not in str(error):
            raise
        print(error, file=sys.stderr)


def make(run: dict[str, Any], comm: MPI.Intracomm) -> None:
    folder = Path(run["folder"])
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    io = thalweg.start(config=run["settings"], comm=comm)
    if io.is_client:
        steps(io, run)
    io.finish()


if __name__ == "__main__":
    make_all(make)
