# ctest: LABELS soak SERIAL TIMEOUT 600
"""A host that is cut off from the network: whoever goes on says so after the deadline, and nothing hangs."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from killed_job import look_at
from launch import DEADLINE, Outcome, begin, history, read_outcomes
from support.hosts import Hosts, can_be_made, hosts
from support.hub import Link

pytestmark = pytest.mark.skipif(not can_be_made(), reason="network namespaces cannot be made here")
SHAPE = (4, 32, 64)
DEADLINE_S = 3.0
STEADY = ("steady", 0, 2, *SHAPE, 5)  # no end, a wait for commits every second record, 5 ms of computing


@pytest.fixture(params=[None, Link()], ids=str)
def two_hosts(request: pytest.FixtureRequest) -> Iterator[Hosts]:
    """On a bridge of the kernel, or on a network with delay and loss."""
    with hosts(2, request.param) as made:
        yield made


def failed(folder: Path) -> dict[int, list[Outcome]]:
    outcomes = {rank: [one for one in all_of if one.code != 0] for rank, all_of in read_outcomes(folder).items()}
    return {rank: failures for rank, failures in outcomes.items() if failures}


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("writers", "ranks", "told"),
    [("thread", (2, 2), 4), ("ranks", (3, 3), 6), ("{nodes: 1}", (3, 2), 3)],
    ids=["thread", "a_server_on_each_host", "a_host_of_servers"],
)
def test_ranks_that_lose_the_other_host_end_with_a_report(
    tmp_path: Path, two_hosts: Hosts, writers: str, ranks: tuple[int, int], told: int
) -> None:
    yaml = history(writers, f"deadline: {DEADLINE_S:g} s\n", format="cdf5", pattern="shared", records_ahead=4)
    job = begin(tmp_path, yaml, [(sum(ranks), STEADY, {})], two_hosts.environment(tmp_path, ranks))
    log = tmp_path / "committed.log"
    job.wait_until(lambda: log.exists() and log.stat().st_size > 0)
    two_hosts.cut_off(two_hosts.names[1])
    job.wait_until(lambda: len(failed(tmp_path)) >= told, limit_s=60)
    # Its own daemon does not answer any more, so mpiexec would wait for ever.
    os.killpg(job.process.pid, signal.SIGKILL)
    for name in two_hosts.names:
        two_hosts.kill_all(name)  # the daemons hold the pipe
    job.process.communicate(timeout=30)
    for rank, failures in failed(tmp_path).items():
        assert failures[0].code == DEADLINE, (rank, failures)
        assert re.search(r"rank \d gave up", failures[0].text), failures[0].text
    look_at(tmp_path, SHAPE, readable=True)
