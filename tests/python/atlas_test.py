# ctest: LABELS mpi TIMEOUT 180
"""The example of other grids, expressions and a mean day: each file has what NumPy makes of all that was put."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
import yaml
from field_runs import require_conventions
from numpy.typing import NDArray
from support import mpi, python

Array = NDArray[np.float64]

EXAMPLE = mpi.SOURCE / "examples" / "atlas"
PICTURES = mpi.SOURCE / "docs" / "_static"
WEIGHTS = "gencon,regular.txt model_grid.nc weights.nc"
RANKS, DAYS, NY, NX = 2, 6, 60, 90
CLOSE: dict[str, Any] = {"rtol": 1e-6, "atol": 1e-6}
"""Values are float32."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The steps of the README; the run has all steps written as well, as they were put."""
    made = tmp_path_factory.mktemp("atlas")
    program = EXAMPLE / "atlas.py"
    python.run(program, RANKS, made, None, EXAMPLE / "grid.yaml", 1)
    assert shutil.which("cdo"), "CDO is not installed"
    shutil.copy(EXAMPLE / "regular.txt", made)
    assert f"cdo {WEIGHTS}" in (EXAMPLE / "README.md").read_text()
    subprocess.run(["cdo", "-s", *WEIGHTS.split()], cwd=made, check=True, timeout=60, capture_output=True)
    settings = yaml.safe_load((EXAMPLE / "atlas.yaml").read_text())
    put = {"file": "put.nc", "every": "1 h", "operation": "instant", "fields": ["ocean/*", "area"]}
    settings["collections"]["put"] = put
    python.run(program, RANKS, made, settings, "thalweg.yaml")
    return made


@pytest.fixture(scope="module")
def put(folder: Path) -> xr.Dataset:
    file = opened(folder, "put")
    assert file.sst.shape == (DAYS * 24, NY, NX) and file.temp.shape == (DAYS * 24, 8, NY, NX)
    assert 0.5 < np.isfinite(file.sst[0]).mean() < 0.9
    return file


def opened(folder: Path, name: str) -> xr.Dataset:
    """Missing values are NaN."""
    with xr.open_dataset(folder / f"{name}.nc", decode_times=False) as file:
        return file.load()


def of_days(field: xr.DataArray) -> Array:
    return field.values.astype("f8").reshape(DAYS, 24, *field.shape[1:])


def remapped(folder: Path, layers: Array) -> Array:
    """By the weights of CDO, those of cells without a value shared among the others."""
    weights = opened(folder, "weights")
    source, target = weights.src_address.values - 1, weights.dst_address.values - 1
    weight = weights.remap_matrix.values[:, 0]

    def summed(of: Array) -> Array:
        return np.bincount(target, of, minlength=weights.sizes["dst_grid_size"])

    made = []
    for layer in layers.reshape(-1, NY * NX)[:, source]:
        there = np.isfinite(layer)
        with np.errstate(invalid="ignore"):  # 0 / 0 where there is no value
            made.append(summed(np.where(there, weight * layer, 0.0)) * summed(weight) / summed(weight * there))
    return np.reshape(made, (*layers.shape[:-2], *weights.dst_grid_dims.values[::-1]))


def direction(lon: Any, lat: Any) -> Array:
    lon, lat = np.radians(lon), np.radians(lat)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)


def nearest(put: xr.Dataset, places: Array) -> Any:
    """Cells that lie nearest to these directions."""
    return np.argmax(places @ direction(put.lon.values, put.lat.values).reshape(-1, 3).T, axis=1)


def check(made: xr.DataArray, wanted: Array) -> None:
    """Also where values are missing."""
    np.testing.assert_allclose(made.values[0] if made.sizes["time"] == 1 else made.values, wanted, **CLOSE)
    assert np.isfinite(wanted).mean() > 0.3


def test_expressions_are_those_of_all_steps(folder: Path, put: xr.Dataset) -> None:
    model = opened(folder, "model")
    u, v, sst = (put[name].values.astype("f8") for name in ("u", "v", "sst"))
    check(model.sst, sst.mean(0))
    check(model.speed, np.sqrt(u**2 + v**2).mean(0))
    check(model.sst_spread, sst.std(0))
    assert model.speed.max() > 0.5 and model.sst_spread.max() > 1.5
    np.testing.assert_array_equal(model.area.values, put.area.values)


def test_the_regular_grid_has_the_sums_of_the_weights(folder: Path, put: xr.Dataset) -> None:
    regular = opened(folder, "regular")
    check(regular.sst, remapped(folder, put.sst.values.astype("f8").mean(0)))
    check(regular.temp, remapped(folder, put.temp.values.astype("f8").mean(0)))
    assert np.isnan(regular.temp[0, -1]).sum() > np.isnan(regular.temp[0, 0]).sum() > 0
    np.testing.assert_allclose(regular.lat, np.arange(1, 73, 2))
    np.testing.assert_allclose(regular.lon, np.arange(261, 360, 2))


def test_the_section_has_the_cells_along_a_great_circle(folder: Path, put: xr.Dataset) -> None:
    section = opened(folder, "section")
    start, end = direction(-70, 41.5), direction(-52, 18)
    angle = np.arccos(start @ end)
    parts = np.linspace(0, 1, 40)[:, None]
    cells = nearest(put, (np.sin((1 - parts) * angle) * start + np.sin(parts * angle) * end) / np.sin(angle))
    np.testing.assert_array_equal(section.lat.values, put.lat.values.ravel()[cells])
    np.testing.assert_allclose(section.distance, 6371 * angle * parts[:, 0])
    check(section.temp, put.temp.values.astype("f8").mean(0).reshape(8, -1)[:, cells])
    assert np.isnan(section.temp[0, :, 0]).any() and np.isfinite(section.temp[0, :, -1]).all()


def test_the_profile_has_means_of_cells_by_their_areas(folder: Path, put: xr.Dataset) -> None:
    days = np.ma.masked_invalid(of_days(put.temp).mean(1))
    area = np.broadcast_to(put.area.values, days.shape)
    check(opened(folder, "profile").temp, np.ma.average(days, axis=(2, 3), weights=area).filled(np.nan))


def test_the_mean_day_has_each_hour_of_all_days(folder: Path, put: xr.Dataset) -> None:
    hours = of_days(put.sst).mean(0)
    check(opened(folder, "day").sst, remapped(folder, hours))
    stations = opened(folder, "stations")
    cells = nearest(put, direction([-64, -20, -25], [30, 27, 61]))
    check(stations.sst, hours.reshape(24, -1)[:, cells])
    assert [name.decode() for name in stations.station_name.values] == ["Sargasso Sea", "Canaries", "Iceland"]
    assert stations.sst[0].argmax("time_of_day_24").values.tolist() == [18, 15, 15]


@pytest.mark.parametrize("name", ["model", "regular", "profile", "stations", "day"])
def test_files_are_as_the_conventions_say(folder: Path, name: str) -> None:
    require_conventions(folder / f"{name}.nc")


def test_of_depths_by_points_the_checker_has_one_word(folder: Path) -> None:
    with pytest.raises(AssertionError, match=r"section.nc has 1 potential issue\n[^*]*\* temp's .* recommended order"):
        require_conventions(folder / "section.nc")


def test_the_pictures_of_the_page_are_drawn(folder: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-W", "error", EXAMPLE / "draw_atlas.py", folder, tmp_path]
    subprocess.run(words, check=True, timeout=120)
    drawn = {path.name: path for path in tmp_path.iterdir()}
    page = (mpi.SOURCE / "docs" / "fields.md").read_text()
    assert set(drawn) == {path.name for path in PICTURES.glob("fields-*.png")} and len(drawn) == 4
    for name, path in drawn.items():
        assert f"](_static/{name})" in page
        assert 10_000 < path.stat().st_size < 60_000, name
