# ctest: WAITS TIMEOUT 400 ALL 300
"""One of several groups of servers is lost: its collections are given up, and all others are complete."""

from __future__ import annotations

import re
import shutil
import signal
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from launch import DEADLINE, PEER, SLOW_PWRITE, STORAGE, Job, Run, begin, recover, run
from support.ways import of

SHAPE = (64, 96)
BYTES = SHAPE[0] * SHAPE[1] * 8
RECORDS = 60
DEADLINE_S = 2.0
LIMIT_S = 40.0
# Open MPI lets the others live, as some launchers do.
SURVIVING = {"OMPI_MCA_orte_enable_recovery": 1, "OMPI_MCA_orte_abort_on_non_zero_status": 0}


@dataclass(frozen=True)
class Place:
    """Two groups of servers, of one each if nothing else is said: the first writes c0 and c2, the second c1 and c3."""

    name: str
    writers: str
    nodes: str
    clients: tuple[int, ...]
    servers: tuple[int, ...]

    def __str__(self) -> str:
        return self.name

    @property
    def ranks(self) -> int:
        return len(self.clients) + len(self.servers)

    @property
    def first_group(self) -> tuple[int, ...]:
        return self.servers[: len(self.servers) // 2]

    @property
    def second_group(self) -> tuple[int, ...]:
        return self.servers[len(self.servers) // 2 :]

    @property
    def loss(self) -> str:
        return f"the servers of group 0 (rank {', '.join(map(str, self.first_group))}) are lost"

    def configuration(
        self,
        collections: int = 2,
        folder_of_first: str = "",
        loss: str = "continue",
        deadline_s: float = DEADLINE_S,
    ) -> str:
        top = f"emulate-nodes: {self.nodes}\n" if self.nodes else ""
        each = f"format: cdf5, records-ahead: 3, servers: {len(self.first_group)}"
        series = "".join(
            f"  c{c}: {{{each}, file: {folder_of_first if c == 0 else ''}c{c}.nc}}\n" for c in range(collections)
        )
        return (
            f"writers: {self.writers}\non-server-loss: {loss}\nreport: none\nprofile: profile.json\n"
            f"deadline: {deadline_s} s\n{top}collections:\n{series}"
        )


RANKS = Place("ranks", "{ranks: {count: 2, groups: 2}}", "", (0, 1), (2, 3))
RANK_A_NODE = Place("rank_a_node", "{ranks: {count: 2, groups: 2}}", "[2, 2]", (0, 2), (1, 3))
NODES = Place("nodes", "{nodes: {count: 2, groups: 2}}", "[2, 1, 1]", (0, 1), (2, 3))
PLACES = [RANKS, RANK_A_NODE, NODES]
DIVIDED = Place("divided", "{ranks: {count: 4, groups: 2}}", "", (0, 1), (2, 3, 4, 5))
each_place = pytest.mark.parametrize("place", PLACES, ids=str)


def grouped(
    collections: int = 2, wait_every: int = 0, pause_ms: int = 5, late_ms: int = 0, records: int = RECORDS
) -> tuple[object, ...]:
    return ("grouped", collections, records, wait_every, pause_ms, *SHAPE, late_ms)


def check_values(path: Path, collection: int, at_least: int, first: int = 0) -> int:
    """How many records there are, all of which are right; first: number of the first one in the run."""
    with netCDF4.Dataset(path) as dataset:
        found = np.asarray(dataset["temp"][...])
    records = first + np.arange(len(found))[:, None, None]
    index = np.arange(SHAPE[0] * SHAPE[1]).reshape(SHAPE)
    wanted = ((collection * 1000003 + records * 7919 + index * 31) % 16777213).astype(np.float64)
    assert len(found) >= at_least
    assert found.shape == (len(found), *SHAPE)
    assert np.array_equal(found, wanted)
    return len(found)


def check_survivors(done: Run, place: Place, codes: set[int], collections: int = 2, records: int = RECORDS) -> str:
    """Nobody met an error but in wait and finish, which say the same everywhere. Returns that."""
    texts = set()
    for rank in place.clients:
        for outcome in done.failures(rank):
            assert outcome.label in ("wait", "finish"), outcome
        last = done.of(rank, "finish")
        assert last.code in codes, last
        assert place.loss in last.text
        assert "All other collections go on" in last.text
        for c in range(collections):
            assert (f"given up: collection 'c{c}'" in last.text) == (c % 2 == 0)
        texts.add(last.text.partition("\n")[0])
    assert len(texts) == 1, texts
    for rank in place.second_group:
        (served,) = done.failures(rank)
        assert (served.label, served.code) == ("start", last.code)
    assert done.output.count(f"thalweg: {place.loss}") == 1
    for c in range(1, collections, 2):
        assert check_values(done.folder / f"c{c}.nc", c, records) == records
        assert not (done.folder / f"c{c}.nc.partial").exists()
    return texts.pop()


def check_remains(done: Run, place: Place, partial: Path, least_known: int = 0) -> None:
    """What was said to be committed of the first collection is there."""
    known = re.search(
        r"'c0'(?: \(last file '[^']+'\))?, of which (\d+) record", done.of(place.clients[0], "finish").text
    )
    assert known
    assert int(known[1]) >= least_known
    recovered = recover(partial)
    assert recovered.returncode == 0, recovered.stderr
    check_values(partial.with_suffix(""), 0, int(known[1]))


@each_place
@pytest.mark.parametrize("wait_every", [0, 7], ids=["finish", "wait"])
def test_a_disk_that_fills_below_one_group_ends_its_collections_only(
    small_disk: Path, place: Place, wait_every: int
) -> None:
    folder = small_disk.parent
    (small_disk / "filler").write_bytes(bytes(8 * 2**20 - 20 * BYTES))
    yaml = place.configuration(4, f"{small_disk.name}/")
    done = run(folder, yaml, place.ranks, grouped(4, wait_every), limit_s=LIMIT_S, THALWEG_TEST_FINALIZE=1)
    assert done.returncode == STORAGE
    text = check_survivors(done, place, {STORAGE}, 4)
    assert "No space left on device" in text
    for rank in place.clients:
        assert (wait_every > 0) == any(outcome.label == "wait" for outcome in done.failures(rank))
    shutil.copy(small_disk / "c0.nc.partial", folder)
    check_remains(done, place, folder / "c0.nc.partial", 5)


def begin_and_put(folder: Path, place: Place, wait_every: int, launcher: dict[str, object] | None = None) -> Job:
    contexts = [(place.ranks, grouped(2, wait_every, 10), launcher or {})]
    job = begin(folder, place.configuration(), contexts, launcher)
    log = folder / "put.log"
    job.wait_until(lambda: log.exists() and int(log.read_text() or 0) >= 10)
    return job


@pytest.mark.parametrize(("place", "wait_every"), of([(RANKS, 4), (NODES, 0)], list(product(PLACES, (0, 4)))), ids=str)
def test_a_stopped_server_is_given_up_at_the_deadline(tmp_path: Path, place: Place, wait_every: int) -> None:
    job = begin_and_put(tmp_path, place, wait_every)
    job.signal(signal.SIGSTOP, [place.servers[0]])
    done = job.end(LIMIT_S)
    assert done.returncode != 0
    assert "gave up" in check_survivors(done, place, {DEADLINE})
    check_remains(done, place, tmp_path / "c0.nc.partial")


@each_place
def test_a_killed_server_is_given_up_where_the_job_lives_on(tmp_path: Path, place: Place) -> None:
    job = begin_and_put(tmp_path, place, 0, SURVIVING)
    job.signal(signal.SIGKILL, [place.servers[0]])
    done = job.end(LIMIT_S)
    assert re.search(r"died|gave up", check_survivors(done, place, {PEER, DEADLINE}))
    check_remains(done, place, tmp_path / "c0.nc.partial")


def stalling(after: int = 12) -> dict[str, object]:
    return {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_STALL_S": 60, "THALWEG_TEST_PWRITE_AFTER": after,
            "THALWEG_TEST_PWRITE_PATH": "c0.nc"}  # fmt: skip


def check_stalled(done: Run, place: Place) -> None:
    assert done.returncode != 0
    assert "gave up" in check_survivors(done, place, {DEADLINE})
    check_remains(done, place, done.folder / "c0.nc.partial")


@each_place
def test_storage_that_stalls_below_one_group_ends_its_collections_only(tmp_path: Path, place: Place) -> None:
    check_stalled(run(tmp_path, place.configuration(), place.ranks, grouped(), LIMIT_S, **stalling()), place)


# All are waiting for the record, the blocks of which are written by one call, or by two, before one that commits it.
@pytest.mark.parametrize("after", of([12], [12, 13, 14]))
def test_storage_that_stalls_at_any_write_of_a_record_is_blamed(tmp_path: Path, after: int) -> None:
    done = run(tmp_path, RANKS.configuration(), RANKS.ranks, grouped(wait_every=1), LIMIT_S, **stalling(after))
    check_stalled(done, RANKS)


@pytest.mark.parametrize("rank", DIVIDED.first_group)
def test_a_server_that_stalls_is_blamed_when_the_other_has_written_its_blocks(tmp_path: Path, rank: int) -> None:
    contexts = [(1, grouped(), stalling() if each == rank else {}) for each in range(DIVIDED.ranks)]
    check_stalled(begin(tmp_path, DIVIDED.configuration(), contexts).end(LIMIT_S), DIVIDED)


# The other one waits longer than the deadline, and then for a server that has only just got what it is to write.
@pytest.mark.parametrize("place", [RANK_A_NODE, NODES], ids=str)
def test_a_client_that_computes_longer_than_the_deadline_costs_no_group(tmp_path: Path, place: Place) -> None:
    slow = {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_DELAY_MS": 30, "THALWEG_TEST_PWRITE_PATH": "c1.nc"}
    late = grouped(pause_ms=0, late_ms=int(1.5 * DEADLINE_S * 1000))
    done = run(tmp_path, place.configuration(), place.ranks, late, LIMIT_S, **slow)
    assert done.returncode == 0, done.outcomes
    for c in range(2):
        assert check_values(tmp_path / f"c{c}.nc", c, RECORDS) == RECORDS


def test_by_default_all_output_ends(tmp_path: Path) -> None:
    job = begin(tmp_path, RANKS.configuration(loss="stop"), [(RANKS.ranks, grouped(), {})])
    log = tmp_path / "put.log"
    job.wait_until(lambda: log.exists() and int(log.read_text() or 0) >= 10)
    job.signal(signal.SIGSTOP, [RANKS.servers[0]])
    done = job.end(LIMIT_S)
    for rank in RANKS.clients:
        assert done.first_failure(rank).code == DEADLINE
        assert done.first_failure(rank).label != "finish"


def test_one_group_is_all_there_is_and_that_is_said(tmp_path: Path) -> None:
    yaml = RANKS.configuration().replace("groups: 2", "groups: 1")
    done = run(tmp_path, yaml, RANKS.ranks, grouped(pause_ms=0), limit_s=LIMIT_S)
    assert done.returncode == 0, done.outcomes
    assert done.output.count("on-server-loss: continue has no effect") == 1
    for c in range(2):
        assert check_values(tmp_path / f"c{c}.nc", c, RECORDS) == RECORDS


@each_place
def test_files_of_a_lost_group_are_missing_and_those_of_the_others_have_their_turns(
    tmp_path: Path, place: Place
) -> None:
    """The first group has the files of even numbers, and is lost in the third one."""
    yaml = place.configuration(1).replace("file: c0.nc", "file: 'c0_%H%M.nc', new-file: 5 steps, turns: files")
    contexts = [(place.ranks, grouped(1, 0, pause_ms=40), {})]
    job = begin(tmp_path, "time-step: 10 min\n" + yaml, contexts)
    log = tmp_path / "put.log"
    job.wait_until(lambda: log.exists() and int(log.read_text() or 0) >= 12 and (tmp_path / "c0_0000.nc").exists())
    job.signal(signal.SIGSTOP, [place.servers[0]])
    done = job.end(LIMIT_S)
    assert done.returncode != 0
    for rank in place.clients:
        assert [outcome.label for outcome in done.failures(rank)] == ["finish"]
        assert place.loss in done.of(rank, "finish").text
    for number in range(RECORDS // 5):
        name = f"c0_{number * 50 // 60:02}{number * 50 % 60:02}.nc"
        if number % 2 == 1 or number == 0:
            assert check_values(tmp_path / name, 0, 5, 5 * number) == 5
        elif number > 2:
            assert not (tmp_path / name).exists()
