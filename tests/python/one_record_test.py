# ctest: SHORT LABELS mpi TIMEOUT 180 ALL 300
"""`record-dimension: none`: every record is a file without that dimension, whatever its format and its writers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray
from support import mpi, python
from support.ways import of

sys.path.insert(0, str(python.PROGRAMS))
from one_record import field

RECORDS = 5
PLAIN = {"format": "cdf5"}
FORMATS: dict[str, dict[str, Any]] = {
    "cdf5": {"format": "cdf5", "record-coordinate": True},
    "netcdf4": {"format": "netcdf4"},
    "zstd": {"format": "netcdf4", "compression": "zstd", "chunks": {"y": 5, "x": 4, "z": 1}},
    "zarr": {"format": "zarr", "compression": "zstd"},
    "shards": {"format": "zarr", "sharding": True, "chunks": {"y": 3, "x": 4}},
}
WAYS: dict[str, tuple[int, dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    name: (2, {}, of, PLAIN) for name, of in FORMATS.items()
} | {
    "sync": (2, {"writers": "sync"}, FORMATS["zstd"], PLAIN),
    "shared": (3, {"emulate-nodes": [2, 1]}, FORMATS["zstd"] | {"pattern": "shared"}, PLAIN | {"pattern": "shared"}),
    "sets": (3, {"emulate-nodes": [2, 1]}, FORMATS["netcdf4"] | {"pattern": "per-rank"},
             PLAIN | {"pattern": "per-domain"}),
    "servers": (3, {"writers": {"ranks": 1}}, FORMATS["zstd"], FORMATS["zarr"]),
    "nodes": (4, {"writers": {"nodes": 1}, "emulate-nodes": [2, 1, 1]}, FORMATS["netcdf4"], FORMATS["zstd"]),
}  # fmt: skip


def configuration(clock: dict[str, Any], restart: dict[str, Any]) -> dict[str, Any]:
    ending = "zarr" if clock["format"] == "zarr" else "nc"
    common = {"record-dimension": "none"}
    collections = {"clock": common | {"every": "1 min", "file": f"clock_%M.{ending}"} | clock,
                   "restart": common | {"every": "on-demand", "file": "unused"} | restart}  # fmt: skip
    return {"deadline": "20 s", "time-step": "1 min", "staging": "1 MiB", "collections": collections}


def check(path: Path, step: int) -> None:
    with xarray.open_dataset(path, engine="thalweg", mask_and_scale=False, decode_times=False) as found:
        assert "time" not in found.sizes
        assert found["time"].values == 60.0 * step and found["time"].attrs["axis"] == "T"
        np.testing.assert_array_equal(found["temp"].values, field(60.0 * step))
        fill = np.float32(9.969209968386869e36)
        ice = field(60.0 * step)[0].T.astype(np.float32)
        np.testing.assert_array_equal(found["ice"].values, np.full_like(ice, fill) if step == 2 else ice)
        assert found["step"].values == step
        assert (found["mask"].values == 7).all()


# What netCDF-4 and zstd take is in the ways of several nodes and of servers.
@pytest.mark.parametrize("way", of([way for way in WAYS if way not in ("netcdf4", "zstd")], list(WAYS)))
def test_every_record_is_a_file(tmp_path: Path, way: str) -> None:
    ranks, settings, clock, restart = WAYS[way]
    for _ in range(2 if way in ("zstd", "sets", "zarr") else 1):  # the second one replaces the files of the first
        python.run("one_record.py", ranks, tmp_path, configuration(clock, restart) | settings, RECORDS)
    ending = "zarr" if clock["format"] == "zarr" else "nc"
    names = [name for step in range(1, RECORDS + 1) for name in (f"clock_{step:02}.{ending}", f"restart_{step}")]
    for place, name in enumerate(names):
        check(tmp_path / name, place // 2 + 1)
    assert not list(tmp_path.glob("*.partial*"))
    one = next((name for name in names if (tmp_path / f"{name}.checksums").exists()), names[0])
    done = python.start("-m", 1, tmp_path, None, "thalweg.cli", "verify", one)
    assert done.returncode == 0 and "5 variables as written" in done.stdout, done.stdout + done.stderr


def said_by(folder: Path, ranks: int, config: dict[str, Any], *words: object) -> str:
    done = python.start("one_record.py", ranks, folder, config, *words)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


ENDS: dict[str, tuple[int, dict[str, Any], dict[str, Any]]] = {
    "thread": (2, {}, {}),
    "servers": (3, {"writers": {"ranks": 1}}, {}),
    "sets": (3, {"emulate-nodes": [2, 1]}, {"pattern": "per-rank"}),
}


@pytest.mark.parametrize("way", ENDS)
def test_a_record_that_is_not_closed_leaves_no_file_and_spares_the_one_of_its_name(tmp_path: Path, way: str) -> None:
    ranks, settings, changes = ENDS[way]
    config = configuration(FORMATS["netcdf4"] | changes, FORMATS["cdf5"] | changes) | settings
    python.run("one_record.py", ranks, tmp_path, config, 2)
    complete = {path: path.read_bytes() for path in tmp_path.glob("*[0-9]*")}
    said = said_by(tmp_path, ranks, config, 1, "open")
    assert way == "servers" or ("this run had no record for" in said and "which stays as it was" in said)
    for path, before in complete.items():
        if "_02" in path.name or "_2" in path.name:
            assert path.read_bytes() == before, path
    for name in ("clock_01.nc", "restart_1"):
        check(tmp_path / name, 1)
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    said = said_by(fresh, ranks, config, 0, "open")
    assert way == "servers" or "which is not made" in said, "a server has begun none"
    assert [path.name for path in fresh.iterdir() if path.suffix not in (".yaml", ".json")] == []


def test_a_record_that_is_not_closed_leaves_no_file_with_checksums_of_fms(tmp_path: Path) -> None:
    with_sums = PLAIN | {"checksum-attributes": True}
    config = configuration({"format": "netcdf4", "checksum-attributes": True}, with_sums)
    python.run("one_record.py", 2, tmp_path, config, 2, "doubles")
    complete = (tmp_path / "restart_2").read_bytes()
    said = said_by(tmp_path, 2, config, 1, "doubles", "open")
    assert "this run had no record for" in said
    assert (tmp_path / "restart_2").read_bytes() == complete


def test_a_node_that_is_ahead_leaves_complete_sets_alone(tmp_path: Path) -> None:
    """Each node has its own parts, and the other one never comes to write any."""
    ranks, settings, changes = ENDS["sets"]
    config = configuration(FORMATS["netcdf4"] | changes, FORMATS["cdf5"] | changes) | settings
    python.run("one_record.py", ranks, tmp_path, config, 4)
    complete = {path: path.read_bytes() for path in tmp_path.glob("*[0-9]*")}
    done = python.start("one_record.py", ranks, tmp_path, config, 4, "lame")
    assert done.returncode != 0
    assert len(list(tmp_path.glob("*.partial"))) > 4, "the first node was ahead"
    assert {path: path.read_bytes() for path in complete} == complete


def test_a_file_waits_for_nothing_behind_its_record(tmp_path: Path) -> None:
    said = said_by(tmp_path, 2, configuration(FORMATS["netcdf4"], PLAIN), 4, "unmasked")
    assert "variable 'mask': not put before" in said
    for name in ("clock_03.nc", "restart_3"):
        with xarray.open_dataset(tmp_path / name, mask_and_scale=False, decode_times=False) as found:
            assert (found["mask"].values == -2147483647).all() and found["step"].values == 3


def test_what_was_left_of_a_record_is_not_read(tmp_path: Path) -> None:
    for clock in ("netcdf4", "cdf5", "zarr"):
        folder = tmp_path / clock
        folder.mkdir()
        done = python.start("one_record.py", 2, folder, configuration(FORMATS[clock], PLAIN), 1, "open", "dies")
        assert done.returncode != 0
        (left,) = folder.glob("clock_02.*.partial")
        with pytest.raises(ValueError, match="has no record dimension"):
            xarray.open_dataset(left, engine="thalweg")
        convert = [sys.executable, str(mpi.SOURCE / "python" / "thalweg" / "cli"), "convert", str(left), "made.nc"]
        refused = subprocess.run(convert, cwd=folder, capture_output=True, text=True, timeout=60, check=False)
        assert refused.returncode == 3 and "has no record dimension" in refused.stderr, refused.stderr


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"new-file": "1 d"}, "new-file: with 'record-dimension: none' every record is a file of its own"),
        ({"append": "continue"}, "append: with 'record-dimension: none' no file goes on"),
        ({"engine": "library"}, "engine: with 'record-dimension: none' files are made by Thalweg's own writer"),
        ({"file": "clock.nc"}, "file: with 'record-dimension: none' every record is a file of its own, and all"),
    ],
)
def test_what_does_not_go_with_it_is_refused(tmp_path: Path, changes: dict[str, Any], wanted: str) -> None:
    settings = configuration(FORMATS["netcdf4"] | changes, PLAIN)
    done = python.start("one_record.py", 1, tmp_path, settings, 1)
    assert done.returncode != 0 and wanted in done.stderr, done.stderr
