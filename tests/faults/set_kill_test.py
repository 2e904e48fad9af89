# ctest: WAITS TIMEOUT 200
"""A job that is killed while it writes a set of files loses nothing that was committed, in any of them."""

from __future__ import annotations

import random
import shutil
import signal
import time
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from killed_job import MODULUS, confirmed_records, value
from launch import begin, history, recover

SHAPE = (5, 48, 64)


def section(file: netCDF4.Dataset, name: str) -> slice:
    attributes = file.__dict__.get(f"domain_decomposition_{name}")
    return slice(None) if attributes is None else slice(int(attributes[2]) - 1, int(attributes[3]))


def assert_exact(path: Path, records: int) -> None:
    """The first records of a file of the set have the values that steady put."""
    number = np.arange(records)
    with netCDF4.Dataset(path) as file:
        file.set_auto_mask(False)
        box = (..., section(file, "y"), section(file, "x"))
        np.testing.assert_array_equal(file["temp"][:records], value(0, number, SHAPE)[box], "temp")
        np.testing.assert_array_equal(file["ssh"][:records], value(1, number, SHAPE[1:])[box], "ssh")
        np.testing.assert_array_equal(file["mean"][:records], value(2, number, ()), "mean")
        np.testing.assert_array_equal(file["time"][:records], (number + 1) * 600.0, "time")
        np.testing.assert_array_equal(file["depth"][:], value(3, np.zeros(1, int), SHAPE[1:])[0][box], "depth")


def records_of(path: Path) -> int:
    with netCDF4.Dataset(path) as file:
        return len(file.dimensions["time"])


VARIANTS = [
    (file_format, pattern, writers)
    for file_format in ("cdf5", "netcdf4")
    for pattern in ("per-domain", "per-rank")
    for writers in ("thread", "sync")
]


@pytest.mark.parametrize(("seed", "variant"), list(enumerate(VARIANTS)), ids=map("-".join, VARIANTS))
def test_every_file_keeps_what_was_confirmed(tmp_path: Path, seed: int, variant: tuple[str, str, str]) -> None:
    file_format, pattern, writers = variant
    yaml = history(writers, "emulate-nodes: 2\n", format=file_format, pattern=pattern)
    # Confirmed is what thalweg_wait waited for, which all nodes come to.
    job = begin(tmp_path, yaml, [(4, ("steady", 0, 3, *SHAPE), {})])
    log = tmp_path / "committed.log"
    job.wait_until(lambda: log.exists() and log.stat().st_size > 0)
    time.sleep(random.Random(seed).uniform(0.0, 0.25))
    job.signal(signal.SIGKILL)
    assert job.end(limit_s=20).returncode != 0
    confirmed = confirmed_records(tmp_path)
    assert 0 < confirmed < MODULUS
    parts = sorted(tmp_path.glob("history.nc.[0-9][0-9][0-9][0-9].partial"))
    assert len(parts) == (4 if pattern == "per-rank" else 2)
    for partial in parts:
        if file_format == "cdf5":
            assert records_of(partial) >= confirmed
            assert_exact(partial, records_of(partial))
        done = recover(partial)
        assert done.returncode == 0, done.stderr
        assert int(done.stdout) >= confirmed
        recovered = partial.with_suffix("")
        assert records_of(recovered) == int(done.stdout)
        assert_exact(recovered, int(done.stdout))
    if file_format == "netcdf4":
        assert recover(tmp_path / "history.nc.partial").returncode == 0
        assert records_of(tmp_path / "history.nc") >= confirmed, "the master shows the recovered files"
    shutil.rmtree(tmp_path)
