# ctest: SHORT TIMEOUT 30
"""tools/run_tests.py tells which entries of ctest took longest, and which most of the processors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import run_tests
from run_tests import ROOT, main, most, processor_seconds_of, seconds_of

RECORD = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="3" failures="1">
  <testcase name="unit.base" classname="unit.base" time="0.25" status="run"><system-out>x &lt; 1</system-out></testcase>
  <testcase name="faults.calls" classname="faults.calls" time="61.5" status="fail"><failure message=""/></testcase>
  <testcase name="cli.init" classname="cli.init" time="7" status="run"/>
</testsuite>
"""
NOTED = "printf '0m0s 0m0s\\n1m2.500s 0m3.250s\\n' >\"$THALWEG_TEST_TIMES/faults.calls\"\n"


def test_the_slowest_come_first(tmp_path: Path) -> None:
    record = tmp_path / "record.xml"
    record.write_text(RECORD)
    first, second, of_all = most(seconds_of(record), 2)
    assert (first.split(), second.split()) == (["61.5", "s", "faults.calls"], ["7.0", "s", "cli.init"])
    assert of_all.split()[:4] == ["68.8", "s", "all", "3"]


def test_processor_seconds_are_those_that_bash_counts(tmp_path: Path) -> None:
    (tmp_path / "faults.calls").write_text("0m0.010s 0m0.020s\n1m2.500s 0m3.250s\n")
    assert processor_seconds_of(tmp_path) == {"faults.calls": 65.75}


def test_an_entry_notes_its_processor_seconds_and_ends_as_its_command(tmp_path: Path) -> None:
    entry = [ROOT / "tools" / "test_entry.sh", "some.entry"]
    busy = "import os, sys, time\nwhile time.process_time() < 0.2: pass\nsys.exit(3)"
    times = os.environ | {"THALWEG_TEST_TIMES": str(tmp_path)}
    assert subprocess.run([*entry, sys.executable, "-c", busy], env=times, timeout=30, check=False).returncode == 3
    assert processor_seconds_of(tmp_path)["some.entry"] >= 0.2


@pytest.mark.parametrize("code", [0, 8])
def test_the_exit_code_is_that_of_ctest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], code: int
) -> None:
    (tmp_path / "ctest").write_text(f"#!/bin/sh\ncat >\"$4\" <<'end'\n{RECORD}end\n{NOTED}exit {code}\n")
    (tmp_path / "ctest").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    assert main("release") == code
    of_time, of_processors = capfd.readouterr().out.split("Most of the processors:")
    assert "faults.calls" in of_time
    assert of_processors.split()[:3] == ["65.8", "s", "faults.calls"]


def test_nothing_is_told_of_a_run_that_did_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ctest").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "ctest").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    assert main("release") == 1
    assert "slowest" not in capfd.readouterr().out
