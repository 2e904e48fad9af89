# ctest: TIMEOUT 200 ALL 1800
"""Who opens a growing netCDF-4 file with a plain HDF5 reader, or what a kill has left of one, without recovery before:
every record that is there to be seen has the values that the model put. On one rank."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from calls import SHAPE, Ended, Fault, Model, singleton
from killed_job import assert_exact, assert_same, value, visible_records
from launch import BIN, environment
from support.ways import ALL, of
from sweep import Sweep, sweeping

pytestmark = pytest.mark.timeout(of(120, 900))
MODELS = [
    Model("netcdf4"),
    Model("netcdf4", "encoded", durability="record"),
    Model("netcdf4-classic"),
    Model("netcdf4", "chunked"),
]
RULES: dict[str, tuple[Callable[[np.ndarray, tuple[int, ...]], np.ndarray], tuple[int, ...]]] = {
    "temp": (lambda records, shape: value(0, records, shape), SHAPE),
    "ssh": (lambda records, shape: value(1, records, shape), SHAPE[1:]),
    "mean": (lambda records, shape: value(2, records, shape), ()),
    "time": (lambda records, _: (records + 1) * 600.0, ()),
}


class Left:
    """What is visible in the partial file of a job that was killed."""

    def __init__(self, sweep: Sweep) -> None:
        self.sweep, self.seen = sweep, 0

    def __call__(self, done: Ended) -> None:
        assert done.killed, done.output
        partial = self.sweep.names.partial
        if not partial.exists():
            return
        visible = visible_records(partial, SHAPE)
        assert visible >= 0, "it cannot be opened"
        assert_exact(partial, visible, SHAPE)
        self.seen = max(self.seen, visible)


@pytest.mark.parametrize("model", MODELS if ALL else MODELS[:2], ids=str)
def test_a_kill_between_two_writes_shows_whole_records_only(tmp_path: Path, model: Model) -> None:
    with sweeping(tmp_path, model, False) as sweep:
        left = Left(sweep)
        name = sweep.names.partial.name
        writes = [(n, call) for n, call in enumerate(sweep.calls(), 1) if call.kind == "write" and call.top == name]
        behind_header = writes[2:]
        for number, call in behind_header[:: 1 if ALL else max(1, len(behind_header) // 12)]:
            sweep.disturb(Fault(number, "before"), call, left)
        assert left.seen > 0, "no kill came behind the first record"


@pytest.mark.parametrize("model", MODELS if ALL else MODELS[:1], ids=str)
def test_a_growing_file_shows_whole_records_only(tmp_path: Path, model: Model) -> None:
    model.configure(tmp_path)
    (tmp_path / "out").mkdir()
    program = [str(BIN / "steady"), "0", "1", *map(str, SHAPE), "0"]
    job = subprocess.Popen(program, cwd=tmp_path, env=environment() | singleton(tmp_path), start_new_session=True)
    try:
        assert readings(tmp_path, model, of(60, 1000)) > 1, "the file did not grow"
    finally:
        os.killpg(job.pid, signal.SIGKILL)
        job.wait(timeout=10)


def readings(folder: Path, model: Model, many: int) -> int:
    """How many different numbers of records were seen."""
    partial = folder / "out" / f"{model.name}.partial"
    seen = set()
    end = time.monotonic() + of(30, 300)
    while many > 0 and time.monotonic() < end:
        try:
            seen.add(records_by_variable(partial))
            many -= 1
        except (OSError, KeyError):  # not there yet; or an object header was being written while it was read
            time.sleep(0.001)
    assert many == 0, f"{many} readings did not come about"
    return len(seen)


def records_by_variable(path: Path) -> int:
    """Each variable by its own extents: a reader looks at one after the other while the file grows, so that one may be
    some records ahead of another."""
    with h5py.File(path, locking=False) as file:
        counts = {name: len(file[name]) for name in RULES}
        for name, count in counts.items():
            rule, shape = RULES[name]
            last = np.arange(max(0, count - 5), count)
            assert_same(file[name][max(0, count - 5) : count], rule(last, shape), name)
    return min(counts.values())
