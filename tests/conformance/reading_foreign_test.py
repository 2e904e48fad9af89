# ctest: SHORT LABELS mpi TIMEOUT 300
"""Files of others are read for what can be read of them: also real ones, and such as Thalweg would not write."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support.batch import Batch, Job
from support.reading import Get, Held, blocks, files_in, folder_named

FOLDER = folder_named("reading-foreign")
RANKS = 2
ODD = FOLDER / "odd_50%d.nc"  # which is no name of a series
GRID = np.random.default_rng(5).normal(size=(6, 9))


@pytest.fixture(scope="module")
def odd_file() -> Iterator[Path]:
    with files_in(FOLDER):
        with netCDF4.Dataset(ODD, "w") as dataset:
            inner = dataset.createGroup("inner")  # its dimension has the first number in the file
            inner.createDimension("other", 4)
            dataset.createDimension("t", None)
            dataset.createDimension("station", None)
            dataset.createDimension("y", 6)
            dataset.createDimension("x", 9)
            inner.createVariable("hidden", "f8", ("x",))[:] = 1.0
            dataset.createVariable("names", str, ("x",))[:] = np.array(list("abcdefghi"), object)
            kind = dataset.createEnumType("u1", "kind", {"land": 0, "sea": 1})
            dataset.createVariable("kinds", kind, ("x",))[:] = 1
            grid = dataset.createVariable("grid", "f8", ("y", "x"), chunksizes=(4, 4), fletcher32=True)
            grid[:] = GRID
            grid.setncattr_string("note", ["a text", "of several"])
            dataset.createVariable("late", "f8", ("x", "t"))[:, 0:2] = 3.0
            dataset.createDimension("none", None)
            dataset.createVariable("empty", "f8", ("none", "x"))
            dataset.createDimension("a,b", 3)
            dataset.createVariable("comma", "f8", ("a,b", "x"))[:] = GRID[:3]
            dataset.createVariable("y", "f8", ("x", "y"), chunksizes=(3, 6))[:] = GRID.T  # a dimension's name, and no
            dataset.createVariable("x", "f8", ("t", "x"), zlib=True)[0:2] = GRID[:2]  # coordinate of it
            dataset.createVariable("at_stations", "f8", ("t", "station"))[0:2, 0:4] = GRID[:2, :4]
        yield ODD


def job(get: Get) -> Job:
    return Job("reads", RANKS, "report: none\n", tuple(get.words(RANKS)))


BLOCKS = Held(("y", "x"), tuple(blocks((6, 9), (1, 2))), halo=((1, 1), (1, 1)), periodic=("x",))
GETS = [
    Get(ODD, "grid", GRID, ("y", "x"), BLOCKS),
    Get(ODD, "comma", GRID[:3], ("a,b", "x")),
    Get(ODD, "comma", GRID[:3], ("k", "x"), Held(("x",), tuple(blocks((9,), (2,))), names=("k", "x"))),
    Get(ODD, "empty", np.zeros((0, 9)), ("none", "x")),
    Get(ODD, "late", np.full((9, 2), 3.0), ("x", "t")),
    Get(ODD, "y", np.ascontiguousarray(GRID.T), ("x", "y"), BLOCKS),
    Get(ODD, "x", GRID[1], ("x",), record=1),
    Get(ODD, "inner/hidden", np.ones(9), ("x",)),
    Get(ODD, "at_stations", GRID[1, :4].copy(), ("station",), record=1),
]


@pytest.mark.parametrize("get", GETS, ids=lambda get: f"{get.variable}-{','.join(get.names)}")
def test_what_can_be_read_is(batch: Batch, odd_file: Path, get: Get) -> None:
    get.check(batch.made(job(get)), RANKS)


@pytest.mark.parametrize("variable", ["names", "kinds"])
def test_what_cannot_be_read_is_named(batch: Batch, odd_file: Path, variable: str) -> None:
    folder = batch.made(job(Get(ODD, variable, np.zeros(9), ("x",))))
    for rank in range(RANKS):
        said = (folder / f"got.error.{rank}").read_text()
        assert f"variable '{variable}' cannot be read" in said
        assert "which Thalweg does not read" in said
