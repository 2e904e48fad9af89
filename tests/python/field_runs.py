"""Small runs with fields, and what they have written."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import thalweg
import xarray as xr
from support import python

WAYS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "1 rank": (1, "cdf5", {}),
    "2 ranks, sync": (2, "netcdf4", {"writers": "sync"}),
    "3 ranks, chunks": (3, "netcdf4", {"defaults": {"compression": "zstd", "chunks": {"lat": 2}}}),
    "4 ranks": (4, "zarr", {}),
    "3 ranks and a server": (4, "cdf5", {"writers": {"ranks": 1}}),
    "4 ranks on 2 nodes": (4, "netcdf4", {"emulate-nodes": 2}),
}
"""Ranks, the format, and further settings."""


def run_in(way: str, program: str, folder: Path, collections: Callable[[str], dict[str, Any]]) -> None:
    """Of a program that steps by the hour; the collections of a format."""
    ranks, form, more = WAYS[way]
    python.run(program, ranks, folder, {"time-step": "1 h", "collections": collections(form)} | more)


def means_of(folder: Path, **of: Any) -> dict[str, Any]:
    """Of collections that have means over 3 h, unless they say something else."""
    usual = {"every": "3 h", "operation": "mean"}
    files = {name: usual | {"file": str(folder / f"{name}.nc")} | keys for name, keys in of.items()}
    return {"report": "none", "time-step": "1 h", "collections": files}


def opened(folder: Path, name: str) -> xr.Dataset:
    """As it is stored."""
    path = next(folder / (name + ending) for ending in (".nc", ".zarr") if (folder / (name + ending)).exists())
    plain = {"decode_times": False, "mask_and_scale": False}
    if path.suffix == ".zarr":
        return xr.open_zarr(path, consolidated=False, **plain)  # type: ignore[arg-type]
    return xr.open_dataset(path, **plain)  # type: ignore[arg-type]


def refused(tmp_path: Path, collection: dict[str, Any], **session: Any) -> str:
    """What one rank is told that has the fields a/x and b/x of 3 cells, and puts them in three steps of an hour."""
    chosen = {"file": str(tmp_path / "c.nc")} | collection
    settings = {"report": "none", "time-step": "1 h", "collections": {"c": chosen}}
    with pytest.raises(thalweg.Error) as error, thalweg.start(config=settings | session, on_exception="raise") as io:
        fields = [io.define_field(name, "x", np.float32) for name in ("a/x", "b/x")]
        io.define_field_dimension("x", 3)
        for step in range(1, 4):
            for field in fields:
                field.put(np.zeros(3, "f4"))
            io.advance(step * 3600.0)
    return str(error.value)


def require_conventions(file: Path) -> None:
    """What the checker of IOOS has to say of CF is nothing."""
    command = [Path(sys.executable).with_name("compliance-checker"), "--test=cf:1.11", "--criteria=strict", file]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and "All tests passed!" in done.stdout, done.stdout + done.stderr
