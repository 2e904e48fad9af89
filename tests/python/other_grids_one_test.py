# ctest: SHORT TIMEOUT 120
"""Fields on another grid, of one rank: weights that others have made, what is refused, and fields that come late."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
import xarray as xr

HOUR, FILL, NLAT, NLON = 3600.0, -999.0, 12, 24
LAT = np.linspace(-82.5, 82.5, NLAT)
LON = np.linspace(0.0, 345.0, NLON)
POINT = {"points": [{"lon": 1.0, "lat": 2.0}]}


class Model:
    """Its grid is known by coordinates of dimensions, of each of which a rank has all."""

    def __init__(self, tmp_path: Path, grid: dict[str, Any], places: bool = True, **collection: Any) -> None:
        said = {"file": str(tmp_path / "c.nc"), "every": "1 h", "grid": grid, "fields": ["t"]} | collection
        settings = {"report": "none", "time-step": "1 h", "collections": {"c": said}}
        self.io = thalweg.start(config=settings, on_exception="raise")
        self.cells = self.io.decompose("lat,lon", (NLAT, NLON), (0, 0), (NLAT, NLON))
        self.t = self.io.define_field("air/t", "lat,lon", np.float64, self.cells, missing_value=FILL, units="K")
        self.fixed: list[tuple[thalweg.Field, Any]] = []
        for name, units, values in (("lat", "degrees_north", LAT), ("lon", "degrees_east", LON)):
            if places:
                self.fixed.append((self.io.define_field(name, name, np.float64, static=True, units=units), values))

    def run(self, steps: int = 1) -> None:
        with self.io as io:
            for field, values in self.fixed:
                field.put(values)
            for step in range(1, steps + 1):
                self.t.put(temperature(step))
                io.advance(step * HOUR)


def temperature(step: int) -> Any:
    made = np.random.default_rng(step).normal(280, 5, (NLAT, NLON))
    made[3:5, 2:9] = FILL
    return made


def on_model_grid(path: Path) -> None:
    names = (
        {"standard_name": "latitude", "units": "degrees_north"},
        {"standard_name": "longitude", "units": "degrees_east"},
    )
    values = temperature(1)
    values[values == FILL] = np.nan
    coords = {"lat": ("lat", LAT, names[0]), "lon": ("lon", LON, names[1])}
    made = xr.Dataset({"t": (("lat", "lon"), values, {"units": "K"})}, coords)
    made.to_netcdf(path, encoding={"t": {"_FillValue": FILL}})


@pytest.mark.parametrize("method", ["bil", "con", "nn"])
def test_weights_of_cdo_give_what_cdo_gives(tmp_path: Path, method: str) -> None:
    """Where no cell lacks a value: of others CDO has its own rules for each method."""
    assert shutil.which("cdo"), "CDO is not installed"

    def cdo(*words: object) -> None:
        subprocess.run(["cdo", "-s", "-b", "F64", *map(str, words)], check=True, timeout=60, capture_output=True)

    on_model_grid(tmp_path / "model.nc")
    cdo("setmisstoc,280", tmp_path / "model.nc", tmp_path / "full.nc")
    cdo(f"gen{method},r18x9", tmp_path / "full.nc", tmp_path / "w.nc")
    cdo("remap,r18x9," + str(tmp_path / "w.nc"), tmp_path / "full.nc", tmp_path / "wanted.nc")
    Model(tmp_path, {"weights": str(tmp_path / "w.nc")}, missing="propagate").run()
    with xr.open_dataset(tmp_path / "c.nc") as made, xr.open_dataset(tmp_path / "wanted.nc") as wanted:
        assert made.t.dims == ("time", "lat", "lon") and made.t.shape == (1, 9, 18)
        assert np.allclose(made.lat, wanted.lat, rtol=0, atol=1e-9)
        assert np.allclose(made.lon % 360, wanted.lon, rtol=0, atol=1e-9)
        there = np.isfinite(made.t.values[0])
        assert 90 < there.sum() < 162
        assert np.allclose(made.t.values[0][there], wanted.t.values[there], rtol=1e-12)


@pytest.mark.parametrize("method", ["bic", "con2", "laf"])
def test_what_is_no_sum_of_values_is_refused(tmp_path: Path, method: str) -> None:
    """Of these methods CDO makes something else of the same file."""
    on_model_grid(tmp_path / "model.nc")
    made = ["cdo", "-s", f"gen{method},r18x9", str(tmp_path / "model.nc"), str(tmp_path / "w.nc")]
    subprocess.run(made, check=True, timeout=60, capture_output=True)
    with pytest.raises(thalweg.Error, match=r"they are of a method \(.* by which cells are no weighted sums of values"):
        Model(tmp_path, {"weights": str(tmp_path / "w.nc")}).run()


def test_a_lack_is_made_up_for_or_not_as_the_configuration_says(tmp_path: Path) -> None:
    there = np.ma.masked_equal(temperature(1), FILL)
    lacking = there.mask.mean(1)
    for name, keys, lacks in [
        ("skip", {}, lacking == 1),
        ("some", {"valid": 0.8}, lacking > 0.2),
        ("all", {"missing": "propagate"}, lacking > 0),
    ]:
        (tmp_path / name).mkdir()
        Model(tmp_path / name, {"mean": "lon"}, **keys).run()
        with xr.open_dataset(tmp_path / name / "c.nc") as made:
            values = made.t.values[0]
            assert np.isnan(values).tolist() == lacks.tolist()
            assert np.allclose(values[~lacks], there.mean(1)[~lacks], rtol=1e-13)


REFUSED: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "no weights": ({"weights": "none.nc"}, {}, "none.nc"),
    "no file of weights": ({"weights": "model.nc"}, {}, "no variable 'S'"),
    "other cells": (
        {"weights": "small.nc"},
        {},
        "are for fields of 3 x 4 cells, but 'air/t' lies on 12 x 24 (lat,lon)",
    ),
    "beyond": ({"weights": "beyond.nc"}, {}, "weight 2 leads from cell 289 to cell 2"),
    "shapeless": ({"weights": "shapeless.nc"}, {}, "say it, as in dims: {lat: 180, lon: 360}"),
    "other dims": ({"weights": "good.nc", "dims": {"cell": 3}}, {}, "'dims' have 3 cells, but by the file"),
    "one name": ({"weights": "flat.nc", "dims": ["lat", "lon"]}, {}, "'dims' are 2, but the grid of the file has 1"),
    "nowhere": ({"mean": "z"}, {}, "a mean over 'z' is wanted, along which the decomposition of none of its fields"),
    "name of the grid": (POINT, {"fields": ["t", "lat"]}, "'lat' is what the other grid has of its cells"),
    "dimension": (
        {"weights": "good.nc", "dims": ["lat", "lon"]},
        {"fields": ["t", "lat"]},
        "'lat' is a dimension of the other grid, and field 'lat' has one of the model",
    ),
    "one name twice": ({"weights": "good.nc", "dims": ["x", "x"]}, {}, "both dimensions are called 'x'"),
    "opposite": (
        {"section": {"from": {"lon": 10, "lat": 20}, "to": {"lon": 190, "lat": -20}, "points": 3}},
        {},
        "its ends are the same place, or opposite ones",
    ),
    "not over": (
        {"mean": ["lon", "z"]},
        {},
        "a mean over 'z' is wanted, but the decomposition of 'air/t' has (lat,lon)",
    ),
    "no measure": ({"mean": "lon", "by": "area"}, {}, "'by' is 'area', which no field is called"),
    "whole numbers": ({"mean": "lon"}, {"fields": [{"from": "t", "type": "int16"}]}, "whole; set type: float32"),
}


def write_weights(path: Path, source: tuple[int, ...] | None, target: tuple[int, ...] | None, last: int = 5) -> None:
    made = {"S": ("n_s", [1.0, 0.5]), "row": ("n_s", np.array([1, 2])), "col": ("n_s", np.array([1, last]))}
    if source:
        made["src_grid_dims"] = ("src_grid_rank", np.array(source[::-1]))
    if target:
        made["dst_grid_dims"] = ("dst_grid_rank", np.array(target[::-1]))
    xr.Dataset(made).to_netcdf(path)


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_by_name(tmp_path: Path, case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    on_model_grid(tmp_path / "model.nc")
    write_weights(tmp_path / "small.nc", (3, 4), (1, 2))
    write_weights(tmp_path / "good.nc", (NLAT, NLON), (1, 2))
    write_weights(tmp_path / "flat.nc", (NLAT, NLON), (2,))
    write_weights(tmp_path / "beyond.nc", None, (1, 2), NLAT * NLON + 1)
    write_weights(tmp_path / "shapeless.nc", None, None)
    grid, keys, words = REFUSED[case]
    with pytest.raises(thalweg.Error) as error:
        Model(tmp_path, grid, **keys).run()
    assert words in str(error.value), str(error.value)
    assert not (tmp_path / "c.nc").exists()


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no size": ({"dst_grid_dims": [0, 2]}, "'dst_grid_dims' has the size 0, which no grid has"),
    "no cells": ({"dst_grid_dims": [-1, 2]}, "has the size -1"),
    "too many cells": ({"dst_grid_dims": [2**31 - 1, 2**31 - 1]}, "has the size 2147483647"),
    "no number": ({"S": [1.0, np.nan]}, "weight 2 is nan, which no cell can have"),
    "half a cell": ({"row": [1.0, 1.5]}, "leads from cell 5 to cell 1.5"),
    "no cell": ({"col": [1.0, np.nan]}, "leads from cell nan to cell 2"),
    "fewer weights": ({"S": [1.0]}, "'row' has 2 numbers, and 'S' has 1"),
    "fewer cells": ({"col": [1]}, "'row' has 2 numbers, and 'col' has 1"),
    "one weight": ({"S": 1.0, "row": 1, "col": 1}, "'row' lies along 0 dimensions"),
    "transposed": ({"S": [[1.0, 0.5], [0.0, 0.0], [0.0, 0.0]]}, "'row' has 2 numbers, and 'S' has 3"),
    "no weights": ({"S": [], "row": [], "col": []}, "'row' lies along an unlimited dimension"),
}


@pytest.mark.parametrize("case", WRONG)
def test_weights_that_are_none_are_refused(tmp_path: Path, case: str) -> None:
    usual = {"S": [1.0, 0.5], "row": [1, 2], "col": [1, 5], "dst_grid_dims": [2, 1]}
    made, words = WRONG[case]
    said = {name: np.array(values) for name, values in (usual | made).items()}
    arrays = {name: ([f"n{size}" for size in of.shape], of) for name, of in said.items()}
    plain: dict[str, Any] = {name: {"_FillValue": None} for name in arrays}
    form: Any = "NETCDF4" if case == "too many cells" else "NETCDF3_CLASSIC"
    xr.Dataset(arrays).to_netcdf(tmp_path / "w.nc", format=form, encoding=plain)
    with pytest.raises(thalweg.Error) as error:
        Model(tmp_path, {"weights": str(tmp_path / "w.nc")}).run()
    assert words in str(error.value), str(error.value)


def test_corners_and_places_are_told_where_they_are_the_cells(tmp_path: Path) -> None:
    """Not of corners that lie the other way round, and no axes of places that are no numbers."""
    write_weights(tmp_path / "w.nc", (NLAT, NLON), (2, 3))
    lat, lon = np.repeat([0.0, 10.0], 3), np.tile([0.0, 10.0, 20.0], 2)
    corners = [lat[:, None] + [-5, -5, 5, 5], lon[:, None] + [-5, 5, 5, -5]]
    for case, places, bounds, dims in [
        ("as wanted", (lat, lon), (corners, ("n_b", "nv")), ("lat", "lon")),
        ("turned", (lat, lon), ([of.T for of in corners], ("nv", "n_b")), ("lat", "lon")),
        ("no numbers", (lat * np.nan, lon), (corners, ("n_b", "nv")), ("y", "x")),
    ]:
        with xr.open_dataset(tmp_path / "w.nc") as plain:
            of_places = {name: ("n_b", of) for name, of in zip(("yc_b", "xc_b"), places, strict=True)}
            of_corners = {name: (bounds[1], of) for name, of in zip(("yv_b", "xv_b"), bounds[0], strict=True)}
            plain.assign(of_places | of_corners).to_netcdf(tmp_path / "placed.nc")
        Model(tmp_path, {"weights": str(tmp_path / "placed.nc")}).run()
        with xr.open_dataset(tmp_path / "c.nc") as made:
            assert made.t.dims == ("time", *dims), case
            assert ("lat_bnds" in made) == (case == "as wanted"), case
        (tmp_path / "c.nc").unlink()


def test_fields_of_a_staggered_grid_have_their_own_points(tmp_path: Path) -> None:
    """Where they name their coordinates; one file has one place for each point."""
    for fields in (["t", "u"], ["u"]):
        model = Model(tmp_path, POINT, places=False, fields=fields)
        io, lat, lon = model.io, *np.meshgrid(LAT, LON, indexing="ij")
        own: dict[str, Any] = {"decomposition": model.cells, "static": True}
        for name, north, east in (("t", 0.0, 0.0), ("u", -15.0, 30.0)):
            for axis, values in (("north", lat + north), ("east", lon + east)):
                field = io.define_field(f"{axis}_{name}", "lat,lon", np.float64, units=f"degrees_{axis}", **own)
                model.fixed.append((field, values))
        u = io.define_field("air/u", "lat,lon", np.float64, model.cells, coordinates="north_u east_u")
        if "t" in fields:
            with pytest.raises(thalweg.Error, match="the cells of 'air/u' that are taken lie elsewhere than those of"):
                model.run()
            continue
        with io:
            for field, values in model.fixed:
                field.put(values)
            model.t.put(temperature(1))
            u.put(temperature(2))
            io.advance(HOUR)
    with xr.open_dataset(tmp_path / "c.nc") as made:
        cell = np.unravel_index(
            np.argmin((lat - 15.0 - 2.0) ** 2 + ((lon + 30.0 - 1.0 + 180) % 360 - 180) ** 2), lat.shape
        )
        assert made.u.values.tolist() == [[temperature(2)[cell]]]
        assert (made.lat.item(), made.lon.item()) == (lat[cell] - 15.0, lon[cell] + 30.0)


def test_static_fields_are_put_in_any_order(tmp_path: Path) -> None:
    """Also such as nobody needs then, before those that say where cells lie, or what they weigh."""
    for number, grid in enumerate([POINT, {"mean": "lon", "by": "area"}]):
        model = Model(tmp_path, grid, fields=["t", "depth"], file=str(tmp_path / f"{number}.nc"))
        for name in ("depth", "area"):
            field = model.io.define_field(name, "lat,lon", np.float64, model.cells, static=True)
            model.fixed.insert(0 if name == "depth" else len(model.fixed), (field, np.ones((NLAT, NLON))))
        model.run()
        with xr.open_dataset(tmp_path / f"{number}.nc") as made:
            assert np.isfinite(made.t).all() and np.allclose(made.depth, 1)


@pytest.mark.parametrize("weight", [-1.0, np.inf])
def test_no_cell_weighs_less_than_nothing_or_all(tmp_path: Path, weight: float) -> None:
    model = Model(tmp_path, {"mean": "lon", "by": "area"})
    area = model.io.define_field("area", "lat,lon", np.float64, model.cells, static=True)
    model.fixed.append((area, np.where(np.arange(NLON) == 3, weight, np.ones((NLAT, NLON)))))
    with pytest.raises(thalweg.Error, match="field 'area' is negative or infinite in some cells, and cannot weigh"):
        model.run()


def test_points_want_to_know_where_cells_lie(tmp_path: Path) -> None:
    with pytest.raises(thalweg.Error, match="the program has no static field 'lat' along this dimension"):
        Model(tmp_path, POINT, places=False).run()
    model = Model(tmp_path, POINT)
    model.fixed.clear()
    with pytest.raises(thalweg.Error, match="the field 'lat', of whose values they are, was not put before"):
        model.run()
    Model(tmp_path, POINT).run()
    with xr.open_dataset(tmp_path / "c.nc") as made:
        assert (made.lat.item(), made.lon.item()) == (7.5, 0.0)
        assert made.t.values.tolist() == [[temperature(1)[6, 0]]]


def test_a_field_that_comes_late_is_on_the_grid(tmp_path: Path) -> None:
    keys = {"every": "3 h", "operation": "mean", "fields": ["t", "ice/a"]}
    for name, late in (("early", 0), ("late", 2)):
        (tmp_path / name).mkdir()
        model = Model(tmp_path / name, {"mean": ["lat", "lon"]}, **keys)
        with model.io as io:
            ice = None
            for step in range(1, 7):
                if step > late and ice is None:
                    ice = io.define_field("ice/a", "lat,lon", np.float64, model.cells)
                model.t.put(temperature(step))
                if ice is not None and step > 2:
                    ice.put(temperature(10 + step))
                io.advance(step * HOUR)
    with xr.open_dataset(tmp_path / "early/c.nc") as early, xr.open_dataset(tmp_path / "late/c.nc") as late_one:
        assert early.t.dims == ("time",) and early.identical(late_one), (early, late_one)


def test_what_has_one_value_is_put_before_the_first_record(tmp_path: Path) -> None:
    model = Model(tmp_path, POINT, fields=["t", "land"])
    half = (NLAT, NLON // 2)
    halves = model.io.decompose("lat,lon", (NLAT, NLON), boxes=[((0, 0), half), ((0, NLON // 2), half)])
    land = model.io.define_field("land", "lat,lon", np.int32, halves, static=True)
    with pytest.raises(thalweg.Error, match="field 'land': it is static and on another grid"), model.io as io:
        for field, values in model.fixed:
            field.put(values)
        land.put(np.arange(NLAT * NLON // 2, dtype="i4").reshape(half))
        model.t.put(temperature(1))
        io.advance(HOUR)
        land.put(np.zeros(half, "i4"), box=1)
        io.advance(2 * HOUR)


def test_longitudes_ascend_over_the_end_of_the_circle(tmp_path: Path) -> None:
    lon = [350.0, 0.0, 10.0]
    made = {"S": ("n_s", np.ones(6)), "row": ("n_s", np.arange(1, 7)), "col": ("n_s", np.arange(1, 7))}
    made["dst_grid_dims"] = ("dst_grid_rank", np.array([3, 2]))
    made["yc_b"], made["xc_b"] = ("n_b", np.repeat([0.0, 1.0], 3)), ("n_b", np.tile(lon, 2))
    made["xv_b"] = (("n_b", "nv_b"), np.tile(lon, 2)[:, None] + [-5, 5, 5, -5])
    made["yv_b"] = (("n_b", "nv_b"), np.repeat([0.0, 1.0], 3)[:, None] + [-0.5, -0.5, 0.5, 0.5])
    xr.Dataset(made).to_netcdf(tmp_path / "w.nc")
    Model(tmp_path, {"weights": str(tmp_path / "w.nc")}).run()
    with xr.open_dataset(tmp_path / "c.nc") as written:
        assert written.lon.values.tolist() == [-10.0, 0.0, 10.0]
        assert written.lon_bnds.values.tolist() == [[-15.0, -5.0], [-5.0, 5.0], [5.0, 15.0]]
        assert written.t.values.ravel().tolist() == temperature(1).ravel()[:6].tolist()


@pytest.mark.parametrize(
    ("grid", "dims"),
    [({"weights": "good.nc"}, ("y", "x")), (POINT, ("station",)), ({"mean": "lon"}, ("lat",))],
    ids=["weights", "points", "mean"],
)
def test_a_pattern_has_no_places_of_the_cells_of_the_model(
    tmp_path: Path, grid: dict[str, Any], dims: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mean along longitudes has the latitudes, which come with the field."""
    monkeypatch.chdir(tmp_path)
    write_weights(tmp_path / "good.nc", (NLAT, NLON), (1, 2))
    model = Model(tmp_path, grid, fields=["*"])
    model.io.define_field_dimension("bnds", 2)
    bounds = model.io.define_field("lat_bnds", "lat,bnds", np.float64, static=True)
    model.fixed[0][0].define_attribute("bounds", "lat_bnds")
    model.fixed.append((bounds, np.stack([LAT - 7.5, LAT + 7.5], axis=1)))
    model.run()
    with xr.open_dataset(tmp_path / "c.nc") as made:
        assert made.t.dims == ("time", *dims) and ("lat_bnds" in made) == ("mean" in grid)
        if "mean" in grid:
            assert made.lat.values.tolist() == LAT.tolist()
