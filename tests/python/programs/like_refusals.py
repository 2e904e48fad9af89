"""Definitions and puts of xarray objects that are refused, and single arrays that are not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import thalweg
import xarray
from support.python_dataset import whole


def refused(what: Callable[[], object]) -> None:
    try:
        what()
        print("accepted")
    except (TypeError, ValueError, thalweg.Error) as error:
        print(type(error).__name__, error)


def main() -> None:
    dataset = whole()
    with thalweg.start(config="thalweg.yaml") as io:
        refused(lambda: thalweg.decompose_like(io, dataset, "y,lon"))
        cells = thalweg.decompose_like(io, dataset, "y,x")
        rows = io.decompose("y", (9,), (0,), (9,))
        text = dataset[["temp"]].assign(name=("z", ["low", "high"]))
        refused(lambda: io.collection("texts").define_like(text, cells))
        refused(lambda: io.collection("rows").define_like(dataset[["temp"]].drop_vars(["x", "lon"]), rows))
        history = io.collection("history")
        history.define_like(dataset[["temp", "area"]], cells.decomposition)
        refused(lambda: history.put_dataset(dataset[["temp", "count"]].isel(time=0)))
        refused(lambda: history.put_dataset(dataset[["temp"]]))
        refused(lambda: history.put("temp", dataset["temp"].isel(time=0, z=0)))
        refused(lambda: history.put("temp", dataset["temp"].isel(time=0, y=slice(4))))
        history.put_dataset(dataset[["area"]])
        history.put_dataset(dataset[["area"]])  # once in each file
        by_hand = io.collection("by_hand")
        by_hand.define_dimension("z", 2)
        by_hand.define_variable("t", "time,z,y,x", np.float32, cells.decomposition, memory_dims="x,y,z")
        for step in range(2):
            history.put("temp", dataset["temp"].isel(time=step).transpose("x", "y", "z"))
            by_hand.put("t", dataset["temp"].isel(time=[step]).variable)
            io.advance(60.0 * (step + 1))
    with xarray.open_dataset("history.nc", decode_times=False) as found:
        assert np.array_equal(found["temp"], dataset["temp"][:2], equal_nan=True)
        assert np.array_equal(found["area"], dataset["area"])
    with xarray.open_dataset("by_hand.nc", decode_times=False) as found:
        assert np.array_equal(found["t"], dataset["temp"][:2], equal_nan=True)


main()
