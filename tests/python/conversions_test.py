# ctest: SHORT TIMEOUT 120
"""Arrays of other types than those of the variables: integers that fit, and reals that are packed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import python
from support.conversions import RECORDS, VARIABLES, stored

WAYS: dict[str, tuple[int, str, dict[str, Any], dict[str, Any]]] = {
    "thread": (2, "ready", {}, {"format": "netcdf4"}),
    "before definitions end": (2, "early", {"writers": "sync"}, {"format": "netcdf4", "compression": "deflate"}),
    "nodes": (3, "ready", {"emulate-nodes": 3}, {"format": "cdf5", "pattern": "single"}),
    "a server": (4, "early", {"writers": {"nodes": 1}, "emulate-nodes": [3, 1]}, {"format": "cdf5"}),
}


def values_of(path: Path) -> dict[str, np.ndarray]:
    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_maskandscale(False)
        return {name: dataset[name][...] for name in VARIABLES}


@pytest.mark.parametrize(("ranks", "what", "more", "collection"), WAYS.values(), ids=WAYS)
def test_arrays_of_other_types_are_converted(
    tmp_path: Path, ranks: int, what: str, more: dict[str, Any], collection: dict[str, Any]
) -> None:
    collection = {"file": "first.nc"} | collection
    python.run(
        "conversions.py", ranks, tmp_path, {"deadline": "20 s", "collections": {"history": collection}} | more, what
    )
    first, second = values_of(tmp_path / "first.nc"), values_of(tmp_path / "second.nc")
    for name, of in VARIABLES.items():
        wanted = np.stack([stored(name, record) for record in range(RECORDS)]) if of.has_record else stored(name, 0)
        assert first[name].dtype == wanted.dtype
        assert first[name].tobytes() == wanted.tobytes(), name
    assert second["fixed"].tobytes() == stored("fixed", 1).tobytes()
    assert second["packed"].tobytes() == stored("packed", 0).tobytes()


def test_what_a_variable_cannot_hold_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    said = python.run("conversions.py", 1, tmp_path, {"collections": {"history": {"file": "first.nc"}}}, "refused")
    where = "rank 0, collection 'history', variable"
    place = "of the array (in the order of the variable's dimensions, slowest first, from 0 and without halo)"
    packing = (
        f"{place} cannot be packed into int16 by scale_factor 0.01 and add_offset 273.15, "
        "beside the fill value -32768; give a larger scale_factor or type"
    )
    kinds = (
        "a variable of integers takes integers that it can hold, and reals if they are packed by its scale_factor or "
        "add_offset, which then do not change; one of reals takes all numbers, and char takes char"
    )
    held = "define the variable with a larger type"
    at = f"{where} 'int32': the value 3000000000 at (2, 1) {place}"
    assert said.splitlines() == [
        f"beyond int32: ARGUMENT: {at} is none that int32 can hold; {held}",
        "again: taken",
        f"negative: ARGUMENT: {where} 'uint8': the value -1 at (0, 0) {place} is none that uint8 can hold; {held}",
        f"reals: SHAPE: {where} 'int16': the array is float64, the variable int16; {kinds}",
        f"beyond the packed: ARGUMENT: {where} 'packed': the value 700 at (0, 3) {packing}",
        f"the fill value: ARGUMENT: {where} 'packed': the value {273.15 - 327.68} at (0, 3) {packing}",
        f"characters: SHAPE: {where} 'int16': the array is char, the variable int16; {kinds}",
        f"changed: SHAPE: {where} 'as_packed': the array is float64, the variable int16; {kinds}",
        "packed by the model: taken",
    ]
    values = values_of(tmp_path / "first.nc")
    assert values["int32"][0, 2, 1] == 7
    assert values["as_packed"][0].min() == values["as_packed"][0].max() == 8


def test_what_cannot_be_packed_is_refused_with_its_cause(tmp_path: Path) -> None:
    said = python.run("conversions.py", 1, tmp_path, {"collections": {"history": {"file": "first.nc"}}}, "packing")
    where = "SHAPE: rank 0, collection 'history', variable"
    cannot = "the array is float64 and cannot be packed into int16: its scale_factor is"
    wanted = "(allowed: one finite number other than 0)"
    nan = (
        "rank 0, collection 'history', variable 'unfilled': the value nan at (1, 2) of the array (in the order of the "
        "variable's dimensions, slowest first, from 0 and without halo) has no number in uint8, and nothing tells "
        "readers that 255 means it; give the variable an attribute _FillValue"
    )
    assert said.splitlines() == [
        f"NaN: ARGUMENT: {nan}",
        "again: taken",
        f"zero: {where} 'zero': {cannot} 0 {wanted}",
        f"nan: {where} 'nan': {cannot} nan {wanted}",
        f"text: {where} 'text': {cannot} a text or several numbers {wanted}",
        f"two: {where} 'two': {cannot} a text or several numbers {wanted}",
    ]
    with netCDF4.Dataset(tmp_path / "first.nc") as dataset:
        dataset.set_auto_maskandscale(False)
        assert (dataset["unfilled"][...] == 3).all()
