# ctest: LABELS mpi TIMEOUT 300
"""Attributes that change between files: each file has those of its beginning, and the values are right, whoever writes
and in whatever format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import zarr
from support import cases, conform
from support.batch import Batch, Job
from support.checksums import without_companions

SHAPE = (20, 24)
FIELDS = conform.fields("cdf1", *SHAPE)
FORMATS = {"cdf1": "cdf1", "cdf2": "cdf2", "netcdf4_classic": "netcdf4-classic"} | cases.FORMATS
# What 'writers' says, ranks, ranks of each node.
WRITERS = {
    "sync": ("sync", 3, "none"),
    "thread": ("thread", 3, "none"),
    "two_nodes": ("thread", 4, "[2, 2]"),
    "ranks": ("{ranks: 1}", 3, "none"),
    "nodes": ("nodes", 5, "[3, 2]"),
    "frontends": ("{nodes: {count: 2, backends-per-node: 1}}", 6, "[2, 2, 2]"),
}
# With every file of two records: a longer text, a shorter one, a new text, numbers in place of a text, none before.
CHANGES = {
    "first": ["1:temp:units:kelvin", "1::title:the first of all files and its title is longer than any other"],
    "second": ["3::title:II", "3:salt:comment:new", "3:temp:long_name:#", "3::count:#"],
    "third": ["5:salt:comment:", "5:temp:long_name:temperature: again a text", "5::count:#", "6::title:too late"],
}
TITLES = {"first": "the first of all files and its title is longer than any other", "second": "II", "third": "II"}


WORDS = ("collections=fields", f"shape={SHAPE[0]},{SHAPE[1]}", "records=6", "types=classic")


@dataclass(frozen=True)
class Series:
    """Three files of two records, or one of all, which is made with the definitions, before the changes."""

    format: str
    writers: str
    pattern: str = "pattern: shared"
    files: tuple[str, ...] = tuple(CHANGES)

    def __str__(self) -> str:
        return f"{self.format}-{self.writers}-{self.pattern.replace(' ', '_')}-{len(self.files)}"

    @property
    def job(self) -> Job:
        writers, ranks, nodes = WRITERS[self.writers]
        file = "fields_%H.nc, new-file: 2 h" if len(self.files) > 1 else "fields_00.nc"
        orders = ",".join(f"fields:{change}" for name in self.files for change in CHANGES[name])
        text = (
            f"writers: {writers}\nemulate-nodes: {nodes}\nreport: none\ndeadline: 30 s\ntime-step: 1 h\ncollections:\n"
            f"  fields: {{file: {file}, format: {FORMATS[self.format]}, {self.pattern}}}\n"
        )
        return Job("conform", ranks, text, (*WORDS, f"change={orders}"))


SERIES = [Series(name, writers) for name in FORMATS for writers in WRITERS]
SETS = [Series(name, writers, "pattern: per-domain") for name in ("cdf5", "netcdf4") for writers in ("thread", "nodes")]
BY_LIBRARY = [Series(name, "thread", "pattern: shared, engine: library") for name in ("cdf2", "netcdf4")]
PREPARED = [
    Series(series.format, series.writers, series.pattern, ("first",))
    for series in SERIES + SETS + BY_LIBRARY
    if series.format in ("cdf2", "cdf5", "netcdf4", "zarr")
]


def attributes_of(path: Path, variable: str = "") -> dict[str, object]:
    if path.is_dir():
        group = zarr.open_group(path, mode="r")
        return dict((group[variable] if variable else group).attrs)
    with netCDF4.Dataset(path) as dataset:
        owner = dataset[variable] if variable else dataset
        return {name: owner.getncattr(name) for name in owner.ncattrs()}


def assert_attributes(path: Path, number: str) -> None:
    file, temp, salt = (attributes_of(path, owner) for owner in ("", "temp", "salt"))
    assert file["title"] == TITLES[number]
    assert temp["units"] == "kelvin"
    assert temp.get("_FillValue") is not None
    match number:
        case "first":
            assert temp["long_name"] == "potential temperature θ"
            assert ("count" in file, "comment" in salt) == (False, False)
        case "second":
            np.testing.assert_array_equal(temp["long_name"], [3.0, 1.5])
            np.testing.assert_array_equal(file["count"], [3.0, 1.5])
            assert salt["comment"] == "new"
        case "third":
            assert temp["long_name"] == "temperature: again a text"
            np.testing.assert_array_equal(file["count"], [5.0, 2.5])
            assert salt["comment"] == ""


@pytest.mark.parametrize("series", [*SERIES, *BY_LIBRARY], ids=str)
def test_a_file_has_the_attributes_of_its_beginning(series: Series, batch: Batch) -> None:
    folder = batch.made(series.job)
    for number, hour, steps in (("first", "00", [1, 2]), ("second", "02", [3, 4]), ("third", "04", [5, 6])):
        path = folder / f"fields_{hour}.nc"
        conform.check_file(path, FIELDS, steps)
        assert_attributes(path, number)


@pytest.mark.parametrize("series", SETS, ids=str)
def test_all_files_of_a_set_have_them(series: Series, batch: Batch) -> None:
    folder = batch.made(series.job)
    for number, hour in (("first", "00"), ("second", "02"), ("third", "04")):
        parts = without_companions(folder.glob(f"fields_{hour}.nc.*"))
        assert parts
        for part in parts:
            assert_attributes(part, number)
        if series.format == "netcdf4":
            assert_attributes(folder / f"fields_{hour}.nc", number)


@pytest.mark.parametrize("series", PREPARED, ids=str)
def test_a_file_that_was_made_with_the_definitions_is_made_anew(series: Series, batch: Batch) -> None:
    folder = batch.made(series.job)
    files = [path for path in without_companions(folder.iterdir()) if path.name != "thalweg.yaml"]
    assert files
    for path in files:
        assert path.name.startswith("fields_00.nc")
        assert ".partial" not in path.name
        assert_attributes(path, "first")
    if "per-domain" not in series.pattern:
        conform.check_file(folder / "fields_00.nc", FIELDS, list(range(1, 7)))
