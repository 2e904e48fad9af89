# ctest: LABELS mpi TIMEOUT 120
"""Attributes that open files are given, in all formats, read by the libraries of others."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
import zarr
from support import command, python

sys.path.insert(0, str(python.PROGRAMS))
from late_attributes import field

OF_A_SERIES: dict[str, dict[str, Any]] = {
    "cdf": {"format": "cdf2"},
    "netcdf4": {"format": "netcdf4"},
    "zip": {"format": "netcdf4", "compression": "zstd"},
    "zarr": {"format": "zarr"},
    "part": {"format": "cdf5", "pattern": "per-rank"},
    "sums": {"format": "cdf5", "durability": "record"},
}
WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "thread": (2, {"writers": "thread"}),
    "sync": (2, {"writers": "sync"}),
    "two_nodes": (3, {"writers": "thread", "emulate-nodes": [2, 1]}),
    "servers": (3, {"writers": {"ranks": 1}}),
    "groups": (4, {"writers": {"ranks": {"count": 2, "groups": 2}}}),  # the files of a series go to both in turn
}


def configuration(settings: dict[str, Any]) -> dict[str, Any]:
    series = {
        name: {"file": f"{name}_%M." + ("zarr" if name == "zarr" else "nc"), "new-file": "2 min"} | of
        for name, of in OF_A_SERIES.items()
    }
    his = {"his": {"every": "on-demand"}}
    return {"deadline": "20 s", "time-step": "1 min", "collections": series | his} | settings


def configuration_of_refused() -> dict[str, Any]:
    others = {
        "cdf": {"format": "cdf2", "file": "cdf_%M.nc", "new-file": "2 min"},
        "set": {"pattern": "per-rank"},
        "mpiio": {"engine": "library"},
        "single": {"record-dimension": "none", "file": "single_%M%S.nc"},
    }
    return {"deadline": "20 s", "time-step": "1 min", "collections": others}


def attributes_of(file: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Of the file, of temp and of mask; the values of temp are looked at."""
    if file.suffix == ".zarr":
        store = zarr.open_group(file, mode="r")
        np.testing.assert_array_equal(store["temp"][0, 0, :3], field(int(file.stem[-2:]) + 1)[0, :3])
        return dict(store.attrs), dict(store["temp"].attrs), dict(store["mask"].attrs)
    with netCDF4.Dataset(file) as found:
        found.set_auto_mask(False)
        return found.__dict__, found["temp"].__dict__, found["mask"].__dict__


@pytest.mark.parametrize("way", WAYS)
def test_a_complete_file_has_what_it_was_given_while_it_was_open(tmp_path: Path, way: str) -> None:
    ranks, settings = WAYS[way]
    python.run("late_attributes.py", ranks, tmp_path, configuration(settings), "run")
    for name in OF_A_SERIES:
        ending = "zarr" if name == "zarr" else "nc"
        ending += ".0000" if name == "part" else ""
        first, temp, _ = attributes_of(tmp_path / f"{name}_00.{ending}")
        assert first["title"] == f"the first, a longer title of {name}"
        assert first["steps"] == 2
        assert first["waited"] in (0.0, 0.5, 1.0)
        assert temp["first"] == "K"
        assert temp["units"] == "K"
        second, temp, mask = attributes_of(tmp_path / f"{name}_02.{ending}")
        assert second["title"] == f"files of {name}"
        assert "steps" not in second
        assert "first" not in temp
        assert "empty" not in mask
        _, temp, mask = attributes_of(tmp_path / f"{name}_04.{ending}")
        np.testing.assert_array_equal(temp["range"], [1.5, -2.5])
        assert mask["empty"] == ""
    of_his, _, _ = attributes_of(tmp_path / "his.nc")
    assert (of_his["title"], of_his["seconds"]) == ("short", 12.5)
    with netCDF4.Dataset(tmp_path / "zip_00.nc") as found:
        np.testing.assert_array_equal(found["temp"][:], np.stack([field(1), field(2)]))
    for name in ("cdf", "netcdf4", "zip", "sums"):
        checked = command.thalweg("verify", tmp_path / f"{name}_00.nc")
        assert checked.code == 0, checked.out + checked.err


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    done = python.start("late_attributes.py", 1, tmp_path, configuration_of_refused(), "wrong")
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    expected = [
        ("STATE", "attribute 'title' is for the file that is open, and none is that has a record"),
        ("NAME", "attribute 'units' of unknown variable 'salt'"),
        ("NAME", "attribute '_FillValue' does not change"),
        ("NAME", "attribute 'DIMENSION_LIST' of the file: netCDF-4 has this name for itself"),
        ("NAME", "attribute 'a/b' of the file: netCDF takes no such name"),
        *10 * [("nothing", "")],
        ("STATE", "is for the file that is open, and none is that has a record"),
    ]
    assert len(said) == len(expected), said
    for line, (code, part) in zip(said, expected, strict=True):
        assert line.startswith(code), line
        assert part in line, line
    for part in (
        "attribute 'long' needs 10",
        "attribute 'half too' needs 50",
        "collection 'set': attribute 'title' comes too late: its files are sets whose master has its attributes",
        "collection 'mpiio': attribute 'title' comes too late: with 'engine: library'",
        "collection 'single': attribute 'title' comes too late: a file of one record ends with that",
    ):
        assert part in done.stderr, done.stderr


def test_ranks_that_give_different_ones_are_named(tmp_path: Path) -> None:
    done = python.start("late_attributes.py", 2, tmp_path, configuration({"writers": "thread"}), "apart")
    assert done.returncode != 0
    assert "changes of attributes" in done.stdout + done.stderr
