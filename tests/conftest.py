"""What holds for all tests."""

from support.batch import batch
from support.reports import no_report_of_a_sanitizer
from support.skips import pytest_make_collect_report, pytest_runtest_makereport

__all__ = ["batch", "no_report_of_a_sanitizer", "pytest_make_collect_report", "pytest_runtest_makereport"]
