# ctest: SHORT LABELS cli TIMEOUT 120
"""thalweg verify A: a file, a set or a store by itself; and input that cannot be read."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import struct
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
import zarr
from support import file_sets as sets
from support.command import bad_inputs, refused, thalweg, without_root
from support.locks import owned
from support.small_files import as_store, write_one

FORMATS = ("cdf1", "cdf2", "cdf5", "netcdf4")
SIX = sets.parts_of((1, 9), (7,))


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_whole_file_is_whole(tmp_path: Path, format_name: str) -> None:
    whole = sets.make_whole(format_name)
    sets.write(tmp_path / "a.nc", whole, format_name)
    done = thalweg("verify", "--json", tmp_path / "a.nc")
    assert (done.code, done.json["whole"]) == (0, True)
    values = {read["variable"]: read["values"] for read in done.json["variables"]}
    assert values == {name: variable.values.size for name, variable in whole.variables.items()}


def test_what_cannot_be_read_of_a_growing_file_is_no_problem_while_its_run_lives(tmp_path: Path) -> None:
    grown = tmp_path / "a.nc.partial"
    with netCDF4.Dataset(grown, "w") as file:
        file.createDimension("x", 64)
        file.createVariable("v", "f8", ("x",), chunksizes=(64,), fletcher32=True)[:] = np.arange(64.0)
    content = grown.read_bytes()
    place = content.index(np.arange(64.0).tobytes())
    grown.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    assert thalweg("verify", grown).code == 1
    with owned(tmp_path / "a.nc"):
        done = thalweg("verify", grown)
    assert done.code == 0, done.out
    assert "or is being written" in done.out


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
    text = refused(3, "verify", tmp_path / "a.nc", tmp_path / "a.nc")
    assert "it was cut short" in text


def test_a_damaged_header_is_one_clear_line_or_a_finding(tmp_path: Path) -> None:
    """Each byte of it changed in turn; some of this ends netCDF-C, and with it the process."""
    whole = write_one(tmp_path / "whole.nc", np.zeros((3, 5), "f4"), "cdf5", units="m")
    data = whole.read_bytes()
    for place in range(4, 180):
        damaged = bytearray(data)
        damaged[place] ^= 0x38
        (tmp_path / "a.nc").write_bytes(damaged)
        done = thalweg("verify", tmp_path / "a.nc")
        assert done.code in (0, 1, 3), done.err
        assert bool(done.err) == (done.code == 3)


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


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"shape": [3]}', '{"shape": 3, "chunk_grid": 1}'])
def test_damaged_metadata_of_a_store_are_a_problem(tmp_path: Path, text: str) -> None:
    path = as_store(tmp_path / "a.zarr", sets.make_whole("netcdf4"))
    with pytest.warns(zarr.errors.ZarrUserWarning):
        zarr.consolidate_metadata(path)
    (path / "temp" / "zarr.json").write_text(text)
    done = thalweg("verify", path)
    assert done.code == 1
    assert "'temp/zarr.json' is missing, damaged" in done.out
    (path / "zarr.json").write_text(text)
    assert str(path) in refused(3, "verify", path)


def test_an_array_that_is_a_record_ahead_of_the_root_is_named(tmp_path: Path) -> None:
    path = as_store(tmp_path / "a.zarr", sets.make_whole("netcdf4"))
    with pytest.warns(zarr.errors.ZarrUserWarning):
        zarr.consolidate_metadata(path)
    zarr.open_array(path / "temp").resize((4, 3, 13, 11))
    text = "'temp' has the shape (4, 3, 13, 11) by itself, (3, 3, 13, 11) by the root"
    complete = thalweg("verify", path)
    assert (complete.code, text in complete.out) == (1, True)
    (path / "thalweg.json").write_text('{"record_dimension": "time"}')
    growing = thalweg("verify", path)
    assert (growing.code, f"{text}: a record is under way" in growing.out) == (0, True)


@pytest.mark.parametrize("change", [{"shape": [3, 3, 13, 7]}, {"shape": [3, 3]}, {"data_type": "int32"}])
def test_an_array_that_is_not_what_the_root_says_is_a_problem(tmp_path: Path, change: dict[str, Any]) -> None:
    path = as_store(tmp_path / "a.zarr", sets.make_whole("netcdf4"))
    with pytest.warns(zarr.errors.ZarrUserWarning):
        zarr.consolidate_metadata(path)
    (path / "thalweg.json").write_text('{"record_dimension": "time"}')
    metadata = json.loads((path / "temp" / "zarr.json").read_text())
    (path / "temp" / "zarr.json").write_text(json.dumps(metadata | change))
    done = thalweg("verify", path)
    assert (done.code, "'temp" in done.out) == (1, True)


@pytest.mark.parametrize("name", ["a.nc.partial", "a.zarr.partial"])
def test_what_a_run_still_writes_is_not_to_be_recovered(tmp_path: Path, name: str) -> None:
    whole, path = sets.make_whole("netcdf4"), tmp_path / name
    if "zarr" in name:
        as_store(path, whole)
        (path / "thalweg.json").write_text('{"record_dimension": "time"}')
    else:
        sets.write(path, whole, "netcdf4")
        path.with_name(f"{name}.journal").write_bytes(b"THWJRNL1" + bytes(50))
    killed = thalweg("verify", path)
    assert (killed.code, "has ended before its time" in killed.out, "thalweg recover" in killed.out) == (0, True, True)
    owner = "host here, process 1, since 2000-01-01T00:00:00Z"
    with path.with_name(f"{name.removesuffix('.partial')}.lock").open("w") as lock:
        lock.write(f"thalweg writes this name: {owner}\n")
        lock.flush()
        fcntl.fcntl(lock, fcntl.F_OFD_SETLK, struct.pack("hh4xqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 1, 0))
        growing = thalweg("verify", path)
    assert (growing.code, f"a run writes it ({owner})" in growing.out, "recover" in growing.out) == (0, True, False)


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
