# ctest: LABELS mpi TIMEOUT 300
"""What ranks get that read: every value, whatever wrote the file, who reads and how the model holds the field."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support.batch import Batch, Job
from support.command import thalweg
from support.reading import Get, Held, blocks, files_in, folder_named
from support.storage_calls import calls_of, watched
from support.ways import ways

Z, Y, X, RECORDS = 3, 12, 19, 3
RANKS = 4

FIELDS = {
    "temp": (("time", "z", "y", "x"), "f8"),
    "salt": (("time", "z", "y", "x"), "f4"),
    "ssh": (("time", "y", "x"), "f4"),
    "mask": (("y", "x"), "i4"),
    "level": (("z",), "i2"),
    "total": (("time",), "f8"),
    "constant": ((), "f8"),
    "kind": (("y", "x"), "i1"),
}
SIZES = {"z": Z, "y": Y, "x": X}


@cache
def values(name: str) -> np.ndarray[Any, Any]:
    dims, code = FIELDS[name]
    shape = tuple(RECORDS if dim == "time" else SIZES[dim] for dim in dims)
    rng = np.random.default_rng(len(name) * 7 + ord(name[0]))
    if code[0] == "f":
        return rng.normal(size=shape).astype(code)
    return rng.integers(-100, 100, size=shape).astype(code)


def write(path: Path, form: str, **options: Any) -> None:
    with netCDF4.Dataset(path, "w", format=form) as dataset:
        dataset.createDimension("time", None)
        for dim, size in SIZES.items():
            dataset.createDimension(dim, size)
        for name, (dims, code) in FIELDS.items():
            more = options if len(dims) > 2 else {}
            dataset.createVariable(name, code, dims, fill_value=False, **more)[...] = values(name)


BY_OTHERS = {
    "cdf1.nc": lambda path: write(path, "NETCDF3_CLASSIC"),
    "cdf2.nc": lambda path: write(path, "NETCDF3_64BIT_OFFSET"),
    "cdf5.nc": lambda path: write(path, "NETCDF3_64BIT_DATA"),
    "classic4.nc": lambda path: write(path, "NETCDF4_CLASSIC"),
    "netcdf4.nc": lambda path: write(path, "NETCDF4", zlib=True, shuffle=True),
}
# And by Thalweg, from one of these.
CONVERTED = {
    "zstd.nc": ("--format", "netcdf4", "--compression", "zstd"),
    "store.zarr": ("--format", "zarr", "--compression", "zstd", "--set", "collections.replay.chunks={y: 5, x: 7}"),
    "set.nc": ("--format", "cdf5", "--pattern", "per-domain", "--layout", "2,2", "-n", "4"),
    "master.nc": ("--format", "netcdf4", "--pattern", "per-domain", "--layout", "1,3", "-n", "3"),
}
FILES = [*BY_OTHERS, *CONVERTED]
FOLDER = folder_named("reading")


@pytest.fixture(scope="module")
def files() -> Iterator[Path]:
    with files_in(FOLDER):
        for name, make in BY_OTHERS.items():
            make(FOLDER / name)
        for name, options in CONVERTED.items():
            done = thalweg("convert", FOLDER / "cdf5.nc", FOLDER / name, *options)
            assert done.code == 0, done
        yield FOLDER


def all_blocks(*cut: int) -> tuple[Any, ...]:
    return tuple(blocks((Y, X), cut))


LAND = tuple(tuple(int(p) for p in np.random.default_rng(3).permutation(Y * X)[r::9][:20]) for r in range(RANKS))
HELD = {
    "whole": Held(),
    "blocks": Held(("y", "x"), all_blocks(2, 2)),
    "halo": Held(("y", "x"), all_blocks(2, 2), halo=((1, 2), (2, 1))),
    "periodic": Held(("y", "x"), all_blocks(2, 2), halo=((1, 3), (2, 3)), periodic=("x",)),
    "wide": Held(("y", "x"), all_blocks(1, 4), halo=((2, 23), (2, 41)), periodic=("x", "y")),
    "vectors-beyond-the-fold": Held(
        ("y", "x"), all_blocks(2, 2), halo=((1, 3), (3, 3)), periodic=("x", "y=fold T U -1")
    ),
    "beyond-the-fold": Held(("y", "x"), all_blocks(1, 4), halo=((0, 1), (2, 1)), periodic=("y=fold F V", "x")),
    "no-halo-in-arrays": Held(("y", "x"), all_blocks(4, 1), halo=((1, 1), (1, 1)), periodic=("x",), has_halo=False),
    "some-hold-nothing": Held(("y", "x"), (((3, 2), (4, 9)), None, ((0, 0), (12, 1)), None)),
    "holes": Held(("x",), (((0,), (4,)), ((5,), (6,)), None, ((18,), (1,)))),
    "reversed": Held(("y", "x"), all_blocks(2, 2), halo=((1, 1), (1, 1)), reversed=True),
    "points": Held(("y", "x"), points=LAND),
    "columns": Held(("x",), points=((0, 5, 18), (), (-1, 3, -1, 2), tuple(range(19)))),
}
OTHER_ORDER = {"temp": ("x", "y", "z"), "salt": ("x", "y", "z"), "ssh": ("x", "y"), "mask": ("x", "y")}


@dataclass(frozen=True)
class Case:
    file: str
    variable: str
    held: str
    reading: str
    memory: bool = False
    nodes: int = 1

    @property
    def get(self) -> Get:
        dims, _ = FIELDS[self.variable]
        record = RECORDS - 1 if "time" in dims else None
        whole = values(self.variable)
        held = HELD[self.held]
        if self.memory:
            held = replace(held, memory=OTHER_ORDER[self.variable])
        return Get(FOLDER / self.file, self.variable, whole if record is None else whole[record],
                   tuple(dim for dim in dims if dim != "time"), held, record)  # fmt: skip

    @property
    def job(self) -> Job:
        settings = f"reading: {self.reading}\nreport: none\nowner: lowest-rank\nemulate-nodes: {self.nodes}\n"
        return Job("reads", RANKS, settings, tuple(self.get.words(RANKS)))


@dataclass(frozen=True)
class Traced:
    """A get, and the ranks that open the file for it."""

    reading: str
    nodes: int
    openers: set[int]
    file: str = "cdf5.nc"

    @property
    def job(self) -> Job:
        job = Case(self.file, "temp", "halo", self.reading, nodes=self.nodes).job
        return replace(job, environment=tuple(watched(str(FOLDER / self.file)).items()))


OPENINGS = [
    Traced("serial", 2, {0}),
    Traced("auto", 2, {0}),
    Traced("domain", 1, {0}),
    Traced("domain", 2, {0, 2}),
    Traced("independent", 1, {0, 1, 2, 3}),
    Traced("domain", 2, {0}, "netcdf4.nc"),  # a field is a chunk
]


@pytest.mark.parametrize("traced", OPENINGS, ids=str)
def test_a_file_is_opened_by_those_that_read_it(batch: Batch, files: Path, traced: Traced) -> None:
    calls = calls_of(batch.made(traced.job))
    assert {call.rank for call in calls} == traced.openers
    assert {call.kind for call in calls} == {"open"}
    if traced.file == "cdf5.nc":  # HDF5 looks at a file before it opens it
        assert len(calls) == 2 * len(traced.openers)  # to see which format it has, and to read


def cases() -> list[Case]:
    """Every two of file, reader, variable and way to hold a field meet."""
    made = []
    variables = ["temp", "ssh", "salt", "mask"]
    for number, way in enumerate(ways(FILES, ["serial", "domain", "independent"], list(HELD), variables)):
        file, reading, held, variable = way
        memory = held not in ("points", "whole", "columns") and number % 3 == 0
        made.append(Case(file, variable, held, reading, memory, nodes=2 if reading == "domain" else 1))
    for file, variable in itertools.product(FILES, ["level", "total", "constant", "kind"]):
        made.append(Case(file, variable, "whole", "auto"))
    return made


@pytest.mark.parametrize("case", cases(), ids=str)
def test_gets_every_value(batch: Batch, files: Path, case: Case) -> None:
    case.get.check(batch.made(case.job), RANKS)
