"""What holds for all tests."""

from support.batch import batch
from support.reports import no_report_of_a_sanitizer
from support.skips import pytest_make_collect_report, pytest_runtest_makereport
from support.standing import standing_ranks_end_well
from support.turns import pytest_collection_modifyitems, pytest_configure

__all__ = [
    "batch",
    "no_report_of_a_sanitizer",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_make_collect_report",
    "pytest_runtest_makereport",
    "standing_ranks_end_well",
]
