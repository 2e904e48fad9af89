"""What is in the files, as tables: names, dimensions, attributes in the words of CF-1.11, and where the values are."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from mean import Mean
from numpy.typing import ArrayLike
from shallow_water import ShallowWater

PLACES = ("lat,lon", "lat,lon_u", "lat_v,lon", "lat_v,lon_u")
POINT, MEAN = {"cell_methods": "time: point"}, {"cell_methods": "time: mean"}


class Field(NamedTuple):
    place: str  # its dimensions besides time
    values: Callable[[ShallowWater, Mean, float], ArrayLike]  # of the rank's own rows, at a time
    attributes: dict[str, str]
    dtype: type = np.float32

    @property
    def dims(self) -> str:
        return f"time,{self.place}".rstrip(",")


FILE = {
    "Conventions": "CF-1.11",
    "title": "Rossby-Haurwitz wave: shallow water on the rotating sphere",
    "source": "example atmosphere of Thalweg, in NumPy",
    "references": "Williamson et al. 1992, J. Comput. Phys. 102, 211-224, test 6",
}
AXES = {
    "lat": {"standard_name": "latitude", "units": "degrees_north", "axis": "Y", "long_name": "middles of cells"},
    "lon": {"standard_name": "longitude", "units": "degrees_east", "axis": "X", "long_name": "middles of cells"},
    "lat_v": {"standard_name": "latitude", "units": "degrees_north", "axis": "Y", "long_name": "southern edges"},
    "lon_u": {"standard_name": "longitude", "units": "degrees_east", "axis": "X", "long_name": "western edges"},
}
HEIGHT = {"standard_name": "geopotential_height", "units": "m"}
U = {"standard_name": "eastward_wind", "units": "m s-1"}
V = {"standard_name": "northward_wind", "units": "m s-1"}
VORTICITY = {"standard_name": "atmosphere_upward_relative_vorticity", "units": "s-1"}


def without_pole(model: ShallowWater, rows: np.ndarray) -> np.ndarray:
    """Southern edges of the own rows, but for the south pole."""
    return rows[1:] if model.band.first == 0 else rows


HISTORY = {
    "height": Field("lat,lon", lambda model, *_: model.height, HEIGHT | POINT),
    "u": Field("lat,lon_u", lambda model, *_: model.u, U | POINT),
    "v": Field("lat_v,lon", lambda model, *_: without_pole(model, model.v), V | POINT),
    "vorticity": Field("lat_v,lon_u", lambda model, *_: without_pole(model, model.vorticity()), VORTICITY | POINT),
    "height_mean": Field("lat,lon", lambda _, mean, __: mean.value, HEIGHT | MEAN),
    "time_bnds": Field("bnds", lambda _, mean, time_s: [mean.since_s, time_s], {}, np.float64),
}
RESTART = {
    "height": Field("lat,lon", lambda model, *_: model.height, HEIGHT),
    "u": Field("lat,lon_u", lambda model, *_: model.u, U),
    "v": Field("lat_v,lon", lambda model, *_: without_pole(model, model.v), V),
    "height_total": Field("lat,lon", lambda _, mean, __: mean.total, {"units": "m", "long_name": "sum of heights"}),
    "total_since": Field("", lambda _, mean, __: mean.since_s, {"units": "s", "long_name": "where the sum begins"}),
    "total_steps": Field("", lambda _, mean, __: float(mean.steps), {"units": "1", "long_name": "steps in the sum"}),
}
FILES = {"history": HISTORY, "restart": {name: field._replace(dtype=np.float64) for name, field in RESTART.items()}}
