# ctest: LABELS mpi TIMEOUT 600 ALL 900
"""Servers on the model's nodes and on nodes of their own, one or several, in groups or not: the files hold what they
hold without servers, and files of the formats without chunks are the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from conformance.set_patterns_test import check_whole
from conformance.values_test import assert_same_bytes, check_files, jobs_of
from support import mpi
from support.batch import Batch, of_tests
from support.cases import CHUNKED, FEW_SERVER_VALUES, RECORDS, SERVER_VALUES, Case, all_pairs, server_cases
from support.ways import of

CASES = server_cases()


@pytest.fixture(scope="module")
def batch(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Batch:
    return of_tests(request, tmp_path_factory, jobs_of)


def test_cases_cover_every_pair_of_settings() -> None:
    assert set().union(*(case.pairs() for case in CASES)) >= all_pairs(of(FEW_SERVER_VALUES, SERVER_VALUES))
    for name, values in SERVER_VALUES.items():
        assert {getattr(case, name) for case in CASES} == set(values), name


def check_run(case: Case, folder: Path, batch: Batch) -> None:
    """Values and, of formats without chunks, bytes are those of one rank."""
    if case.pattern.startswith("per-"):
        check_whole(case, folder)
        return
    check_files(case, folder)
    if case.format not in CHUNKED:
        assert_same_bytes(folder, batch.made(case.reference.job))


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_right(case: Case, batch: Batch) -> None:
    check_run(case, batch.made(case.job), batch)


@pytest.mark.parametrize("nodes", ["none", "[3, 3]", "[2, 1, 2, 1]"], ids=["one_node", "two_nodes", "own_nodes"])
def test_programs_that_only_serve_are_servers_wherever_they_are(nodes: str, batch: Batch, tmp_path: Path) -> None:
    case = Case(format="cdf5", mode="deal")
    (tmp_path / "conform.yaml").write_text(
        case.configuration().replace("emulate-nodes: none", f"emulate-nodes: {nodes}")
    )
    model = ["-n", "2", mpi.program("conform"), "conform.yaml", "mode=deal", f"records={RECORDS}", "types=all"]
    server = ["-n", "1", mpi.program("thalweg-server"), "conform.yaml"]
    done = mpi.launch([*model, ":", *server, ":", *model, ":", *server], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    check_files(case, tmp_path)
    assert_same_bytes(tmp_path, batch.made(case.reference.job))
