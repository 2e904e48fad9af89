"""Puts fields and coordinates of their columns on any number of ranks, and beside each field what it is at levels of
the coordinate, and what all of a column comes to, which is computed here cell by cell.

vertical.py: all that a step has follows from its number alone, whatever the ranks are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import thalweg
from numpy.typing import NDArray

NLEV, NLAT, NLON, CELLS, STEPS, FILL = 8, 9, 10, 40, 6, 1e20
LEVELS = [1200.0, 900.0, 700.5, 500.0, 120.0, 3.0]
DEPTHS = [-3.0, 0.0, 12.5, 30.0, 99.0]
LEV = np.array([0, 5, 10, 20, 30, 45, 60, 80], "f4")

WHOLE = {"mean": ("mean", ""), "sum": ("sum", ""), "low": ("least", ""), "high": ("most", ""),
         "heavy": ("mean", "p"), "thick": ("sum", "lev")}  # fmt: skip
"""What columns come to, and by what their cells are weighed."""

Array = NDArray[np.float64]


def values(name: str, step: int, *shape: int) -> Array:
    return np.random.default_rng([step, *name.encode()]).normal(size=shape)


def coordinate(name: str, step: int, *shape: int) -> Array:
    """Mostly descends along the columns; some do not, some stand still, some have the very levels, some lack values."""
    above = 1000.0 - 125.0 * np.arange(NLEV)
    made = above.reshape(-1, *[1] * len(shape)) + 40.0 * values(name, step, NLEV, *shape)
    flat = made.reshape(NLEV, -1)
    flat[3, ::5] = flat[2, ::5]
    flat[4, 1::5] = 500.0
    flat[2, 2::7] = FILL
    flat[:, 3::11] = flat[::-1, 3::11]
    return made


def at_levels(field: Array, of: Array, levels: list[float], log: bool = False, nearest: bool = False) -> Array:
    """One column: the first place from its first level on."""
    made = np.full(len(levels), FILL)
    there = [k for k in range(len(of)) if of[k] != FILL]
    for number, level in enumerate(levels):
        if not there:
            continue
        low, high = min(there, key=lambda k: of[k]), max(there, key=lambda k: of[k])
        if not of[low] <= level <= of[high]:
            made[number] = field[low if level < of[low] else high] if nearest else FILL
            continue
        for k in range(len(of)):
            if of[k] == level:
                made[number] = field[k]
                break
            if k + 1 == len(of) or FILL in (of[k], of[k + 1]):
                continue
            if min(of[k], of[k + 1]) < level < max(of[k], of[k + 1]):
                place = math.log if log else float
                part = (level - of[k]) / (of[k + 1] - of[k])
                if min(part, 1 - part) <= 1e-6:
                    made[number] = field[k if part < 0.5 else k + 1]
                elif FILL not in (field[k], field[k + 1]) and (not log or min(of[k], of[k + 1]) > 0):
                    weight = (place(level) - place(of[k])) / (place(of[k + 1]) - place(of[k]))
                    made[number] = field[k] + weight * (field[k + 1] - field[k])
                break
    return made


def in_all_columns(field: Array, of: Array, levels: list[float], **how: bool) -> Array:
    columns = field.reshape(NLEV, -1)
    places = np.broadcast_to(of.reshape(NLEV, -1), columns.shape)
    made = [at_levels(columns[:, c], places[:, c], levels, **how) for c in range(columns.shape[1])]
    return np.array(made).reshape(-1, len(levels)).T.reshape(len(levels), *field.shape[1:])


def whole_column(field: Array, weights: Array, how: str) -> float:
    """From its first level on, of cells with a value and a weight above 0."""
    cells = [(x, w) for x, w in zip(field, weights, strict=True) if FILL not in (x, w) and w > 0]
    if how in ("least", "most"):
        return min(x for x, _ in cells) if how == "least" else max(x for x, _ in cells)
    total, weight = 0.0, 0.0
    for x, w in cells:
        total, weight = total + w * x, weight + w
    return FILL if weight == 0 else total / weight if how == "mean" else total


def of_all_columns(field: Array, weights: Array, how: str) -> Array:
    columns = field.reshape(NLEV, -1)
    of = np.broadcast_to(weights.reshape(NLEV, -1), columns.shape)
    made = [whole_column(columns[:, c], of[:, c], how) for c in range(columns.shape[1])]
    return np.array(made).reshape(field.shape[1:])


@dataclass
class Kind:
    """Fields on one decomposition: how arrays of some levels are cut for the program's box, and passed."""

    cells: list[Any]  # indices behind the levels, of each box
    shape: tuple[int, ...]
    memory: tuple[int, ...] | None = None

    def parts(self, array: Array) -> list[Array]:
        cut = [array[(slice(None), *at)] for at in self.cells]
        return [np.array(part.transpose(self.memory) if self.memory else part, order="C") for part in cut]

    def parts_of_plane(self, array: Array) -> list[Array]:
        levels = self.memory.index(0) if self.memory else 0
        return [part.squeeze(levels) for part in self.parts(array[np.newaxis])]


class Model:
    def __init__(self, io: thalweg.Session) -> None:
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        first, last = (NLAT * place // ranks for place in (rank, rank + 1))
        box = io.decompose("lat,lon", (NLAT, NLON), (first, 0), (last - first, NLON))
        halves = [(slice(row, row + 1), slice(x, x + 5)) for row in range(rank, NLAT, ranks) for x in (0, 5)]
        boxes = io.decompose("lat,lon", (NLAT, NLON), boxes=[((y.start, x.start), (1, 5)) for y, x in halves])
        points = np.random.default_rng(1).permutation(NLAT * NLON)[rank::ranks]
        joined = io.decompose_points("lat,lon", (NLAT, NLON), points)
        cells = np.random.default_rng(2).permutation(CELLS)[rank::ranks]
        listed = io.decompose_indices("cell", CELLS, cells)
        of_first = np.arange(CELLS if rank == 0 else 0)
        kept = io.decompose_indices("cell", CELLS, of_first)
        wholes = [(slice(None), slice(None))] if rank == ranks - 1 else []
        whole = io.decompose("lat,lon", (NLAT, NLON), boxes=[((0, 0), (NLAT, NLON)) for _ in wholes])
        for name, size in {"lev": NLEV, "p": len(LEVELS), "d": len(DEPTHS)}.items():
            io.define_field_dimension(name, size)
        plane = (NLAT, NLON)
        self.kinds = {
            "a": (box, "lat,lon", None, Kind([(slice(first, last), slice(None))], plane)),
            "b": (boxes, "lat,lon", "lon,lat,lev", Kind(halves, plane, (2, 1, 0))),
            "c": (box, "lat,lon", "lat,lon,lev", Kind([(slice(first, last), slice(None))], plane, (1, 2, 0))),
            "d": (joined, "lat,lon", None, Kind([np.unravel_index(points, plane)], plane)),
            "e": (listed, "cell", None, Kind([(cells,)], (CELLS,))),
            "f": (kept, "cell", None, Kind([(of_first,)], (CELLS,))),
            "g": (whole, "lat,lon", None, Kind(wholes, plane)),
        }
        self.lev = io.define_field("lev", "lev", np.float32, static=True, units="m", standard_name="depth")
        self.sizes = io.define_field("area", "lat,lon", np.float64, box, static=True)
        pressure = {"units": "hPa", "standard_name": "air_pressure", "missing_value": FILL}
        self.fields: dict[str, thalweg.Field] = {}
        for kind, (cut, dims, memory, _) in self.kinds.items():
            own: dict[str, Any] = {"decomposition": cut, "missing_value": FILL, "units": "K"}
            for name, along in {"v": "lev", "log": "p", "line": "p", "near": "p", "deep": "d"}.items():
                order = {"memory_dims": memory.replace("lev", along)} if memory else {}
                self.define(io, name + kind, f"{along},{dims}", np.float32 if kind == "b" else np.float64, own | order)
            for name in WHOLE:
                order = {"memory_dims": memory.removesuffix(",lev")} if memory else {}
                self.define(io, name + kind, dims, np.float32 if kind == "b" else np.float64, own | order)
            order = {"memory_dims": memory} if memory else {}
            self.define(io, "p" + kind, f"lev,{dims}", np.float64, own | pressure | order)

    def define(self, io: thalweg.Session, name: str, dims: str, dtype: Any, keys: dict[str, Any]) -> None:
        self.fields[name] = io.define_field(name, dims, dtype, **keys)

    def put_fixed(self) -> None:
        self.lev.put(LEV)
        rows = self.kinds["a"][3].cells[0][0]
        self.sizes.put(np.arange(NLAT * NLON, dtype="f8").reshape(NLAT, NLON)[rows])

    def put(self, step: int) -> None:
        for kind, (_, _, _, of) in self.kinds.items():
            v, p = values("v" + kind, step, NLEV, *of.shape), coordinate("p" + kind, step, *of.shape)
            v[v > 1.7] = FILL
            self.put_all({"v" + kind: v, "p" + kind: p} if step % 2 else {"p" + kind: p, "v" + kind: v}, of)
            made = {
                "log": in_all_columns(v, p, LEVELS, log=True),
                "line": in_all_columns(v, p, LEVELS),
                "near": in_all_columns(v, p, LEVELS, log=True, nearest=True),
                "deep": in_all_columns(v, LEV.astype("f8"), DEPTHS, nearest=True),
            }
            self.put_all({name + kind: array for name, array in made.items()}, of)
            weights = {"": np.ones(NLEV), "lev": LEV.astype("f8"), "p": p}
            for name, (how, by) in WHOLE.items():
                whole = of_all_columns(v, weights[by], how)
                for number, part in enumerate(of.parts_of_plane(whole)):
                    self.fields[name + kind].put(part, box=number)

    def put_all(self, arrays: dict[str, Array], of: Kind) -> None:
        for name, array in arrays.items():
            for number, part in enumerate(of.parts(array)):
                self.fields[name].put(part, box=number)


if __name__ == "__main__":
    from hourly import run

    run(Model, STEPS)
