# ctest: SHORT TIMEOUT 240
"""A restart is put and restored by one call each, whoever wrote it; what is incomplete or damaged is none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import netCDF4
import pytest
from support import python

FOLDED: dict[str, Any] = {"file": "restart_%Y%m%d%H.nc", "every": "1 h", "record-dimension": "none"}
SET: dict[str, Any] = {"format": "cdf5", "pattern": "per-domain", "layout": [2, 1], "without": ("ice",)}
# What is written, by how many ranks; by how many it is restored, and what they say of it.
WAYS: dict[str, tuple[dict[str, Any], int, int, dict[str, Any]]] = {
    "cdf5 4 to 1": ({"format": "cdf5"}, 4, 1, {}),
    "cdf2 1 to 6": ({"format": "cdf2"}, 1, 6, {"reading": "serial"}),
    "netcdf4 2 to 3": ({"format": "netcdf4", "compression": {"codec": "deflate"}}, 2, 3, {"reading": "domain"}),
    "zarr 3 to 4": ({"format": "zarr", "file": "restart.zarr"}, 3, 4, {"reading": "independent"}),
    "set 4 to 2": (SET, 4, 2, {}),
    "servers 3 to 4": ({"format": "cdf5"}, 3, 4, {"writers": {"ranks": 1}}),
}


def configured(collection: dict[str, Any], **settings: Any) -> dict[str, Any]:
    off = {"variables": {name: {"enabled": False} for name in ("unwanted", *collection.get("without", ()))}}
    every = {"file": "restart.nc", "every": "1 h"} | {k: v for k, v in collection.items() if k != "without"} | off
    return {"time-step": "1 h", "collections": {"restart": every}} | settings


def refused(
    folder: Path, case: str, ranks: int = 2, collection: dict[str, Any] = FOLDED, **settings: Any
) -> tuple[str, str]:
    """The code and the text of the error that all ranks had."""
    said = json.loads(python.run("restoring.py", ranks, folder, configured(collection, **settings), "refused", case))
    return said[1], said[2]


@pytest.mark.parametrize("way", WAYS)
def test_arrays_come_back_as_they_were_written(tmp_path: Path, way: str) -> None:
    collection, writing, reading, settings = WAYS[way]
    python.run("restoring.py", writing, tmp_path, configured(collection), "write", 3)
    file = collection.get("file", "restart.nc")
    again = configured(collection | {"file": f"again_{file}"}, **settings)
    assert bool(list(tmp_path.glob("restart.nc.0000"))) == (collection is SET)
    ranks = reading + (1 if "writers" in settings else 0)
    python.run("restoring.py", ranks, tmp_path, again, "restore", file, "-", 3)
    python.run("restoring.py", ranks, tmp_path, again, "restore", file, 1, 2)


@pytest.fixture
def series(tmp_path: Path) -> Path:
    """Three files, of an hour each, and what a run leaves that is killed in the fourth."""
    python.run("restoring.py", 2, tmp_path, configured(FOLDED), "write", 3)
    assert sorted(one.name for one in tmp_path.glob("*.nc")) == [f"restart_200001010{hour}.nc" for hour in (1, 2, 3)]
    shutil.copy(tmp_path / "restart_2000010103.nc", tmp_path / "restart_2000010104.nc.partial")
    return tmp_path


def test_without_a_path_the_newest_complete_file_is_taken(series: Path) -> None:
    again = configured(FOLDED | {"append": "new"})
    done = python.start("restoring.py", 3, series, again, "restore", "-", "-", 3)
    assert done.returncode == 0, done.stderr
    assert "begins from" in done.stderr and "restart_2000010103.nc" in done.stderr, done.stderr
    assert "restart_2000010104.nc.partial" in done.stderr, done.stderr


def test_a_file_that_is_not_complete_is_refused_and_the_newest_complete_one_offered(series: Path) -> None:
    code, text = refused(series, "path restart_2000010104.nc")
    assert code == "STORAGE", text
    assert "restart_2000010104.nc.partial" in text and "restart_2000010103.nc'" in text, text
    for file in series.glob("restart_*.nc"):
        file.unlink()
    code, text = refused(series, "no path")
    assert code == "STORAGE" and "no complete file" in text and "restart_2000010104.nc.partial" in text, text


@pytest.mark.parametrize("reading", ["serial", "domain"])
def test_a_value_that_is_not_what_was_written_is_found(series: Path, reading: str) -> None:
    path = series / "restart_2000010103.nc"
    with netCDF4.Dataset(path, "r+") as file:
        file["depth"][7, 3] += 1.0
    code, text = refused(series, "no path", 3, reading=reading)
    assert code == "FORMAT" and "not those that were written" in text and "'depth'" in text, text
    (series / "restart_2000010103.nc.checksums").unlink()
    assert refused(series, "no path", 3, reading=reading) == ("", "")


def test_a_changed_value_in_a_part_of_a_set_is_found(tmp_path: Path) -> None:
    python.run("restoring.py", 4, tmp_path, configured(SET), "write", 2)
    with netCDF4.Dataset(tmp_path / "restart.nc.0001", "r+") as file:
        file["height"][0, 2, 3] += 1.0
    again = configured(SET | {"file": "again.nc"})
    python.run("restoring.py", 4, tmp_path, again, "restore", "restart.nc", 1, 2)
    code, text = refused(tmp_path, "path restart.nc 0", 4, SET)
    assert code == "FORMAT" and "'height', record 0" in text, text


def test_a_master_whose_part_is_missing_or_changed_is_no_restart(tmp_path: Path) -> None:
    mastered = SET | {"format": "netcdf4"}
    python.run("restoring.py", 2, tmp_path, configured(mastered), "write", 2)
    part = tmp_path / "restart.nc.0001"
    assert (tmp_path / "restart.nc").exists() and part.exists()
    with netCDF4.Dataset(part, "r+") as file:
        file["height"][1, 2, 3] += 1.0
    code, text = refused(tmp_path, "path restart.nc", 2, mastered)
    assert code == "FORMAT" and "'height', record 1" in text, text
    part.rename(tmp_path / "elsewhere")
    code, text = refused(tmp_path, "path restart.nc", 2, mastered)
    assert code == "FORMAT" and "2 files, but 1" in text, text
    code, text = refused(tmp_path, "no path", 2, mastered)
    assert code == "STORAGE" and "no complete file" in text and "2 files, but 1" in text, text


def test_what_was_put_comes_back_and_what_differs_between_ranks_is_said(tmp_path: Path) -> None:
    every: dict[str, Any] = {
        name: {"file": f"{name}.nc", "every": "1 h", "append": "new"} for name in ("first", "second")
    }
    settings = {"time-step": "1 h", "collections": every}
    python.run("restoring_cases.py", 2, tmp_path, settings, "write")
    with netCDF4.Dataset(tmp_path / "empty.nc", "w") as file:
        for name, size in (("time", None), ("y", 6), ("x", 5)):
            file.createDimension(name, size)
        for name in ("short", "long", "depth"):
            file.createVariable(name, "f8", ("time", "y", "x"))
    found = json.loads(python.run("restoring_cases.py", 2, tmp_path, settings, "read"))
    assert found["restored"] == ["none: "] * 2, found
    assert found["same"] == [{"short": True, "long": True, "depth": True}] * 2, found
    for case, code, part in (
        ("other collection", "AGREEMENT", "collection 'second'"),
        ("other path", "AGREEMENT", "'first.nc'"),
        ("record", "ARGUMENT", "has no record 2; it has 2 records"),
        ("no record", "ARGUMENT", "has no record yet"),
        ("type", "SHAPE", "the registered array is int32, the variable float64"),
    ):
        assert len(set(found[case])) == 1 and found[case][0].startswith(code) and part in found[case][0], found[case]


@pytest.mark.parametrize(
    ("case", "code", "parts"),
    [
        ("nothing registered", "ARGUMENT", ("5 arrays", "'temp', 'height', 'ice', 'count', 'depth'")),
        ("one missing", "ARGUMENT", ("1 array", "'depth'", "thalweg_register_array")),
        ("name", "NAME", ("'tmep'", "'temp'")),
        ("path none.nc", "STORAGE", ("none.nc", "restart_2000010103.nc'")),
    ],
)
def test_what_cannot_be_restored_is_said_on_all_ranks(series: Path, case: str, code: str, parts: tuple[str]) -> None:
    found, text = refused(series, case)
    assert found == code, text
    for part in parts:
        assert part in text, text


def test_a_variable_that_the_file_lacks_is_named(tmp_path: Path) -> None:
    python.run("restoring.py", 2, tmp_path, configured({"without": ("ice",)}), "write", 1)
    (tmp_path / "restart.nc").rename(tmp_path / "restart_2000010101.nc")
    code, text = refused(tmp_path, "no path")
    assert code == "NAME" and "'ice'" in text, text


def test_the_last_of_several_files_is_told_by_its_time_and_not_by_its_name(tmp_path: Path) -> None:
    python.run("restoring.py", 2, tmp_path, configured(FOLDED), "write", 2)
    names = [tmp_path / f"restart_200001010{hour}.nc" for hour in (1, 2)]
    content = [name.read_bytes() for name in names]
    for file in tmp_path.glob("*.checksums"):
        file.unlink()
    for name, other in zip(names, reversed(content), strict=True):
        name.write_bytes(other)
    again = configured(FOLDED | {"append": "new"})
    python.run("restoring.py", 1, tmp_path, again, "restore", "-", "-", 2)
