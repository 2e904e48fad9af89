# ctest: SHORT TIMEOUT 30
"""Files of two runs of a model, as adoption/side_by_side.py compares them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support.mpi import SOURCE

sys.path.insert(0, str(SOURCE / "adoption"))

import adopt
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


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> Callable[..., str]:
    """What adoption/adopt.py says, in one line, when it runs in a folder."""

    def said(*words: str) -> str:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", ["adopt.py", *words])
        with pytest.raises(SystemExit) as refusal:
            adopt.main()
        assert capsys.readouterr() == ("", "")
        return str(refusal.value)

    return said


@pytest.mark.parametrize("is_left_out", [False, True])
def test_what_is_no_model_is_refused(tmp_path: Path, refused: Callable[..., str], is_left_out: bool) -> None:
    source = "" if is_left_out else str(tmp_path)
    assert refused(source) == (
        f"adopt.py: '{Path(source)}' has neither ROMS/Include/cppdefs.h nor cicecore/version.txt; "
        "say where ROMS 4.3 is: make adoption SOURCE=~/roms, or where CICE 6 is: make adoption SOURCE=~/CICE"
    )


@pytest.mark.parametrize(
    ("mark", "cases", "needed"),
    [
        ("ROMS/Include/cppdefs.h", "those of ROMS: UPWELLING, RIVERPLUME1", "perl"),
        ("cicecore/version.txt", "those of CICE: gbox128, boxchan", "gcc"),
    ],
)
def test_the_model_is_known_by_a_file_that_only_it_has(
    tmp_path: Path,
    refused: Callable[..., str],
    monkeypatch: pytest.MonkeyPatch,
    mark: str,
    cases: str,
    needed: str,
) -> None:
    (tmp_path / mark).parent.mkdir(parents=True)
    (tmp_path / mark).touch()
    assert refused(str(tmp_path), "--ranks", "4", "SEAMOUNT") == f"adopt.py: no case SEAMOUNT; {cases}"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refused(str(tmp_path)) == (
        f"adopt.py: no nf-config, mpif90, gfortran, patch, {needed}; install them: "
        f"apt-get install libnetcdff-dev libopenmpi-dev gfortran patch {needed}"
    )
