# ctest: SHORT LABELS cli TIMEOUT 120
"""thalweg verify A B: two files, sets or stores compared."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import file_sets as sets
from support import mpi
from support.command import COMMAND, refused, thalweg
from support.small_files import as_store, write_one

FORMATS = ("cdf1", "cdf2", "cdf5", "netcdf4")
SIX = sets.parts_of((1, 9), (7,))


@pytest.mark.parametrize("other", FORMATS)
@pytest.mark.parametrize("format_name", ["cdf1", "netcdf4"])
def test_the_same_values_in_two_formats_are_equal(tmp_path: Path, format_name: str, other: str) -> None:
    whole = sets.make_whole("cdf1")
    sets.write(tmp_path / "a.nc", whole, format_name)
    sets.write(tmp_path / "b.nc", whole, other)
    done = thalweg("verify", tmp_path / "a.nc", tmp_path / "b.nc")
    assert (done.code, done.err) == (0, "")
    values = sum(variable.values.size for variable in whole.variables.values())
    assert f"equal: {values} values of {len(whole.variables)} variables (bit for bit)" in done.out


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_set_is_equal_to_its_whole(tmp_path: Path, format_name: str) -> None:
    whole = sets.make_whole(format_name)
    sets.write(tmp_path / "whole.nc", whole, format_name)
    sets.write_set(tmp_path / "set.nc", whole, format_name, SIX)
    assert thalweg("verify", tmp_path / "set.nc", tmp_path / "whole.nc").code == 0


def test_a_growing_file_of_a_set_counts(tmp_path: Path) -> None:
    whole = sets.make_whole("netcdf4")
    sets.write(tmp_path / "whole.nc", whole, "netcdf4")
    last = sets.write_set(tmp_path / "set.nc", whole, "netcdf4", SIX)[-1]
    last.rename(last.with_name(f"{last.name}.partial"))
    assert thalweg("verify", tmp_path / "set.nc", tmp_path / "whole.nc").code == 0


def test_a_missing_file_of_a_set_shows_as_fill_values(tmp_path: Path) -> None:
    whole = sets.make_whole("cdf5")
    present = [part for number, part in enumerate(SIX) if number != 3]
    sets.write(tmp_path / "whole.nc", sets.without(whole, present), "cdf5")
    sets.write_set(tmp_path / "set.nc", whole, "cdf5", SIX, missing=(3,))
    assert thalweg("verify", tmp_path / "set.nc", tmp_path / "whole.nc").code == 0
    lost = sets.write_set(tmp_path / "lost.nc", whole, "cdf5", SIX)[3]
    lost.unlink()
    done = thalweg("verify", tmp_path / "lost.nc", tmp_path / "whole.nc")
    assert done.code == 0
    assert "NumFilesInSet says 6 files, 5 are there" in done.out


def test_a_store_is_equal_to_the_file_of_the_same_values(tmp_path: Path) -> None:
    whole = sets.make_whole("netcdf4")
    sets.write(tmp_path / "a.nc", whole, "netcdf4")
    as_store(tmp_path / "b.zarr", whole)
    done = thalweg("verify", tmp_path / "a.nc", tmp_path / "b.zarr")
    assert done.code == 0, done.out


@pytest.mark.parametrize("memory", ["1 MiB", "256 MiB"])
@pytest.mark.parametrize("place", [(0, 0, 0), (2, 199, 299), (1, 77, 5)])
def test_one_changed_value_is_found(tmp_path: Path, place: tuple[int, ...], memory: str) -> None:
    values = np.arange(3 * 200 * 300, dtype="f4").reshape(3, 200, 300)
    write_one(tmp_path / "a.nc", values)
    values[place] += 0.25
    write_one(tmp_path / "b.nc", values)
    done = thalweg("verify", "--json", "--memory", memory, tmp_path / "a.nc", tmp_path / "b.nc")
    assert done.code == 1
    found = done.json["variables"]["a"]
    assert (found["compared"], found["different"], found["largest"]) == (values.size, 1, 0.25)
    wanted = float(values[place])
    assert found["first"] == [{"index": list(place), "a": wanted - 0.25, "b": wanted}]


def test_first_differences_are_shown_with_both_values(tmp_path: Path) -> None:
    write_one(tmp_path / "a.nc", np.zeros((2, 5), "i4"))
    write_one(tmp_path / "b.nc", np.array([[0, 0, 7, 0, 0], [0, 0, 0, 8, 9]], "i4"))
    done = thalweg("verify", "--show", 2, tmp_path / "a.nc", tmp_path / "b.nc")
    assert done.code == 1
    assert "variable 'a': 3 of 10 values differ; largest difference 9, relative 1" in done.out
    assert "    [0, 2]: 0 in A, 7 in B\n    [1, 3]: 0 in A, 8 in B\n    and 1 more\n" in done.out


NAN, OTHER_NAN = np.nan, np.frombuffer(struct.pack("<Q", 0x7FF8000000000ABC), "f8")[0]


@pytest.mark.parametrize(
    ("a", "b", "options", "code"),
    [
        (NAN, OTHER_NAN, (), 0),
        (NAN, 1.0, (), 1),
        (0.0, -0.0, (), 1),
        (0.0, -0.0, ("--atol", 1e-30), 0),
        (1.0, np.nextafter(1.0, 2.0), (), 1),
        (1.0, 1.1, ("--rtol", 0.1), 0),
        (1.0, 1.2, ("--rtol", 0.1), 1),
        (100.0, 100.5, ("--atol", 0.5), 0),
        (100.0, 100.5, ("--atol", 0.4), 1),
        (np.inf, np.inf, ("--rtol", 0.1), 0),
        (np.inf, -np.inf, ("--rtol", 0.1), 1),
        (1.0, np.inf, ("--rtol", 0.1), 1),
        (NAN, 1.0, ("--atol", 10), 1),
        (NAN, NAN, ("--atol", 10), 0),
    ],
)
def test_values_are_compared_bit_for_bit_or_within_tolerances(
    tmp_path: Path, a: float, b: float, options: tuple[object, ...], code: int
) -> None:
    write_one(tmp_path / "a.nc", np.array([5.0, a]))
    write_one(tmp_path / "b.nc", np.array([5.0, b]))
    assert thalweg("verify", *options, tmp_path / "a.nc", tmp_path / "b.nc").code == code


def test_large_integers_are_compared_exactly(tmp_path: Path) -> None:
    write_one(tmp_path / "a.nc", np.array([2**63 - 1, 2**62], "i8"))
    write_one(tmp_path / "b.nc", np.array([2**63 - 2, 2**62], "i8"))
    for options, code in (((), 1), (("--atol", 0.5), 1), (("--atol", 1), 0)):
        assert thalweg("verify", *options, tmp_path / "a.nc", tmp_path / "b.nc").code == code


def test_types_differ_unless_there_is_a_tolerance(tmp_path: Path) -> None:
    write_one(tmp_path / "a.nc", np.array([1.5, 2.5], "f4"))
    write_one(tmp_path / "b.nc", np.array([1.5, 2.5], "f8"))
    done = thalweg("verify", tmp_path / "a.nc", tmp_path / "b.nc")
    assert done.code == 1
    assert "variable 'a': type float32 in A, float64 in B" in done.out
    assert thalweg("verify", "--rtol", 1e-6, tmp_path / "a.nc", tmp_path / "b.nc").code == 0


def test_characters_and_strings_are_compared(tmp_path: Path) -> None:
    for name, word in (("a.nc", "one"), ("b.nc", "two"), ("c.nc", "one")):
        with netCDF4.Dataset(tmp_path / name, "w") as file:
            file.createDimension("n", 3)
            file.createVariable("letters", "S1", ("n",))[...] = np.array(list(word), "S1")
            file.createVariable("words", str, ("n",))[...] = np.array([word, "", "θ"], dtype=object)
            file.createVariable("word", str, ())[...] = word
    done = thalweg("verify", tmp_path / "a.nc", tmp_path / "b.nc")
    assert done.code == 1
    assert "variable 'letters': 3 of 3 values differ" in done.out
    assert "    [0]: 'one' in A, 'two' in B" in done.out
    assert "variable 'word': 1 of 1 value differ" in done.out
    assert thalweg("verify", tmp_path / "a.nc", tmp_path / "c.nc").code == 0


def test_packed_values_are_compared_as_they_are_stored(tmp_path: Path) -> None:
    stored = np.array([1, 2, -99], "i2")
    write_one(tmp_path / "a.nc", stored, scale_factor=0.1, missing_value=np.int16(-99))
    write_one(tmp_path / "b.nc", np.array([1, 2, -98], "i2"), scale_factor=0.1, missing_value=np.int16(-99))
    done = thalweg("verify", "--json", tmp_path / "a.nc", tmp_path / "b.nc")
    assert done.json["variables"]["a"]["first"] == [{"index": [2], "a": -99, "b": -98}]


def test_attributes_and_their_types_are_compared(tmp_path: Path) -> None:
    write_one(tmp_path / "a.nc", np.zeros(2), units="m", n=np.int32(1), only="here", history="today")
    write_one(tmp_path / "b.nc", np.zeros(2), units="km", n=np.int64(1), history="yesterday")
    done = thalweg("verify", "--ignore-attributes", "history", tmp_path / "a.nc", tmp_path / "b.nc")
    assert done.code == 1
    assert "variable 'a': attribute 'units': 'm' in A, 'km' in B" in done.out
    assert "variable 'a': attribute 'n': 1 (int32) in A, 1 (int64) in B" in done.out
    assert "variable 'a': attribute 'only': 'here' in A, nothing in B" in done.out
    assert "history" not in done.out
    assert "different: 3 attributes;" in done.out
    assert thalweg("verify", "--ignore-attributes", "all", tmp_path / "a.nc", tmp_path / "b.nc").code == 0


def test_other_numbers_of_records_are_a_difference_and_common_ones_are_compared(tmp_path: Path) -> None:
    for name, records, last in (("a.nc", 3, 5.0), ("b.nc", 2, 5.0), ("c.nc", 2, 6.0)):
        with netCDF4.Dataset(tmp_path / name, "w") as file:
            file.createDimension("time", None)
            file.createVariable("a", "f8", ("time",))[:] = [1.0, last, 9.0][:records]
    done = thalweg("verify", "--json", tmp_path / "a.nc", tmp_path / "b.nc")
    assert done.code == 1
    assert done.json["structure"] == ["dimension 'time': 3 in A, 2 in B"]
    assert (done.json["variables"]["a"]["compared"], done.json["variables"]["a"]["different"]) == (2, 0)
    assert thalweg("verify", "--json", tmp_path / "a.nc", tmp_path / "c.nc").json["variables"]["a"]["different"] == 1


def test_only_named_variables_are_compared(tmp_path: Path) -> None:
    whole = sets.make_whole("cdf5")
    sets.write(tmp_path / "a.nc", whole, "cdf5")
    sets.write(tmp_path / "b.nc", whole.with_value("temp", whole.variables["temp"].values + 1), "cdf5")
    assert thalweg("verify", "--variables", "area, time", tmp_path / "a.nc", tmp_path / "b.nc").code == 0
    assert thalweg("verify", "--variables", "area,temp", tmp_path / "a.nc", tmp_path / "b.nc").code == 1
    text = refused(3, "verify", "--variables", "tmep", tmp_path / "a.nc", tmp_path / "b.nc")
    assert "the variable 'tmep' is not in" in text
    assert "did you mean 'time' or 'temp'?" in text


MEASURE = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, timeout=100)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def test_memory_is_bounded_whatever_the_size_of_the_file(tmp_path: Path) -> None:
    """Files of 480 MB that take next to no place on the disk, because nothing was ever written to their values."""
    for name, shape in (("a.nc", (60, 1000, 1000)), ("small.nc", (1, 10, 10))):
        with netCDF4.Dataset(tmp_path / name, "w", format="NETCDF3_64BIT_DATA") as file:
            file.set_fill_off()
            for dim, size in zip("tyx", shape, strict=True):
                file.createDimension(dim, size)
            file.createVariable("a", "f8", ("t", "y", "x"))
        if shape[0] > 1:
            os.truncate(tmp_path / name, 480_000_000 + 4096)
    peaks = {}
    for name in ("a.nc", "small.nc"):
        words = [COMMAND, "verify", "--memory", "16 MiB", tmp_path / name, tmp_path / name]
        command = [sys.executable, "-c", MEASURE, sys.executable, *words]
        done = subprocess.run(command, env=mpi.OUTSIDE, capture_output=True, text=True, timeout=120, check=True)
        peaks[name] = int(done.stdout.splitlines()[-1])
    assert peaks["a.nc"] < peaks["small.nc"] + (32 << 10)
