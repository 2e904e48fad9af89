# ctest: LABELS mpi TIMEOUT 300 ALL 600
"""Sets of files, one a domain, become one file: joined by thalweg-combine, or shown by a virtual master."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import xarray
from numpy.typing import NDArray
from support import file_sets as sets
from support import mpi
from support.combining import combine
from support.readers import RAW, tool
from support.ways import of

CDF = ("cdf1", "cdf2", "cdf5")
ALL_FORMATS = (*CDF, "netcdf4")
CUTS = {
    "one part": ((), ()),
    "rows": ((4, 9), ()),
    "columns": ((), (3,)),
    "four": ((6,), (5,)),
    "six, uneven": ((1, 9), (7,)),
}
SIX = CUTS["six, uneven"]
MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, timeout=60)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def combined(*words: object) -> str:
    done = combine(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def refused(folder: Path, *words: object) -> str:
    """The call fails, and neither makes nor removes a file."""
    before = sorted(folder.iterdir())
    done = combine(*words)
    assert done.returncode not in (0, 124), done.stdout + done.stderr
    assert sorted(folder.iterdir()) == before
    return done.stderr


def dump(path: Path) -> str:
    return tool("ncdump", "-n", "name", "-p", "9,17", path)


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("format_name", ALL_FORMATS)
def test_copy_of_a_set_is_the_whole(tmp_path: Path, format_name: str, cut: str) -> None:
    whole = sets.make_whole(format_name)
    sets.write(tmp_path / "whole.nc", whole, format_name)
    sets.write_set(tmp_path / "a.nc", whole, format_name, sets.parts_of(*CUTS[cut]))
    combined("--copy", tmp_path / "a.nc")
    sets.check(sets.read(tmp_path / "a.nc"), whole)
    assert dump(tmp_path / "a.nc") == dump(tmp_path / "whole.nc")
    assert tool("ncdump", "-k", tmp_path / "a.nc") == tool("ncdump", "-k", tmp_path / "whole.nc")


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("missing", [(0,), (2, 5)], ids=str)
@pytest.mark.parametrize("format_name", ALL_FORMATS)
def test_copy_shows_fill_values_where_no_part_is(tmp_path: Path, format_name: str, missing: tuple[int, ...]) -> None:
    whole, parts = sets.make_whole(format_name), sets.parts_of(*SIX)
    sets.write_set(tmp_path / "a.nc", whole, format_name, parts, missing)
    combined("--copy", tmp_path / "a.nc")
    present = [sections for number, sections in enumerate(parts) if number not in missing]
    sets.check(sets.read(tmp_path / "a.nc"), sets.without(whole, present))


def test_copy_does_not_round_what_says_that_it_is_rounded(tmp_path: Path) -> None:
    """netCDF-C would: it takes the attribute of a file that it opens for an order."""
    whole = sets.make_whole("netcdf4")
    rounded = {
        "u": {"_QuantizeGranularBitRoundNumberOfSignificantDigits": np.int32(3)},
        "record_f4": {"_QuantizeBitRoundNumberOfSignificantBits": np.int32(5)},
    }
    said = {name: replace(whole.variables[name], attributes=words) for name, words in rounded.items()}
    whole = replace(whole, variables={**whole.variables, **said})
    sets.write_set(tmp_path / "a.nc", whole, "netcdf4", sets.parts_of(*SIX))
    combined("--copy", tmp_path / "a.nc")
    sets.check(sets.read(tmp_path / "a.nc"), whole)
    with netCDF4.Dataset(tmp_path / "a.nc") as file:
        for name, words in rounded.items():
            assert {word: file[name].getncattr(word) for word in words} == words


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("records", [0, 1])
@pytest.mark.parametrize("format_name", ALL_FORMATS)
def test_sets_with_few_records_are_joined(tmp_path: Path, format_name: str, records: int) -> None:
    whole = sets.make_whole(format_name, records)
    sets.write_set(tmp_path / "a.nc", whole, format_name, sets.parts_of(*SIX))
    combined("--copy", "-o", tmp_path / "copy.nc", tmp_path / "a.nc")
    sets.check(sets.read(tmp_path / "copy.nc"), whole)


@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4"])
def test_memory_is_bounded(tmp_path: Path, format_name: str) -> None:
    large = sets.Whole(
        {"big": sets.Variable(("y", "x", "fine"), np.random.default_rng(5).random((13, 11, 100_000)))}, {}
    )
    for number, (first, end) in enumerate([(0, 5), (5, 13)]):
        with netCDF4.Dataset(tmp_path / f"a.nc.000{number}", "w", format=sets.FORMATS[format_name]) as file:
            for name, size in (("y", end - first), ("x", 11), ("fine", 100_000)):
                file.createDimension(name, size)
            file.NumFilesInSet = np.int32(2)
            file.domain_decomposition_y = np.array([1, 13, first + 1, end], "i4")
            file.createVariable("big", "f8", ("y", "x", "fine"))[...] = large.variables["big"].values[first:end]
    # A small process of its own between: what is measured includes what the process was before it became the program.
    words = [mpi.ENVIRONMENT, mpi.program("thalweg-combine"), "--copy", "--memory", "1 MiB", tmp_path / "a.nc"]
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, *map(str, words)],
        env=mpi.OUTSIDE,
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[-1]) < 80_000, "KiB, of 114 MB of values"
    sets.check(sets.read(tmp_path / "a.nc"), large)


def test_names_of_parts_name_the_set(tmp_path: Path) -> None:
    whole = sets.make_whole("cdf5")
    files = sets.write_set(tmp_path / "a.nc", whole, "cdf5", sets.parts_of(*SIX))
    (tmp_path / "a.nc.txt").write_text("no part")
    sets.write(tmp_path / "ab.nc.0000", whole, "cdf5")
    combined("-o", tmp_path / "b.nc", *files)
    sets.check(sets.read(tmp_path / "b.nc"), whole)
    assert all(path.exists() for path in files)


def test_parts_are_removed_when_that_is_asked_for(tmp_path: Path) -> None:
    whole = sets.make_whole("cdf2")
    sets.write_set(tmp_path / "a.nc", whole, "cdf2", sets.parts_of(*SIX))
    combined("--remove", tmp_path / "a.nc")
    assert [path.name for path in tmp_path.iterdir()] == ["a.nc"]
    sets.check(sets.read(tmp_path / "a.nc"), whole)


@pytest.mark.parametrize("format_name", ALL_FORMATS)
def test_records_that_not_all_parts_have_are_left_out_and_said(tmp_path: Path, format_name: str) -> None:
    long, parts = sets.make_whole(format_name, records=3), sets.parts_of(*SIX)
    short = sets.Whole(
        {
            name: sets.Variable(v.dims, v.values[:2] if "time" in v.dims else v.values, v.attributes)
            for name, v in long.variables.items()
        },
        long.attributes,
    )
    sets.write_set(tmp_path / "a.nc", long, format_name, parts)
    sets.write(tmp_path / "a.nc.0003", short, format_name, parts[3], len(parts))
    assert "would be lost" in refused(tmp_path, "--copy", "--remove", tmp_path / "a.nc")
    if format_name == "netcdf4":
        assert "would show fill values" in refused(tmp_path, tmp_path / "a.nc")
    assert "last 1 records" in combined("--copy", tmp_path / "a.nc")
    sets.check(sets.read(tmp_path / "a.nc"), short)


def cut_short(folder: Path) -> str:
    path = folder / "a.nc.0002"
    os.truncate(path, path.stat().st_size - 40)
    return "a.nc.0002"


def lose_one(folder: Path) -> str:
    (folder / "a.nc.0004").unlink()
    return "has 6 files, but 5 are here"


def add_one_of_another_grid(folder: Path) -> str:
    shutil.copy(folder / "a.nc.0001", folder / "a.nc.0006")
    return "but 7 are here"


def take_one_twice(folder: Path) -> str:
    shutil.copy(folder / "a.nc.0001", folder / "a.nc.0003")
    return "the same section of every dimension"


def take_one_of_another_run(folder: Path) -> str:
    other = sets.make_whole("cdf5", seed=2)
    sets.write(folder / "a.nc.0003", other, "cdf5", sets.parts_of(*SIX)[3], 6)
    return "not the same values"


def take_one_with_other_attributes(folder: Path) -> str:
    with netCDF4.Dataset(folder / "a.nc.0005", "a") as file:
        file["temp"].units = "K"
    return "differ in attribute 'units' of variable 'temp'"


def take_one_that_overlaps(folder: Path) -> str:
    sections = sets.parts_of(*SIX)[1] | {"x": (6, 11)}
    sets.write(folder / "a.nc.0001", sets.make_whole("cdf5"), "cdf5", sections, 6)
    return "both hold"


def take_one_without_description(folder: Path) -> str:
    sets.write(folder / "a.nc.0001", sets.make_whole("cdf5"), "cdf5")
    return "NumFilesInSet"


def take_something_else(folder: Path) -> str:
    (folder / "a.nc.0001").write_text("not a netCDF file")
    return "neither a netCDF classic"


@pytest.mark.parametrize(
    "spoil",
    [
        cut_short,
        lose_one,
        add_one_of_another_grid,
        take_one_twice,
        take_one_of_another_run,
        take_one_with_other_attributes,
        take_one_that_overlaps,
        take_one_without_description,
        take_something_else,
    ],
)
def test_set_that_is_not_whole_is_refused(tmp_path: Path, spoil: Callable[[Path], str]) -> None:
    sets.write_set(tmp_path / "a.nc", sets.make_whole("cdf5"), "cdf5", sets.parts_of(*SIX))
    expected = spoil(tmp_path)
    assert expected in refused(tmp_path, "--remove", tmp_path / "a.nc")


def test_calls_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    sets.write_set(tmp_path / "a.nc", sets.make_whole("netcdf4"), "netcdf4", sets.parts_of(*SIX))
    assert "NAME.nc is required; thalweg-combine --help says how" in refused(tmp_path)
    assert "not expected: --fast" in refused(tmp_path, "--fast", tmp_path / "a.nc")
    assert "--output: 1 required" in refused(tmp_path, tmp_path / "a.nc", "--output")
    assert "one call joins one set" in refused(tmp_path, tmp_path / "a.nc", tmp_path / "b.nc")
    assert "1 MiB" in refused(tmp_path, "--memory", "1 kB", tmp_path / "a.nc")
    assert "no part of" in refused(tmp_path, tmp_path / "b.nc")
    assert "no values of its own" in refused(tmp_path, "--remove", tmp_path / "a.nc")
    (tmp_path / "a.nc").write_text("mine")
    assert "exists already" in refused(tmp_path, tmp_path / "a.nc")
    assert (tmp_path / "a.nc").read_text() == "mine"


def test_help_lists_the_options() -> None:
    text = combined("--help")
    for option in ("--output", "--copy", "--remove", "--memory"):
        assert option in text


# The virtual master

Master = tuple[Path, sets.Whole]  # and what it shows


def by_netcdf4_python(path: Path, whole: sets.Whole) -> Mapping[str, NDArray]:
    return sets.read(path)


def by_xarray(engine: str) -> Callable[[Path, sets.Whole], Mapping[str, NDArray]]:
    def read(path: Path, whole: sets.Whole) -> Mapping[str, NDArray]:
        with xarray.open_dataset(path, engine=engine, **RAW) as file:
            for name, variable in whole.variables.items():
                assert file[name].dims == variable.dims
            return {str(name): file[name].values for name in file.variables}

    return read


def by_h5py(path: Path, whole: sets.Whole) -> Mapping[str, NDArray]:
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "r") as file:
        for name, variable in whole.variables.items():
            scales = [[scale.name for scale in along.values()] for along in file[name].dims]
            if variable.dims != (name,):
                assert scales == [[f"/{dim}"] for dim in variable.dims], name
        return {name: np.asarray(file[name][()]) for name in whole.variables}


def by_ncdump(path: Path, whole: sets.Whole) -> Mapping[str, NDArray]:
    sets.write(path.with_name("by_ncdump.nc"), whole, "netcdf4")
    assert dump(path) == dump(path.with_name("by_ncdump.nc"))
    return sets.read(path.with_name("by_ncdump.nc"))


def by_ncks(path: Path, whole: sets.Whole) -> Mapping[str, NDArray]:
    # NCO takes the storage of virtual variables, which it does not know, for chunks; this makes them contiguous.
    tool("ncks", "-O", "--cnk_plc=uck", path, path.with_name("by_ncks.nc"))
    return sets.read(path.with_name("by_ncks.nc"))


def by_nccopy(path: Path, whole: sets.Whole) -> Mapping[str, NDArray]:
    tool("nccopy", path, path.with_name("by_nccopy.nc"))
    return sets.read(path.with_name("by_nccopy.nc"))


READERS = {
    "ncdump": by_ncdump,
    "nccopy": by_nccopy,
    "ncks": by_ncks,
    "netCDF4-python": by_netcdf4_python,
    "h5py": by_h5py,
    "xarray netcdf4": by_xarray("netcdf4"),
    "xarray h5netcdf": by_xarray("h5netcdf"),
}
SLOW = "xarray h5netcdf"


def master_of(cut: str, missing: tuple[int, ...] = ()) -> Callable[[Path], Master]:
    def make(folder: Path) -> Master:
        whole, parts = sets.make_whole("netcdf4"), sets.parts_of(*CUTS[cut])
        sets.write_set(folder / "a.nc", whole, "netcdf4", parts, missing)
        assert "virtual master" in combined(folder / "a.nc")
        present = [sections for number, sections in enumerate(parts) if number not in missing]
        return folder / "a.nc", sets.without(whole, present)

    return make


def moved_with_its_parts(folder: Path) -> Master:
    whole, name = sets.make_whole("netcdf4"), "100%b done.nc"
    (folder / "before" / "parts").mkdir(parents=True)
    sets.write_set(folder / "before" / "parts" / name, whole, "netcdf4", sets.parts_of(*SIX))
    combined("-o", folder / "before" / "master.nc", folder / "before" / "parts" / name)
    shutil.move(folder / "before", folder / "after")
    return folder / "after" / "master.nc", whole


def older_than_most_records(folder: Path) -> Master:
    parts = sets.parts_of(*SIX)
    first, later = (sets.make_whole("netcdf4", records=records) for records in (1, 4))
    sets.write_set(folder / "a.nc", first, "netcdf4", parts)
    combined(folder / "a.nc")
    sets.write_set(folder / "a.nc", later, "netcdf4", parts)
    return folder / "a.nc", later


MASTERS = {
    **{f"of {cut}": master_of(cut) for cut in CUTS},
    "without first part": master_of("six, uneven", (0,)),
    "without two parts": master_of("six, uneven", (2, 5)),
    "moved with its parts": moved_with_its_parts,
    "older than most records": older_than_most_records,
}


@pytest.fixture(scope="module")
def masters(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Master]:
    """Makes a virtual master when it is first asked for."""

    @cache
    def make(name: str) -> Master:
        return MASTERS[name](tmp_path_factory.mktemp("master"))

    return make


# It opens every part again for each variable, and takes ten times as long as h5py, on which it stands.
OF_THE_SLOW = of(("of four", "without two parts", "older than most records"), tuple(MASTERS))
READINGS = [(reader, name) for reader in READERS for name in (OF_THE_SLOW if reader == SLOW else MASTERS)]


@pytest.mark.parametrize(("reader", "name"), READINGS)
def test_virtual_master_is_the_whole(masters: Callable[[str], Master], reader: str, name: str) -> None:
    path, whole = masters(name)
    sets.check(READERS[reader](path, whole), whole)


def test_virtual_master_shows_what_the_longest_part_has_or_what_all_have(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path, _ = master_of("four")(tmp_path)
    longer = sets.make_whole("netcdf4", records=5)
    sets.write(path.with_name("a.nc.0002"), longer, "netcdf4", sets.parts_of(*CUTS["four"])[2], 4)
    with h5py.File(path, "r") as file:
        for view, records in ((h5py.h5d.VDS_LAST_AVAILABLE, 5), (h5py.h5d.VDS_FIRST_MISSING, 3)):
            access = h5py.h5p.create(h5py.h5p.DATASET_ACCESS)
            access.set_virtual_view(view)
            assert h5py.h5d.open(file.id, b"temp", access).get_space().shape[0] == records
