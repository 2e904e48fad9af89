# ctest: TIMEOUT 300 ALL 7200
"""Power that fails under a job, at one call to the storage after the other: with `durability: record` every confirmed
record is on the disk, with `close` the complete old file or the complete new one is under NAME, and a job that has
ended well has left its file there.

The long tests cut at every call, also of plain models beside encoded ones, on XFS and on two nodes, and at moments by
chance."""

from __future__ import annotations

import random
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from calls import OUT, SHAPE, Call, Ended, Fault, Model
from launch import Job, begin
from names import NEW, Names, assert_complete, confirmed_records, told
from power_cut import Disk, after_power_failure, disk, why_not
from support.ways import ALL, of
from sweep import CHANGING, Sweep, chosen

pytestmark = pytest.mark.timeout(of(120, 3600))
FILE_SYSTEMS = of(("ext4",), ("ext4", "xfs"))
DURABLE = [
    Model("cdf5", durability="record"),
    Model("netcdf4", durability="record"),
    Model("netcdf4", "encoded", durability="record"),
    Model("zarr", "sharded", durability="record"),
    Model("fortran", durability="record"),
] + of([], [Model("zarr", durability="record")])
CLOSED = [Model("cdf5"), Model("zarr"), Model("netcdf4", pattern="per-domain")] + of(
    [], [Model("netcdf4"), Model("fortran")]
)
TWO_NODES = [
    Model("cdf5", pattern="shared", durability="record", ranks=2),
    Model("netcdf4", "encoded", pattern="shared", durability="record", ranks=2),
    Model("zarr", pattern="shared", durability="record", ranks=2),
]


@pytest.fixture(params=FILE_SYSTEMS)
def small_file_system(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """Mounted where a sweep of this test has the files of its jobs."""
    reason = why_not(request.param)
    if reason:
        pytest.skip(reason)
    folder = tmp_path / "sweep"
    folder.mkdir()
    with disk(request.param, tmp_path, folder / OUT) as made:
        yield made
    shutil.rmtree(tmp_path, ignore_errors=True)


class Failure(Sweep):
    """A sweep of jobs under which the power fails when they are killed, or when they have ended."""

    def __init__(self, made: Disk, model: Model, existing: bool) -> None:
        self.disk = made
        super().__init__(made.place.parent, model, existing)

    def clear(self) -> None:
        super().clear()
        self.disk.sync()

    def check(self, done: Ended) -> None:
        """What is on the disk when the power is back."""
        confirmed, kept = confirmed_records(self.folder), self.folder.parent / "kept"
        copy = self.disk.cut(self.folder.parent / "copy.image")
        with after_power_failure(self.disk.kind, copy, kept / OUT):
            names = Names(kept, self.model)
            if done.code == 0:
                assert_complete(names.name, NEW)
            else:
                assert done.killed, f"exit {done.code}: {told(self.folder) or done.output}"
                names.assert_old_or_new(self.old)
            if self.model.durability == "record" and not names.is_new():
                assert confirmed == 0 or names.partial.exists(), f"there is {sorted(names.present())}"
                self.assert_recovers(names, confirmed)
            names.assert_runs()

    @staticmethod
    def assert_recovers(names: Names, confirmed: int) -> None:
        if names.partial.exists():
            names.make_free()
            names.assert_recovers(names.partial, confirmed)

    def run(self, few: int, start: int) -> None:
        calls = self.calls()
        for number, call in {**dict(chosen(calls, CHANGING - {"allocate"}, few, start)), **before_syncs(calls)}.items():
            self.disturb(Fault(number, "after"), call, self.check)
        self.disturb(Fault(0, "after"), call, self.check)
        assert not self.failures, f"{len(self.failures)} cuts of power:\n" + "\n".join(self.failures)


def before_syncs(calls: list[Call], few: int = 4) -> dict[int, Call]:
    """Some calls behind which something is synced, so that the most is missing if the power fails between the two; the
    first few of them are of files that have no record yet."""
    found = [(number, call) for number, call in enumerate(calls[:-1], 1) if calls[number].kind == "sync"]
    behind_first = [one for one in found if one[1].kind == "write"][2:]
    return dict(behind_first[:: max(1, len(behind_first) // few)])


@pytest.mark.parametrize("existing", of([False], [False, True]))
@pytest.mark.parametrize("model", DURABLE, ids=str)
def test_a_power_cut_takes_no_confirmed_record(small_file_system: Disk, model: Model, existing: bool) -> None:
    Failure(small_file_system, model, existing).run(1, DURABLE.index(model))


@pytest.mark.parametrize("model", CLOSED, ids=str)
def test_a_power_cut_leaves_a_complete_file_under_the_name(small_file_system: Disk, model: Model) -> None:
    Failure(small_file_system, model, True).run(1, CLOSED.index(model))


@pytest.mark.parametrize("model", [*TWO_NODES, *DURABLE] if ALL else TWO_NODES[1:], ids=str)
def test_a_power_cut_at_any_moment_takes_no_confirmed_record(
    tmp_path: Path, small_file_system: Disk, model: Model
) -> None:
    """The job is stopped, not ended: one job meets several power cuts."""
    moments, folder = random.Random(3), small_file_system.place.parent
    job = begin(folder, model.configuration(), [(model.ranks, ("steady", 0, 1, *SHAPE, 20), {})])
    try:
        for number in range(of(2, 10)):
            confirmed, copy = cut_at(job, small_file_system, moments.uniform(0.0, 0.3))
            with after_power_failure(small_file_system.kind, copy, tmp_path / f"kept{number}" / OUT):
                names = Names(tmp_path / f"kept{number}", model)
                assert names.assert_recovers(names.partial, confirmed) >= confirmed
    finally:
        job.signal(signal.SIGKILL)
        job.end(20)


def cut_at(job: Job, made: Disk, after_s: float) -> tuple[int, Path]:
    """Cuts the power some time after the next record; how many were confirmed, and the image."""
    log, seen = job.folder / "committed.log", confirmed_records(job.folder)
    job.wait_until(lambda: log.exists() and confirmed_records(job.folder) > seen)
    time.sleep(after_s)
    job.signal(signal.SIGSTOP)
    try:
        return confirmed_records(job.folder), made.cut(job.folder.parent / "copy.image")
    finally:
        job.signal(signal.SIGCONT)
