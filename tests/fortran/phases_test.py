# ctest: SHORT TIMEOUT 60
"""What a driver and a component of ESMF's shape change for Thalweg: under thirty lines, and no value of the file."""

from __future__ import annotations

import difflib
import shutil
from pathlib import Path

import netCDF4
import numpy as np
from support import mpi

EXAMPLE = mpi.SOURCE / "examples" / "phases"
LINES = 30
NX, NY = 40, 30
RECORDS = 4


def changed_lines() -> list[str]:
    """Those that are taken away and those that come, each of them."""
    before, after = ((EXAMPLE / f"{stage}.f90").read_text().splitlines() for stage in ("before", "after"))
    return [line for line in difflib.ndiff(before, after) if line.startswith(("- ", "+ "))]


def test_less_than_thirty_lines_change() -> None:
    assert 0 < len(changed_lines()) < LINES


def run(folder: Path, stage: str, ranks: int, writers: str = "thread") -> None:
    folder.mkdir()
    shutil.copy(EXAMPLE / "phases.yaml", folder)
    settings = {"THALWEG_REPORT": "none", "THALWEG_WRITERS": writers}
    mpi.run(f"phases_{stage}", ranks, folder, limit_s=30, environment=settings)


def values(path: Path) -> dict[str, np.ndarray]:
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        assert file["height"].dimensions == ("time", "y", "x")
        assert (file["height"].units, file["time"].units) == ("m", "seconds since 2000-01-01 00:00:00")
        return {name: np.asarray(file[name][:]) for name in ("time", "height")}


def expected() -> dict[str, np.ndarray]:
    height, records = np.arange(1, NX * NY + 1, dtype="float64").reshape(NY, NX), []
    for _ in range(3 * RECORDS):
        height = np.roll(height, -1, axis=1) + 3600.0 / 2**20
        records.append(height)
    return {"time": 10800.0 * np.arange(1, RECORDS + 1), "height": np.stack(records[2::3])}


def test_the_file_holds_the_same_as_before(tmp_path: Path) -> None:
    """On two ranks, with a server beside them too."""
    run(tmp_path / "before", "before", 2)
    run(tmp_path / "after", "after", 2)
    run(tmp_path / "server", "after", 3, "{ranks: 1}")
    for way in ("before", "after", "server"):
        found = values(tmp_path / way / "history.nc")
        for name, array in expected().items():
            assert found[name].tobytes() == array.tobytes(), f"{way}: {name}"
