# ctest: LABELS mpi TIMEOUT 180
"""`thalweg watch` beside real runs on two to four ranks, until they end or are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support import mpi, python
from support.command import thalweg

LIMIT_S = 120
HISTORY = {"history": {"format": "cdf5"}}
# What writes, on how many ranks, other settings, and the ranks that write.
WAYS: dict[str, tuple[int, dict[str, Any], list[int]]] = {
    "sync": (2, {"writers": "sync"}, [0]),
    "server": (3, {"writers": {"ranks": 1}}, [2]),
    "nodes": (4, {"emulate-nodes": 2, "collections": {"history": {"pattern": "shared"}}}, [0, 2]),
}
ENDS = [("sync", "finish"), ("nodes", "finish"), ("server", "kill")]


@contextmanager
def running(folder: Path, ranks: int, settings: dict[str, Any]) -> Iterator[subprocess.Popen[str]]:
    configuration = {"report": "none", "status": "status", "time-step": "1 h", "collections": HISTORY} | settings
    (folder / "thalweg.yaml").write_text(json.dumps(configuration))
    words = ["-n", ranks, *python.INTERPRETER, python.PROGRAMS / "watched.py"]
    job = subprocess.Popen(
        mpi.command(words, LIMIT_S),
        cwd=folder,
        env=mpi.OUTSIDE | {"PYTHONPATH": python.PATHS},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield job
    finally:
        (folder / "enough").touch()
        job.communicate(timeout=LIMIT_S + 30)


def watched(folder: Path) -> tuple[int, dict[str, Any]]:
    done = thalweg("watch", "--once", "--json", folder / "status")
    return done.code, next(iter(done.json.get("runs", [])), {})


def until(folder: Path, holds: Callable[[dict[str, Any]], bool]) -> tuple[int, dict[str, Any]]:
    end_s = time.monotonic() + LIMIT_S
    while time.monotonic() < end_s:
        code, run = watched(folder)
        if run and holds(run):
            return code, run
        time.sleep(0.2)
    pytest.fail(f"the run says {run}")


def is_under_way(run: dict[str, Any]) -> bool:
    """Each writer tells of its own moment, so that one may know of records while another knows of no step yet."""
    return (
        len(run["writers"]) == run["writers_expected"]
        and run["model"]["steps"] > 1
        and any((of["committed"] or 0) > 1 for of in run["collections"])
    )


@pytest.mark.parametrize(("way", "end"), ENDS)
def test_a_run_is_seen_until_its_end(tmp_path: Path, way: str, end: str) -> None:
    ranks, settings, writers = WAYS[way]
    with running(tmp_path, ranks, settings) as job:
        code, run = until(tmp_path, is_under_way)
        assert code == 0 and run["state"] == "running"
        assert [one["rank"] for one in run["writers"]] == writers
        assert run["model"]["end_s"] == 900 * 3600
        ahead = run["model"]["time_s"] / 3600 - run["model"]["steps"]
        assert -1e-6 < ahead < 1 + 1e-6, "it may make a step meanwhile"
        assert run["model"]["left_s"] > 0
        history = run["collections"][0]
        assert history["file"].endswith("history.nc") and history["put"] >= history["committed"]
        assert history["raw_bytes"] >= 48 * 64 * 8 and 0 <= history["blocks"]["free"] <= history["blocks"]["total"]
        if end == "kill":
            os.kill(run["writers"][0]["pid"], signal.SIGKILL)
            code, run = until(tmp_path, lambda run: run["state"] == "gone")
            assert code == 1 and job.wait(LIMIT_S) != 0
            return
        (tmp_path / "enough").touch()
        assert job.wait(LIMIT_S) == 0, job.stderr.read() if job.stderr else ""
    code, run = watched(tmp_path)
    assert code == 0 and run["state"] == "finished"
    assert {one["state"] for one in run["writers"]} == {"finished"}
    history = run["collections"][0]
    assert history["put"] == history["committed"] == run["model"]["steps"]
    assert history["files"] == 1 and history["file"] is None and history["blocks"]["free"] == history["blocks"]["total"]
    assert not list((tmp_path / "status").glob("*.new"))


def test_a_folder_that_cannot_be_made_harms_no_run(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "enough").touch()
    settings = {"status": "file/status", "time-step": "1 h", "collections": HISTORY}
    done = python.start("watched.py", 2, tmp_path, settings)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("'status' is not written any more") == 1, done.stderr
    assert (tmp_path / "history.nc").exists()


def test_its_name_is_no_output(tmp_path: Path) -> None:
    done = python.start("watched.py", 2, tmp_path, {"status": "./history.nc", "collections": HISTORY})
    assert done.returncode != 0
    assert "'history.nc' is the folder of 'status'" in done.stderr
