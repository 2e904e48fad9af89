# ctest: SHORT LABELS mpi TIMEOUT 120
"""Collections with settings of the program's: files are as these say, or as the configuration says in their place,
without servers and with them."""

from __future__ import annotations

import json
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi

RANKS = {"thread": 2, "{ranks: 1}": 3}
SHAPE = (8, 6)


def run(folder: Path, writers: str, more: str = "") -> dict[str, str]:
    """The effective settings, "value (origin)" by key."""
    (folder / "thalweg.yaml").write_text(f"writers: {writers}\nreport: none\nprofile: run.json\n{more}")
    mpi.run("program_settings", RANKS[writers], folder, "write")
    lines = json.loads((folder / "run.json").read_text())["settings"]
    return dict(line.split(" = ", 1) for line in lines)


def check(path: Path, steps: list[int], dimension: str = "time") -> str:
    with netCDF4.Dataset(path) as file:
        field = file["temp"]
        assert field.dimensions == (dimension, "y", "x")
        cells = np.arange(np.prod(SHAPE), dtype=float).reshape(SHAPE)
        assert np.array_equal(np.asarray(field[...]), [1000.0 * step + cells for step in steps])
        return file.data_model


@pytest.mark.parametrize("writers", RANKS)
def test_files_are_as_the_program_says(tmp_path: Path, writers: str) -> None:
    settings = run(tmp_path, writers)
    assert check(tmp_path / "of_program.nc", [2, 4]) == "NETCDF4"
    check(tmp_path / "restart.nc", [4], "record")
    check(tmp_path / "plain.nc", [1, 2, 3, 4])
    assert settings["collections.history.every"] == "2 steps (program open_collection_text('history'):1:30)"
    assert settings["collections.restart.record-dimension"] == ("record (program open_collection_text('restart'):2:19)")
    assert not any(key.startswith("collections.plain.") for key in settings)


@pytest.mark.parametrize("writers", RANKS)
def test_the_configuration_prevails_key_by_key(tmp_path: Path, writers: str) -> None:
    of_user = "collections:\n  history: {file: of_user.nc, format: cdf5}\n  plain: {every: 4 steps}\n"
    settings = run(tmp_path, writers, of_user)
    assert check(tmp_path / "of_user.nc", [2, 4]) == "NETCDF3_64BIT_DATA"
    assert not (tmp_path / "of_program.nc").exists()
    check(tmp_path / "restart.nc", [4], "record")
    check(tmp_path / "plain.nc", [4])
    assert settings["collections.history.format"] == "cdf5 (file thalweg.yaml:5:39)"
    assert settings["collections.history.every"] == "2 steps (program open_collection_text('history'):1:30)"
