# ctest: LABELS mpi TIMEOUT 300
"""Fields on another grid have the bits of the sums that follow from the weights and from what a file on the model's own
grid has, whatever the decompositions, ranks, writers and formats are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from field_runs import WAYS, opened, require_conventions, run_in
from programs.other_grids import CELLS, FILL, NLAT, NLON, areas, places
from support import python

KINDS = "abcdef"
FIELDS = [*("v" + kind for kind in KINDS), "sa", "total"]
OPERATIONS: dict[str, dict[str, Any]] = {
    "instant": {"every": "2 h"},
    "mean": {"every": "3 h", "operation": "mean"},
    "all": {"every": "3 h", "operation": "mean", "missing": "propagate"},
    "most": {"every": "3 h", "operation": "max", "valid": 0.6},
    "hours": {"every": "1 d", "operation": "diurnal 4"},
}
TARGET = (5, 4)
POINTS: list[dict[str, Any]] = [
    {"name": "north", "lon": 20.0, "lat": 75.0},
    {"name": "east of all", "lon": 359.0, "lat": -41.0},
    {"name": "south", "lon": -178.0, "lat": -90.0},
]
SECTION: dict[str, Any] = {"from": {"lon": -60.0, "lat": -55.0}, "to": {"lon": 100.0, "lat": 40.0}, "points": 7}


def entries() -> list[tuple[int, int, float]]:
    """Target, source, weight: some targets have none, some pairs come twice, some weights are negative, some 0."""
    random = np.random.default_rng(5)
    made = []
    for target in range(TARGET[0] * TARGET[1]):
        if target in (3, 9):
            continue
        for source in random.choice(CELLS, random.integers(1, 9), replace=False):
            made.append((target, int(source), float(random.uniform(-0.1, 1.0))))
    made.append((made[0][0], made[0][1], 0.25))
    made.append((5, 17, 0.0))
    return [made[i] for i in random.permutation(len(made))]


def write_weights(path: Path) -> None:
    """As ESMF writes it."""
    rows = entries()
    lat, lon = np.linspace(-60, 60, TARGET[0]), np.linspace(45, 315, TARGET[1])
    corners_lat = np.repeat(lat, TARGET[1])[:, None] + [-15, -15, 15, 15]
    corners_lon = np.tile(lon, TARGET[0])[:, None] + [-45, 45, 45, -45]
    xr.Dataset(
        {
            "S": ("n_s", [weight for _, _, weight in rows]),
            "row": ("n_s", np.array([target + 1 for target, _, _ in rows], "i4")),
            "col": ("n_s", np.array([source + 1 for _, source, _ in rows], "i4")),
            "src_grid_dims": ("src_grid_rank", np.array([NLON, NLAT], "i4")),
            "dst_grid_dims": ("dst_grid_rank", np.array(TARGET[::-1], "i4")),
            "yc_b": ("n_b", np.repeat(lat, TARGET[1]), {"units": "degrees"}),
            "xc_b": ("n_b", np.tile(lon, TARGET[0]), {"units": "degrees"}),
            "yv_b": (("n_b", "nv_b"), corners_lat, {"units": "degrees"}),
            "xv_b": (("n_b", "nv_b"), corners_lon % 360, {"units": "degrees"}),
        }
    ).to_netcdf(path)


def nearest(lon: float, lat: float) -> int:
    def direction(lon: Any, lat: Any) -> Any:
        lon, lat = np.radians(lon), np.radians(lat)
        return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])

    of_lat, of_lon = places()
    cells = direction(of_lon.ravel(), of_lat.ravel())
    return int(np.argmin(((cells - direction(lon, lat)[:, None]) ** 2).sum(0)))


def along_section() -> list[tuple[float, float]]:
    """By turning the one end to the other about the axis that is normal to both. (source: Rodrigues)"""

    def direction(of: dict[str, float]) -> Any:
        lon, lat = np.radians(of["lon"]), np.radians(of["lat"])
        return np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])

    start, end = direction(SECTION["from"]), direction(SECTION["to"])
    axis = np.cross(start, end)
    angle, axis = np.arctan2(np.linalg.norm(axis), start @ end), axis / np.linalg.norm(axis)
    made = []
    for part in np.linspace(0, 1, int(SECTION["points"])):
        x, y, z = start * np.cos(part * angle) + np.cross(axis, start) * np.sin(part * angle)
        made.append((float(np.degrees(np.arctan2(y, x))), float(np.degrees(np.arcsin(z)))))
    return made


def rows_of(kind: str) -> list[list[tuple[int, float]]]:
    """Sources and weights of each cell, in the order in which they are added."""
    if kind == "grid":
        made: list[dict[int, float]] = [{} for _ in range(TARGET[0] * TARGET[1])]
        for target, source, weight in entries():
            if weight != 0.0:
                made[target][source] = made[target].get(source, 0.0) + weight
        return [sorted(row.items()) for row in made]
    if kind in ("points", "section"):
        points = [(of["lon"], of["lat"]) for of in POINTS] if kind == "points" else along_section()
        return [[(nearest(float(lon), float(lat)), 1.0)] for lon, lat in points]
    number = np.arange(CELLS).reshape(NLAT, NLON)
    weigh = np.ones((NLAT, NLON)) if kind == "plain" else areas()
    over = {"rows": list(number), "columns": list(number.T)}.get(kind, [number.ravel()])
    means = []
    for cells in over:
        total = 0.0
        for cell in cells:
            total += weigh.ravel()[cell]
        means.append([(int(cell), weigh.ravel()[cell] / total) for cell in cells if weigh.ravel()[cell] != 0])
    return means


def summed(layer: Any, rows: list[list[tuple[int, float]]], least: float, propagates: bool) -> list[float]:
    made = []
    for row in rows:
        there = [(layer[source], weight) for source, weight in row if layer[source] != FILL]
        size, valid_size = sum(abs(w) for _, w in row), sum(abs(w) for _, w in there)
        total, valid, value = 0.0, 0.0, 0.0
        for _, weight in row:
            total += weight
        for one, weight in there:
            value += weight * one
            valid += weight
        if not there or (len(there) < len(row) and (propagates or valid_size < least * size or valid * total <= 0)):
            made.append(FILL)
        else:
            made.append(value if len(there) == len(row) else value * (total / valid))
    return made


GRIDS: dict[str, tuple[dict[str, Any], tuple[str, ...], tuple[int, ...]]] = {
    "grid": ({"weights": "weights.nc"}, ("lat", "lon"), TARGET),
    "points": ({"points": POINTS}, ("station",), (len(POINTS),)),
    "section": ({"section": SECTION}, ("point",), (7,)),
    "rows": ({"mean": ["lon"], "by": "ka"}, ("lat",), (NLAT,)),
    "columns": ({"mean": ["lat"], "by": "ka"}, ("lon",), (NLON,)),
    "whole": ({"mean": ["lat", "lon"], "by": "ka"}, (), ()),
    "plain": ({"mean": ["lat", "lon"]}, (), ()),
}
"""What the configuration says, and which dimensions there are in place of lat and lon."""


def fields_on(grid: str) -> list[str]:
    """The measure lies on one decomposition."""
    return ["va", "vc", "sa", "total"] if "by" in GRIDS[grid][0] else FIELDS


def collections(form: str) -> dict[str, Any]:
    ending = "zarr" if form == "zarr" else "nc"
    made: dict[str, Any] = {}
    for operation, keys in OPERATIONS.items():
        usual = {k: v for k, v in keys.items() if operation != "instant" or k == "every"}
        made[f"{operation}_model"] = {"format": form, "file": f"{operation}_model.{ending}", "fields": FIELDS} | usual
        for grid, (said, _, _) in GRIDS.items():
            name = f"{operation}_{grid}"
            made[name] = {"format": form, "file": f"{name}.{ending}", "fields": fields_on(grid), "grid": said} | usual
            if operation == "mean":
                said_of_file = {"file": f"cf_{grid}.{ending}", "attributes": {"title": "means", "history": "made"}}
                made[f"cf_{grid}"] = (
                    made[name] | said_of_file | {"fields": ["sa" if grid in ("points", "section") else "va"]}
                )
    made["kinds"] = {
        "format": form,
        "file": f"kinds.{ending}",
        "grid": {"points": POINTS},
        "every": "6 h",
        "fields": ["index", "ka", {"from": "va", "type": "float32"}],
    }
    made["made"] = {
        "format": form,
        "file": f"made.{ending}",
        "grid": {"weights": "weights.nc", "dims": ["y", "x"]},
        "every": "3 h",
        "operation": "mean",
        "fields": ["index", {"name": "twice", "expression": "va * 2"}, {"from": "va", "units": "degC"}, "ka"],
    }
    return made


@pytest.fixture(scope="module", params=WAYS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("other_grids")
    write_weights(made / "weights.nc")
    run_in(request.param, "other_grids.py", made, collections)
    return made


def on_grid(array: xr.DataArray, grid: str, keys: dict[str, Any]) -> Any:
    """Of what is on the model's grid; dimensions of the other grid come in place of lat and lon."""
    _, dims, sizes = GRIDS[grid]
    layers = [dim for dim in array.dims if dim not in ("lat", "lon")]
    values = array.transpose(*layers, "lat", "lon").values
    flat = values.reshape(-1, CELLS)
    rows, least, propagates = rows_of(grid), keys.get("valid", 0.0), keys.get("missing") == "propagate"
    made = np.array([summed(layer, rows, least, propagates) for layer in flat])
    made = made.reshape(*values.shape[:-2], *sizes)
    at = next(place for place, dim in enumerate(array.dims) if dim in ("lat", "lon"))
    order = [*layers[:at], *dims, *layers[at:]]
    return xr.DataArray(made, dims=[*layers, *dims]).transpose(*order)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize("grid", GRIDS)
def test_cells_are_the_sums_of_those_of_the_model(folder: Path, operation: str, grid: str) -> None:
    with opened(folder, f"{operation}_model") as model, opened(folder, f"{operation}_{grid}") as other:
        for name in fields_on(grid):
            if name == "total":
                assert other[name].values.tobytes() == model[name].values.tobytes()
                continue
            wanted = on_grid(model[name], grid, OPERATIONS[operation])
            assert other[name].dims == wanted.dims, name
            assert other[name].values.tobytes() == wanted.values.tobytes(), name
            propagates = OPERATIONS[operation].get("missing") == "propagate"
            assert (wanted != FILL).any() or propagates, name


def test_what_cells_are_is_in_the_file(folder: Path) -> None:
    with opened(folder, "instant_grid") as grid:
        assert grid.lat.values.tolist() == [-60.0, -30.0, 0.0, 30.0, 60.0]
        assert grid.lon_bnds.values.tolist() == [[0.0, 90.0], [90.0, 180.0], [180.0, 270.0], [270.0, 360.0]]
        assert grid.lat_bnds.values[0].tolist() == [-75.0, -45.0]
        assert (grid.lat.units, grid.lon.units, grid.lat.bounds) == ("degrees_north", "degrees_east", "lat_bnds")
        assert "coordinates" not in grid.va.attrs and "cell_measures" not in grid.va.attrs
        assert "ka" not in grid and grid.lev.values.tolist() == [0.0, 10.0, 20.0]
    of_lat, of_lon = places()
    with opened(folder, "mean_points") as points:
        cells = [nearest(of["lon"], of["lat"]) for of in POINTS]
        assert points.lat.values.tolist() == of_lat.ravel()[cells].tolist()
        assert points.lon.values.tolist() == of_lon.ravel()[cells].tolist()
        names = points.station_name.values
        texts = [b"".join(row) for row in names] if names.ndim == 2 else list(names)
        assert [bytes(text).rstrip(b"\0").decode() for text in texts] == [of["name"] for of in POINTS]
        assert {"lat", "lon", "station_name"} <= set(points.va.coords)
    with opened(folder, "mean_section") as section:
        start, end = SECTION["from"], SECTION["to"]
        lat, turn = np.radians([start["lat"], end["lat"]]), np.radians(end["lon"] - start["lon"])
        whole = 6371.0 * np.arccos(np.sin(lat).prod() + np.cos(lat).prod() * np.cos(turn))
        assert np.isclose(section.distance.values, np.linspace(0.0, whole, 7)).all(), section.distance.values
    with opened(folder, "mean_whole") as whole, opened(folder, "mean_rows") as rows:
        assert whole.va.cell_methods == "time: mean (interval: 1 hour) area: mean (weighted by ka)"
        assert rows.va.cell_methods == "time: mean (interval: 1 hour) longitude: mean (weighted by ka)"
        assert "lat" in rows.sizes and "lon" not in rows.sizes


def test_all_kinds_of_fields_are_on_it(folder: Path) -> None:
    cells = [nearest(of["lon"], of["lat"]) for of in POINTS]
    with opened(folder, "kinds") as kinds:
        assert kinds["index"].dtype == np.int32 and kinds["index"].values.tolist() == [[cell + 6 for cell in cells]]
        assert kinds.ka.dims == ("station",) and kinds.ka.values.tolist() == areas().ravel()[cells].tolist()
        assert kinds.va.dtype == np.float32
    with opened(folder, "made") as made, opened(folder, "mean_grid") as grid:
        assert made["index"].dtype == np.float64 and made["index"].dims == ("time", "y", "x")
        there = grid.va.values != FILL
        assert (made.twice.values[there] == 2 * grid.va.values[there]).all()
        weights = np.array([sum(weight for _, weight in row) for row in rows_of("grid")]).reshape(TARGET)
        wanted = grid.va.values - 273.15 * weights
        assert np.isclose(made.va.values[there], wanted[there], rtol=0, atol=1e-9).all()
        assert made.ka.dims == ("y", "x")


@pytest.mark.parametrize("grid", [grid for grid in GRIDS if grid not in ("rows", "columns")])
def test_files_are_as_the_conventions_say(folder: Path, grid: str) -> None:
    """Of means along one dimension the checker does not know the standard name, which the conventions ask for."""
    if (folder / f"cf_{grid}.nc").exists():
        require_conventions(folder / f"cf_{grid}.nc")


def test_ranks_without_cells_put_what_grids_need(tmp_path: Path) -> None:
    grids = {"whole": {"mean": ["cell"], "by": "area"}, "at": {"points": [{"name": "a", "lon": 3, "lat": 3}]}}
    made = {name: {"file": f"{name}.nc", "every": "1 h", "grid": grid, "fields": ["t"]} for name, grid in grids.items()}
    python.run("cells_of_one_rank.py", 3, tmp_path, {"time-step": "1 h", "collections": made})
    with opened(tmp_path, "whole") as whole, opened(tmp_path, "at") as at:
        assert whole.t.values.tolist() == [3.0, 4.0]
        assert at.t.values.tolist() == [[3.0], [4.0]]
