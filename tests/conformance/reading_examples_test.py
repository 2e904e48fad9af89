# ctest: TIMEOUT 120
"""The examples of docs/reading.md go on from what the smallest programs have written."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi, python

RANKS = {"writes": 4, "reads": 3}


def run(language: str, what: str, folder: Path) -> None:
    ranks = RANKS["writes" if what == "minimal" else "reads"]
    if language == "python":
        python.run(mpi.SOURCE / "examples" / "python" / f"{what}.py", ranks, folder)
    else:
        mpi.run(f"{what}_{language}", ranks, folder)


@pytest.mark.parametrize("language", ["c", "cpp", "fortran", "python"])
def test_the_last_record_is_read_on_other_ranks(tmp_path: Path, language: str) -> None:
    run(language, "minimal", tmp_path)
    run(language, "reading", tmp_path)
    with netCDF4.Dataset(tmp_path / "history.nc") as before, netCDF4.Dataset(tmp_path / "again.nc") as after:
        last = np.asarray(before["height"][-1]).astype(np.float64)
        assert np.unique(last).size == 96
        assert np.asarray(after["height"][...]).tobytes() == last.tobytes()
