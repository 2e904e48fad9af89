# ctest: LABELS soak SERIAL TIMEOUT 1800
"""Several hosts with TCP between them, made of network namespaces: the files hold what one host would write."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from conformance.servers_test import check_run
from support.batch import Batch, Job
from support.cases import Case, covering_cases, server_cases, set_cases
from support.hosts import Hosts, can_be_made, hosts

pytestmark = pytest.mark.skipif(not can_be_made(), reason="network namespaces cannot be made here")
MOST_HOSTS = 4


def ranks_of_hosts(case: Case) -> list[int]:
    """Of the nodes that the case would emulate."""
    _, ranks, nodes = case.placement
    if nodes == "none":
        return [ranks]
    if nodes.startswith("["):
        return literal_eval(nodes)
    return [ranks // int(nodes) + (number < ranks % int(nodes)) for number in range(int(nodes))]


CASES = [case for case in (*server_cases(), *covering_cases(), *set_cases()) if len(ranks_of_hosts(case)) > 1]


@dataclass(frozen=True)
class Run:
    case: Case
    environment: tuple[tuple[str, str], ...]

    @property
    def job(self) -> Job:
        """The same on hosts, which MPI tells apart."""
        job = self.case.job
        lines = [line for line in job.configuration.splitlines() if not line.startswith("emulate-nodes")]
        return Job(job.program, job.ranks, "\n".join([*lines, ""]), job.words, self.environment)


@pytest.fixture(scope="module")
def made_hosts() -> Iterator[Hosts]:
    with hosts(MOST_HOSTS) as made:
        yield made


@pytest.fixture(scope="module")
def runs(made_hosts: Hosts, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[Case, Run], Batch]:
    folder = tmp_path_factory.mktemp("hosts")
    of_case = {}
    for case in CASES:
        environment = made_hosts.environment(folder, ranks_of_hosts(case))
        of_case[case] = Run(case, tuple(environment.items()))
    return of_case, Batch(folder, [run.job for run in of_case.values()])


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_right_on_hosts_of_their_own(case: Case, runs: tuple[dict[Case, Run], Batch]) -> None:
    of_case, batch = runs
    check_run(case, batch.made(of_case[case].job), batch)
