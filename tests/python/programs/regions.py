"""Puts fields of all kinds on any number of ranks, of which collections have all or regions.

regions.py: all that a step has follows from its number alone, whatever the ranks are.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import thalweg
from numpy.typing import NDArray

NLEV, NLAT, NLON, CELLS, STEPS, FILL = 8, 12, 10, 60, 6, 1e20
LON = np.arange(NLON) * 36.0
LAT = (np.arange(NLAT) - 5.5) * 15.0
LEV = np.array([1000, 925, 850, 700, 500, 300, 200, 100], "f4")


def values(name: str, step: int, *shape: int) -> NDArray[np.float64]:
    return np.random.default_rng([step, *name.encode()]).normal(size=shape)


class Model:
    def __init__(self, io: thalweg.Session) -> None:
        self.rank, self.ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        first, last = (NLAT * place // self.ranks for place in (self.rank, self.rank + 1))
        self.rows = slice(first, last)
        box = io.decompose("lat,lon", (NLAT, NLON), (first, 0), (last - first, NLON), halo=((1, 0), (2, 1)))
        self.halves = [
            (slice(row, row + 1), slice(x, x + 5)) for row in range(self.rank, NLAT, self.ranks) for x in (0, 5)
        ]
        boxes = io.decompose("lat,lon", (NLAT, NLON), boxes=[((y.start, x.start), (1, 5)) for y, x in self.halves])
        self.points = np.random.default_rng(1).permutation(NLAT * NLON)[self.rank :: self.ranks]
        joined = io.decompose_points("lat,lon", (NLAT, NLON), np.append(self.points, -1))
        self.cells = np.random.default_rng(2).permutation(CELLS)[self.rank :: self.ranks]
        listed = io.decompose_indices("cell", CELLS, self.cells)
        io.define_field_dimension("lev", NLEV)
        io.define_field_dimension("bnds", 2)
        self.fixed = {
            "lon": io.define_field("lon", "lon", np.float64, static=True, units="degrees_east", bounds="lon_bnds"),
            "lat": io.define_field("lat", "lat", np.float64, static=True, units="degrees_north", bounds="lat_bnds"),
            "lev": io.define_field("lev", "lev", np.float32, static=True, units="hPa"),
            "lat_bnds": io.define_field("lat_bnds", "lat,bnds", np.float64, static=True),
            "lon_bnds": io.define_field("lon_bnds", "lon,bnds", np.float64, memory_dims="bnds,lon", static=True),
        }
        self.area = io.define_field("area", "lat,lon", np.float64, box, static=True, units="m2")
        there = {"coordinates": "area"}
        self.fields = {
            "t": io.define_field("t", "lev,lat,lon", np.float32, box, **there),
            "u": io.define_field("u", "lev,lat,lon", np.float64, boxes, memory_dims="lon,lat,lev"),
            "p": io.define_field("p", "lat,lon", np.float64, joined),
            "c": io.define_field("c", "cell", np.int32, listed),
            "h": io.define_field("h", "lev,lat", np.float64),
        }  # fmt: skip
        on_box: dict[str, Any] = {"dims": "lat,lon", "dtype": np.float64, "decomposition": box, "missing_value": FILL}
        self.fields |= {name: io.define_field(name, units="K", **on_box) for name in ("v", "q", "r", "a")}

    def put_fixed(self) -> None:
        bounds = {"lat_bnds": np.stack([LAT - 7.5, LAT + 7.5], axis=1), "lon_bnds": np.stack([LON - 18, LON + 18])}
        for name, array in ({"lon": LON, "lat": LAT, "lev": LEV} | bounds).items():
            self.fixed[name].put(array)
        self.area.put(np.arange(NLAT * NLON, dtype="f8").reshape(NLAT, NLON)[self.rows])

    def put(self, step: int) -> None:
        t = np.zeros((NLEV, self.rows.stop - self.rows.start + 1, NLON + 3), "f8")
        t[:, 1:, 2:-1] = values("t", step, NLEV, NLAT, NLON)[:, self.rows]
        self.fields["t"].put(t)
        u = values("u", step, NLEV, NLAT, NLON)
        for number, (y, x) in enumerate(self.halves):
            self.fields["u"].put(np.array(u[:, y, x].transpose(2, 1, 0), order="C"), box=number)
        self.fields["p"].put(np.append(values("p", step, NLAT * NLON)[self.points], 7.0))
        self.fields["c"].put((1000 * values("c", step, CELLS)[self.cells]).astype("i4"))
        self.fields["h"].put(values("h", step, NLEV, NLAT))
        v, q, r = (values(name, step, NLAT, NLON)[self.rows] for name in "vqr")
        v[v > 1.0] = FILL
        self.fields["v"].put(v)
        self.fields["q"].put(q, mask=values("mask", step, NLAT, NLON)[self.rows] > -0.5, weight=1.0 + step)
        if len(r):
            for cells, start in ((r[:, :4], (0, 0)), (r[1:, 6:], (1, 6))):
                self.fields["r"].put(np.ascontiguousarray(cells), start=start)
        for again in range(3):
            self.fields["a"].put(values(f"a{again}", step, NLAT, NLON)[self.rows])


if __name__ == "__main__":
    from hourly import run

    run(Model, STEPS)
