# ctest: WAITS TIMEOUT 60
"""Two nodes of servers hold twice the burst that one holds, in records that are put while the storage stands still."""

from __future__ import annotations

from pathlib import Path

from launch import DEADLINE, SLOW_PWRITE, Job, begin, history

CLIENTS = 2
SHAPE = (8, 64, 64)
STAGING = "4 MiB"  # of each node
UNDER_WAY = 2  # records at most that are in messages, whoever takes them
STILL = {
    "LD_PRELOAD": SLOW_PWRITE,
    "THALWEG_TEST_PWRITE_AFTER": 2,
    "THALWEG_TEST_PWRITE_STALL_S": 60,
    "THALWEG_TEST_SYNC": 1,
}


def begin_burst(folder: Path, nodes: int) -> Job:
    """With copies of what is on its way the clients would hold records as well: they wait until all is sent."""
    top = f"emulate-nodes: {[CLIENTS] + [1] * nodes}\nstaging: {STAGING}\nsend: wait\ndeadline: 2 s\n"
    yaml = history(f"{{nodes: {nodes}}}", top, format="cdf5", pattern="shared", layout=[2, 1])
    return begin(folder, yaml, [(CLIENTS + nodes, ("steady", 0, 0, *SHAPE), STILL)])


def records_held(job: Job) -> int:
    """So many are put before a client has to wait for the storage, for longer than the deadline."""
    done = job.end(limit_s=20)
    for rank in range(CLIENTS):
        failure = done.first_failure(rank)
        assert (failure.label, failure.code) == ("advance", DEADLINE), failure
    return len((job.folder / "committed.log").read_text().split()) - UNDER_WAY


def test_two_nodes_of_servers_hold_twice_the_burst_of_one(tmp_path: Path) -> None:
    jobs = [begin_burst(tmp_path / str(nodes), nodes) for nodes in (1, 2)]
    one, two = map(records_held, jobs)
    assert one > 10, "of some 160 KiB in 4 MiB"
    assert two >= 2 * one
