# ctest: LABELS mpi TIMEOUT 180
"""Time lines of real runs on two to four ranks: they hold what the profile has, and `thalweg report` reads both."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from support import mpi, python

COLLECTIONS = {
    "history": {"every": "1 h", "format": "netcdf4", "compression": "zstd", "chunks": {"y": 24}},
    "daily": {"every": "4 h", "format": "cdf5"},
}
# What writes, on how many ranks, other settings, and the threads of each rank that have something to tell.
WAYS: dict[str, tuple[int, dict[str, Any], list[set[str]]]] = {
    "thread": (
        3,
        {"writers": "thread"},
        [{"model", "thread that writes", "thread that encodes chunks"}, {"model"}, {"model"}],
    ),
    "sync": (2, {"writers": "sync"}, [{"model", "thread that encodes chunks"}, {"model"}]),
    "server": (
        3,
        {"writers": {"ranks": 1}},
        [{"model"}, {"model"}, {"server", "thread that writes", "thread that encodes chunks"}],
    ),
    "nodes": (
        4,
        {"writers": "thread", "emulate-nodes": 2},
        [{"model", "thread that writes"}, {"model"}, {"model", "thread that writes"}, {"model"}],
    ),
}


@pytest.fixture(scope="module", params=WAYS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    ranks, settings, _ = WAYS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    files = {"profile": "profile.json", "time-line": "line.json", "time-step": "1 h"}
    python.run("timed.py", ranks, folder, {"collections": COLLECTIONS} | files | settings)
    return request.param, folder


def line_of(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "line.json").read_text())


def spans_of(line: dict[str, Any]) -> list[dict[str, Any]]:
    return [event for event in line["traceEvents"] if event["ph"] == "X"]


def report(folder: Path, *options: str) -> dict[str, Any]:
    command = [sys.executable, str(mpi.SOURCE / "python" / "thalweg" / "cli"), "report", "--json", *options, "."]
    done = subprocess.run(command, cwd=folder, env=mpi.OUTSIDE, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def test_each_rank_has_the_lines_of_its_threads(run: tuple[str, Path]) -> None:
    way, folder = run
    line = line_of(folder)
    assert line["thalweg_time_line"] == 1 and line["displayTimeUnit"] == "ms"
    assert [rank["rank"] for rank in line["ranks"]] == list(range(WAYS[way][0]))
    for rank, wanted in zip(line["ranks"], WAYS[way][2], strict=True):
        names = {thread["name"] for thread in rank["threads"]}
        assert wanted <= names and names - wanted <= {"thread that encodes chunks"}, rank["rank"]
        assert rank["offset_error_us"] == 0, "on one host there is one clock"
        assert all(thread["left_out"] == {} and thread["grain_us"] == 0 for thread in rank["threads"])
    named = [event["args"]["name"] for event in line["traceEvents"] if event["name"] == "thread_name"]
    assert sorted(named) == sorted(thread["name"] for rank in line["ranks"] for thread in rank["threads"])
    assert min(rank["start_us"] for rank in line["ranks"]) == pytest.approx(0, abs=0.01)


def test_sums_by_name_are_those_of_the_profile(run: tuple[str, Path]) -> None:
    _, folder = run
    sums: dict[tuple[int, str], float] = defaultdict(float)
    counts: dict[int, int] = defaultdict(int)
    for span in spans_of(line_of(folder)):
        sums[span["pid"], span["name"]] += span.get("args", {}).get("counted_us", span["dur"]) / 1e6
        counts[span["pid"]] += 1
    for rank in json.loads((folder / "profile.json").read_text())["ranks"]:
        times: dict[str, float] = defaultdict(float)
        for part in ("client", "writer", "server"):
            for key, value in rank[part].items():
                if key.endswith("_s") and key != "progress_cpu_s":
                    times[key.removesuffix("_s")] += sum(value) if isinstance(value, list) else value
        headers = ("write_header", "sync_header")  # which lie in the time of commits and metadata
        told = {name: seconds for (of, name), seconds in sums.items() if of == rank["rank"] and name not in headers}
        assert set(told) == {name for name, seconds in times.items() if seconds > 0}, rank["rank"]
        for name, seconds in told.items():
            # A span is rounded to nanoseconds at both ends.
            assert seconds == pytest.approx(times[name], abs=2e-9 * counts[rank["rank"]]), (rank["rank"], name)


def test_spans_of_puts_and_writers_are_of_a_collection_and_a_record(run: tuple[str, Path]) -> None:
    way, folder = run
    records = {"history": 0, "daily": 0}
    for one in json.loads((folder / "profile.json").read_text())["ranks"][0]["collections"]:
        records[one["name"]] = one["records"]
    assert min(records.values()) > 0
    seen: dict[tuple[str, str], set[int]] = defaultdict(set)
    for span in spans_of(line_of(folder)):
        about = span.get("args", {})
        if span["name"] in ("copy", "write", "commit", "encode", "receive", "forward", "sync"):
            assert about["collection"] in records, span
        if "record" in about:
            last = about.get("last_record", about["record"])
            assert 0 <= about["record"] <= last < records[about["collection"]], span
            seen[about["collection"], span["name"]] |= set(range(about["record"], last + 1))
    for name, count in records.items():
        for timer in (
            "copy",
            "write",
            *(["encode"] if name == "history" else []),
            *(["receive"] if way == "nodes" else []),
        ):
            missing = set(range(count)) - seen[name, timer]
            assert not missing or timer == "receive", (name, timer, missing)


def test_spans_lie_in_their_session_and_in_each_other(run: tuple[str, Path]) -> None:
    _, folder = run
    line = line_of(folder)
    ends = {rank["rank"]: rank["end_us"] for rank in line["ranks"]}
    tracks = defaultdict(list)
    for span in spans_of(line):
        assert span["ts"] >= 0 and span["ts"] + span["dur"] <= ends[span["pid"]] + 0.001
        tracks[span["pid"], span["tid"]].append((round(1e3 * span["ts"]), -round(1e3 * span["dur"])))
    for track in tracks.values():
        around: list[int] = []
        for start, length in sorted(track):
            while around and around[-1] <= start:
                around.pop()
            assert not around or start - length <= around[-1]
            around.append(start - length)


def test_the_command_reports_on_the_folder(run: tuple[str, Path]) -> None:
    _, folder = run
    made = report(folder, "-o", "page.html")
    assert made["time_line"]["spans"] == len(spans_of(line_of(folder)))
    profile = json.loads((folder / "profile.json").read_text())
    clients = [rank["client"] for rank in profile["ranks"] if not rank["is_server"]]
    waits = max(sum(client[f"{name}_s"] for name in ("wait_block", "wait_send", "wait_commit")) for client in clients)
    finish = min(client["finish_s"] for client in clients)
    assert made["headline"]["stall_s"] == pytest.approx(waits + finish)
    timers = {(one["role"], one["timer"]): one for one in made["timers"]}
    ready = timers["client", "ready"]
    assert 0 < ready["exclusive_s"] <= ready["inclusive_s"] + 1e-6
    assert "time-line-data" in (folder / "page.html").read_text()


ENDING = {"time-line": "line.json", "time-step": "1 h", "collections": {"history": {"every": "1 h", "file": "out.nc"}}}


@pytest.mark.parametrize("how", ["error", "killed"])
def test_a_run_that_does_not_end_leaves_what_its_ranks_kept(how: str, tmp_path: Path) -> None:
    done = python.start("ending.py", 2, tmp_path, ENDING, how, alone=True)
    assert done.returncode != 0 and not (tmp_path / "line.json").exists()
    # The other rank may be ended by the abort before its own call has failed.
    kept = sorted(tmp_path.glob("line.rank-*.json"))
    assert len(kept) == 2 or (how == "error" and kept)
    for path in kept:
        line = json.loads(path.read_text())
        copies = {span["args"]["record"] for span in spans_of(line) if span["name"] == "copy"}
        assert copies == {0, 1, 2} and line["ranks"][0]["session"], path
    made = report(tmp_path)
    assert made["time_line"]["is_kept"] and made["time_line"]["ranks"] == len(kept)


def test_what_was_kept_goes_when_the_run_ends_well(tmp_path: Path) -> None:
    python.run("ending.py", 2, tmp_path, ENDING, "well", alone=True)
    assert (tmp_path / "line.json").exists() and not list(tmp_path.glob("line.rank-*"))


def test_a_time_line_replaces_nothing_but_such(tmp_path: Path) -> None:
    (tmp_path / "line.json").write_text("precious")
    python.run("timed.py", 2, tmp_path, {"time-line": "line.json", "time-step": "1 h", "collections": COLLECTIONS})
    assert (tmp_path / "line.json").read_text() == "precious"


def test_its_name_is_no_other_output(tmp_path: Path) -> None:
    settings = {"time-line": "a.json", "profile": "./a.json", "time-step": "1 h"}
    done = python.start("timed.py", 2, tmp_path, settings)
    assert done.returncode != 0
    assert "time-line: 'a.json' is the file of 'profile'" in done.stderr
