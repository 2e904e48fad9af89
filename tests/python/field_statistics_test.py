# ctest: SHORT TIMEOUT 300
"""What files have of fields over intervals, beside NumPy's results of the same fields in every step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from support import python

FIELDS = ["surface", "levels", "steps", "ice/listed", "average", "parted"]
DIURNAL, DAYS = "diurnal 4", 48  # hours of its intervals
OPERATIONS = ["mean", "min", "max", "sum", "rms", "std", "count", "difference", DIURNAL]
STEPS, EVERY = 56, 6

Array = np.ndarray[Any, Any]
Statistic = Callable[[Array], Array]

# Of samples along the first axis, where missing ones are NaN.
NUMPY: dict[str, Statistic] = {
    "mean": lambda samples: np.nanmean(samples, axis=0),
    "min": lambda samples: np.nanmin(samples, axis=0),
    "max": lambda samples: np.nanmax(samples, axis=0),
    "sum": lambda samples: np.where(np.isnan(samples).all(axis=0), np.nan, np.nansum(samples, axis=0)),
    "rms": lambda samples: np.sqrt(np.nanmean(samples**2, axis=0)),
    "std": lambda samples: np.nanstd(samples, axis=0),
    "count": lambda samples: np.count_nonzero(~np.isnan(samples), axis=0).astype("f8"),
}
EXACT = ("min", "max", "count")


def begins(operation: str) -> range:
    """Of intervals."""
    return range(0, STEPS, DAYS if operation == DIURNAL else EVERY)


def results(operation: str, samples: Array) -> Array:
    """Of each interval."""
    if operation == "difference":
        ends = samples[[min(n + EVERY, STEPS) - 1 for n in begins(operation)]]
        return ends - np.concatenate([np.full_like(ends[:1], np.nan), ends[:-1]])
    if operation == DIURNAL:
        hours = np.arange(STEPS) % 24
        means = [
            [mean_of_part(samples[n : n + DAYS], hours[n : n + DAYS] // 6 == part) for part in range(4)]
            for n in begins(operation)
        ]
        return np.array(means)
    return np.stack([NUMPY[operation](samples[n : n + EVERY]) for n in begins(operation)])


def mean_of_part(samples: Array, is_in_it: Array) -> Array:
    return NUMPY["mean"](samples[is_in_it]) if is_in_it.any() else np.full(samples.shape[1:], np.nan)


WAYS: dict[str, tuple[int, str, dict[str, Any]]] = {
    "one rank": (1, "netcdf4", {}),
    "three ranks": (3, "cdf5", {}),
    "four ranks in two nodes": (4, "netcdf4", {"emulate-nodes": 2}),
    "servers": (4, "cdf5", {"writers": {"ranks": 2}}),
    "a store": (2, "zarr", {}),
}


def settings(form: str, keys: dict[str, Any]) -> dict[str, Any]:
    ending = "zarr" if form == "zarr" else "nc"
    collections: dict[str, Any] = {"all": {"file": f"all.{ending}", "format": form, "fields": FIELDS}}
    for operation in OPERATIONS:
        collections[operation.split()[0]] = {
            "file": f"{operation.split()[0]}.{ending}",
            "format": form,
            "every": f"{begins(operation).step} h",
            "operation": operation,
            "fields": FIELDS,
        }
    return {"time-step": "1 h", "collections": collections} | keys


def opened(folder: Path, operation: str) -> xr.Dataset:
    name = operation.split()[0]
    if (folder / f"{name}.zarr").exists():
        return xr.open_zarr(folder / f"{name}.zarr", consolidated=False, decode_times=False)
    return xr.open_dataset(folder / f"{name}.nc", decode_times=False)


@pytest.fixture(scope="module", params=WAYS)
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    ranks, form, keys = WAYS[request.param]
    folder = tmp_path_factory.mktemp("statistics")
    python.run("field_statistics.py", ranks, folder, settings(form, keys), STEPS)
    return folder


@pytest.mark.filterwarnings("ignore:All-NaN|Mean of empty|Degrees of freedom:RuntimeWarning")
@pytest.mark.parametrize("operation", OPERATIONS)
def test_results_are_those_of_numpy(written: Path, operation: str) -> None:
    with opened(written, "all") as steps, opened(written, operation) as file:
        assert steps.sizes["time"] == STEPS and file.sizes["time"] == len(begins(operation))
        for name in (field.split("/")[-1] for field in FIELDS):
            samples = steps[name].values.astype("f8")
            wanted = results(operation, samples)
            if name == "listed":  # what no rank has is missing, and not none
                wanted[..., np.isnan(samples).all(axis=0)] = np.nan
            got = file[name]
            stored = got.encoding["dtype"]
            near = 0.0 if operation in EXACT else 1e-6 if stored == np.float32 else 4e-15
            off = near * np.nanmax(np.abs(samples))  # a spread is as exact as the values that it is of
            np.testing.assert_allclose(got.values.astype("f8"), wanted, rtol=near, atol=off, err_msg=name)


def test_results_have_the_same_bits_on_any_ranks(tmp_path: Path) -> None:
    made: list[dict[str, bytes]] = []
    for ranks, keys in ((1, {}), (4, {"emulate-nodes": 2}), (3, {"writers": {"ranks": 1}})):
        folder = tmp_path / str(ranks)
        folder.mkdir()
        python.run("field_statistics.py", ranks, folder, settings("cdf5", keys), STEPS)
        bits = {}
        for operation in OPERATIONS:
            with opened(folder, operation) as file:
                bits |= {f"{name} of {operation}": file[name].values.tobytes() for name in ("levels", "parted")}
        made.append(bits)
    for other in made[1:]:
        for name, bits_of_one in made[0].items():
            assert other[name] == bits_of_one, name
