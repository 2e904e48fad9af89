# ctest: LABELS soak SERIAL TIMEOUT 7200
"""Tests of faults find each fault that is put into the library (tests/mutants.toml)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.timeout(7000)
def test_every_mutant_is_found() -> None:
    done = subprocess.run(
        [sys.executable, "tools/mutants.py"], cwd=ROOT, capture_output=True, text=True, timeout=6900, check=False
    )
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
