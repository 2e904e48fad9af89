"""Puts fields on several decompositions, with cells that have no value, on any number of ranks: all that a step has
follows from its number alone, whatever the ranks are.

other_grids.py: as the configuration says.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import thalweg
from numpy.typing import NDArray

NLEV, NLAT, NLON, STEPS, FILL = 3, 9, 10, 6, 1e20
LAT = np.linspace(-80.0, 80.0, NLAT)
LON = np.linspace(0.0, 324.0, NLON)
CELLS = NLAT * NLON

Array = NDArray[np.float64]


def values(name: str, step: int) -> Array:
    made = np.random.default_rng([step, *name.encode()]).normal(size=(NLEV, NLAT, NLON))
    made[made > 1.2] = FILL
    made[:, 2, :4] = FILL
    return made


def areas() -> Array:
    return np.random.default_rng(3).uniform(1.0, 2.0, (NLAT, NLON)) * (values("land", 0)[0] != FILL)


def places() -> tuple[Array, Array]:
    """Latitudes and longitudes of a grid that is turned."""
    lon, lat = np.meshgrid(LON, LAT)
    return lat + 3.0 * np.sin(np.radians(lon)), lon + 5.0 * np.cos(np.radians(lat))


class Kind:
    """Fields on one decomposition: how arrays are cut for the program's boxes, and passed."""

    def __init__(self, cells: list[Any], order: tuple[int, ...] = (0, 1, 2), halo: int = 0) -> None:
        self.cells, self.order, self.halo = cells, order, halo

    def parts(self, array: Array) -> list[Array]:
        cut = [array[(..., *at)] for at in self.cells]
        if self.halo:
            cut = [np.pad(part, [(0, 0)] * (part.ndim - 2) + [(self.halo, self.halo)] * 2) for part in cut]
        return [np.array(part.transpose(self.order) if part.ndim == 3 else part, order="C") for part in cut]


class Model:
    axes: ClassVar[dict[str, thalweg.Field]] = {}

    def __init__(self, io: thalweg.Session) -> None:
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        first, last = (NLAT * place // ranks for place in (rank, rank + 1))
        rows = [(slice(first, last), slice(None))]
        box = io.decompose("lat,lon", (NLAT, NLON), (first, 0), (last - first, NLON))
        halves = [(slice(row, row + 1), slice(x, x + 5)) for row in range(rank, NLAT, ranks) for x in (0, 5)]
        boxes = io.decompose("lat,lon", (NLAT, NLON), boxes=[((y.start, x.start), (1, 5)) for y, x in halves])
        points = np.random.default_rng(1).permutation(CELLS)[rank::ranks]
        joined = io.decompose_points("lat,lon", (NLAT, NLON), points)
        wholes = [(slice(None), slice(None))] if rank == ranks - 1 else []
        whole = io.decompose("lat,lon", (NLAT, NLON), boxes=[((0, 0), (NLAT, NLON)) for _ in wholes])
        haloed = io.decompose("lat,lon", (NLAT, NLON), (first, 0), (last - first, NLON), halo=(1, 1))
        io.define_field_dimension("lev", NLEV)
        self.kinds = {
            "a": (box, "lev,lat,lon", None, Kind(rows)),
            "b": (boxes, "lev,lat,lon", "lon,lat,lev", Kind(halves, (2, 1, 0))),
            "c": (box, "lat,lon,lev", None, Kind(rows, (1, 2, 0))),
            "d": (joined, "lev,lat,lon", None, Kind([np.unravel_index(points, (NLAT, NLON))])),
            "e": (whole, "lev,lat,lon", None, Kind(wholes)),
            "f": (haloed, "lev,lat,lon", None, Kind(rows, halo=1)),
        }
        depth = {"units": "m", "standard_name": "depth", "axis": "Z", "positive": "down"}
        self.lev = io.define_field("lev", "lev", np.float64, static=True, **depth)
        for name, of, size in (("lat", "latitude", "north"), ("lon", "longitude", "east")):
            axis: dict[str, Any] = {"static": True, "units": f"degrees_{size}", "standard_name": of}
            self.axes[name] = io.define_field(name, name, np.float64, **axis)
        self.fields: dict[str, thalweg.Field] = {}
        for kind, (cut, dims, memory, _) in self.kinds.items():
            own: dict[str, Any] = {"decomposition": cut, "missing_value": FILL, "units": "K", "long_name": "v"}
            order = {"memory_dims": memory} if memory else {}
            by_cells = {"coordinates": f"y{kind} x{kind}", "cell_measures": f"area: k{kind}"}
            self.fields["v" + kind] = io.define_field("v" + kind, dims, np.float64, **own, **order, **by_cells)
            flat = {"decomposition": cut, "static": True}
            self.fields["k" + kind] = io.define_field("k" + kind, "lat,lon", np.float64, units="m2", **flat)
            self.fields["y" + kind] = io.define_field("y" + kind, "lat,lon", np.float64, units="degrees_north", **flat)
            self.fields["x" + kind] = io.define_field("x" + kind, "lat,lon", np.float64, units="degrees_east", **flat)
        self.fields["sa"] = io.define_field(
            "sa", "lat,lon", np.float64, box, missing_value=FILL, units="K", long_name="s"
        )
        self.index = io.define_field("index", "lat,lon", np.int32, box)
        self.total = io.define_field("total", "", np.float64, units="1", long_name="total")

    def put_fixed(self) -> None:
        self.lev.put(np.arange(NLEV) * 10.0)
        self.axes["lat"].put(LAT)
        self.axes["lon"].put(LON)
        lat, lon = places()
        for kind, (_, _, _, of) in self.kinds.items():
            for name, array in {"k": areas(), "y": lat, "x": lon}.items():
                self.put_all(name + kind, array, of)

    def put(self, step: int) -> None:
        for kind, (_, _, _, of) in self.kinds.items():
            self.put_all("v" + kind, values("v" + kind, step), of)
        rows = self.kinds["a"][3]
        self.put_all("sa", values("sa", step)[0], rows)
        self.index.put(rows.parts(np.arange(CELLS, dtype="i4").reshape(NLAT, NLON) + step)[0])
        self.total.put(np.float64(step))

    def put_all(self, name: str, array: Array, of: Kind) -> None:
        for number, part in enumerate(of.parts(array)):
            self.fields[name].put(part, box=number)


if __name__ == "__main__":
    from hourly import run

    run(Model, STEPS)
