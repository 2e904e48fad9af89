# ctest: LABELS mpi TIMEOUT 300
"""Files that other libraries and programs make are read to the values that these have, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from support.batch import Batch, Job
from support.foreign import netcdf_files, said, zarr_files
from support.foreign.said import Said
from support.reading import TYPES, Get, Held, along_longest, files_in, folder_named

FOLDER = folder_named("reading-makers")
RANKS = (1, 3)
FILES = {**netcdf_files.FILES, **zarr_files.FILES}
# (file, variable): what is said of one that is left out
LEFT_OUT = {
    ("types.nc", "word"): "netCDF type 12 ('string')",
    ("types.nc", "sea"): "('sea_kind', of the user's own)",
    ("types.nc", "pair"): "('pair_kind', of the user's own)",
    ("types.nc", "ragged"): "('ragged_kind', of the user's own)",
    ("plugins.h5", "lzf"): "HDF5's filter 32000 (lzf), which is not here",
    ("plugins.h5", "lz4"): "HDF5's filter 32004 (lz4), which is not here",
    ("plugins.h5", "bits"): "HDF5's filter 32008 (bitshuffle), which is not here",
    ("compressed_2.zarr", "lz4"): '"numcodecs.lz4"',
    ("compressed_2.zarr", "bz2"): '"numcodecs.bz2"',
    ("compressed_2.zarr", "delta"): '"numcodecs.delta"',
    ("compressed_2.zarr", "times"): 'the type "<M8[s]"',
    ("compressed_2.zarr", "words"): 'the type "<U5"',
    ("compressed_2.zarr", "truths"): 'the type "|b1"',
    ("codecs_3.zarr", "blosclz"): '"cname":"blosclz"',
    ("codecs_3.zarr", "truths"): 'the type "bool"',
}


def reader_of(name: str) -> Callable[[Path], list[Said]]:
    """The library that says what is in the file; none but Thalweg reads a stream, so it is the file it was made of."""
    if name.endswith(".zarr"):
        return said.by_zarr
    if name.startswith("stream"):
        return lambda path: said.by_netcdf(path.with_suffix(".whole"))
    if name == "plugins.h5":
        return lambda path: said.by_netcdf(path, "read")
    return said.by_h5py if name.startswith("h5") else said.by_netcdf


def gets_of(path: Path, of: Said, ranks: int) -> list[Get]:
    """One rank gets all records but the last, which several get, and call groups the other way that netCDF allows."""
    if of.whole.dtype.name not in TYPES or (path.name, of.name) in LEFT_OUT:
        return []
    name = f"/{of.name}" if "/" in of.name and ranks > 1 else of.name
    names = of.dims[1:] if of.records else of.dims
    shape = of.whole.shape[1:] if of.records else of.whole.shape
    held = along_longest(names, shape, ranks)
    if path.suffix == ".h5":  # versions of netCDF-C count dimensions without names differently
        names = tuple(f"d{d}" for d in range(len(names)))
        held = replace(along_longest(names, shape, ranks), names=("records", *names) if of.records else names)
    if not of.records:
        return [Get(path, name, of.whole, names, held)]
    last = len(of.whole) - 1
    records = range(last) if ranks == 1 else [last]
    return [Get(path, name, np.ascontiguousarray(of.whole[r]).reshape(shape), names, held, r) for r in records]


def missing_in_version_2() -> Get:
    """Its fill value is the variable's _FillValue, as xarray has it."""
    path = FOLDER / "with_gaps_2.zarr"
    [of] = [variable for variable in said.by_zarr(path) if variable.name == "minus"]
    return Get(path, of.name, np.where(of.whole == -7, np.int16(99), of.whole), of.dims, missing=99.0)


def job(get: Get, ranks: int) -> Job:
    return Job("reads", ranks, "report: none\nreading: domain\n", tuple(get.words(ranks)))


@dataclass(frozen=True)
class Made:
    batch: Batch
    gets: dict[tuple[str, int], list[Get]]
    refused: dict[tuple[str, str], Get]

    def check(self, get: Get, ranks: int) -> None:
        try:
            get.check(self.batch.made(job(get, ranks)), ranks)
        except AssertionError as error:
            raise AssertionError(f"'{get.variable}', record {get.record}: {error}") from None


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    with files_in(FOLDER):
        gets = {}
        for name, make in FILES.items():
            make(FOLDER / name)
            variables = reader_of(name)(FOLDER / name)
            for ranks in RANKS:
                gets[name, ranks] = [get for of in variables for get in gets_of(FOLDER / name, of, ranks)]
        gets["with_gaps_2.zarr", 1].append(missing_in_version_2())
        refused = {of: Get(FOLDER / of[0], of[1], np.zeros(3), ("x",), Held()) for of in LEFT_OUT}
        jobs = [job(get, ranks) for (_, ranks), all_gets in gets.items() for get in all_gets]
        jobs += [job(get, max(RANKS)) for get in refused.values()]
        yield Made(Batch(tmp_path_factory.mktemp("batch"), jobs), gets, refused)


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("name", FILES)
def test_values_are_those_that_the_maker_has(made: Made, name: str, ranks: int) -> None:
    assert made.gets[name, 1]
    for get in made.gets[name, ranks]:
        made.check(get, ranks)


@pytest.mark.parametrize(("name", "variable"), LEFT_OUT)
def test_what_is_left_out_is_named(made: Made, name: str, variable: str) -> None:
    folder = made.batch.made(job(made.refused[name, variable], max(RANKS)))
    for rank in range(max(RANKS)):
        text = (folder / f"got.error.{rank}").read_text()
        assert f"variable '{variable}' cannot be read" in text
        assert LEFT_OUT[name, variable] in text
