"""A toy of the North Atlantic on a grid that is turned: it puts its fields in every step, and the configuration says
what is written of them, on which grid.

mpiexec -n 4 python atlas.py atlas.yaml
"""

import sys
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

Array = NDArray[np.float64]

NY, NX, HOURS, FILL = 60, 90, 144, 1e20
DEPTHS = np.array([5.0, 30.0, 75.0, 150.0, 300.0, 500.0, 800.0, 1200.0])
CENTRE_LAT, CENTRE_LON, TURN = np.radians([38.0, -44.0, 28.0])
STEP_Y, STEP_X = 0.8, 0.9
RADIUS_M = 6.371e6
COASTS = Path(__file__).parents[1] / "ocean" / "mask_1deg.nc"


def places(y: Array, x: Array) -> tuple[Array, Array]:
    """Latitudes and longitudes of points whose distances from the grid's two great circles are these, in degrees."""
    y, x = np.radians(y)[..., None], np.radians(x)[..., None]
    sin_lat, cos_lat = np.sin(CENTRE_LAT), np.cos(CENTRE_LAT)
    centre = np.array([cos_lat * np.cos(CENTRE_LON), cos_lat * np.sin(CENTRE_LON), sin_lat])
    east = np.array([-np.sin(CENTRE_LON), np.cos(CENTRE_LON), 0.0])
    north = np.cross(centre, east)
    along, across = np.cos(TURN) * east + np.sin(TURN) * north, np.cos(TURN) * north - np.sin(TURN) * east
    point = np.cos(y) * (np.cos(x) * centre + np.sin(x) * along) + np.sin(y) * across
    return np.degrees(np.arcsin(point[..., 2])), np.degrees(np.arctan2(point[..., 1], point[..., 0]))


class Ocean:
    """The rows that a rank has. What is in them follows from where they lie and from the hour alone."""

    def __init__(self, first: int, last: int) -> None:
        rows, columns = np.arange(first, last) + 0.5 - NY / 2, np.arange(NX) + 0.5 - NX / 2
        self.y, self.x = np.meshgrid(STEP_Y * rows, STEP_X * columns, indexing="ij")
        self.lat, self.lon = places(self.y, self.x)
        corner_y, corner_x = np.array([-1, -1, 1, 1]) * STEP_Y / 2, np.array([-1, 1, 1, -1]) * STEP_X / 2
        self.lat_bounds, self.lon_bounds = places(self.y[..., None] + corner_y, self.x[..., None] + corner_x)
        self.area = RADIUS_M**2 * np.radians(STEP_Y) * np.radians(STEP_X) * np.cos(np.radians(self.y))
        self.depth_of_floor = self.floor()

    def floor(self) -> Array:
        """On shelves the water is as deep as there is ocean within some degrees."""
        with netCDF4.Dataset(COASTS) as file:
            wet = file["wet"][:].filled(0).astype("f8")
        i, j = np.floor(self.lat + 90).astype(int), np.floor(self.lon + 180).astype(int) % 360
        around = range(-3, 4)
        near = np.mean([wet[np.clip(i + di, 0, 179), (j + dj) % 360] for di in around for dj in around], axis=0)
        return np.where(wet[i, j] == 1, 3000 * near**4, 0.0)

    def front(self, hour: float) -> tuple[Array, Array]:
        """How far north of the jet cells lie, in degrees, and how the jet slopes; its meanders travel with it."""
        phase = 2 * np.pi * (self.x / 16 - hour / HOURS)
        size = 2.2 * np.exp(-(((self.x + 8) / 18) ** 2))
        return self.y - 4.5 - size * np.sin(phase), size * 2 * np.pi / 16 * np.cos(phase)

    def currents(self, hour: float) -> tuple[Array, Array]:
        north, slope = self.front(hour)
        along = 1.3 * np.exp(-((north / 1.3) ** 2)) * np.exp(-(((self.x + 8) / 30) ** 2)) - 0.06 * np.cos(self.y / 6)
        calm_at_coasts = np.clip(self.depth_of_floor / 1500, 0, 1)
        return self.wet(along * calm_at_coasts), self.wet(along * slope * calm_at_coasts)

    def surface(self, hour: float) -> Array:
        """The sun warms it most at two hours past its noon, and most where the wind is weak."""
        north, _ = self.front(hour)
        climate = 27 - 25 * np.sin(np.radians(np.abs(self.lat))) ** 2
        warmed = np.clip(np.cos(2 * np.pi * (hour / 24 + self.lon / 360 - 14 / 24)), -0.2, None)
        calm = np.exp(-(((self.lat - 27) / 13) ** 2))
        return self.wet(climate - 2.5 * np.tanh(north / 1.5) + (0.1 + 1.3 * calm) * warmed)

    def layers(self, hour: float) -> Array:
        """Below the surface the front lies farther south, and there is no day."""
        north, _ = self.front(hour)
        made = []
        for depth in DEPTHS:
            climate = 27 - 25 * np.sin(np.radians(np.abs(self.lat))) ** 2
            warm = climate - 2.5 * np.tanh((north + depth / 300) / (1.5 + depth / 400))
            made.append(self.wet(4 + (warm - 4) * np.exp(-((depth / 800) ** 0.8)), depth))
        return np.stack(made)

    def wet(self, values: Array, depth: float = 0.0) -> Array:
        return np.where(self.depth_of_floor > depth, values, FILL)


def define_static(io: thalweg.Session, cells: Any, ocean: Ocean) -> None:
    """What is put once, before the first step."""
    io.define_field_dimension("depth", DEPTHS.size)
    io.define_field_dimension("corner", 4)
    down = {"units": "m", "standard_name": "depth", "axis": "Z", "positive": "down"}
    io.define_field("depth", "depth", np.float64, static=True, **down).put(DEPTHS)
    for name, of, values, bounds in (
        ("lat", "latitude", ocean.lat, ocean.lat_bounds),
        ("lon", "longitude", ocean.lon, ocean.lon_bounds),
    ):
        said = {"standard_name": of, "units": "degrees_north" if name == "lat" else "degrees_east"}
        io.define_field(name, "y,x", np.float64, cells, static=True, bounds=f"{name}_bnds", **said).put(values)
        io.define_field(f"{name}_bnds", "y,x,corner", np.float64, cells, static=True).put(bounds)
    area = {"standard_name": "cell_area", "units": "m2", "coordinates": "lat lon"}
    io.define_field("area", "y,x", np.float64, cells, static=True, **area).put(ocean.area)


def define_fields(io: thalweg.Session, cells: Any) -> dict[str, thalweg.Field]:
    of_cells: dict[str, Any] = {"coordinates": "lat lon", "cell_measures": "area: area", "missing_value": FILL}
    warmth = of_cells | {"units": "degC", "units_metadata": "temperature: on_scale"}
    speed = of_cells | {"units": "m s-1"}
    return {
        name: io.define_field(f"ocean/{name}", dims, np.float32, cells, standard_name=standard_name, **said)
        for name, dims, standard_name, said in (
            ("sst", "y,x", "sea_surface_temperature", warmth),
            ("temp", "depth,y,x", "sea_water_temperature", warmth),
            ("u", "y,x", "sea_water_x_velocity", speed),
            ("v", "y,x", "sea_water_y_velocity", speed),
        )
    }


def run_model(io: thalweg.Session, hours: int) -> None:
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    first, last = NY * rank // ranks, NY * (rank + 1) // ranks
    cells = io.decompose("y,x", shape=(NY, NX), start=(first, 0), count=(last - first, NX))
    ocean = Ocean(first, last)
    define_static(io, cells, ocean)

    fields = define_fields(io, cells)
    for hour in range(1, hours + 1):
        u, v = ocean.currents(hour - 0.5)  # of the middle of the step
        fields["sst"].put(ocean.surface(hour - 0.5))
        fields["u"].put(u)
        fields["v"].put(v)
        if fields["temp"].is_wanted:
            fields["temp"].put(ocean.layers(hour - 0.5))
        io.advance(hour * 3600.0)


configuration, hours = (*sys.argv[1:], str(HOURS))[:2]
with thalweg.start(MPI.COMM_WORLD, configuration) as io:
    if io.is_client:
        run_model(io, int(hours))
