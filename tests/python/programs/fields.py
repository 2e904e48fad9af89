"""Puts the fields of tests/support/python_fields.py on any number of ranks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from numpy.typing import NDArray
from support.python_fields import FILL, HALO, LAND, NX, NY, POINTS, RECORDS, Field, fields, whole

Region = tuple[Any, ...]  # what of the decomposed dimensions a box, or a list, is


class Cells:
    """The decompositions, and which parts of arrays this rank puts."""

    def __init__(self, io: thalweg.Session, rank: int, ranks: int) -> None:
        first, last = NY * rank // ranks, NY * (rank + 1) // ranks
        own = np.random.default_rng(1).permutation(POINTS)[rank::ranks]
        self.index = np.insert(own, len(own) // 2, [-1, -2])  # two points that are not written
        rows = range(rank, NY, ranks)
        last_rank = rank == ranks - 1
        everything = (slice(0, NY), slice(0, NX))
        sea = (slice(first, last), slice(0, NX - LAND))
        self.decompositions = {
            "box": io.decompose("y,x", (NY, NX), (first, 0), (last - first, NX), halo=HALO),
            "boxes": io.decompose("y,x", (NY, NX), boxes=[((first, x), (last - first, 5)) for x in (0, 5)]),
            "rows": io.decompose("y,x", (NY, NX), boxes=[((row, 0), (1, NX)) for row in rows]),
            "one": io.decompose("y,x", np.array([NY, NX]), boxes=[((0, 0), (NY, NX))] if last_rank else []),
            "points": io.decompose_indices("cell", POINTS, self.index),
            "first": io.decompose_indices("cell", POINTS, np.arange(POINTS if rank == 0 else 0)[::-1]),
            "sea": io.decompose("y,x", (NY, NX), (first, 0), (last - first, NX - LAND), masked=True),
        }  # fmt: skip
        self.regions: dict[str, list[Region]] = {
            "box": [(slice(first, last), slice(0, NX))],
            "boxes": [(slice(first, last), slice(0, 5)), (slice(first, last), slice(5, NX))],
            "rows": [(slice(row, row + 1), slice(0, NX)) for row in rows],
            "one": [everything] if last_rank else [],
            "points": [(self.index,)],
            "first": [(np.arange(POINTS if rank == 0 else 0)[::-1],)],
            "sea": [sea],
            "": [()],
        }

    def pieces(self, name: str, field: Field, record: int) -> Iterator[tuple[int, NDArray[Any]]]:
        """Each box with its array, in the order of dimensions that the model has."""
        array = whole(name, field, record)
        dims = [dim for dim in field.dims.split(",") if dim not in ("time", "")]
        for box, region in enumerate(self.regions[field.cells]):
            before = () if field.dims != "time,z,y,x" else (slice(None),)
            piece = np.array(array[before + region], order="C")
            if field.memory_dims is not None:
                piece = piece.transpose([dims.index(dim) for dim in field.memory_dims.split(",")])
            yield box, piece


def define(io: thalweg.Session, history: thalweg.Collection, cells: Cells) -> None:
    history.define_dimension("z", 3)
    for name, field in fields().items():
        extra = {"_FillValue": FILL} if field.masked else {}
        decomposition = cells.decompositions.get(field.cells)
        history.define_variable(
            name,
            field.dims,
            field.dtype,
            decomposition,
            memory_dims=field.memory_dims,
            long_name=f"the {name}",
            **extra,
        )
    history.define_attribute(None, "title", "Fields")
    history.define_attribute("z", "number", 7)
    history.define_attribute("z", "large", 2**40)
    history.define_attribute("z", "range", [0.5, 3])
    history.define_attribute("z", "levels", [1, 2, 3])
    history.define_attribute("z", "small", np.uint16(9))
    io.ready()


def main() -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if not io.is_client:
            return
        model = io.model_comm
        cells = Cells(io, model.Get_rank(), model.Get_size())
        history = io.collection("history")
        define(io, history, cells)
        for record in range(RECORDS):
            assert history.is_due
            for name, field in fields().items():
                if record == 0 or field.has_record:
                    for box, piece in cells.pieces(name, field, record):
                        history.put(name, field.arrange(piece), box=box)
            io.advance(3600.0 * (record + 1))


main()
