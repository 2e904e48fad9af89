# ctest: SHORT LABELS mpi TIMEOUT 240
"""Variables without records whose values change from file to file: each file has what was put before it began, and
keeps it, in every format and by every writer, also where the storage is far behind."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray
from netCDF4 import default_fillvals
from numpy.typing import NDArray
from support import checksums, fortran_file, mpi, python

sys.path.insert(0, str(python.PROGRAMS))
from renewed import BASE, FILES, SHAPE, TYPES, rows_of, version_of, whole

COLLECTIONS: dict[str, dict[str, Any]] = {
    "cdf5": {"format": "cdf5"},
    "cdf2": {"format": "cdf2", "pattern": "shared"},
    "netcdf4": {"format": "netcdf4", "chunks": {"y": 10, "x": 24}},
    "zip": {"format": "netcdf4", "compression": "zstd", "chunks": {"y": 10, "x": 7}},
    "zip_fixed": {"format": "netcdf4", "compression": "zstd", "variables": {"temp": {"compression": "none"}}},
    "store": {"format": "zarr", "pattern": "shared"},
    "zip_store": {"format": "zarr", "compression": "zstd", "chunks": {"y": 20}},
    "records": {"format": "fortran"},
    "parts": {"format": "netcdf4", "pattern": "per-rank", "compression": "deflate"},
    "single": {"format": "netcdf4", "record-dimension": "none", "file": "single_%H%M.nc"},
    "turn": {"format": "netcdf4", "compression": "zstd", "cycle": 2, "every": "1 step", "file": "turn.%n.nc"},
}
SUFFIX = {"store": ".zarr", "zip_store": ".zarr", "records": ".bin", "single": "", "turn": ""}
OF_ONE_RECORD = ("single", "turn")
THREE_NODES = [2, 1, 1]
WAYS: dict[str, tuple[int, int, dict[str, Any]]] = {  # ranks, clients among them, and what is set
    "thread": (2, 2, {"writers": "thread"}),
    "sync": (4, 4, {"writers": "sync", "emulate-nodes": [2, 2]}),
    "nodes_of_threads": (4, 4, {"writers": "thread", "emulate-nodes": THREE_NODES}),
    "behind": (2, 2, {"writers": "thread", "rate-limit": "400 kB/s", "records-ahead": 8}),
    "on_flush": (4, 4, {"writers": "thread", "drain": "on-flush", "emulate-nodes": [2, 2]}),
    "ranks": (4, 2, {"writers": {"ranks": 2}}),
    "idle": (4, 2, {"writers": {"ranks": 2, "assign": "idle"}}),
    "nodes": (4, 2, {"writers": {"nodes": 2}, "emulate-nodes": [2, 1, 1]}),
    "groups": (4, 2, {"writers": {"nodes": {"count": 2, "groups": 2}}, "emulate-nodes": [2, 1, 1]}),
}


def name_of(collection: str, file: int) -> str:
    if collection == "single":
        return f"single_{file + 1:04}.nc"
    return f"turn.{file % 2 + 1}.nc" if collection == "turn" else f"{collection}_{file}{SUFFIX.get(collection, '.nc')}"


def kinds_of(collections: list[str]) -> str:
    return ",".join(f"{c}:{1 if c in OF_ONE_RECORD else 2}:{SUFFIX.get(c, '.nc')}" for c in collections)


def configuration(collections: list[str], settings: dict[str, Any]) -> dict[str, Any]:
    ahead = settings.get("records-ahead")
    of_all = {"records-ahead": ahead} if ahead else {}
    named = {c: {"file": name_of(c, 0)} | of_all | COLLECTIONS[c] for c in collections}
    if ahead and "turn" in named:
        del named["turn"]["records-ahead"]
    rest = {key: value for key, value in settings.items() if key != "records-ahead"}
    return {"deadline": "20 s", "time-step": "1 min", "collections": named} | rest


def expected(variable: str, file: int, clients: int) -> NDArray[Any]:
    values = whole(variable, version_of(variable, file))
    if variable == "corner":  # of the other ranks there are the values of the first file
        others = rows_of(0, clients)[1]
        values[others:] = whole(variable, 0)[others:]
    return values.astype(TYPES.get(variable, np.float32))


def read(path: Path) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """All variables, and the names of those with records."""
    if path.suffix == ".bin":
        kinds = {n: (np.dtype(TYPES.get(n, np.float32)).name, SHAPE[1:] if n == "axis" else SHAPE) for n in BASE}
        fixed, records = fortran_file.read(path, kinds, {"temp": ("float32", SHAPE), "time": ("float64", ())})
        return fixed | {n: np.stack([record[n] for record in records]) for n in ("temp", "time")}, ["temp", "time"]
    with xarray.open_dataset(path, engine="thalweg", mask_and_scale=False, decode_times=False) as file:
        arrays = {str(name): file[name].to_numpy() for name in file.variables}
        return arrays, [str(name) for name in file.variables if "time" in file[name].dims]


def records_of(arrays: dict[str, NDArray[Any]]) -> list[float]:
    return [float(value) for value in arrays["temp"].reshape(-1, *SHAPE).max((1, 2))]


def check(path: Path, collection: str, file: int, clients: int) -> None:
    arrays, of_records = read(path)
    for variable in BASE:
        found, right = arrays[variable], expected(variable, file, clients)
        assert found.dtype == right.dtype
        assert found.tobytes() == right.tobytes(), f"{path.name}, {variable}: {found.flat[0]}, not {right.flat[0]}"
    assert records_of(arrays) == ([file] if collection in OF_ONE_RECORD else [2 * file, 2 * file + 1])
    assert checksums.beside(path).exists() or collection == "parts"
    checksums.check(path, arrays, of_records)


def fill_of(dtype: np.dtype[Any]) -> float:
    return default_fillvals[dtype.str[1:]]


@pytest.mark.parametrize("way", WAYS)
def test_each_file_has_what_was_put_before_it_began(tmp_path: Path, way: str) -> None:
    ranks, clients, settings = WAYS[way]
    collections = list(COLLECTIONS)
    python.run("renewed.py", ranks, tmp_path, configuration(collections, settings), kinds_of(collections), -1)
    for collection in collections:
        files = range(2 * FILES) if collection == "single" else range(FILES)
        for file in range(2 * FILES - 2, 2 * FILES) if collection == "turn" else files:
            check(tmp_path / name_of(collection, file), collection, file, clients)


@pytest.mark.parametrize("way", ["thread", "behind", "nodes"])
def test_what_a_killed_job_leaves_has_values_of_its_own_file(tmp_path: Path, way: str) -> None:
    """Behind a committed record of the third file."""
    last = 2
    ranks, clients, settings = WAYS[way]
    collections = [name for name in COLLECTIONS if name not in OF_ONE_RECORD]
    words = (kinds_of(collections), last)
    done = python.start("renewed.py", ranks, tmp_path, configuration(collections, settings), *words)
    assert len(list(tmp_path.glob("confirmed.*"))) == clients, done.stdout + done.stderr
    for partial in sorted(tmp_path.glob("*.partial")):
        command = [str(mpi.program("thalweg-recover")), str(partial)]
        recovery = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=30, check=False)
        assert recovery.returncode == 0, recovery.stdout + recovery.stderr
    for collection in collections:
        for file in range(last + 1):
            fixed, _ = read(tmp_path / name_of(collection, file))
            assert records_of(fixed) == ([2.0 * file] if file == last else [2.0 * file, 2.0 * file + 1])
            for variable in BASE:
                own = expected(variable, file, clients)
                is_own, is_fill = fixed[variable] == own, fixed[variable] == fill_of(own.dtype)
                assert np.all(is_own | is_fill), f"{collection}, {variable}: {fixed[variable].flat[0]}"
                assert variable != "late" or not is_own.any()


def test_values_that_come_twice_or_too_late_are_refused(tmp_path: Path) -> None:
    collections = {"history": {"file": "first.nc"}, "library": {"format": "cdf5", "engine": "library"}}
    settings = {"time-step": "1 min", "collections": collections}
    refused = json.loads(python.run("renewed_refused.py", 2, tmp_path, settings))
    reasons = {
        "history, early": "put twice",
        "library, early": "put twice",
        "before the first file": "a variable without record dimension is put once before each file",
        "behind the first field": "before the first put behind the call that closed the last record",
        "of the library": "set engine: direct",
        "twice before a file": "a variable without record dimension is put once before each file",
    }
    assert refused.keys() == reasons.keys()
    for label, reason in reasons.items():
        assert "rank 1, collection" in refused[label]
        assert "variable 'mask'" in refused[label]
        assert reason in refused[label], refused[label]
    for name, value in {"first.nc": 1.0, "second.nc": 2.0, "library.nc": 1.0}.items():
        with xarray.open_dataset(tmp_path / name, engine="thalweg") as file:
            assert set(file["mask"].to_numpy()) == {value}


@pytest.mark.parametrize("settings", [{}, {"writers": "sync", "emulate-nodes": 2}], ids=str)
def test_the_first_put_may_come_behind_fields_and_others_follow(tmp_path: Path, settings: dict[str, Any]) -> None:
    python.run("renewed_behind.py", 2, tmp_path, settings)
    for file in range(3):
        with xarray.open_dataset(tmp_path / f"file{file}.nc", engine="thalweg") as dataset:
            assert dataset["mask"].to_numpy().tolist() == [file] * 3 + [file + 1] * 3
            assert dataset["temp"].to_numpy().tolist() == [[10.0 * file] * 6]
