# ctest: SHORT TIMEOUT 30
"""Files of two runs of a model, as adoption/side_by_side.py compares them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support.mpi import SOURCE

sys.path.insert(0, str(SOURCE / "adoption"))

from side_by_side import Model, compare

MODEL = Model((), "", False, frozenset({"history"}))


def write(
    folder: Path, *, stamp: str = "", units: str = "m", last: float = 3.0, name: str = "zeta", size: int = 3
) -> Path:
    (folder / "history").mkdir(parents=True)
    with netCDF4.Dataset(folder / "history" / "a.nc", "w") as file:
        file.history = stamp
        file.createDimension("x", size)
        variable = file.createVariable(name, "f4", ("x",))
        variable.units = units
        variable[:] = np.linspace(last - size + 1, last, size)
    return folder


def test_runs_are_the_same_but_for_their_stamps(tmp_path: Path) -> None:
    compared = compare(MODEL, write(tmp_path / "a"), write(tmp_path / "b", stamp="later"))
    assert compared == (1, 1, 3, [])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"last": 4.0}, ["a.nc: zeta"]),
        ({"units": "m "}, ["a.nc: attributes of zeta"]),
        ({"name": "eta"}, ["a.nc: eta", "a.nc: zeta"]),
        ({"size": 4}, ["a.nc: dimensions", "a.nc: zeta"]),
    ],
)
def test_what_differs_is_told(tmp_path: Path, change: dict, told: list[str]) -> None:
    assert compare(MODEL, write(tmp_path / "a"), write(tmp_path / "b", **change)).found == told


def test_a_file_of_one_run_alone_is_told(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    assert compare(MODEL, write(tmp_path / "a"), tmp_path / "b").found == ["history/a.nc: in one run alone"]


def test_what_is_no_roms_is_refused_and_not_copied(tmp_path: Path) -> None:
    (tmp_path / "large").mkdir()
    for source in ("", str(tmp_path)):
        done = subprocess.run(
            [sys.executable, SOURCE / "adoption" / "roms" / "adopt.py", source],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "has no ROMS/Include/cppdefs.h; say where ROMS 4.3 is: make adoption SOURCE=~/roms" in done.stderr
        assert done.stdout == ""
