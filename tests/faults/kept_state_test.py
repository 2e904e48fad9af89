# ctest: TIMEOUT 240 ALL 3600
"""A run that is killed at a call by which a restart or a checkpoint is written: the next one goes on from the newest
time that has both, and what it has gathered is what one run has."""

from __future__ import annotations

import json
import re
from pathlib import Path

import netCDF4
import pytest
from calls import OUT, Call, Ended, Fault, calls_of, ended, preloaded, singleton
from names import remove
from support.python import INTERPRETER, PATHS, PROGRAMS
from support.turns import some
from support.ways import of
from sweep import CHANGING

pytestmark = pytest.mark.timeout(of(200, 3600))
HOUR_S = 3600.0
LAST = 12
KEPT = ("checkpoint", "state")
HOURLY = {"every": "1 h", "record-dimension": "none", "append": "new"}
MEAN = {"every": "6 h", "append": "continue", "fields": [{"from": "t", "operation": "mean"}]}
COLLECTIONS = {
    "state": HOURLY | {"file": f"{OUT}/state_%Y%m%d%H.nc", "restart-set": "all"},
    "checkpoint": {"file": f"{OUT}/checkpoint.%n.nc", "cycle": 2, "restart-set": "all"},
    "mean": MEAN | {"file": f"{OUT}/mean.nc"},
}
SETTINGS = {"report": "none", "time-step": "1 h", "collections": COLLECTIONS}


def run(folder: Path, fault: Fault | None = None, log: Path | None = None) -> Ended:
    variables = {"PYTHONPATH": PATHS, **singleton(folder), **preloaded(fault, log)}
    return ended([*INTERPRETER, PROGRAMS / "checkpointed_restart.py", LAST], folder, variables)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / OUT).mkdir()
    (tmp_path / "thalweg.yaml").write_text(json.dumps(SETTINGS))
    return tmp_path


def of_restarts(calls: list[Call]) -> list[int]:
    """The numbers of those that change what is kept, behind the first time that has both."""
    first = next(n for n, call in enumerate(calls) if call.kind == "rename" and call.top.startswith("checkpoint"))
    numbers = [n for n, call in enumerate(calls) if call.kind in CHANGING and call.top.startswith(KEPT)]
    return [number + 1 for number in numbers if number > first + 1]


def test_a_kill_while_a_run_keeps_its_state_costs_no_more_than_the_time_since_the_last(folder: Path) -> None:
    log = folder / "calls.log"
    done = run(folder, log=log)
    assert done.code == 0, done.output
    calls = calls_of(log)
    failures = []
    for number in some(of_restarts(calls), 25):
        for moment in ("before", "after"):
            try:
                go_on(folder, Fault(number, moment))
            except AssertionError as error:
                failures.append(f"{moment} call {number}, {calls[number - 1]}: {error}")
    assert not failures, "\n".join(failures)


def go_on(folder: Path, fault: Fault) -> None:
    for left in (folder / OUT).iterdir():
        remove(left)
    killed = run(folder, fault)
    assert killed.killed, killed.output
    done = run(folder)
    assert done.code == 0, done.output
    started_s = [float(line) for line in done.output.splitlines() if re.fullmatch(r"\d+\.0", line)]
    assert len(started_s) == 1 and started_s[0] >= 2 * HOUR_S, done.output
    with netCDF4.Dataset(folder / OUT / "mean.nc") as file:
        assert file["time"][:].tolist() == [3 * HOUR_S, 9 * HOUR_S]
        assert [values.min() for values in file["t"][:]] == [3.5, 9.5]
        assert [values.max() for values in file["t"][:]] == [3.5, 9.5]
