# ctest: SHORT TIMEOUT 30
"""tools/run_tests.py tells which entries of ctest took longest."""

from __future__ import annotations

from pathlib import Path

import pytest
import run_tests
from run_tests import main, seconds_of, slowest

RECORD = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="3" failures="1">
  <testcase name="unit.base" classname="unit.base" time="0.25" status="run"><system-out>x &lt; 1</system-out></testcase>
  <testcase name="faults.calls" classname="faults.calls" time="61.5" status="fail"><failure message=""/></testcase>
  <testcase name="cli.init" classname="cli.init" time="7" status="run"/>
</testsuite>
"""


def test_the_slowest_come_first(tmp_path: Path) -> None:
    record = tmp_path / "record.xml"
    record.write_text(RECORD)
    first, second, of_all = slowest(seconds_of(record), 2)
    assert (first.split(), second.split()) == (["61.5", "s", "faults.calls"], ["7.0", "s", "cli.init"])
    assert of_all.split()[:4] == ["68.8", "s", "all", "3"]


@pytest.mark.parametrize("code", [0, 8])
def test_the_exit_code_is_that_of_ctest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], code: int
) -> None:
    (tmp_path / "ctest").write_text(f"#!/bin/sh\ncat >\"$4\" <<'end'\n{RECORD}end\nexit {code}\n")
    (tmp_path / "ctest").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    assert main("release") == code
    assert "faults.calls" in capfd.readouterr().out


def test_nothing_is_told_of_a_run_that_did_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ctest").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "ctest").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    assert main("release") == 1
    assert "slowest" not in capfd.readouterr().out
