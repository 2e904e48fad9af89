# ctest: SHORT TIMEOUT 120
"""The examples of docs/reading.md go on from what the smallest programs have written."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi, python

RANKS = {"writes": 4, "reads": 3}


def run(language: str, what: str, folder: Path, ranks: int | None = None, *words: str) -> None:
    ranks = ranks or RANKS["writes" if what == "minimal" else "reads"]
    if language == "python":
        python.run(mpi.SOURCE / "examples" / "python" / f"{what}.py", ranks, folder, None, *words)
    else:
        mpi.run(f"{what}_{language}", ranks, folder, *words)


@pytest.mark.parametrize("language", ["c", "cpp", "fortran", "python"])
def test_the_last_record_is_read_on_other_ranks(tmp_path: Path, language: str) -> None:
    run(language, "minimal", tmp_path)
    run(language, "reading", tmp_path)
    with netCDF4.Dataset(tmp_path / "history.nc") as before, netCDF4.Dataset(tmp_path / "again.nc") as after:
        last = np.asarray(before["height"][-1]).astype(np.float64)
        assert np.unique(last).size == 96
        assert np.asarray(after["height"][...]).tobytes() == last.tobytes()


@pytest.mark.parametrize("language", ["cpp", "fortran"])
def test_a_part_is_read_at_times_between_records(tmp_path: Path, language: str) -> None:
    run(language, "minimal", tmp_path)
    run(language, "forcing", tmp_path)
    with netCDF4.Dataset(tmp_path / "history.nc") as before, netCDF4.Dataset(tmp_path / "between.nc") as after:
        assert np.asarray(after["time"]).tolist() == [4500.0, 7200.0, 9900.0]
        first, second, third = np.asarray(before["height"][:, :, :4]).astype(np.float64)
        wanted = np.array([first + 0.25 * (second - first), second, second + 0.75 * (third - second)])
        assert np.asarray(after["height"][...]).tobytes() == wanted.tobytes()


@pytest.mark.parametrize("language", ["cpp", "fortran", "python"])
def test_a_model_goes_on_from_its_newest_restart(tmp_path: Path, language: str) -> None:
    run(language, "restart", tmp_path, 4)
    run(language, "restart", tmp_path, 3, "restore")
    run(language, "restart", tmp_path, 1, "restore")
    assert sorted(file.name for file in tmp_path.glob("*.nc")) == ["restart.1.nc", "restart.2.nc"]
    sums = 1.0 + np.repeat(np.arange(1, 5), 3) + np.repeat(np.arange(1, 4), 4)
    with netCDF4.Dataset(tmp_path / "restart.1.nc") as file:
        assert file["time"][-1] == 3 * 86400.0
        for name in ("height", "speed"):
            assert np.array_equal(file[name][-1], np.repeat(sums[:, None], 8, axis=1))
