# ctest: SHORT LABELS cli TIMEOUT 60
"""Two traces side by side: what changed, what is new, what is gone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.command import refused, use_programs
from thalweg.cli.trace import text
from thalweg.trace.compare import compare

pytestmark = pytest.mark.usefixtures(use_programs.__name__)


def file(name: str, calls: int, time_s: float) -> dict[str, Any]:
    return {
        "file": name,
        "time_max_s": {"posix": time_s},
        "read": None,
        "write": {"calls": calls, "bytes": 100 * calls},
    }


def function(name: str, calls: int, time_s: float) -> dict[str, Any]:
    return {"layer": "posix", "function": name, "calls": calls, "bytes": 100 * calls, "time_max_s": time_s}


def made(wall_s: float, functions: list[dict[str, Any]], files: list[dict[str, Any]]) -> dict[str, Any]:
    layer = {"layer": "posix", "calls": 5, "bytes_read": 1, "bytes_written": 2, "time_max_s": wall_s / 2}
    processes = [{"wall_s": wall_s, "dropped": 0}]
    return {"processes": processes, "losses": [], "layers": [layer], "functions": functions, "files": files}


FIRST = made(4.0, [function("pwrite", 10, 1.0), function("lseek", 3, 0.5)], [file("/a/o.nc", 10, 1.0)])
SECOND = made(
    2.0,
    [function("pwrite", 5, 0.25), function("writev", 0, 0.01)],
    [file("/b/o.nc", 4, 0.2), file("/b/x/o.nc", 1, 0.05)],
)


def test_ratios_and_what_only_one_has() -> None:
    found = compare(FIRST, SECOND)
    assert found["wall_s"] == [4.0, 2.0]
    assert found["layers"][0]["time_max_s"] == [2.0, 1.0] and found["layers"][0]["time_max_s_ratio"] == 0.5
    rows = {row["name"]: row for row in found["functions"]}
    assert list(rows) == ["pwrite (posix)", "lseek (posix)", "writev (posix)"], "the farthest apart first"
    assert [row["state"] for row in rows.values()] == ["both", "gone", "new"]
    assert rows["pwrite (posix)"]["calls"] == [10, 5] and rows["pwrite (posix)"]["time_max_s_ratio"] == 0.25
    assert rows["lseek (posix)"]["calls"] == [3, 0] and rows["lseek (posix)"]["calls_ratio"] is None
    assert rows["writev (posix)"]["time_max_s_ratio"] is None


def test_files_meet_by_their_names() -> None:
    (row,) = compare(FIRST, SECOND)["files"]
    assert (row["name"], row["calls"], row["bytes"]) == ("o.nc", [10, 5], [1000, 500])
    assert row["time_max_s"] == [1.0, 0.25]


def test_the_same_run_is_the_same() -> None:
    found = compare(FIRST, FIRST)
    for part in ("layers", "functions", "files"):
        assert all(row["state"] == "both" and row["time_max_s_ratio"] == 1 for row in found[part])


def test_the_text_has_both(capsys: pytest.CaptureFixture[str]) -> None:
    text.show_comparison(compare(FIRST, SECOND))
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "wall: 4.000 s, then 2.000 s"
    assert "pwrite (posix) 1.000 s 250.000 ms 0.25 10 5 0.50 1000 B 500 B 0.50" in lines
    assert any(line.startswith("lseek (posix) gone 500.000 ms") for line in lines)


def test_refusals(tmp_path: Path) -> None:
    told = refused(3, "trace", "--compare", tmp_path / "none", tmp_path)
    assert "--compare" in told and "there is no such folder" in told
    assert "or --compare" in refused(2, "trace", "--compare", tmp_path, tmp_path, "--logs", tmp_path)


def test_of_a_full_log_there_is_no_ratio_of_events_and_losses_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    full = {**SECOND, "processes": [{"wall_s": 2.0, "dropped": 7}], "losses": ["7 events are in the counters alone"]}
    found = compare(FIRST, full)
    assert [found[part][0]["calls_ratio"] for part in ("layers", "functions", "files")] == [None, 0.5, None]
    assert found["losses"] == [[], ["7 events are in the counters alone"]]
    text.show_comparison(found)
    assert "What is lost of the second run\n- 7 events" in capsys.readouterr().out
