# ctest: LABELS mpi TIMEOUT 900
"""Servers on the model's nodes and on nodes of their own, one or several, in groups or not: the files hold what they
hold without servers, and files of the formats without chunks are the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from conformance.set_patterns_test import check_whole
from conformance.values_test import assert_same_bytes, check_files, references
from support import conform
from support.cases import CHUNKED, SERVER_VALUES, Case, all_pairs, server_cases

__all__ = ["references"]  # a fixture
CASES = server_cases()


def test_cases_cover_every_pair_of_settings() -> None:
    assert set().union(*(case.pairs() for case in CASES)) >= all_pairs(SERVER_VALUES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_values_are_right(case: Case, references: dict[tuple[str, str], Path], tmp_path: Path) -> None:
    case.run(tmp_path)
    if case.pattern.startswith("per-"):
        check_whole(case, tmp_path)
        return
    check_files(case, tmp_path)
    if case.format not in CHUNKED:
        land = case.mode if case.mode in conform.MASKED_MODES else "block"
        assert_same_bytes(tmp_path, references[case.format, land])
