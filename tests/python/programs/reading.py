"""Gets variables of input.nc into arrays of all kinds, and compares each bit for bit with what netCDF reads."""

from __future__ import annotations

import sys
from typing import Any

import netCDF4
import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray

MARK = -77  # of places that a get leaves alone


def is_same(found: NDArray[Any], wanted: NDArray[Any]) -> None:
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), (found.dtype, found.shape, wanted.shape)
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes(), f"{found} is not {wanted}"


class Reader:
    """A rank's rows, with a halo of one row at each side and, around the globe, of two columns."""

    def __init__(self, io: thalweg.Session, file: netCDF4.Dataset) -> None:
        self.io, self.input = io, io.open_input("input.nc")
        self.raw = {name: np.asarray(file[name][...]) for name in file.variables}
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        self.ny, self.nx = self.raw["depth"].shape
        self.first, self.last = self.ny * rank // ranks, self.ny * (rank + 1) // ranks
        start, count = (self.first, 0), (self.last - self.first, self.nx)
        self.cells = io.decompose("y,x", (self.ny, self.nx), start, count, halo=(1, 2))

    def own(self, whole: NDArray[Any]) -> NDArray[Any]:
        return whole[..., self.first : self.last, :]

    def with_halo(self, whole: NDArray[Any], beyond: float) -> NDArray[Any]:
        ring = np.take(whole, np.arange(-2, self.nx + 2), axis=-1, mode="wrap")
        shape = (*whole.shape[:-2], self.last - self.first + 2, self.nx + 4)
        array = np.full(shape, beyond, whole.dtype)
        low, high = max(self.first - 1, 0), min(self.last + 1, self.ny)
        array[..., low - self.first + 1 : high - self.first + 1, :] = ring[..., low:high, :]
        return array

    def ask(self) -> None:
        assert self.input.records == 3
        assert self.input.variable("temp") == (np.dtype("f4"), True, (2, self.ny, self.nx))
        assert self.input.variable("depth") == (np.dtype("i2"), False, (self.ny, self.nx))
        assert self.input.variable("name").dtype == np.dtype("S1")
        assert self.input.record_at(7200.0) == 1
        assert repr(self.input) == "<thalweg.Input 'input.nc'>"

    def get_whole(self) -> None:
        for record in range(3):
            is_same(self.input.get("temp", record=record), self.raw["temp"][record])
        is_same(self.input.get("name"), self.raw["name"])
        is_same(self.input.get("number"), self.raw["number"])

    def get_with_halo(self) -> None:
        self.input.declare("temp", self.cells, dims="time, z, y, x", periodic="x")
        is_same(self.input.get("temp", record=2), self.with_halo(self.raw["temp"][2], 0))
        marked = np.full((2, self.last - self.first + 2, self.nx + 4), MARK, "f8")
        assert self.input.get("temp", marked, np.int64(1)) is marked
        is_same(marked, self.with_halo(self.raw["temp"][1].astype("f8"), MARK))

    def get_into_sections(self) -> None:
        wanted = self.own(self.raw["temp"][0])
        larger = np.full((5, wanted.shape[2] + 3, wanted.shape[1] + 2), MARK, "f4")
        section = larger[3::-2, 1 : wanted.shape[2] + 1, 1:-1].transpose(0, 2, 1)
        self.input.get("temp", section, 0)
        is_same(section, wanted)
        assert np.count_nonzero(larger == MARK) == larger.size - wanted.size
        structure = np.zeros(wanted.shape, [("id", "i4"), ("temp", "f4")])
        self.input.get("temp", structure["temp"], 0)
        is_same(structure["temp"], wanted)
        assert not structure["id"].any()

    def get_in_another_order(self) -> None:
        self.input.declare("temp", self.cells, dims="time,z,y,x", memory_dims="x,z,y")
        new = self.input.get("temp", record=0)
        assert new.shape == (self.nx + 4, 2, self.last - self.first + 2)
        is_same(new[2:-2, :, 1:-1], self.own(self.raw["temp"][0]).transpose(2, 0, 1))

    def get_points(self) -> None:
        index = np.flatnonzero(self.raw["depth"] > 0)[self.io.model_comm.Get_rank() :: self.io.model_comm.Get_size()]
        points = self.io.decompose_points("y,x", (self.ny, self.nx), index, masked=True)
        self.input.declare("temp", points, dims="time,z,y,x")
        is_same(self.input.get("temp", record=1), self.raw["temp"][1].reshape(2, -1)[:, index])
        self.input.declare("temp", points, dims="time,z,y,x", memory_dims="y,x,z")
        is_same(self.input.get("temp", record=1), self.raw["temp"][1].reshape(2, -1)[:, index].T)

    def get_on_one_rank(self) -> None:
        holds = self.io.model_comm.Get_rank() == 0
        boxes = [((0, 0), (1, self.nx))] if holds else []
        row = self.io.decompose("y,x", (self.ny, self.nx), boxes=boxes, halo=(1, 1), masked=True)
        self.input.declare("depth", row, dims="y,x")
        new = self.input.get("depth")
        assert new.shape == ((3, self.nx + 2) if holds else (0, 0))
        if holds:
            is_same(new[1, 1:-1], self.raw["depth"][0])

    def get_packed(self) -> None:
        is_same(self.input.get("packed"), self.raw["packed"])
        is_same(self.input.get("packed", dtype=np.float64), self.raw["packed"] * 0.5 + 3.0)
        self.input.set_missing("packed", np.nan)
        wanted = np.where(self.raw["packed"] == MARK, np.nan, self.raw["packed"] * 0.5 + 3.0)
        is_same(self.input.get("packed", dtype=np.float64), wanted)

    def close(self) -> None:
        with self.io.open_input("input.nc") as other:
            assert other.records == 3
        try:
            _ = other.records
        except thalweg.Error:
            self.input.close()
            self.input.close()
            return
        raise AssertionError("an input that is closed told its records")


def main(io: thalweg.Session) -> None:
    with netCDF4.Dataset("input.nc") as file:
        file.set_auto_maskandscale(False)
        reader = Reader(io, file)
    reader.ask()
    reader.get_whole()
    reader.get_with_halo()
    reader.get_into_sections()
    reader.get_in_another_order()
    reader.get_points()
    reader.get_on_one_rank()
    reader.get_packed()
    reader.close()


with thalweg.start(MPI.COMM_WORLD, sys.argv[1] if len(sys.argv) > 1 else "thalweg.yaml") as io:
    if io.is_client:
        main(io)
