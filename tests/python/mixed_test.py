# ctest: SHORT TIMEOUT 120
"""A layout of two numbers cuts the decompositions of two dimensions, and others into as many domains along
their slowest one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import python
from support.mixed import RECORDS, whole

LAYOUT = {"file": "mixed.nc", "layout": [2, 3]}
WAYS: dict[str, tuple[int, dict[str, Any], dict[str, Any], tuple[str, ...]]] = {
    "shared, netcdf4": (4, {"emulate-nodes": 2}, {"pattern": "shared"}, ("points",)),
    "shared, cdf5": (3, {"emulate-nodes": 3}, {"pattern": "shared", "format": "cdf5"}, ("points",)),
    "a server": (4, {"writers": {"ranks": 1}}, {"pattern": "shared", "format": "cdf5"}, ("points",)),
    "set": (4, {"emulate-nodes": 2}, {"pattern": "per-domain"}, ()),
    "PnetCDF": (4, {}, {"pattern": "shared", "format": "cdf5", "engine": "library"}, ()),
}


@pytest.mark.parametrize(("ranks", "more", "collection", "words"), WAYS.values(), ids=WAYS)
def test_values_of_all_decompositions_are_those_that_were_put(
    tmp_path: Path, ranks: int, more: dict[str, Any], collection: dict[str, Any], words: tuple[str, ...]
) -> None:
    configuration = {"deadline": "20 s", "collections": {"history": LAYOUT | collection}} | more
    python.run("mixed.py", ranks, tmp_path, configuration, *words)
    with netCDF4.Dataset(tmp_path / "mixed.nc") as dataset:
        for name in ("temp", "flow", *(["tracer"] if words else [])):
            wanted = np.stack([whole(name, record) for record in range(RECORDS)]).astype(dataset[name].dtype)
            assert dataset[name][...].filled().tobytes() == wanted.tobytes(), name
    files = sorted(path.name for path in tmp_path.glob("mixed.nc.0*") if path.suffix != ".checksums")
    assert files == ([f"mixed.nc.{number:04}" for number in range(6)] if collection["pattern"] == "per-domain" else [])


@pytest.mark.parametrize(
    ("collection", "message"),
    [
        ({"layout": [2, 3, 1]}, "layout [2, 3, 1] has 3 numbers, but its decompositions have 2 and 1 dimensions"),
        ({"layout": [12, 10], "pattern": "per-domain"}, "makes a set of 120 files, but a decomposition of other"),
    ],
)
def test_a_layout_that_fits_nothing_is_named_with_a_cure(
    tmp_path: Path, collection: dict[str, Any], message: str
) -> None:
    done = python.start("mixed.py", 2, tmp_path, {"collections": {"history": LAYOUT | collection}})
    assert done.returncode != 0
    assert message in done.stderr
