# ctest: WAITS TIMEOUT 300
"""Storage and ranks that stall or die: no wait is without a deadline, and the error says who waits for whom."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from killed_job import ENCODINGS, assert_exact
from launch import DEADLINE, FULL, PEER, SLOW_PWRITE, Outcome, Run, begin, file_of, history, run

SHAPE = (4, 32, 64)
RANKS = 4
DEADLINE_S = 2.0
SHORT = f"deadline: {DEADLINE_S:g} s\n"
# A deadline, the time before the job is aborted, the start of the job, and a busy machine.
LIMIT_S = DEADLINE_S + 6.0
WRITER = r"writer: (writing|committing) since \d"
FORMATS = pytest.mark.parametrize("file_format", ["cdf5", "netcdf4"])


def stalling(seconds: int, after: int = 12) -> dict[str, object]:
    return {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_STALL_S": seconds, "THALWEG_TEST_PWRITE_AFTER": after}


def steady(records: int = 0, wait_every: int = 0, pause_ms: int = 5) -> tuple[object, ...]:
    return ("steady", records, wait_every, *SHAPE, pause_ms)


def assert_deadline(outcome: Outcome, *patterns: str) -> None:
    assert outcome.code == DEADLINE, outcome
    assert outcome.seconds < DEADLINE_S + 2.0, outcome
    for pattern in (f"deadline: {DEADLINE_S:g} s", "Who waits for whom", *patterns):
        assert re.search(pattern, outcome.text), f"no '{pattern}' in:\n{outcome.text}"


def assert_all_meet_deadline(done: Run, *patterns: str) -> None:
    assert done.returncode != 0
    assert done.seconds < LIMIT_S
    for rank in range(RANKS):
        assert_deadline(done.first_failure(rank), *patterns)
        assert done.of(rank, "finish").code == DEADLINE


# ---- storage that stalls


@FORMATS
def test_a_stalled_writer_ends_a_put_with_a_report(tmp_path: Path, file_format: str) -> None:
    yaml = history(top=SHORT, format=file_format, records_ahead=3)
    done = run(tmp_path, yaml, RANKS, steady(), limit_s=20, **stalling(60))
    block = r"waiting for a free block, collection 'history', variable 'temp', record \d+"
    each = [rf"rank {rank}: {block}, since \d" for rank in range(RANKS)]
    assert_all_meet_deadline(done, "rank \\d gave up", *each, "waits for the writer", WRITER)
    assert {done.first_failure(rank).label for rank in range(RANKS)} <= {"put temp", "put ssh", "advance"}


def test_a_stalled_writer_ends_wait_with_a_report(tmp_path: Path) -> None:
    done = run(tmp_path, history(top=SHORT), RANKS, steady(wait_every=2), limit_s=20, **stalling(60))
    assert_all_meet_deadline(done, r"waiting for a commit, collection 'history', record \d+", WRITER)
    assert {done.first_failure(rank).label for rank in range(RANKS)} == {"wait"}


def test_a_stalled_writer_ends_finish_with_a_report(tmp_path: Path) -> None:
    yaml = history(top=SHORT, format="cdf5", records_ahead=8)
    done = run(tmp_path, yaml, RANKS, steady(records=4), limit_s=20, **stalling(60, after=2))
    assert_all_meet_deadline(done, "collection 'history'", WRITER)
    assert {done.first_failure(rank).label for rank in range(RANKS)} == {"finish"}


def test_a_stall_under_sync_is_an_error_for_the_ranks_that_wait(tmp_path: Path) -> None:
    """Rank 0 itself is in the stalled write: it cannot say anything."""
    done = run(tmp_path, history("sync", SHORT), RANKS, steady(), limit_s=20, **stalling(60))
    assert done.returncode != 0
    assert done.seconds < LIMIT_S
    for rank in range(1, RANKS):
        assert_deadline(done.first_failure(rank), "collection 'history'", WRITER)


def test_a_stall_on_another_node_is_an_error_here(tmp_path: Path) -> None:
    yaml = history(top=SHORT + "emulate-nodes: 2\n", pattern="shared", layout=[2, 1], records_ahead=3)
    program = steady()
    done = begin(tmp_path, yaml, [(2, program, {}), (2, program, stalling(60))]).end(limit_s=20)
    assert_all_meet_deadline(done, "collection 'history'")


def test_a_slow_writer_under_sync_is_no_stall_for_ranks_of_another_node(tmp_path: Path) -> None:
    """Each write takes less than the deadline, a record more."""
    slow = {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_DELAY_MS": 700}
    yaml = history("sync", "deadline: 1 s\nemulate-nodes: [2, 2]\n", format="cdf5")
    done = run(tmp_path, yaml, RANKS, steady(2, 1, 1), limit_s=60, **slow)
    assert done.returncode == 0, done.outcomes
    assert_exact(tmp_path / "history.nc", 2, SHAPE)


@FORMATS
def test_when_full_fail_returns_at_once(tmp_path: Path, file_format: str) -> None:
    yaml = history(top=SHORT + "when-full: fail\n", format=file_format, records_ahead=3)
    done = run(tmp_path, yaml, RANKS, steady(pause_ms=20), limit_s=20, **stalling(1, after=24))
    assert done.returncode != 0
    assert done.seconds < LIMIT_S
    failures = [failure for rank in range(RANKS) for failure in done.failures(rank) if failure.code == FULL]
    assert failures, done.outcomes
    for failure in failures:
        assert failure.seconds < 0.5
        assert re.search(r"rank \d, collection 'history', variable '\w+': no free block for record \d+", failure.text)
        assert "'when-full' is 'fail'" in failure.text
    for rank in range(RANKS):
        labels = [failure.label for failure in done.failures(rank)]
        assert "finish" not in labels, "what was put before must be written"


@pytest.mark.parametrize(
    ("file_format", "encoding"),
    [("cdf5", "plain"), ("netcdf4", "plain"), ("netcdf4", "encoded"), ("zarr", "plain"), ("zarr", "sharded")],
)
def test_when_full_wait_goes_on_when_the_stall_ends(tmp_path: Path, file_format: str, encoding: str) -> None:
    yaml = history(format=file_format, records_ahead=2, **ENCODINGS[encoding])
    done = run(tmp_path, yaml, RANKS, steady(records=30), limit_s=30, **stalling(2))
    assert done.returncode == 0, done.outcomes
    assert done.seconds > 2.0
    assert_exact(tmp_path / file_of(file_format), 30, SHAPE)


# ---- ranks that stall or die


@pytest.mark.parametrize("top", ["", "emulate-nodes: 2\n"], ids=["one_node", "two_nodes"])
def test_a_killed_rank_ends_the_job(tmp_path: Path, top: str) -> None:
    job = begin(tmp_path, history(top=SHORT + top, pattern="shared"), [(RANKS, steady(wait_every=2), {})])
    log = tmp_path / "committed.log"
    job.wait_until(lambda: log.exists() and log.stat().st_size > 0)
    job.signal(signal.SIGKILL, [2])
    done = job.end(limit_s=LIMIT_S)
    assert done.returncode != 0


def test_a_killed_rank_is_named_by_those_that_live_on(tmp_path: Path) -> None:
    """Open MPI is told to let the others live, as some launchers do."""
    variables = {"OMPI_MCA_orte_enable_recovery": 1, "OMPI_MCA_orte_abort_on_non_zero_status": 0}
    job = begin(tmp_path, history(top=SHORT), [(RANKS, steady(wait_every=2), variables)], variables)
    log = tmp_path / "committed.log"
    job.wait_until(lambda: log.exists() and log.stat().st_size > 0)
    victim = job.ranks()[2]
    job.signal(signal.SIGKILL, [2])
    done = job.end(limit_s=LIMIT_S + DEADLINE_S)
    for rank in (0, 1, 3):
        failure = done.first_failure(rank)
        assert failure.code == PEER, failure
        assert f"rank 2 (process {victim}) died" in failure.text


@pytest.mark.parametrize("victim", [0, 3])
def test_a_stopped_rank_is_named_by_the_others(tmp_path: Path, victim: int) -> None:
    """Rank 0 is also the one whose thread writes."""
    job = begin(tmp_path, history(top=SHORT, records_ahead=3), [(RANKS, steady(wait_every=4), {})])
    log = tmp_path / "committed.log"
    job.wait_until(lambda: log.exists() and log.stat().st_size > 0)
    job.signal(signal.SIGSTOP, [victim])
    done = job.end(limit_s=LIMIT_S + DEADLINE_S)
    assert done.returncode != 0
    for rank in set(range(RANKS)) - {victim}:
        assert_deadline(done.first_failure(rank), rf"rank {victim}: ", r"collection 'history'|other ranks")


@pytest.mark.parametrize(("command", "call"), [("late", "ready"), ("late-to-decompose", "decompose")])
def test_a_rank_that_does_not_come_to_a_collective_call_is_named(tmp_path: Path, command: str, call: str) -> None:
    done = run(tmp_path, history(top=SHORT), 3, ("faulty", command), limit_s=15)
    for rank in (0, 2):
        outcome = done.of(rank, call)
        assert_deadline(outcome, "rank 1: computing", "Not every rank came", r"waiting for the other ranks")


def test_a_deadlock_of_the_model_is_reported(tmp_path: Path) -> None:
    yaml = f"""\
report: none
deadline: {DEADLINE_S:g} s
collections:
  history: {{file: history.nc, records-ahead: 1}}
  restart: {{file: restart.nc, records-ahead: 1}}
"""
    done = run(tmp_path, yaml, 3, ("faulty", "deadlock"), limit_s=15)
    assert done.returncode != 0
    failure = done.first_failure(0)
    assert_deadline(
        failure,
        r"waiting for a free block, (rank 0, )?collection 'restart', variable 'temp', record 1",
        r"still holds record 0, with \d of 3 pieces|complete and waits",
        r"rank 1: none",
        r"rank 1: computing",
        r"rank 2: computing",
        "same order of records",
    )


@FORMATS
def test_a_record_that_no_advance_closed_does_not_keep_finish_waiting(tmp_path: Path, file_format: str) -> None:
    done = run(tmp_path, history(top=SHORT, format=file_format), 2, ("faulty", "unfinished"), limit_s=15)
    assert [done.of(rank, "finish").code for rank in range(2)] == [0, 0], done.outcomes
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        np.testing.assert_array_equal(file["temp"][:], np.arange(48.0).reshape(1, 8, 6))


# ---- ranks that only seem to do wrong


@FORMATS
@pytest.mark.parametrize("writers", ["thread", "sync"])
def test_fields_may_be_put_in_any_order(tmp_path: Path, file_format: str, writers: str) -> None:
    done = run(tmp_path, history(writers, format=file_format), 3, ("faulty", "orders"))
    assert done.returncode == 0, done.outcomes
    expected = 1000.0 * np.arange(20).reshape(20, 1, 1) + np.arange(48.0).reshape(8, 6)
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        np.testing.assert_array_equal(file["temp"][:], expected)
        np.testing.assert_array_equal(file["salt"][:], expected + 0.25)


COMPRESSED = {"chunks": "{y: 2, x: 6}", "compression": "{codec: zstd, level: 19, checksum: true}"}


@pytest.mark.parametrize("writers", ["thread", "sync", "{ranks: 1}"])
@pytest.mark.parametrize(
    ("file_format", "nodes", "pattern", "encoding"),
    [
        ("cdf5", 2, "single", {}),
        ("netcdf4", 2, "shared", COMPRESSED),
        ("netcdf4", 1, "shared", COMPRESSED | {"layout": "[2, 1]"}),
    ],
)
def test_a_rank_without_cells_that_is_ahead_does_not_keep_the_others_waiting(
    tmp_path: Path, writers: str, file_format: str, nodes: int, pattern: str, encoding: dict[str, object]
) -> None:
    """It would take no messages and place no chunks while it waits for them in the model's own communication."""
    ranks = 5 if "ranks" in writers else 4
    top = f"deadline: 5 s\nemulate-nodes: {[2, ranks - 2] if nodes == 2 else 'none'}\n"
    yaml = history(writers, top, format=file_format, pattern=pattern, **encoding, records_ahead=2)
    done = run(tmp_path, yaml, ranks, ("faulty", "ahead"))
    assert done.returncode == 0, done.outcomes
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        expected = 1000.0 * np.arange(20).reshape(20, 1, 1) + np.arange(48.0).reshape(8, 6)
        np.testing.assert_array_equal(file["temp"][:], expected)


@FORMATS
def test_a_field_left_out_is_filled_and_reported(tmp_path: Path, file_format: str) -> None:
    done = run(tmp_path, history(format=file_format), 2, ("faulty", "missing"))
    assert done.returncode == 0, done.outcomes
    assert "rank 1, collection 'history', variable 'temp': not put before record 1 was closed" in done.output
    assert "filled with the fill value" in done.output
    said = "collection 'history', variable 'temp': 1 field was due and not put, and is filled with the fill value"
    assert done.output.count(f"{said}, on rank 1") == 1
    with netCDF4.Dataset(tmp_path / "history.nc") as file:
        temp = file["temp"][:]
    assert np.ma.getmaskarray(temp)[1, 4:].all()
    assert np.ma.count_masked(temp) == 24
    np.testing.assert_array_equal(temp[1, :4], 1000.0 + np.arange(24.0).reshape(4, 6))


@pytest.fixture
def taken_semaphores() -> Iterator[None]:
    """What jobs leave that are killed while Open MPI's MPI-IO opens a file, whatever number that file had."""
    taken = [Path(f"/dev/shm/sem.OMPIO_{number}") for number in range(3, 64)]
    made = [path for path in taken if not path.exists()]
    for path in made:
        path.write_bytes(bytes(32))
    yield
    for path in made:
        path.unlink(missing_ok=True)


@pytest.mark.usefixtures("taken_semaphores")
@pytest.mark.parametrize(
    ("file_format", "pattern"), [("cdf5", "single"), ("netcdf4", "single"), ("netcdf4", "per-rank")]
)
def test_what_another_job_left_on_the_machine_is_not_waited_for(tmp_path: Path, file_format: str, pattern: str) -> None:
    done = run(tmp_path, history(top=SHORT, format=file_format, pattern=pattern), RANKS, steady(3), limit_s=LIMIT_S)
    assert done.returncode == 0, done.output
    assert_exact(tmp_path / "history.nc", 3, SHAPE)
