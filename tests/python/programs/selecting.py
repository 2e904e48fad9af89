"""Gets parts of variables of each file, in all ways to hold them, and compares each bit for bit with what xarray
selects: FILE FIRST…."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import thalweg
import xarray
from mpi4py import MPI
from numpy.typing import NDArray

Part = Callable[[xarray.DataArray], xarray.DataArray]


def around(first: int, stop: int) -> list[int]:
    return [cell % 360 for cell in range(first, stop)]


# The file's longitudes are 0, 1, … 359, its latitudes descend from 90 to -90, by 2.
PARTS: dict[str, Part] = {
    "lat[10:60:3]": lambda v: v.isel(lat=slice(10, 60, 3)),
    "lon[5:350:7], lat[:45]": lambda v: v.isel(lat=slice(0, 45), lon=slice(5, 350, 7)),
    "z[3]": lambda v: v.isel(z=3),
    "z[1:3]": lambda v: v.isel(z=slice(1, 3)),
    "lat=20:70": lambda v: v.sel(lat=slice(70, 20)),
    "lat=70:20.25:2, z=~16": lambda v: v.sel(lat=slice(70, 20.25)).isel(lat=slice(None, None, 2), z=1),
    "z=30.5, lon=100:200": lambda v: v.sel(z=30.5, lon=slice(100, 200)),
    "z=10:40": lambda v: v.sel(z=slice(10, 40)),
    "lon=-30:40, lat=-10:10, z=~1e9": lambda v: v.isel(lon=around(330, 401), z=4).sel(lat=slice(10, -10)),
    "lon=170:-170": lambda v: v.sel(lon=slice(170, 190)),
    "lon=350:10:3": lambda v: v.isel(lon=around(350, 371)[::3]),
    "lon=-180:179": lambda v: v.isel(lon=around(180, 540)),
    "lat=~-89.6, lon=~0.3": lambda v: v.sel(lat=-89.6, lon=0.3, method="nearest"),
    "lat[::10], lon[::16], z[::2]": lambda v: v[..., ::2, ::10, ::16],
    "row=3:9, lon[7]": lambda v: v.isel(lat=slice(3, 10), lon=7),  # of another name than its dimension
}
HALO = 2


def is_same(found: NDArray[Any], wanted: NDArray[Any], what: object) -> None:
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), (what, found.dtype, found.shape, wanted.shape)
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes(), what


class Selecting:
    def __init__(self, io: thalweg.Session, path: str, wanted: xarray.Dataset) -> None:
        self.io, self.input, self.wanted, self.path = io, io.open_input(path), wanted, path
        self.rank, self.ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()

    def get(self, name: str, text: str, part: Part) -> None:
        record = 1 if name == "temp" else None
        whole = self.wanted[name]
        wanted = part(whole if record is None else whole.isel(time=record))
        self.input.select(name, text)
        assert self.input.variable(name).shape == wanted.shape, (name, text)
        listed = self.input.variables[name]
        assert listed.dims == (() if record is None else ("time",)) + wanted.dims, (name, text)
        if wanted.ndim > 0:
            self.get_points(name, record, wanted, text)
            self.get_rows(name, record, wanted, text)
        self.input.declare(name)
        is_same(self.input.get(name, record=record), wanted.values, (self.path, name, text))

    def get_rows(self, name: str, record: int | None, wanted: xarray.DataArray, text: str) -> None:
        """Blocks of the slowest dimension, with a halo that goes around the fastest."""
        rows, around = str(wanted.dims[0]), str(wanted.dims[-1])
        size = wanted.shape[0]
        first, last = size * self.rank // self.ranks, size * (self.rank + 1) // self.ranks
        inner = [] if rows == around else [around]
        shape = [size, *wanted.shape[-1:]][: 1 + len(inner)]
        start, count = [first, 0][: len(shape)], [last - first, *shape[1:]]
        cells = self.io.decompose(",".join([rows, *inner]), shape, start, count, halo=[HALO] * len(shape))
        dims = ",".join(map(str, (("time",) if record is not None else ()) + wanted.dims))
        self.input.declare(name, cells, dims=dims, periodic=",".join([rows, *inner]))
        found = self.input.get(name, record=record)
        if last == first:
            return
        halo = np.take(wanted.values, np.arange(first - HALO, last + HALO), axis=0, mode="wrap")
        if inner:
            halo = np.take(halo, np.arange(-HALO, shape[1] + HALO), axis=-1, mode="wrap")
        is_same(found, halo, (self.path, name, text, "rows"))

    def get_points(self, name: str, record: int | None, wanted: xarray.DataArray, text: str) -> None:
        """Points of the two fastest dimensions, as an unstructured model has them, in no order of the file's."""
        dims = [str(dim) for dim in wanted.dims]
        joined = dims[-2:]
        sizes = wanted.shape[-2:]
        index = np.random.default_rng(3).permutation(int(np.prod(sizes)))[self.rank :: self.ranks][:50]
        points = self.io.decompose_points(",".join(joined), sizes, index, masked=True)
        self.input.declare(name, points, dims=",".join((["time"] if record is not None else []) + dims))
        found = self.input.get(name, record=record)
        flat = wanted.values.reshape(*wanted.shape[: len(dims) - len(joined)], -1)
        is_same(found, flat[..., index], (self.path, name, text, "points"))


def ask(contents: thalweg.Input, wanted: xarray.Dataset) -> None:
    assert set(contents.variables) == set(wanted.variables)
    for name, variable in contents.variables.items():
        assert (variable.dims, variable.shape) == (wanted[name].dims, wanted[name].shape), name
        assert variable.dtype == wanted[name].dtype, name
        for attribute, value in wanted[name].attrs.items():
            found = variable.attributes[attribute]
            assert type(found) is type(value), (name, attribute, found, value)
            assert found == value if isinstance(value, str) else np.array_equal(found, value), (name, attribute)
            assert isinstance(value, str) or found.dtype == value.dtype, (name, attribute)
    packing = contents.variables["packed"].packing
    assert packing is not None
    assert (packing.scale, packing.offset) == (0.25, 3.0)
    assert contents.variables["temp"].packing is None
    assert contents.attributes["title"] == wanted.attrs["title"]
    assert contents.times.tolist() == [0.0, 3600.0, 7200.0]


def select_again(input: thalweg.Input, io: thalweg.Session, wanted: xarray.Dataset) -> None:
    """A level after the other, held in one way; and another part, which needs another."""
    rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
    first, last = 91 * rank // ranks, 91 * (rank + 1) // ranks
    cells = io.decompose("lat", (91,), (first,), (last - first,))
    input.select("temp", "z[0], lon[3]")
    input.declare("temp", cells, dims="time,lat")
    for level in (0, 4):
        input.select("temp", f"z[{level}], lon[3]")
        is_same(input.get("temp", record=0), wanted["temp"].isel(time=0, z=level, lon=3).values[first:last], level)
    try:
        input.select("temp", "z[0], lon[3], lat[0:5]")
    except thalweg.Error as error:
        assert error.code is thalweg.Code.SHAPE, error
        assert "has 5 cells in the part that is selected, but 91" in str(error), error
    else:
        raise AssertionError("a part that is not as it is declared was selected")
    is_same(input.get("temp", record=0), wanted["temp"].isel(time=0, z=4, lon=3).values[first:last], "as before")
    input.declare("temp")
    input.select("temp", None)
    assert input.variable("temp").shape == wanted["temp"].shape[1:]
    is_same(input.get("packed"), wanted["packed"].values, "packed")
    input.select("packed", "lat[7:9]")
    unpacked = wanted["packed"].values[7:9] * 0.25 + 3.0
    is_same(input.get("packed", dtype=np.float64), unpacked, "unpacked")


def main(io: thalweg.Session, path: str, share: slice, wanted: xarray.Dataset) -> None:
    selecting = Selecting(io, path, wanted)
    ask(selecting.input, wanted)
    for name, (text, part) in itertools.product(("temp", "depth"), list(PARTS.items())[share]):
        if name == "temp" or "z" not in text:
            selecting.get(name, text, part)
    selecting.input.select("temp", None)
    select_again(selecting.input, io, wanted)
    selecting.input.close()


with thalweg.start(MPI.COMM_WORLD, sys.argv[1]) as io:
    if io.is_client:
        with xarray.open_dataset("cdf5.nc", decode_times=False, mask_and_scale=False) as wanted:
            wanted.load()
        for path, first in zip(sys.argv[2::2], sys.argv[3::2], strict=True):
            if io.model_comm.Get_rank() == 0:
                print(path, flush=True)  # the last one that is named is the one of a failure
            main(io, path, slice(int(first), None, 2), wanted)
