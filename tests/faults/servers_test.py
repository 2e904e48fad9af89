# ctest: WAITS TIMEOUT 500
"""Servers that die, stop or meet bad storage, and models that leave them: an answer on every rank, never a hang."""

from __future__ import annotations

import errno
import json
import re
import shutil
import signal
import time
from pathlib import Path

import pytest
from killed_job import ENCODINGS, assert_exact, look_at
from launch import DEADLINE, PEER, SLOW_PWRITE, STATE, STORAGE, Job, Run, begin, run
from placed import DIVIDED, IDLE, NODE, PLACES, RANK_A_NODE, RANKS, Place

SHAPE = (4, 32, 64)
DEADLINE_S = 2.0
SHORT = f"deadline: {DEADLINE_S:g} s\n"
LIMIT_S = DEADLINE_S + 8.0
# Open MPI lets the others live, as some launchers do. Long messages go in parts: some are under way at any time.
SURVIVING = {
    "OMPI_MCA_orte_enable_recovery": 1,
    "OMPI_MCA_orte_abort_on_non_zero_status": 0,
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
each_place = pytest.mark.parametrize("place", PLACES, ids=str)


def steady(records: int = 0, wait_every: int = 0, pause_ms: int = 5) -> tuple[object, ...]:
    return ("steady", records, wait_every, *SHAPE, pause_ms)


def commit_something(job: Job) -> None:
    log = job.folder / "committed.log"
    job.wait_until(lambda: log.exists() and log.stat().st_size > 0)


def start(folder: Path, place: Place, top: str = SHORT, wait_every: int = 2, **settings: object) -> Job:
    job = begin(folder, place.history(top, **settings), [(place.ranks, steady(wait_every=wait_every), {})])
    commit_something(job)
    return job


# ---- processes that die


@pytest.mark.parametrize(("place", "victim"), [(RANKS, "server"), (RANK_A_NODE, "client"), (NODE, "server")])
def test_a_killed_process_ends_the_job_and_committed_records_survive(tmp_path: Path, place: Place, victim: str) -> None:
    job = start(tmp_path, place)
    job.signal(signal.SIGKILL, [place.writer if victim == "server" else place.clients[1]])
    assert job.end(LIMIT_S).returncode != 0
    assert look_at(tmp_path, SHAPE, readable=True).confirmed > 0


def kill(folder: Path, place: Place, victim: int) -> None:
    job = begin(folder, place.history(SHORT), [(place.ranks, steady(wait_every=2), SURVIVING)], SURVIVING)
    commit_something(job)
    process = job.ranks()[victim]
    job.signal(signal.SIGKILL, [victim])
    done = job.end(LIMIT_S + DEADLINE_S)
    for rank in {*place.clients, *place.servers} - {victim}:
        failure = done.first_failure(rank)
        assert failure.code == PEER, failure
        assert f"rank {victim} (process {process}) died" in failure.text
    look_at(folder, SHAPE, readable=True)


@pytest.mark.parametrize(("place", "victim"), [(RANKS, 4), (RANK_A_NODE, 2), (NODE, 1), (DIVIDED, 4), (DIVIDED, 5)])
def test_a_killed_process_is_named_by_all_that_live_on(tmp_path: Path, place: Place, victim: int) -> None:
    kill(tmp_path, place, victim)


@pytest.mark.parametrize(("place", "victim"), [(NODE, 1), (RANK_A_NODE, 1), (RANK_A_NODE, 5)])
def test_a_process_that_dies_while_all_wait_for_it_in_a_collective_step_is_named_by_all(
    tmp_path: Path, place: Place, victim: int
) -> None:
    """Those of other nodes hear of it by message, in the step."""
    top = "deadline: 10 s\n"
    job = begin(tmp_path, place.history(top), [(place.ranks, steady(wait_every=1), SURVIVING)], SURVIVING)
    commit_something(job)
    process = job.ranks()[victim]
    job.signal(signal.SIGSTOP, [victim])
    time.sleep(0.5)
    job.signal(signal.SIGKILL, [victim])
    done = job.end(LIMIT_S)
    for rank in {*place.clients, *place.servers} - {victim}:
        failure = done.first_failure(rank)
        assert failure.code == PEER, failure
        assert f"rank {victim} (process {process}) died" in failure.text


OF_SEVERAL = {
    "cdf5": {"format": "cdf5"},
    "netcdf4_record": {"format": "netcdf4", "durability": "record"},
    "netcdf4_zstd": {"format": "netcdf4"} | ENCODINGS["encoded"],
    "zarr_shards": {"format": "zarr"} | ENCODINGS["sharded"],
}


@pytest.mark.parametrize(
    ("name", "place"), [*((name, DIVIDED) for name in OF_SEVERAL), ("cdf5", IDLE), ("netcdf4_zstd", IDLE)]
)
def test_one_of_several_servers_of_a_file_that_is_killed_loses_no_committed_record(
    tmp_path: Path, name: str, place: Place
) -> None:
    """It does not own the file."""
    job = start(tmp_path, place, **OF_SEVERAL[name])
    job.signal(signal.SIGKILL, [5])
    assert job.end(LIMIT_S).returncode != 0
    file_format = str(OF_SEVERAL[name]["format"])
    file = "history.zarr" if file_format == "zarr" else "history.nc"
    assert look_at(tmp_path, SHAPE, file_format != "netcdf4", file).confirmed > 0


def stop(folder: Path, place: Place, victim: int) -> None:
    job = start(folder, place, wait_every=4, records_ahead=3)
    job.signal(signal.SIGSTOP, [victim])
    done = job.end(LIMIT_S + DEADLINE_S)
    assert done.returncode != 0
    for rank in set(place.clients) - {victim}:
        failure = done.first_failure(rank)
        assert failure.code in (DEADLINE, PEER), failure  # PEER: a server told first what another client has met
        assert re.search(r"rank \d gave up", failure.text)
        assert re.search(rf"[Rr]ank {victim}\b", failure.text), failure.text
    look_at(folder, SHAPE, readable=True)


@pytest.mark.parametrize(
    ("place", "victim"), [(RANKS, 4), (RANK_A_NODE, 4), (NODE, 4), (DIVIDED, 4), (DIVIDED, 5), (IDLE, 5)]
)
def test_a_stopped_process_is_named_by_the_clients_that_go_on(tmp_path: Path, place: Place, victim: int) -> None:
    stop(tmp_path, place, victim)


# ---- storage


def stalling(seconds: int, after: int = 12) -> dict[str, object]:
    return {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_STALL_S": seconds, "THALWEG_TEST_PWRITE_AFTER": after}


def stall(folder: Path, place: Place, call: str) -> None:
    program = {"put": steady(), "wait": steady(wait_every=2), "finish": steady(records=3)}[call]
    yaml = place.history(SHORT, format="cdf5", records_ahead=3 if call == "put" else 8)
    done = run(folder, yaml, place.ranks, program, limit_s=20, **stalling(60, 2 if call == "finish" else 12))
    assert done.returncode != 0
    for rank in place.clients:
        failure = done.first_failure(rank)
        assert failure.code == DEADLINE, failure
        assert "Who waits for whom" in failure.text
        assert re.search(r"writer.*: (writing|committing) since \d", failure.text), failure.text


@pytest.mark.parametrize(("place", "call"), [(RANKS, "put"), (RANK_A_NODE, "wait"), (NODE, "finish")])
def test_storage_that_stalls_below_a_server_is_reported_to_clients(tmp_path: Path, place: Place, call: str) -> None:
    stall(tmp_path, place, call)


@pytest.mark.parametrize("place", [RANK_A_NODE], ids=str)
def test_storage_that_stalls_below_a_server_that_makes_a_file_is_reported_to_clients(
    tmp_path: Path, place: Place
) -> None:
    """The server's main thread hangs in the format library."""
    done = run(tmp_path, place.history(SHORT), place.ranks, steady(), limit_s=20, **stalling(60, 2))
    assert done.returncode != 0
    for rank in place.clients:
        failure = done.first_failure(rank)
        assert (failure.label, failure.code) == ("ready", DEADLINE)
        # Its node may have told something just before it stalled, or not.
        late = rf"rank {place.writer}: (a server, has not looked for orders|nothing was heard|\d+\.\d s ago)"
        assert re.search(late, failure.text), failure.text


@pytest.mark.parametrize("place", [NODE], ids=str)
def test_clients_have_patience_with_a_server_that_gets_on(tmp_path: Path, place: Place) -> None:
    """What is left at the end takes longer than the deadline, but no part of it does."""
    slow = {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_DELAY_MS": 700}
    yaml = place.history(SHORT, format="cdf5", records_ahead=8)
    done = run(tmp_path, yaml, place.ranks, steady(records=7, pause_ms=0), limit_s=25, **slow)
    assert done.returncode == 0, done.outcomes
    assert done.seconds > 2 * DEADLINE_S
    assert_exact(tmp_path / "history.nc", 7, SHAPE)


def assert_all_say(done: Run, place: Place, code: int, *parts: str) -> None:
    for rank in (*place.clients, *place.servers):
        failure = done.first_failure(rank)
        assert failure.code == code, failure
        for part in parts:
            assert part in failure.text


@each_place
def test_a_disk_that_fills_below_a_server_is_an_error_on_all_ranks(small_disk: Path, place: Place) -> None:
    folder = small_disk.parent
    yaml = place.history(file=f"{small_disk.name}/history.nc")
    done = run(folder, yaml, place.ranks, steady(wait_every=2, pause_ms=0), limit_s=20)
    assert done.returncode != 0
    assert_all_say(done, place, STORAGE, "history.nc.partial", "No space left on device", "free some space")
    for file in small_disk.iterdir():
        shutil.copy(file, folder)
    assert look_at(folder, SHAPE, readable=True).confirmed > 20


@each_place
def test_ranks_that_met_an_error_end_mpi_without_hanging(tmp_path: Path, place: Place) -> None:
    failing = {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_ERRNO": errno.EIO, "THALWEG_TEST_PWRITE_AFTER": 40}
    done = run(tmp_path, place.history(), place.ranks, steady(wait_every=2), limit_s=20, THALWEG_TEST_FINALIZE=1,
               **failing)  # fmt: skip
    assert done.returncode == STORAGE, done.output
    assert_all_say(done, place, STORAGE, "history.nc.partial", "Input/output error")
    for rank in place.clients:
        assert done.of(rank, "finish").code == STORAGE


# ---- models that leave


@pytest.mark.parametrize(
    ("place", "who"), [(RANKS, -1), (RANK_A_NODE, -1), (NODE, -1), (RANKS, 1), (RANK_A_NODE, 0), (NODE, 0), (NODE, 1)]
)
def test_a_model_that_ends_mpi_without_finish_ends_its_servers(tmp_path: Path, place: Place, who: int) -> None:
    done = run(tmp_path, place.history(), place.ranks, ("leaving", who), limit_s=20, THALWEG_TEST_FINALIZE=1)
    assert done.returncode != 0
    gone = {place.clients[who]} if who >= 0 else set(place.clients)
    for rank in {*place.clients, *place.servers} - gone:
        failure = done.first_failure(rank)
        assert failure.code == PEER, failure
        assert "MPI_Finalize was called before thalweg_finish" in failure.text


@each_place
def test_calls_of_a_server_that_are_for_clients_are_refused(tmp_path: Path, place: Place) -> None:
    done = run(tmp_path, place.history(), place.ranks, ("leaving", "calls"))
    assert done.returncode == 0, done.outcomes
    for rank in place.servers:
        for label in ("model_comm", "decompose", "open_collection", "ready", "advance", "wait"):
            refused = done.of(rank, label)
            assert refused.code == STATE
            assert "this rank is a server" in refused.text
        assert done.of(rank, "finish").code == 0


# ---- storage that is slow


def slowly(folder: Path, place: Place, records: int, pause_ms: int = 0) -> tuple[list[dict], int]:
    """The profiles of the clients, and the overlap in percent that the table says."""
    yaml = place.history("profile: profile.json\n", format="cdf5", records_ahead=8)
    slow = {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_DELAY_MS": 20}
    done = run(folder, yaml.replace("report: none", "report: table"), place.ranks, steady(records, 0, pause_ms), **slow)
    assert done.returncode == 0, done.output
    ranks = json.loads((folder / "profile.json").read_text())["ranks"]
    said = re.search(r"overlap achieved: (\d+) %", done.output)
    assert said, done.output
    return [rank["client"] for rank in ranks if not rank["is_server"]], int(said[1])


def test_puts_do_not_wait_for_slow_storage_while_blocks_are_free(tmp_path: Path) -> None:
    within, exposed = slowly(tmp_path / "within", RANKS, 7)
    assert [client["waits"] for client in within] == [0] * 4
    assert [client["wait_block_s"] for client in within] == [0.0] * 4
    beyond, _ = slowly(tmp_path / "beyond", RANKS, 24)
    assert all(client["waits"] > 0 for client in beyond)
    _, hidden = slowly(tmp_path / "computing", RANKS, 8, pause_ms=250)
    assert hidden >= exposed, "by the computing"  # equal where a slow machine computes as long in either
