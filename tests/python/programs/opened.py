"""Reads files by thalweg.open, and compares what it gives bit for bit with what netCDF4 and xarray read."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import netCDF4
import numpy as np
import thalweg
import xarray
from mpi4py import MPI
from numpy.typing import NDArray

HALO = {"lat": 1, "lon": (2, 1)}


def is_same(found: NDArray[Any], wanted: NDArray[Any], what: object) -> None:
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), (what, found.dtype, found.shape, wanted.shape)
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes(), what


def indices(shape: tuple[int, ...], count: int) -> Iterator[Any]:
    """Integers and slices by chance, the same on every rank; those that are written by hand first."""
    yield ...
    yield (Ellipsis, slice(None, None, -1))
    yield (-1, Ellipsis, 0)
    yield slice(0, 0)
    numbers = np.random.default_rng(len(shape))

    def item(extent: int) -> Any:
        kind = numbers.integers(4)
        if kind == 0:
            return int(numbers.integers(-extent, extent))
        if kind == 1:
            return slice(None)
        ends = [None if numbers.random() < 0.3 else int(numbers.integers(-extent - 1, extent + 2)) for _ in range(2)]
        return slice(*ends, int(numbers.choice([-3, -2, -1, 1, 2, 3])))

    for _ in range(count):
        key = tuple(item(extent) for extent in shape[: numbers.integers(1, len(shape) + 1)])
        yield key[0] if len(key) == 1 else key


def compare(file: thalweg.Dataset, wanted: dict[str, NDArray[Any]]) -> None:
    assert list(file) == list(wanted)
    for name, values in wanted.items():
        variable = file[name]
        assert (variable.shape, variable.dtype, variable.size) == (values.shape, values.dtype, values.size), name
        is_same(np.asarray(variable), values, name)
        for key in indices(values.shape, 12) if values.ndim > 1 else [..., ()]:
            found, expected = variable[key], values[key]
            assert np.isscalar(found) == (np.ndim(expected) == 0), (name, key)
            is_same(np.asarray(found), np.asarray(expected), (name, key))


def compare_parts(file: thalweg.Dataset, wanted: dict[str, NDArray[Any]]) -> None:
    """Around the globe in longitude; beyond the poles there is nothing."""
    cells = file.decompose("lat, lon", halo=HALO)
    share = cells.share
    temp = file["temp"].part(cells, periodic="lon")
    around = np.pad(wanted["temp"], [(0, 0), (0, 0), (1, 1), (0, 0)])
    around = np.pad(around, [(0, 0), (0, 0), (0, 0), (2, 1)], mode="wrap")
    places = zip(share.start, share.count, (2, 3), strict=True)
    own = around[:, :, *(slice(first, first + cells + halo) for first, cells, halo in places)]
    assert temp.shape == wanted["temp"].shape
    for key in (..., -1, (slice(None, None, -2), 1), (0, slice(3, 0, -1), slice(None)), (slice(1, 3), -2, Ellipsis)):
        is_same(temp[key], own[key], key)
    is_same(file["depth"].part(cells, periodic="lon")[...], own_depth(wanted["depth"], share), "depth")
    get_points(file, wanted["temp"])
    is_same(np.asarray(file["temp"][1, 2]), wanted["temp"][1, 2], "all again")


def own_depth(depth: NDArray[Any], share: thalweg.Share) -> NDArray[Any]:
    around = np.pad(np.pad(depth, [(1, 1), (0, 0)]), [(0, 0), (2, 1)], mode="wrap")
    (south, west), (rows, columns) = share.start, share.count
    return around[south : south + rows + 2, west : west + columns + 3]


def get_points(file: thalweg.Dataset, temp: NDArray[Any]) -> None:
    """A list of points of both dimensions, of which the arrays have one."""
    comm = file.session.model_comm
    points = np.random.default_rng(5).permutation(temp[0, 0].size)[comm.Get_rank() :: comm.Get_size()]
    listed = file.session.decompose_points("lat,lon", temp.shape[2:], points)
    part = file["temp"].part(listed)
    flat = temp.reshape(*temp.shape[:2], -1)
    for key in (..., (0, 1), (slice(None, None, -1), slice(1, 3))):
        is_same(part[key], flat[..., points][key], key)


def compare_xarray(file: thalweg.Dataset, reference: str) -> None:
    with xarray.open_dataset(reference) as wanted:
        found = file.to_xarray()
        assert set(found.variables) == set(wanted.variables)
        for name in wanted.variables:
            own, other = found[name], wanted[name]
            assert (own.dims, own.dtype) == (other.dims, other.dtype), name
            is_same(own.values, other.values, name)
        some = {"lat": [5, 1, 1], "lon": slice(None, None, -4), "z": 2}
        is_same(found["temp"].isel(some).values, wanted["temp"].isel(some).values, "isel")
        raw = file.to_xarray(decode=False)["packed"]
        assert raw.dtype == np.int16 and raw.attrs["scale_factor"] == 0.25


def main(path: str, comm: MPI.Comm | None, settings: dict[str, Any]) -> None:
    with netCDF4.Dataset("cdf5.nc") as file:
        file.set_auto_maskandscale(False)
        wanted = {name: np.asarray(variable[...]) for name, variable in file.variables.items()}
    with thalweg.open(path, comm, settings=settings) as file:
        assert (file.paths, file.records, file.attributes["title"]) == ((path,), 3, "all around")
        assert file.sizes == {"time": 3, "z": 5, "lat": 19, "lon": 72}
        assert file.times.tolist() == [0.0, 3600.0, 7200.0]
        assert (file["temp"].dims, file["temp"].attributes["units"]) == (("time", "z", "lat", "lon"), "degC")
        compare(file, wanted)
        compare_parts(file, wanted)
        compare_xarray(file, "cdf5.nc")


main(sys.argv[1], MPI.COMM_WORLD if sys.argv[2] == "world" else None, json.loads(sys.argv[3]))
