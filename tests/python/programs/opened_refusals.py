"""What thalweg.open and indices refuse, and series of files; prints what was raised as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI
from support import time_forms

raised: dict[str, list[str]] = {}


def refused(label: str, call: Callable[[], Any]) -> None:
    try:
        call()
    except Exception as error:  # noqa: BLE001
        raised[label] = [type(error).__name__, str(error)]
    else:
        raised[label] = ["nothing", ""]


def opened(path: str) -> None:
    thalweg.open(path, MPI.COMM_WORLD)


refused("no file", lambda: opened("none.nc"))
refused("no files", lambda: opened("none_*.nc"))
refused("no series", lambda: opened("*.nc"))
refused("settings", lambda: thalweg.open("one_1.nc", MPI.COMM_WORLD, settings={"readig": "domain"}))
with thalweg.open("one_?.nc", MPI.COMM_WORLD) as file:
    assert file.paths == ("one_1.nc", "one_2.nc", "one_3.nc"), file.paths
    assert (file.records, file["field"].shape) == (6, (6, 2, 3))
    field = np.arange(36.0).reshape(6, 2, 3)
    for key in (..., 4, slice(None, None, -1), slice(1, 5, 2), (slice(3, 6), 1, slice(None, None, 2))):
        assert np.array_equal(file["field"][key], field[key]), key
    assert np.array_equal(file.times, np.arange(6) * 3600.0)
    assert file.get("fied") is None and "field" in file and len(file) == 2
    found = file.to_xarray()
    assert np.array_equal(found["field"].values, field)
    refused("name", lambda: file["fied"])
    refused("beyond", lambda: file["field"][6])
    refused("too many", lambda: file["field"][0, 0, 0, 0])
    refused("two dots", lambda: file["field"][..., 0, ...])
    refused("a list", lambda: file["field"][[0, 1]])
    refused("a truth", lambda: file["field"][True])
    refused("a number", lambda: file["field"][1.0])
    refused("no dimension", lambda: file.decompose("x,q"))
    cells = file.decompose("x")
    refused("decomposed", lambda: file["field"].part(cells)[0, 0, 1])
    refused("not its", lambda: file["time"].part(cells))
    file["field"].part(cells)[0, 0]
refused("closed", lambda: file["field"][0])
with thalweg.open("one_1.nc") as alone:  # ranks do not ask each other
    if MPI.COMM_WORLD.Get_rank() == 0:
        assert alone["field"][1, 1, 2] == 11.0
for number, units in time_forms.numbered(time_forms.FORMS):
    meant = np.array([0.0, time_forms.FORMS[units]])
    with thalweg.open(f"times/{number}_*.nc", MPI.COMM_WORLD) as file:
        assert np.allclose(file.times, meant, rtol=0, atol=1e-5), (units, file.times, meant)
        assert np.allclose(file["time"][:] * 86400, meant, rtol=0, atol=1e-5), (units, file["time"][:])
        seconds = (file.to_xarray()["time"].values - np.datetime64("2000-01-01")) / np.timedelta64(1, "s")
        assert np.allclose(seconds, meant, rtol=0, atol=1e-5), (units, seconds)
for number, units in time_forms.numbered(time_forms.NONE):
    with thalweg.open(f"times/none_{number}.nc", MPI.COMM_WORLD) as file:
        refused(units, lambda: file.times)
        assert raised.pop(units)[0] == "Error", f"'{units}' is understood"
if MPI.COMM_WORLD.Get_rank() == 0:
    print(json.dumps(raised))
