# ctest: SHORT TIMEOUT 60
"""Fields in other units than their own, of one rank; those on several are in field_cases.py and regions_test.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
import xarray as xr
from field_runs import refused

PACKED: dict[str, Any] = {"scale_factor": 0.5, "add_offset": 300.0, "units": "K"}


def run_packed(folder: Path, operation: str, dtype: Any) -> Path:
    """Puts 302 K, 304 K and 306 K as they are packed, or what these numbers are in another type."""
    file = folder / "c.nc"
    said = {"file": str(file), "every": "1 h", "operation": operation, "fields": [{"from": "x", "units": "degC"}]}
    config = {"report": "none", "time-step": "1 h", "collections": {"c": said}}
    with thalweg.start(config=config, on_exception="raise") as io:
        x = io.define_field("x", "", np.int16, **PACKED)
        for step in range(1, 4):
            x.put(dtype(4 * step))
            io.advance(step * 3600.0)
    return file


@pytest.mark.parametrize("operation", ["instant", "mean"])
def test_packed_values_are_packed_by_other_numbers(tmp_path: Path, operation: str) -> None:
    with xr.open_dataset(run_packed(tmp_path, operation, np.int16)) as stored:
        np.testing.assert_allclose(stored["x"].values, [28.85, 30.85, 32.85], rtol=1e-14)
        assert stored["x"].attrs["units"] == "degC"


def test_reals_are_not_packed_by_the_numbers_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(thalweg.Error, match="put int16, or define the field without them"):
        run_packed(tmp_path, "instant", np.float64)


@pytest.mark.parametrize(
    ("entry", "wanted"),
    [
        ({"from": "a/x"}, "field 'a/x' has no units, which could be converted to 'K'"),
        (
            {"name": "y", "expression": "'a/x' + 1"},
            "nobody knows its units, from which 'units: K' could be converted; say them below 'variables'",
        ),
    ],
)
def test_units_that_are_not_known_are_refused(tmp_path: Path, entry: dict[str, Any], wanted: str) -> None:
    assert wanted in refused(tmp_path, {"fields": [entry | {"units": "K"}]})
