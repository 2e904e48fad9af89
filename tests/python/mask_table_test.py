# ctest: SHORT TIMEOUT 120
"""Domains of land that have no rank, as a mask table of FMS says: their cells hold the fill value, all others what was
put, also where no rank of an I/O domain is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import mask_table, python
from support.mask_table import TABLE

WAYS: dict[str, tuple[int, dict[str, Any], dict[str, Any]]] = {
    "one file, 4 ranks": (4, {}, {"pattern": "single"}),
    "one file, 3 ranks and a server": (4, {"writers": {"ranks": 1}}, {"pattern": "single", "format": "cdf5"}),
    "domains, 4 ranks on 2 nodes": (4, {"emulate-nodes": 2}, {"pattern": "shared", "layout": [15, 8]}),
    "files of domains, 2 ranks": (2, {}, {"pattern": "per-domain", "layout": [15, 8]}),
    "MPI-IO, 4 ranks": (4, {}, {"pattern": "shared", "layout": [3, 4], "engine": "library", "format": "cdf5"}),
}


@pytest.mark.parametrize(("ranks", "more", "collection"), WAYS.values(), ids=WAYS)
def test_cells_of_no_rank_hold_the_fill_value(
    tmp_path: Path, ranks: int, more: dict[str, Any], collection: dict[str, Any]
) -> None:
    history = {"file": "land.nc"} | collection
    configuration = {"deadline": "20 s", "collections": {"history": history}} | more
    python.run("land.py", ranks, tmp_path, configuration, TABLE)
    sea = mask_table.is_sea(TABLE)
    assert np.count_nonzero(~sea) == 23 * 6 * 10
    with netCDF4.Dataset(tmp_path / "land.nc") as dataset:
        dataset.set_auto_maskandscale(False)
        temp, depth = dataset["temp"], dataset["depth"]
        assert temp.shape == (mask_table.RECORDS, *sea.shape)
        for record in range(mask_table.RECORDS):
            field = mask_table.whole("temp", record, TABLE).astype(np.float32)
            assert temp[record].tobytes() == np.where(sea, field, temp._FillValue).tobytes()
        wanted = np.where(sea, mask_table.whole("depth", 0, TABLE), depth._FillValue)
        assert depth[...].tobytes() == wanted.tobytes()
