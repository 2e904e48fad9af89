# ctest: SHORT TIMEOUT 120
"""Chunks in which noise was kept from the codec: others read them, and they are not larger for it."""

from __future__ import annotations

from pathlib import Path

import h5py
import netCDF4
import numpy as np
import pytest
import tensorstore
import xarray
import zarr
from support import conform, python
from support.noisy_fields import RECORDS, TYPES, configuration, field
from support.readers import tool

NETCDF, STORES = ("deflate.nc", "zstd.nc"), ("blosc.zarr", "shards.zarr")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("noise")
    python.run("noise.py", 2, folder, configuration())
    return folder


def assert_same(name: str, found: np.ndarray) -> None:
    wanted = np.stack([field(name, record) for record in range(RECORDS)])
    assert conform.same_bits(conform.native(found), wanted), name


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("file", NETCDF)
def test_netcdf4_python_reads_them(folder: Path, file: str, name: str) -> None:
    with netCDF4.Dataset(folder / file) as dataset:
        dataset.set_auto_maskandscale(False)
        assert_same(name, np.asarray(dataset[name][...]))
        assert dataset[name].filters()["shuffle"]


@pytest.mark.parametrize("file", NETCDF)
def test_h5py_reads_them(folder: Path, file: str) -> None:
    if file == "zstd.nc":
        pytest.importorskip("hdf5plugin")
    with h5py.File(folder / file) as dataset:
        for name in TYPES:
            assert_same(name, np.asarray(dataset[name][...]))


def test_nccopy_makes_plain_files_of_deflated_ones(folder: Path) -> None:
    tool("nccopy", "-k", "cdf5", folder / "deflate.nc", folder / "plain.nc")
    with netCDF4.Dataset(folder / "plain.nc") as dataset:
        dataset.set_auto_maskandscale(False)
        for name in TYPES:
            assert_same(name, np.asarray(dataset[name][...]))


@pytest.mark.parametrize("store", STORES)
def test_zarr_python_and_zarrs_read_them(folder: Path, store: str) -> None:
    group = zarr.open_group(folder / store, mode="r")
    for name in TYPES:
        assert_same(name, np.asarray(group[name][...]))
    with conform.zarrs_reads():
        group = zarr.open_group(folder / store, mode="r")
        for name in TYPES:
            assert_same(name, np.asarray(group[name][...]))


@pytest.mark.parametrize("store", STORES)
def test_tensorstore_and_xarray_read_them(folder: Path, store: str) -> None:
    with xarray.open_zarr(folder / store, mask_and_scale=False, chunks=None) as dataset:
        for name in TYPES:
            assert_same(name, dataset[name].values)
            place = {"driver": "zarr3", "kvstore": {"driver": "file", "path": str(folder / store / name)}}
            assert_same(name, np.asarray(tensorstore.open(place, open=True, read=True).result().read().result()))


def test_files_are_hardly_larger_than_half_of_the_values(folder: Path) -> None:
    """The upper half of the bits are almost nothing, the lower half remains."""
    bytes_of_values = RECORDS * sum(field(name, 0).nbytes for name in TYPES)
    for name in (*NETCDF, *STORES):
        files = [path for path in (folder / name, *(folder / name).rglob("*")) if path.is_file()]
        assert sum(path.stat().st_size for path in files) < 0.54 * bytes_of_values, name
