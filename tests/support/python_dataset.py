"""A dataset with dimensions in several orders, of several types, that tests/python/programs/like.py writes."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray
from numpy.typing import NDArray

NT, NZ, NY, NX = 3, 2, 9, 7
HOUR_S = 3600.0
FILL = np.float32(-99)
KINDS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
SIZES = {"time": NT, "z": NZ, "y": NY, "x": NX}


def numbers(rng: np.random.Generator, kind: str, *dims: str) -> tuple[tuple[str, ...], NDArray[Any]]:
    shape = [SIZES[dim] for dim in dims]
    if kind[0] == "f":
        return dims, rng.standard_normal(shape).astype(kind)
    limits = np.iinfo(kind)
    return dims, rng.integers(limits.min, limits.max, shape, kind, endpoint=True)


def whole(of: str = "") -> xarray.Dataset:
    """The same bits in every process. A collection whose name tells of a set, and so has a layout, has no variable with
    records that lacks some of the dimensions that are decomposed."""
    return everything().drop_vars(["zonal", "since"] if "set" in of else [])


def everything() -> xarray.Dataset:
    rng = np.random.default_rng(7)
    fields: dict[str, Any] = {f"kind_{kind}": numbers(rng, kind, "time", "y", "x") for kind in KINDS}
    fields["temp"] = (
        *numbers(rng, "f4", "time", "z", "y", "x"),
        {"units": "degC", "valid_range": np.array([-5, 50], "f4"), "levels": np.array([1, 2, 3], "i2")},
        {"_FillValue": FILL},
    )
    fields["temp"][1][0, 1, 2, 3] = np.nan
    fields["narrow"] = (*numbers(rng, "f4", "time", "y", "x"), {"long_name": "of doubles"}, {"dtype": "f4"})
    fields["turned"] = numbers(rng, "f8", "x", "time", "z", "y")
    fields["count"] = numbers(rng, "i2", "y", "x", "time")
    fields["area"] = (*numbers(rng, "f8", "y", "x"), {"cell_methods": "area: sum"})
    fields["turned_area"] = numbers(rng, "f4", "x", "z", "y")
    fields["mask"] = (("y", "x"), numbers(rng, "i4", "y", "x")[1] > 0)
    fields["zonal"] = numbers(rng, "f4", "time", "y")
    fields["across"] = numbers(rng, "f8", "z", "x")
    fields["profile"] = numbers(rng, "f4", "time", "z")
    fields["total"] = numbers(rng, "f8", "time")
    fields["radius"] = ((), 6371.25, {"units": "km"})
    day = np.timedelta64(1, "D").astype("m8[ns]")
    fields["since"] = (
        ("time", "y"),
        np.datetime64("2001-01-01", "ns") + day * np.arange(NT * NY).reshape(NT, NY),
        {},
        {"units": "days since 1990-01-01", "calendar": "standard"},
    )
    coordinates = {
        "y": ("y", np.linspace(0, 1, NY), {"units": "m", "axis": "Y"}),
        "x": ("x", np.arange(NX), {"axis": "X"}),
        "z": ("z", np.arange(NZ, dtype="f4"), {"positive": "up"}),
        "lon": numbers(rng, "f4", "y", "x"),
        "time": ("time", np.datetime64("2000-01-01", "ns") + np.timedelta64(3600 * 10**9, "ns") * np.arange(1, NT + 1),
                 {"long_name": "end of the hour"}),
    }  # fmt: skip
    dataset = xarray.Dataset(fields, coordinates, {"title": "A dataset", "version": np.int32(3)})
    dataset["narrow"] = dataset["narrow"].astype("f8")
    dataset["narrow"].encoding["dtype"] = "f4"
    return dataset


def local(dataset: xarray.Dataset, step: int, own: Any, with_halo: Any) -> xarray.Dataset:
    """A record in each way that put_dataset takes: with the record dimension or without, with a halo or without, with
    dimensions in another order."""
    if step == 0:
        return dataset.isel(time=[0]).isel(own)
    record = dataset.isel(time=step).isel(with_halo)
    return record if step == 1 else record.transpose("x", "z", "y")


def check(found: xarray.Dataset, wanted: xarray.Dataset) -> None:
    """Every value, bit for bit, and every attribute."""
    assert set(found.variables) == set(wanted.variables)
    assert set(found.coords) == set(wanted.coords)
    assert dict(found.sizes) == dict(wanted.sizes)
    assert_same_attributes(found.attrs, wanted.attrs)
    for name, variable in wanted.variables.items():
        own = found.variables[name].transpose(*variable.dims)
        values = variable.values.astype("f4") if name == "narrow" else variable.values
        assert own.dtype == values.dtype, name
        assert own.values.tobytes() == values.tobytes(), name
        more = {"standard_name": "time", "axis": "T"} if name == "time" else {}
        assert_same_attributes(own.attrs, {**variable.attrs, **more})
        assert own.encoding.get("_FillValue") == variable.encoding.get("_FillValue"), name


def assert_same_attributes(found: dict[Any, Any], wanted: dict[Any, Any]) -> None:
    assert set(found) == set(wanted)
    for name, value in wanted.items():
        assert np.array_equal(np.asarray(found[name]), np.asarray(value)), name
