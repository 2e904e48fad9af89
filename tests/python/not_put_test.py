# ctest: SHORT TIMEOUT 120
"""What becomes of cells that a model does not put: the variable says."""

from __future__ import annotations

import json
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import python

WAYS = [("thread", 2, 1), ("sync", 2, 1), ("ranks", 3, 1), ("thread", 2, 2), ("sync", 2, 2)]


def expected() -> np.ndarray:
    values = np.array([[10.0 * step + cell // 2 for cell in range(4)] for step in range(3)])
    values[1, 2:] = np.nan
    return values


@pytest.mark.parametrize("file_format", ["netcdf4", "cdf5", "zarr"])
@pytest.mark.parametrize(("writers", "ranks", "nodes"), WAYS)
def test_who_leaves_out_a_field_is_told_and_the_record_is_whole(
    tmp_path: Path, writers: str, ranks: int, nodes: int, file_format: str
) -> None:
    settings = {"format": file_format, "when-not-put": "error", "variables": {"lenient": {"when-not-put": "fill"}}}
    top: dict[str, object] = {"profile": "profile.json"}
    if nodes > 1:
        top["emulate-nodes"] = nodes
    said = python.run(
        "not_put.py", ranks, tmp_path, {"writers": writers, "collections": {"history": settings}} | top
    ).splitlines()
    rest = (
        "filled with the fill value, and 'when-not-put' is 'error'; put it for every record, or set when-not-put: fill"
    )
    of = "rank 1, collection 'history', variable"
    assert said == [
        f"STATE of advance 1: {of} 'strict': not put before record 1 was closed; {rest}",
        f"STATE of finish: {of} 'area': not put before finish; {rest}",
    ]
    if file_format == "zarr":
        import zarr

        group = zarr.open_group(tmp_path / "history.zarr", mode="r")
        values = {name: np.asarray(group[name][...]) for name in ("strict", "lenient", "area")}
        for array in values.values():
            array[array > 1e30] = np.nan
    else:
        with netCDF4.Dataset(tmp_path / "history.nc") as file:
            values = {name: np.ma.filled(file[name][...], np.nan) for name in ("strict", "lenient", "area")}
    np.testing.assert_array_equal(values["strict"], expected())
    np.testing.assert_array_equal(values["lenient"], expected())
    np.testing.assert_array_equal(values["area"], [7.0, 7.0, np.nan, np.nan])
    clients = json.loads((tmp_path / "profile.json").read_text())["ranks"][:2]
    doubtful = [{puts["variable"]: puts for puts in rank["collections"][0]["doubtful_puts"]} for rank in clients]
    assert [found.get("lenient", {}).get("unclosed", 0) for found in doubtful] == [1, 0]
    assert [sorted(found) for found in doubtful] == [["lenient"], ["area", "lenient", "strict"]]
