"""What sanitizers have reported of the programs that a test started (tools/sanitized.sh)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

FOLDER = os.environ.get("THALWEG_TEST_REPORTS", "")
MOST = 6000  # characters of each report
OWN_FRAME = re.compile(r" (?!\S*/libsanitizer/)\S*/(src|fortran|tests)/\S+:\d+|/_core\.\S+\.so")


def without_leaks_of_others(text: str) -> str:
    """An interpreter and its modules leave much memory to the end of the process: only what Thalweg's code, or what it
    has called, has asked for is looked at there."""
    if "LeakSanitizer" not in text or "python3" not in text:
        return text
    leaks = [block for block in text.split("\n\n") if " leak of " in block and OWN_FRAME.search(block)]
    return "\n\n".join(["LeakSanitizer: detected memory leaks", *leaks]) if leaks else ""


def taken() -> list[str]:
    """The reports since the last look."""
    texts = []
    for path in sorted(Path(FOLDER).iterdir()) if FOLDER else ():
        texts.append(without_leaks_of_others(path.read_text(errors="replace"))[:MOST])
        path.unlink()
    return [text for text in texts if text]


@pytest.fixture(autouse=True)
def no_report_of_a_sanitizer() -> Iterator[None]:
    yield
    reports = taken()
    assert not reports, f"{len(reports)} reports of a sanitizer:\n" + "\n".join(reports)
