# ctest: SHORT TIMEOUT 120
"""xarray's engine "thalweg" shows what a killed job has committed, and changes nothing of it."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import xarray
from support import file_sets, python
from support.python_dataset import check, whole
from thalweg import recover
from thalweg.xarray_backend import ThalwegBackend
from thalweg.xarray_backend.journaled import read_journal

COLLECTIONS: dict[str, dict[str, Any]] = {
    "cdf5": {"format": "cdf5", "file": "cdf5.nc"},
    "netcdf4": {"format": "netcdf4", "file": "netcdf4.nc"},
    "zarr": {"format": "zarr", "file": "store.zarr"},
    "set": {"format": "netcdf4", "file": "set.nc", "pattern": "per-domain", "layout": [2, 2]},
    "cdf_set": {"format": "cdf5", "file": "cdf_set.nc", "pattern": "per-domain", "layout": [1, 2]},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed")
    done = python.start("killed.py", 2, folder, {"collections": COLLECTIONS}, *COLLECTIONS)
    assert done.returncode != 0
    assert not list(folder.glob("*.nc.0000"))
    return folder


def bytes_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("name", COLLECTIONS)
def test_committed_records_are_there_and_nothing_changes(folder: Path, name: str) -> None:
    before = bytes_of(folder)
    path = folder / (COLLECTIONS[name]["file"] + ".partial")
    with xarray.open_dataset(path, engine="thalweg") as found:
        check(found, whole(name).isel(time=slice(2)))
    assert bytes_of(folder) == before
    assert not [entry for entry in Path("/proc/self/fd").iterdir() if str(folder) in os.path.realpath(entry)]


def test_a_set_without_any_complete_file_needs_no_suffix(folder: Path) -> None:
    with xarray.open_dataset(folder / "cdf_set.nc", engine="thalweg") as found:
        check(found, whole("set").isel(time=slice(2)))


def test_a_set_that_grows_beside_the_one_it_replaces_is_opened_by_its_suffix(folder: Path, tmp_path: Path) -> None:
    old = file_sets.make_whole("cdf5")
    file_sets.write_set(tmp_path / "cdf_set.nc", old, "cdf5", file_sets.parts_of([4], [5]))
    for file in folder.glob("cdf_set.nc.*"):
        shutil.copy(file, tmp_path)
    with xarray.open_dataset(
        tmp_path / "cdf_set.nc", engine="thalweg", mask_and_scale=False, decode_times=False
    ) as found:
        file_sets.check({str(name): variable.values for name, variable in found.variables.items()}, old)
    for number in (2, 3):
        (tmp_path / f"cdf_set.nc.{number:04}").unlink()  # as the new set does when it is opened
    with xarray.open_dataset(tmp_path / "cdf_set.nc.0001.partial", engine="thalweg") as found:
        check(found, whole("set").isel(time=slice(2)))


def test_a_set_that_is_being_named_is_whole(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "cdf_set.nc.0000.partial", tmp_path / "cdf_set.nc.0000")
    shutil.copy(folder / "cdf_set.nc.0001.partial", tmp_path)
    for name in ("cdf_set.nc", "cdf_set.nc.0000"):
        with xarray.open_dataset(tmp_path / name, engine="thalweg") as found:
            check(found, whole("set").isel(time=slice(2)))


@pytest.mark.parametrize("name", ["cdf_set.nc", "store.zarr"])
def test_the_engine_is_guessed_for_what_no_other_claims(folder: Path, name: str) -> None:
    with xarray.open_dataset(folder / f"{name}.partial") as found:
        check(found, whole(name).isel(time=slice(2)))


def test_an_ordinary_file_is_not_claimed(folder: Path, tmp_path: Path) -> None:
    whole().to_netcdf(tmp_path / "plain.nc")
    (tmp_path / "plain.nc.0000").touch()
    claims = ThalwegBackend().guess_can_open
    assert not claims(tmp_path / "plain.nc")
    assert not claims(tmp_path)
    assert not claims(tmp_path / "plain.nc.0000")
    assert not claims("https://example.org/plain.nc")
    assert claims(folder / "cdf5.nc.partial")
    assert claims(str(folder / "set.nc.0001.partial"))


def test_a_transaction_that_was_cut_short_is_read_from_the_journal(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "netcdf4.nc.partial"
    for name in (path.name, f"{path.name}.journal"):
        shutil.copy(folder / name, tmp_path / name)
    journal = read_journal(path)
    assert journal is not None and journal.writes
    with path.open("r+b") as file:
        for offset, data in journal.writes:
            file.seek(offset)
            file.write(bytes(len(data)))
    torn = path.read_bytes()
    with xarray.open_dataset(path, engine="thalweg") as found:
        check(found, whole().isel(time=slice(2)))
    assert path.read_bytes() == torn
    with pytest.raises(OSError), xarray.open_dataset(path, engine="netcdf4"):
        pass
    assert recover(path) == 2
    with xarray.open_dataset(tmp_path / "netcdf4.nc", engine="thalweg") as found:
        check(found, whole().isel(time=slice(2)))


def test_a_journal_that_is_not_whole_counts_for_nothing(folder: Path, tmp_path: Path) -> None:
    data = (folder / "netcdf4.nc.partial.journal").read_bytes()
    damaged = tmp_path / "damaged.journal"
    assert read_journal(tmp_path / "missing") is None
    for changed in (b"", data[:20], data[:70], b"X" + data[1:], data[:70] + bytes([data[70] ^ 1]) + data[71:]):
        damaged.write_bytes(changed)
        assert read_journal(tmp_path / "damaged") is None
