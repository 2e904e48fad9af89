"""Hooks of pytest: in continuous integration (CI is set) a skipped test fails, unless tests/skips.txt has it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LIST = Path(__file__).resolve().parents[1] / "skips.txt"


def entries(path: Path) -> list[tuple[str, str]]:
    """Where, and words of the reason."""
    found = []
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        place, words, why = (part.strip() for part in line.split("|"))
        assert place and words and why, f"{path}: '{line}' lacks a place, words or a reason"
        found.append((place, words))
    return found


def may_be_skipped(place: str, reason: str) -> bool:
    path = Path(os.environ.get("THALWEG_TEST_SKIPS", LIST))
    return any(place.startswith(start) and words in reason for start, words in entries(path))


def reason_of(report: Any) -> str:
    return str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)


def judge(report: Any) -> None:
    if not report.skipped or hasattr(report, "wasxfail") or not os.environ.get("CI"):
        return
    reason = reason_of(report)
    if may_be_skipped(report.nodeid, reason):
        return
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid} is skipped, which tests/skips.txt does not allow: {reason}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    judge((yield).get_result())


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    judge((yield).get_result())
