# ctest: LABELS cli TIMEOUT 120
"""thalweg verify: a file by itself, and two compared."""

from __future__ import annotations

import os
import shutil
import struct
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import zarr
from numpy.typing import NDArray
from support import file_sets as sets
from support.command import bad_inputs, refused, thalweg, without_root

FORMATS = ("cdf1", "cdf2", "cdf5", "netcdf4")
SIX = sets.parts_of((1, 9), (7,))


def write_one(path: Path, values: NDArray, format_name: str = "netcdf4", **attributes: object) -> Path:
    """A variable `a` of these values."""
    with netCDF4.Dataset(path, "w", format=sets.FORMATS[format_name]) as file:
        dims = [f"d{number}" for number in range(values.ndim)]
        for name, size in zip(dims, values.shape, strict=True):
            file.createDimension(name, size)
        made = file.createVariable("a", values.dtype, dims)
        made.set_auto_maskandscale(False)
        made.setncatts(attributes)
        made[...] = values
    return path


def as_store(path: Path, whole: sets.Whole, **codecs: object) -> Path:
    """The same as a Zarr store, as xarray writes it."""
    root = zarr.create_group(path, attributes=dict(plain(whole.attributes)))
    for name, variable in whole.variables.items():
        array = root.create_array(
            name,
            data=np.asarray(variable.values),
            dimension_names=variable.dims,
            attributes=dict(plain(variable.attributes)),
            **codecs,
        )
        assert array.shape == variable.values.shape
    return path


def plain(attributes: object) -> dict[str, object]:
    return {name: value if isinstance(value, str) else np.asarray(value).tolist() for name, value in attributes.items()}


# ---- two


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


# ---- one


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_whole_file_is_whole(tmp_path: Path, format_name: str) -> None:
    whole = sets.make_whole(format_name)
    sets.write(tmp_path / "a.nc", whole, format_name)
    done = thalweg("verify", "--json", tmp_path / "a.nc")
    assert (done.code, done.json["whole"]) == (0, True)
    values = {read["variable"]: read["values"] for read in done.json["variables"]}
    assert values == {name: variable.values.size for name, variable in whole.variables.items()}


@pytest.mark.parametrize("format_name", ["cdf1", "cdf2", "cdf5"])
@pytest.mark.parametrize("missing", [1, 200, 3000])
def test_a_classic_file_that_was_cut_short_is_found(tmp_path: Path, format_name: str, missing: int) -> None:
    """The library reads it without a word."""
    values = np.arange(10 * 50, dtype="f8").reshape(10, 50)
    with netCDF4.Dataset(tmp_path / "a.nc", "w", format=sets.FORMATS[format_name]) as file:
        file.createDimension("time", None)
        file.createDimension("x", 50)
        file.createVariable("a", "f8", ("time", "x"))[...] = values
    assert thalweg("verify", tmp_path / "a.nc").code == 0
    os.truncate(tmp_path / "a.nc", (tmp_path / "a.nc").stat().st_size - missing)
    done = thalweg("verify", tmp_path / "a.nc")
    assert done.code == 1
    assert f"holds {10 - -(-missing // 400)} of 10 records" in done.out


@pytest.mark.parametrize("protection", ["fletcher32", "zlib"])
def test_a_changed_byte_of_a_chunk_is_found(tmp_path: Path, protection: str) -> None:
    values = np.random.default_rng(1).standard_normal((4, 1000))
    path = tmp_path / "a.nc"
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("t", 4)
        file.createDimension("x", 1000)
        file.createVariable("bare", "f8", ("t", "x"), chunksizes=(1, 1000))[...] = values
        file.createVariable("a", "f8", ("t", "x"), chunksizes=(1, 1000), **{protection: True})[...] = values
    done = thalweg("verify", path)
    assert done.code == 0
    assert "right for 1 variable" in done.out
    assert "none for 1 variable (bare)" in done.out
    data = bytearray(path.read_bytes())
    data[-2000] ^= 16  # in the last chunk
    path.write_bytes(data)
    done = thalweg("verify", "--memory", "1 MiB", path)
    assert done.code == 1
    assert "variable 'a', " in done.out
    assert "values cannot be read" in done.out


def test_a_changed_byte_of_an_object_is_found(tmp_path: Path) -> None:
    whole = sets.make_whole("netcdf4")
    path = as_store(tmp_path / "a.zarr", whole, compressors=zarr.codecs.Crc32cCodec(), chunks="auto")
    assert thalweg("verify", path).code == 0
    victim = next(p for p in (path / "temp" / "c").rglob("*") if p.is_file())
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)
    done = thalweg("verify", path)
    assert done.code == 1
    assert "variable 'temp'" in done.out


def test_missing_objects_of_a_store_are_named(tmp_path: Path) -> None:
    path = as_store(tmp_path / "a.zarr", sets.make_whole("netcdf4"))
    next(p for p in (path / "temp" / "c").rglob("*") if p.is_file()).unlink()
    done = thalweg("verify", path)
    assert "'temp' has 0 of 1 objects" in done.out


def test_what_a_killed_run_left_is_named(tmp_path: Path) -> None:
    sets.write(tmp_path / "a.nc", sets.make_whole("netcdf4"), "netcdf4")
    shutil.copy(tmp_path / "a.nc", tmp_path / "a.nc.partial")
    (tmp_path / "a.nc.partial.journal").write_bytes(b"THWJRNL1" + bytes(50))
    done = thalweg("verify", tmp_path / "a.nc")
    assert done.code == 0
    assert "'a.nc.partial' lies beside it" in done.out
    done = thalweg("verify", tmp_path / "a.nc.partial")
    assert "'a.nc.partial.journal' is not whole" in done.out
    assert f"thalweg recover {tmp_path / 'a.nc.partial'}" in done.out


# ---- bad input


@pytest.mark.parametrize("second", [False, True])
@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("text.nc", "is of no known format: it starts with b'history:'"),
        ("empty.nc", "is empty (0 bytes)"),
        ("zeros.nc", "starts with zero bytes"),
        ("missing.nc", "does not exist"),
        ("folder", "is a folder without 'zarr.json'"),
        ("cut.nc", "cannot be opened"),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path: Path, name: str, part: str, second: bool) -> None:
    places = bad_inputs(tmp_path)
    good = write_one(tmp_path / "good.nc", np.zeros(3))
    words = (good, places[name]) if second else (places[name],)
    assert f"thalweg: '{places[name]}' {part}" in refused(3, "verify", *words)


def test_a_netcdf4_file_that_was_cut_short_is_one_clear_line(tmp_path: Path) -> None:
    path = write_one(tmp_path / "a.nc", np.zeros(100_000))
    os.truncate(path, 100_000)
    assert "it is damaged, was cut short, or is being written" in refused(3, "verify", path)


def test_a_cut_header_is_one_clear_line(tmp_path: Path) -> None:
    path = write_one(tmp_path / "a.nc", np.zeros(10), "cdf5", units="degrees")
    os.truncate(path, 60)
    assert str(path) in refused(3, "verify", path)


def test_a_file_without_permission_is_one_clear_line(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("closed")
    path = write_one(folder / "a.nc", np.zeros(3))
    path.chmod(0)
    for parent in [folder, *folder.parents][:3]:
        parent.chmod(0o755)
    with without_root():
        assert "Permission denied" in refused(3, "verify", path)


def test_groups_are_refused(tmp_path: Path) -> None:
    with netCDF4.Dataset(tmp_path / "a.nc", "w") as file:
        file.createGroup("inner")
    assert "has groups ('inner')" in refused(3, "verify", tmp_path / "a.nc")


def test_types_of_the_user_are_refused(tmp_path: Path) -> None:
    with netCDF4.Dataset(tmp_path / "a.nc", "w") as file:
        file.createDimension("x", 2)
        kind = file.createCompoundType(np.dtype([("re", "f4"), ("im", "f4")]), "complex")
        file.createVariable("a", kind, ("x",))
    assert "variable 'a': types of the user's own are not read" in refused(3, "verify", tmp_path / "a.nc")


def test_files_that_are_not_of_one_set_are_refused(tmp_path: Path) -> None:
    sets.write_set(tmp_path / "a.nc", sets.make_whole("cdf5"), "cdf5", SIX)
    write_one(tmp_path / "a.nc.0002", np.zeros(3), "cdf5")
    assert "are not of one set: their variables differ" in refused(3, "verify", tmp_path / "a.nc")


@pytest.mark.parametrize(
    "words", [("verify",), ("verify", "--rtol", "x", "a", "b"), ("verify", "--rtol", "-1", "a", "b"), ("verfiy", "a"),
              ("verify", "--rtol", "1", "a"), ("verify", "--memory", "2 parsecs", "a")]
)  # fmt: skip
def test_a_wrong_call_is_told_as_such(words: tuple[str, ...]) -> None:
    done = thalweg(*words)
    assert (done.code, done.out) == (2, "")
    assert done.err
