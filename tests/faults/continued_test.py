# ctest: TIMEOUT 200 ALL 1800
"""A run that goes on with complete files is killed at one call after the other: the files are those of before, or those
of the whole run; and the same run, made again, ends as if nothing had been."""

from __future__ import annotations

import filecmp
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from calls import OUT, Ended, Fault, calls_of, ended, preloaded, singleton
from support.python import INTERPRETER, PATHS, PROGRAMS
from support.ways import ALL
from sweep import CHANGING, turn

SLICES = 23
"""of the calls that are tried; continuous integration tries one of them"""
COLLECTIONS = {
    "history": {"every": "2 steps", "format": "netcdf4", "compression": "zstd"},
    "series": {"every": "2 min", "new-file": "10 min", "file": f"{OUT}/series_%H%M.nc", "format": "cdf2"},
    "begin": {"every": "4 min", "initial-record": True, "format": "cdf5", "durability": "record"},
    "points": {"format": "cdf5", "every": "on-demand"},
    "plain": {"format": "netcdf4", "every": "on-demand"},
}


@dataclass(frozen=True)
class Runs:
    folder: Path

    @property
    def out(self) -> Path:
        return self.folder / OUT

    def run(self, first: int, last: int, fault: Fault | None = None, log: Path | None = None) -> Ended:
        self.out.mkdir(exist_ok=True)
        collections = {
            name: {"file": f"{OUT}/{name}.nc", "append": "continue", "records-ahead": 4} | of
            for name, of in COLLECTIONS.items()
        }
        times = {"time-step": "1 min", "reference-date": "2000-01-01"}
        (self.folder / "thalweg.yaml").write_text(json.dumps({"report": "none", "collections": collections} | times))
        variables = {"PYTHONPATH": PATHS, **preloaded(fault, log), **singleton(self.folder)}
        return ended([*INTERPRETER, PROGRAMS / "continued.py", first, last], self.folder, variables)

    def put_back(self, kept: Path) -> None:
        shutil.rmtree(self.out)
        shutil.copytree(kept, self.out)


def complete(folder: Path) -> set[str]:
    return {path.name for path in folder.glob("*.nc")}


def require_whole(folder: Path, before: Path, whole: Path) -> None:
    """What was complete before is there as it was, or as it is to be."""
    for name in complete(before):
        assert (folder / name).exists(), f"{name} is gone"
        others = [other / name for other in (before, whole) if (other / name).exists()]
        assert any(filecmp.cmp(folder / name, other, shallow=False) for other in others), f"{name} is another one"


@pytest.mark.parametrize("first", range(SLICES) if ALL else [0])
def test_a_run_that_goes_on_is_killed_at_any_call(tmp_path: Path, first: int) -> None:
    runs, before, whole, log = Runs(tmp_path), tmp_path / "before", tmp_path / "whole", tmp_path / "calls.log"
    assert runs.run(0, 14).code == 0
    shutil.copytree(runs.out, before)
    done = runs.run(12, 25, log=log)
    assert done.code == 0, done.output
    shutil.copytree(runs.out, whole)
    every = [(number, call) for number, call in enumerate(calls_of(log), 1) if call.kind in CHANGING]
    failures: list[str] = []
    killed = 0
    for place, (number, call) in enumerate(every[first::SLICES], first):
        for moment in ["before", "half", "after"] if ALL and call.kind == "write" else turn(["before", "after"], place):
            runs.put_back(before)
            done = runs.run(12, 25, Fault(number, moment))
            killed += done.killed
            try:
                require_whole(runs.out, before, whole)
                again = runs.run(12, 25)
                if "cannot be recovered" in again.output:  # its making was cut short
                    for left in runs.out.glob("*.partial"):
                        left.unlink()
                    again = runs.run(12, 25)
                assert again.code == 0, again.output
                for name in complete(whole):
                    assert filecmp.cmp(runs.out / name, whole / name, shallow=False), f"{name} is another one at last"
            except AssertionError as error:
                failures.append(f"{moment} {call}: {error}")
    assert not failures, "\n".join(failures)
    assert killed > len(every) // SLICES // 2, "runs were to be killed"
