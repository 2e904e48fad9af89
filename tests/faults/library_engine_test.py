# ctest: WAITS TIMEOUT 300 ALL 300
"""Engine library: storage that fails and ranks that do not come, up to the collective call, which has no deadline."""

from __future__ import annotations

import errno
import re
import signal
from itertools import product
from pathlib import Path

import pytest
from killed_job import assert_exact
from launch import DEADLINE, SLOW_PWRITE, STORAGE, Run, begin, history, recover, run
from support.ways import of

SHAPE = (4, 32, 64)
RANKS = 4
DEADLINE_S = 2.0
LIMIT_S = DEADLINE_S + 6.0
TWO_NODES = "emulate-nodes: 2\n"
MPI_IO = pytest.mark.parametrize("mpi_io", ["ompio", "romio321"])
WAYS = pytest.mark.parametrize(
    ("file_format", "calls"),
    [("cdf5", "collective"), ("cdf5", "nonblocking"), ("cdf5", "independent"), ("netcdf4", "collective")],
)
FORMATS = pytest.mark.parametrize("file_format", ["cdf5", "netcdf4"])


def steady(records: int = 0, wait_every: int = 2, pause_ms: int = 5) -> tuple[object, ...]:
    return ("steady", records, wait_every, *SHAPE, pause_ms)


def library(top: str = "", **settings: object) -> str:
    layout = {"pattern": "shared", "layout": [2, 1]}
    return history(top=f"deadline: {DEADLINE_S:g} s\n{top}", engine="library", **layout | settings)


def assert_all_ranks_meet_storage_error(done: Run, text: str = "") -> None:
    assert done.returncode != 0
    for rank in range(RANKS):
        failure = done.first_failure(rank)
        assert failure.code == STORAGE, failure
        assert failure.seconds < DEADLINE_S
        assert "history.nc.partial" in failure.text
        assert text in failure.text


@FORMATS
@MPI_IO
def test_a_model_that_runs_long_loses_nothing(tmp_path: Path, file_format: str, mpi_io: str) -> None:
    yaml = library(TWO_NODES, format=file_format)
    done = run(tmp_path, yaml, RANKS, steady(60), OMPI_MCA_io=mpi_io)
    assert done.returncode == 0, done.outcomes
    assert_exact(tmp_path / "history.nc", 60, SHAPE)


@WAYS
@pytest.mark.parametrize("top", ["", TWO_NODES], ids=["one_node", "two_nodes"])
def test_a_write_that_fails_is_an_error_on_all_ranks(tmp_path: Path, top: str, file_format: str, calls: str) -> None:
    failing = {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_ERRNO": errno.EIO, "THALWEG_TEST_PWRITE_AFTER": 30}
    yaml = library(top, format=file_format, library_calls=calls)
    assert_all_ranks_meet_storage_error(run(tmp_path, yaml, RANKS, steady(), **failing))


@WAYS
def test_a_full_disk_is_an_error_on_all_ranks(small_disk: Path, file_format: str, calls: str) -> None:
    """Open MPI's own MPI-IO would not tell, so another one is taken where there is one."""
    yaml = library(format=file_format, library_calls=calls).replace("history.nc", f"{small_disk.name}/history.nc")
    done = run(small_disk.parent, yaml, RANKS, steady(pause_ms=0))
    assert_all_ranks_meet_storage_error(done)
    assert "OMPIO" not in done.output


def test_where_failed_writes_are_not_told_there_is_a_warning_and_a_file_that_is_too_short_is_not_published(
    small_disk: Path,
) -> None:
    yaml = library(format="cdf5").replace("history.nc", f"{small_disk.name}/history.nc")
    done = run(small_disk.parent, yaml, RANKS, steady(400, pause_ms=0), OMPI_MCA_io="ompio")
    assert "OMPIO) is in use, which does not tell when a write fails" in done.output
    assert_all_ranks_meet_storage_error(done, "MPI-IO has lost some without saying so")
    assert [path.name for path in small_disk.iterdir()] == ["history.nc.partial"]


@pytest.mark.parametrize(
    ("victim", "top"), of([(0, ""), (1, ""), (3, TWO_NODES)], list(product((0, 1, 3), ("", TWO_NODES))))
)
def test_a_rank_that_stops_is_named_by_the_others(tmp_path: Path, victim: int, top: str) -> None:
    """It stops while it computes: the others wait for its pieces, or for it, before the collective call."""
    job = begin(tmp_path, library(top, format="cdf5"), [(RANKS, steady(pause_ms=400), {})])
    log = tmp_path / "committed.log"
    job.wait_until(lambda: log.exists() and log.stat().st_size > 0)
    job.signal(signal.SIGSTOP, [victim])
    done = job.end(limit_s=LIMIT_S + DEADLINE_S)
    assert done.returncode != 0
    failures = [done.failures(rank)[0] for rank in set(range(RANKS)) - {victim} if done.failures(rank)]
    assert failures, done.outcomes
    for failure in failures:
        assert failure.code == DEADLINE, failure
        assert failure.seconds < DEADLINE_S + 2.0
        assert re.search(r"collection 'history'|other ranks", failure.text)
        assert "have taken some" not in failure.text, "its pieces are missing, not its memory"


def recovered_records(folder: Path, yaml: str) -> int:
    """Kills the job, makes a proper file of what it left, and returns how many records were committed before."""
    job = begin(folder, yaml, [(RANKS, steady(), {})])
    log = folder / "committed.log"
    job.wait_until(lambda: log.exists() and len(log.read_text().splitlines()) > 3)
    job.signal(signal.SIGKILL)
    job.end(limit_s=LIMIT_S)
    done = recover(folder / "history.nc.partial")
    assert done.returncode == 0, done.stderr
    confirmed = int(log.read_text().split()[-1])
    assert confirmed > 3
    return confirmed


@pytest.mark.parametrize("calls", ["collective", "nonblocking", "independent"])
def test_committed_records_of_a_killed_job_are_recovered_from_a_cdf_file(tmp_path: Path, calls: str) -> None:
    """Beyond them there may be half a record: the library counts it before all its variables are written."""
    confirmed = recovered_records(tmp_path, library(format="cdf5", library_calls=calls))
    assert_exact(tmp_path / "history.nc", confirmed, SHAPE)


def test_netcdf4_keeps_every_record_of_a_killed_job_where_each_is_synced(tmp_path: Path) -> None:
    """Otherwise HDF5 keeps what makes them visible in memory, to the end."""
    confirmed = recovered_records(tmp_path, library(format="netcdf4", durability="record"))
    assert_exact(tmp_path / "history.nc", confirmed, SHAPE)
