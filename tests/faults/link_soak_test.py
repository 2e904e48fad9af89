# ctest: LABELS soak SERIAL TIMEOUT 600
"""Hosts with a network between them that delays and loses frames: a job ends well, and no deadline passes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from killed_job import assert_exact
from launch import begin, file_of, history
from support.hosts import Hosts, can_be_made, hosts
from support.hub import Link

pytestmark = [
    pytest.mark.skipif(not can_be_made(), reason="network namespaces cannot be made here"),
    pytest.mark.timeout(150),
]
SHAPE = (4, 32, 64)
RECORDS = 12
DEADLINE_S = 15.0
# Where servers are, ranks of each host, the format and how it is written.
PLACES = {
    "a_host_of_servers": ("{nodes: 1}", (2, 2), "cdf5", "single"),
    "a_server_on_each_host": ("ranks", (2, 2), "netcdf4", "shared"),
    "stores_of_a_host_of_servers": ("{nodes: 1}", (3, 1), "zarr", "single"),
    "threads": ("thread", (2, 2), "cdf5", "shared"),
}
every_place = pytest.mark.parametrize("place", list(PLACES))


LINKS = [Link((0.02, 0.05), 0.01), Link((0.02, 0.02), 0.03)]


@pytest.fixture
def two_hosts(request: pytest.FixtureRequest) -> Iterator[Hosts]:
    with hosts(2, request.param) as made:
        yield made


def run_to_its_end(folder: Path, made: Hosts, place: str, cut_s: float = 0.0) -> None:
    """cut_s: how long the second host is cut off after the first records."""
    writers, ranks, file_format, pattern = PLACES[place]
    yaml = history(writers, f"deadline: {DEADLINE_S:g} s\n", format=file_format, pattern=pattern, records_ahead=4)
    program = ("steady", RECORDS, 2, *SHAPE, 5)
    job = begin(folder, yaml, [(sum(ranks), program, {})], made.environment(folder, ranks))
    if cut_s > 0:
        log = folder / "committed.log"
        job.wait_until(lambda: log.exists() and log.stat().st_size > 0, limit_s=60)
        made.cut_off(made.names[1])
        time.sleep(cut_s)
        made.reconnect(made.names[1])
    done = job.end(limit_s=90)
    assert done.returncode == 0, (done.outcomes, done.output)
    assert_exact(folder / file_of(file_format), RECORDS, SHAPE)
    assert made.hub is not None and made.hub.lost > 0 and made.hub.carried > 200, "nothing went over the network"


@every_place
@pytest.mark.parametrize("two_hosts", LINKS, indirect=True, ids=str)
def test_a_job_on_a_slow_and_lossy_network_ends_well(tmp_path: Path, two_hosts: Hosts, place: str) -> None:
    run_to_its_end(tmp_path, two_hosts, place)


@every_place
@pytest.mark.parametrize("two_hosts", LINKS[:1], indirect=True, ids=str)
def test_a_network_that_comes_back_within_the_deadline_is_waited_for(
    tmp_path: Path, two_hosts: Hosts, place: str
) -> None:
    run_to_its_end(tmp_path, two_hosts, place, cut_s=DEADLINE_S / 5)
