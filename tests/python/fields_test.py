# ctest: SHORT TIMEOUT 120
"""Files hold what Python put, bit for bit, whatever kind of array it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import python
from support.python_fields import RECORDS, fields, written

WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "1 rank": (1, {}),
    "2 ranks, sync": (2, {"writers": "sync"}),
    "4 ranks": (4, {}),
    "3 ranks and a server": (4, {"writers": {"ranks": 1}}),
    "4 ranks on 2 nodes": (4, {"emulate-nodes": 2}),
}


@pytest.fixture(scope="module", params=WAYS)
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[netCDF4.Dataset]:
    ranks, more = WAYS[request.param]
    folder = tmp_path_factory.mktemp("fields")
    python.run("fields.py", ranks, folder, {"collections": {"history": {"file": "fields.nc"}}} | more)
    with netCDF4.Dataset(folder / "fields.nc") as dataset:
        dataset.set_auto_maskandscale(False)
        yield dataset


@pytest.mark.parametrize("name", fields())
def test_variable_has_the_values_that_were_put(file: netCDF4.Dataset, name: str) -> None:
    field = fields()[name]
    wanted = [written(name, field, record) for record in range(RECORDS if field.has_record else 1)]
    whole = np.stack(wanted) if field.has_record else wanted[0]
    found = file[name][...]
    assert (found.dtype, found.shape) == (whole.dtype, whole.shape)
    assert found.tobytes() == whole.tobytes()
    assert file[name].dimensions == tuple(field.dims.split(","))
    assert file[name].long_name == f"the {name}"


def test_attributes_have_the_types_of_their_values(file: netCDF4.Dataset) -> None:
    assert file.title == "Fields"
    found = {name: np.asarray(file["z"].getncattr(name)) for name in ("number", "large", "range", "levels", "small")}
    assert {name: (value.dtype.name, value.tolist()) for name, value in found.items()} == {
        "number": ("int32", 7),
        "large": ("int64", 2**40),
        "range": ("float64", [0.5, 3]),
        "levels": ("int32", [1, 2, 3]),
        "small": ("uint16", 9),
    }
    assert file["land"]._FillValue.dtype == np.float32


def test_nothing_but_the_file_is_left(file: netCDF4.Dataset) -> None:
    folder = Path(file.filepath()).parent
    assert {path.name for path in folder.iterdir()} == {"thalweg.yaml", "fields.nc", "fields.nc.checksums"}
