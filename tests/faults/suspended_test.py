# ctest: WAITS TIMEOUT 90
"""Deadlines count the time in which a process runs, and begin anew with every call to the storage."""

from __future__ import annotations

import signal
import time
from pathlib import Path

from killed_job import assert_exact
from launch import SLOW_PWRITE, Job, begin, file_of, history

SHAPE = (4, 32, 64)
DEADLINE_S = 2.0
SUSPENDED_S = 2.0 * DEADLINE_S
RECORDS = 3
PLACES = {
    "thread": ("thread", "none"),
    "sync": ("sync", "none"),
    "ranks": ("{ranks: 1}", "none"),
    "nodes": ("{nodes: 1}", "[3, 1]"),
}


def begin_slow(folder: Path, writers: str, nodes: str) -> Job:
    """Its first write takes so long that all ranks wait for it when the job is suspended, and are to wait on."""
    top = f"deadline: {DEADLINE_S:g} s\nemulate-nodes: {nodes}\n"
    stall = {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_DELAY_MS": 300}
    program = ("steady", RECORDS, 1, *SHAPE, 1)
    return begin(folder, history(writers, top, format="cdf5"), [(4, program, stall)])


def suspend_all(jobs: list[Job]) -> None:
    """As a batch system does it: not all processes at the same moment, and in another order when they go on."""
    for job in jobs:
        job.wait_until((job.folder / "history.nc.partial").exists)
    for rank in range(4):
        for job in jobs:
            job.signal(signal.SIGSTOP, [rank])
        time.sleep(0.1)
    time.sleep(SUSPENDED_S)
    for rank in (2, 0, 3, 1):
        for job in jobs:
            job.signal(signal.SIGCONT, [rank])
        time.sleep(0.1)


def test_a_job_that_was_suspended_for_longer_than_the_deadline_goes_on(tmp_path: Path) -> None:
    jobs = [begin_slow(tmp_path / name, *place) for name, place in PLACES.items()]
    suspend_all(jobs)
    for job in jobs:
        done = job.end(limit_s=40)
        assert done.returncode == 0, (job.folder.name, done.outcomes)
        assert done.seconds > SUSPENDED_S
        assert_exact(job.folder / "history.nc", RECORDS, SHAPE)


def begin_slow_calls(folder: Path, file_format: str, nodes: str) -> Job:
    """Each takes a third of the deadline, and there are more than three of them in each step. The rest is what a busy
    machine may need besides."""
    delay = {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_DELAY_MS": 1000}
    yaml = history(top=f"deadline: 2.9 s\nemulate-nodes: {nodes}\n", format=file_format, durability="none")
    return begin(folder, yaml, [(4, ("steady", 1, 1, *SHAPE, 1), delay)])


def test_many_slow_calls_of_one_commit_or_one_new_store_have_a_deadline_each(tmp_path: Path) -> None:
    ways = [("netcdf4", "none"), ("zarr", "none"), ("zarr", "[2, 2]")]
    jobs = [begin_slow_calls(tmp_path / str(number), *way) for number, way in enumerate(ways)]
    for (file_format, _), job in zip(ways, jobs, strict=True):
        done = job.end(limit_s=60)
        assert done.returncode == 0, done.outcomes
        assert_exact(job.folder / file_of(file_format), 1, SHAPE)
