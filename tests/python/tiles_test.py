# ctest: SHORT TIMEOUT 120
"""A cubed sphere has a file for each tile, with the names of FMS: NAME.tile1.nc to NAME.tile6.nc."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import python, tiles

WAYS: dict[str, tuple[int, dict[str, Any], dict[str, Any]]] = {
    "a rank for each tile": (6, {}, {}),
    "2 ranks for 6 tiles": (2, {"writers": "sync"}, {"format": "cdf5"}),
    "tiles that ranks share, and 2 servers": (6, {"writers": {"ranks": 2}}, {"format": "cdf2"}),
    "5 ranks on 2 nodes": (5, {"emulate-nodes": 2}, {"layout": [2, 1], "pattern": "shared"}),
}


@pytest.mark.parametrize(("ranks", "more", "defaults"), WAYS.values(), ids=WAYS)
def test_each_tile_has_a_file_with_its_values(
    tmp_path: Path, ranks: int, more: dict[str, Any], defaults: dict[str, Any]
) -> None:
    python.run("tiles.py", ranks, tmp_path, {"deadline": "20 s", "defaults": defaults} | more)
    for tile in range(1, tiles.TILES + 1):
        with netCDF4.Dataset(tmp_path / f"atmos.tile{tile}.nc") as dataset:
            for record in range(tiles.RECORDS):
                wanted = tiles.whole("t_ref", tile, record).astype(np.float32)
                assert dataset["t_ref"][record].tobytes() == wanted.tobytes()
            assert dataset["t_ref"].shape[0] == tiles.RECORDS
            assert dataset["area"][...].tobytes() == tiles.whole("area", tile, 0).tobytes()
