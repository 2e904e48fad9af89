# ctest: SHORT LABELS mpi TIMEOUT 180
"""Variables without records that were not put when a job was killed: a reader of what is recovered sees the fill value
in their place, and no zero that the storage had there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
import xarray
from support import mpi, python

FILL = {"orog": 9.969209968386869e36, "mask": -32767}
WAYS = {
    "cdf5": {"format": "cdf5"},
    "cdf2_shared": {"format": "cdf2", "pattern": "shared"},
    "netcdf4": {"format": "netcdf4"},
    "netcdf4_chunks": {"format": "netcdf4", "chunks": {"y": 16, "x": 16}},
    "netcdf4_zstd": {"format": "netcdf4", "compression": "zstd"},
    "netcdf4_mask_plain": {"format": "netcdf4", "compression": "zstd", "variables": {"mask": {"compression": "none"}}},
    "netcdf4_mask_chunks": {
        "format": "netcdf4",
        "compression": "zstd",
        "variables": {"mask": {"compression": "none", "chunks": {"y": 16}}},
    },
    "cdf5_library": {"format": "cdf5", "engine": "library"},
    "zarr": {"format": "zarr"},
    "cdf5_set": {"format": "cdf5", "pattern": "per-rank"},
    "netcdf4_set": {"format": "netcdf4", "pattern": "per-rank"},
}


NODES = {"never": "none", "some": "2"}


def name_of(way: str) -> str:
    return f"{way}.zarr" if way == "zarr" else f"{way}.nc"


@pytest.fixture(scope="module", params=NODES)
def killed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """When the variable was put, and what a job of all collections has left."""
    folder = tmp_path_factory.mktemp(request.param)
    collections = {way: {"file": name_of(way)} | settings for way, settings in WAYS.items()}
    settings = {"report": "none", "emulate-nodes": NODES[request.param], "collections": collections}
    done = python.start("late_fixed.py", 2, folder, settings, request.param, *WAYS)
    assert len(list(folder.glob("confirmed.*"))) == 2, done.stdout + done.stderr
    return request.param, folder


def recovered(folder: Path, way: str) -> xarray.Dataset:
    name = name_of(way)
    left = sorted(folder.glob(f"{name}*.partial"))
    assert left
    for partial in left:
        command = [str(mpi.program("thalweg-recover")), str(partial)]
        recovery = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=30, check=False)
        assert "2 records" in recovery.stdout, recovery.stdout + recovery.stderr
    return xarray.open_dataset(folder / name, engine="thalweg", mask_and_scale=False, decode_times=False).load()


@pytest.mark.parametrize("way", WAYS)
def test_what_was_not_put_is_filled(killed: tuple[str, Path], way: str) -> None:
    when, folder = killed
    found = recovered(folder, way)
    assert found["temp"].shape == (2, 80, 50)
    assert [set(np.unique(found["temp"][record])) for record in (0, 1)] == [{1.0}, {2.0}]
    for name, fill in FILL.items():
        values = np.asarray(found[name])
        own, others = values[:40], values[40:]
        allowed = {fill, 5.0} if name == "orog" and when == "some" else {fill}
        assert set(np.unique(own)) <= allowed, f"{name}: {np.unique(own)}"
        assert set(np.unique(others)) == {fill}, f"{name}: {np.unique(others)}"
