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
from commits import ChangingFile, Commit, commits
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
Shape = tuple[int, ...]
RULES: dict[str, Callable[[np.ndarray, Shape], np.ndarray]] = {
    "temp": lambda records, shape: value(0, records, shape),
    "ssh": lambda records, shape: value(1, records, shape[1:]),
    "mean": lambda records, _: value(2, records, ()),
    "time": lambda records, _: (records + 1) * 600.0,
}
FEW_CELLS = (2, 4, 4)
DIVIDED = [
    # HDF5 divides a node with 64 children, the last one of an index into one with 57 and one with 7.
    (Model("netcdf4", "chunk_a_record", shape=FEW_CELLS), [65, 122, 179]),
    (Model("netcdf4", "small_deflated_chunks", shape=FEW_CELLS), [122]),
    # 64 chunks a record: the root gets two levels below it, and then a node of the upper one is divided.
    (Model("netcdf4", "small_chunks", shape=(4, 16, 16)), [10, 58, 108]),
]


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
    # A busy machine may let the writer run between any two reads: with pauses its file stands still for most of them.
    program = [str(BIN / "steady"), "0", "1", *map(str, SHAPE), of("2", "0")]
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
    end = time.monotonic() + of(60, 600)
    while many > 0 and time.monotonic() < end:
        try:
            with h5py.File(partial, locking=False) as file:
                seen.add(records_by_variable(file, SHAPE))
            many -= 1
        except (OSError, KeyError):  # not there yet; or an object header was being written while it was read
            time.sleep(0.001)
    assert many == 0, f"{many} readings did not come about"
    return len(seen)


def records_by_variable(file: h5py.File, shape: Shape, latest: int = 5, corner: Shape = ()) -> int:
    """Each variable by its own extents: a reader looks at one after the other while the file grows, so that one may be
    some records ahead of another. corner: the last indices; of all cells by default."""
    counts = {name: len(file[name]) for name in RULES}
    for name, count in counts.items():
        last = np.arange(max(0, count - latest), count)
        cells = (..., *corner[: file[name].ndim - 1])
        found = file[name][(slice(max(0, count - latest), count), *cells)]
        assert_same(found, RULES[name](last, shape)[cells], name)
    return min(counts.values())


@pytest.mark.parametrize(("model", "numbers"), DIVIDED, ids=str)
def test_a_commit_may_come_between_any_two_reads(tmp_path: Path, model: Model, numbers: list[int]) -> None:
    """Where nodes of the indices of chunks are divided, what a reader has seen of one fits what it sees of the next."""
    for commit in commits(tmp_path / "jobs", model, numbers):
        for state in commit.states[:-1:3]:
            assert_readers_meet_records(state, commit, model.shape)


def assert_readers_meet_records(state: bytes, commit: Commit, shape: Shape) -> None:
    """Of readers that have made any number of reads before the rest of the commit."""
    reads, read = 0, 0
    while True:
        file = ChangingFile(state, commit.states[-1], reads)
        try:
            with h5py.File(file, "r") as opened:
                assert records_by_variable(opened, shape, 9, (-1, -1)) in (commit.records - 1, commit.records)
                read += 1
        except (OSError, KeyError):  # it has a superblock or a part of an object header from before
            pass
        if file.made <= reads:
            break
        reads += 1
    assert read > 1, f"{read} of {reads} readers could read"
