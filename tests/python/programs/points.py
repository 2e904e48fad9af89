"""Puts fields on lists of points of a grid (tests/support/points.py), several runs in one start:
points.py RUNS.json, a list of runs with these keys:

folder, configuration   where it is made, and by which settings
points      how the points are dealt
first, last the records, from 1
boxes       true: the same points are declared as boxes, one for each run of neighbours
starts_at   the run goes on behind this record
procedure   true: a callable takes the blocks, and leaves them in blocks.<rank>.pickle
refused     true: it is to fail; rank 0 leaves the error in refused.json
dims, memory    a variable more, of these dimensions
shape, dims_of_list     said of the list, in place of what is right
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray
from support.points import FIELDS, LEVELS, STEP_S, holders, listed, of_word, values

WRONG = 99  # of copies, and of places that are not written


class Model:
    def __init__(self, io: thalweg.Session, run: dict[str, Any]) -> None:
        self.io, self.run, self.points = io, run, of_word(run["points"])
        self.rank, self.ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        self.index = listed(self.points, self.rank, self.ranks)
        self.parts = [slice(None)]
        dims, shape = self.points.dims, self.points.shape
        if run.get("boxes"):
            self.parts = list(self.runs())
            boxes = [self.box(part) for part in self.parts]
            self.cells = io.decompose(dims, shape, boxes=boxes, masked=self.points.land)
        else:
            dims, shape = run.get("dims_of_list", dims), run.get("shape", shape)
            self.cells = io.decompose_points(dims, shape, self.index, masked=self.points.land)

    def runs(self) -> Iterator[slice]:
        """Of neighbours in a row, as boxes have to be cut."""
        row = self.points.shape[-1]
        breaks = (np.diff(self.index) != 1) | (self.index[1:] % row == 0)
        edges = [0, *(np.flatnonzero(breaks) + 1).tolist(), len(self.index)]
        for first, last in pairwise(edges):
            if first < last:
                yield slice(first, last)

    def box(self, part: slice) -> tuple[list[int], list[int]]:
        first = np.unravel_index(self.index[part.start], self.points.shape)
        return [int(at) for at in first], [1] * (len(self.points.shape) - 1) + [part.stop - part.start]

    def define(self) -> thalweg.Collection:
        land = self.io.collection("land")
        land.define_dimension("lev", LEVELS)
        for name, field in FIELDS.items():
            memory = field.memory_dims.replace("P", self.points.dims) if field.memory_dims else None
            land.define_variable(name, self.points.dims_of(field), field.dtype, self.cells, memory_dims=memory)
        if "dims" in self.run:
            land.define_variable("more", self.run["dims"], "f4", self.cells, memory_dims=self.run.get("memory"))
        return land

    def pieces(self, name: str, record: int) -> Iterator[tuple[int, NDArray[Any]]]:
        """The list's dimensions are one in memory; for boxes they are taken apart."""
        dims = [dim for dim in FIELDS[name].dims.split(",") if dim != "time"]
        along = dims.index("P")
        array = np.take(values(self.points, name, record), np.maximum(self.index, 0), axis=along)
        unseen = (self.index < 0) | (holders(self.points, self.ranks)[self.index] != self.rank)
        np.moveaxis(array, along, 0)[unseen] = WRONG
        for number, part in enumerate(self.parts):
            piece = np.moveaxis(np.moveaxis(array, along, 0)[part], 0, along)
            if self.run.get("boxes"):
                extents = self.box(part)[1]
                piece = piece.reshape(*piece.shape[:along], *extents, *piece.shape[along + 1 :])
            if FIELDS[name].memory_dims == "lev,P":
                piece = np.moveaxis(piece, -1, 0)
            yield number, piece

    def put(self, land: thalweg.Collection, name: str, record: int) -> None:
        if len(self.index) > 0:
            for number, piece in self.pieces(name, record):
                land.put(name, piece, box=number)

    def write(self) -> None:
        land = self.define()
        if self.run.get("procedure"):
            land.set_procedure(self.keep)
        if "starts_at" in self.run:
            self.io.set_time(self.run["starts_at"] * STEP_S)
        self.io.ready()
        for record in range(self.run["first"], self.run["last"] + 1):
            for name, field in FIELDS.items():
                if "time" in field.dims or record == self.run["first"]:
                    self.put(land, name, record if "time" in field.dims else 0)
            self.io.advance(record * STEP_S)

    def keep(self, block: thalweg.Block) -> None:
        if block.data is None:
            return
        with Path(f"blocks.{MPI.COMM_WORLD.Get_rank()}.pickle").open("ab") as file:
            pickle.dump((block.variable, block.record, block.start, block.count, block.shape, block.data.copy()), file)


def make(run: dict[str, Any]) -> None:
    with thalweg.start(MPI.COMM_WORLD, run["configuration"]) as io:
        if io.is_client:
            Model(io, run).write()


def fail(run: dict[str, Any]) -> None:
    io = thalweg.start(MPI.COMM_WORLD, run["configuration"])
    try:
        Model(io, run).write()
    except thalweg.Error as error:
        if MPI.COMM_WORLD.Get_rank() == 0:
            Path("refused.json").write_text(json.dumps([error.code.name, str(error)]))
    with suppress(thalweg.Error):  # of a collection whose definitions have failed
        io.finish()


def main(runs: list[dict[str, Any]]) -> None:
    for run in runs:
        MPI.COMM_WORLD.Barrier()
        os.chdir(run["folder"])
        (fail if run.get("refused") else make)(run)


main(json.loads(Path(sys.argv[1]).read_text()))
