# ctest: SHORT TIMEOUT 60
"""What a configuration says of all collections holds for those that only the program names, with servers as well."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi, python


@pytest.mark.parametrize(("writers", "ranks"), [("thread", 2), ("ranks", 3)])
def test_collections_of_the_program_have_the_defaults(tmp_path: Path, writers: str, ranks: int) -> None:
    variables = {"height": {"when-not-put": "error", "attributes": {"comment": "of the lowest level"}}}
    attributes = {"institution": "Høgskolen", "Conventions": "CF-1.10"}
    defaults = {"format": "cdf5", "every": "2 steps", "variables": variables, "attributes": attributes}
    example = mpi.SOURCE / "examples" / "python" / "minimal.py"
    python.run(example, ranks, tmp_path, {"writers": writers, "defaults": defaults}, "thalweg.yaml")
    path = tmp_path / "history.nc"
    assert path.read_bytes()[:4] == b"CDF\x05"
    with netCDF4.Dataset(path) as file:
        assert np.asarray(file["height"][:, 0, 0]).tolist() == [2000.0]
        assert {name: file.getncattr(name) for name in file.ncattrs()} == attributes
        assert file["height"].comment == "of the lowest level"


def test_defaults_that_a_collection_cannot_have_are_said(tmp_path: Path) -> None:
    example = mpi.SOURCE / "examples" / "python" / "minimal.py"
    done = python.start(example, 1, tmp_path, {"defaults": {"format": "cdf5", "compression": "zstd"}}, "thalweg.yaml")
    assert done.returncode != 0
    assert "thalweg.yaml:1:" in done.stderr and "cdf5" in done.stderr
