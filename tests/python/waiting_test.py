# ctest: SHORT TIMEOUT 120
"""One rank waits for a collection while the others go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import python

CONFIGURATION: dict[str, Any] = {
    "collections": {"history": {"file": "history.nc", "format": "cdf5", "pattern": "single"}},
    "deadline": "60 s",
}


def values(file: Path) -> list[list[float]]:
    with netCDF4.Dataset(file) as dataset:
        return np.asarray(dataset["temp"][...]).tolist()


@pytest.mark.parametrize(("ranks", "writers"), [(2, "thread"), (2, "sync"), (3, {"ranks": 1})])
def test_a_rank_that_waits_alone_finds_all_that_it_closed_committed(
    tmp_path: Path, ranks: int, writers: object
) -> None:
    printed = python.run("waiting.py", ranks, tmp_path, CONFIGURATION | {"writers": writers}, 5)
    assert printed.split() == ["1", "2", "3", "4", "5"]
    assert values(tmp_path / "history.nc") == [[100.0 * record + cell for cell in range(8)] for record in range(5)]


@pytest.mark.parametrize(("ranks", "writers"), [(2, "thread"), (2, {"nodes": 1})])
def test_where_no_writer_has_a_part_in_the_files_nobody_can(tmp_path: Path, ranks: int, writers: object) -> None:
    printed = python.run("waiting.py", ranks, tmp_path, CONFIGURATION | {"writers": writers, "emulate-nodes": 2}, 2)
    assert printed.split() == ["STATE", "STATE"]
    assert len(values(tmp_path / "history.nc")) == 2


@pytest.mark.parametrize("writers", ["thread", "sync"])
def test_ranks_that_wait_for_another_collection_each_do_not_block_each_other(tmp_path: Path, writers: str) -> None:
    own = {"format": "netcdf4", "write-behind": {"below": "0 B"}} if writers == "thread" else {"format": "netcdf4"}
    collections = {name: {"file": f"{name}.nc", **own} for name in ("early", "late")}
    configuration = {"collections": collections, "writers": writers, "deadline": "10 s"}
    printed = python.run("waiting_for_each_other.py", 2, tmp_path, configuration)
    assert sorted(printed.split()) == ["early", "late"]
    assert [len(values(tmp_path / f"{name}.nc")) for name in collections] == [3, 3]


@pytest.mark.parametrize(("ranks", "printed"), [(1, ["1", "2"]), (2, ["STATE", "STATE"])])
def test_gathered_records_are_waited_for_by_all_ranks_together(tmp_path: Path, ranks: int, printed: list[str]) -> None:
    """A commit of several records would wait for one that a rank puts when it has waited."""
    history = CONFIGURATION["collections"]["history"] | {"write-behind": {"below": "1 MiB"}}
    configuration = CONFIGURATION | {"collections": {"history": history}}
    assert python.run("waiting.py", ranks, tmp_path, configuration, 2).split() == printed
    assert len(values(tmp_path / "history.nc")) == 2
