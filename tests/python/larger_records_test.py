# ctest: SHORT LABELS mpi TIMEOUT 120
"""Records for which the memory of one node is too small: they go to several nodes, or through a file on a disk."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray
from support import python

sys.path.insert(0, str(python.PROGRAMS))
from larger_records import field

FORMATS = {"cdf5": {"format": "cdf5"}, "zip": {"format": "netcdf4", "compression": "zstd"}, "zarr": {"format": "zarr"}}


def configuration(settings: dict[str, Any], **collection: Any) -> dict[str, Any]:
    return {"deadline": "20 s", "collections": {"history": collection}} | settings


def check(folder: Path) -> None:
    (file,) = (path for path in folder.glob("history.*") if path.suffix in (".nc", ".zarr"))
    with xarray.open_dataset(file, engine="thalweg", decode_times=False) as found:
        np.testing.assert_array_equal(found["temp"].values, np.stack([field(record) for record in range(4)]))


def test_a_record_that_one_node_cannot_hold_goes_to_several(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"staging": "2 MiB", "emulate-nodes": [2, 2]}
    refused = python.start("larger_records.py", 4, tmp_path, configuration(settings, format="cdf5", pattern="single"))
    assert refused.returncode != 0
    assert "cannot hold one record of each collection" in refused.stdout + refused.stderr
    python.run("larger_records.py", 4, tmp_path, configuration(settings, format="cdf5"))
    check(tmp_path)


@pytest.mark.parametrize("file_format", FORMATS)
@pytest.mark.parametrize("writers", ["thread", {"ranks": 1}], ids=str)
def test_a_record_goes_through_a_file_without_a_name(tmp_path: Path, file_format: str, writers: object) -> None:
    folder = tmp_path / "scratch"
    folder.mkdir()
    settings = {"writers": writers, "staging-folder": "scratch"}
    python.run("larger_records.py", 3, tmp_path, configuration(settings, **FORMATS[file_format]))
    check(tmp_path)
    assert not list(folder.iterdir())


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = python.start("larger_records.py", 2, tmp_path, configuration({"staging-folder": "scratch"}))
    assert done.returncode != 0
    assert f"staging-folder: cannot make a file in '{tmp_path}/scratch'" in done.stdout + done.stderr
