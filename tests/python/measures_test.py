# ctest: SHORT TIMEOUT 60
"""Measures of cells that variables name: which of them the file has."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import thalweg


def test_measures_that_another_file_has_are_named(tmp_path: Path) -> None:
    """With those that are chosen, or switched off."""
    cells: dict[str, Any] = {"file": str(tmp_path / "c.nc"), "every": "1 h", "fields": ["t", "s", "volume", "depth"]}
    cells["variables"] = {"depth": {"enabled": False}}
    with thalweg.start(config={"report": "none", "time-step": "1 h", "collections": {"c": cells}}) as io:
        io.define_field_dimension("x", 2)
        measured = {"t": "area: areacello volume: volume", "s": "area: areacello height: depth"}
        fields = [io.define_field(name, "x", np.float32, cell_measures=text) for name, text in measured.items()]
        for name in ("volume", "areacello", "depth"):
            io.define_field(name, "x", np.float32, static=True).put(np.ones(2, "f4"))
        for field in fields:
            field.put(np.ones(2, "f4"))
        io.advance(3600.0)
    with netCDF4.Dataset(tmp_path / "c.nc") as file:
        assert file.external_variables == "areacello depth"
        assert file["t"].cell_measures == "area: areacello volume: volume"
