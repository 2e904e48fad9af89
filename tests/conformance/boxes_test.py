# ctest: SHORT TIMEOUT 180
"""A rank of several boxes restores each of them and gets it by time; in C, C++ and Fortran."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import netCDF4
import pytest
from support import mpi

WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "1 rank": (1, {}),
    "2 ranks, one of them reads": (2, {"reading": "serial"}),
    "3 ranks, each for itself": (3, {"reading": "independent"}),
    "4 ranks on 2 nodes": (4, {"reading": "domain", "emulate-nodes": 2}),
    "5 ranks": (5, {}),
}


def run(language: str, ranks: int, folder: Path, file: str, way: str, **settings: Any) -> None:
    collections = {"state": {"file": file, "every": "1 h"}}
    settings |= {"report": "none", "time-step": "1 h", "collections": collections}
    (folder / "thalweg.yaml").write_text(json.dumps(settings))
    mpi.run(f"boxes_{language}", ranks, folder, way)


@pytest.fixture(scope="module", params=["cpp", "fortran"])
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp(request.param)
    run(request.param, 2, folder, "state.nc", "write")
    with netCDF4.Dataset(folder / "state.nc") as file:
        assert file["height"].shape == file["speed"].shape == (4, 6, 9)
        assert file["height"][:].mask.sum() == 4 * 9  # the hole
    return folder


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("language", ["cpp", "fortran"])
def test_each_box_has_the_values_that_were_put(written: Path, language: str, way: str) -> None:
    ranks, settings = WAYS[way]
    run(language, ranks, written, "again.nc", "read", **settings)
