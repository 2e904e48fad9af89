# ctest: TIMEOUT 300 ALL 3600
"""A run that goes on with complete files, or Zarr stores, is killed at one call after the other: they are those of
before, or those of the whole run; and the same run, made again, ends as if nothing had been."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from calls import OUT, Ended, Fault, calls_of, ended, preloaded, singleton
from support.python import INTERPRETER, PATHS, PROGRAMS
from support.ways import ALL
from sweep import CHANGING, turn

FILES: dict[str, dict[str, Any]] = {
    "history": {"every": "2 steps", "format": "netcdf4", "compression": "zstd"},
    "series": {"every": "2 min", "new-file": "10 min", "file": f"{OUT}/series_%H%M.nc", "format": "cdf2"},
    "begin": {"every": "4 min", "initial-record": True, "format": "cdf5", "durability": "record"},
    "points": {"format": "cdf5", "every": "on-demand"},
    "plain": {"format": "netcdf4", "every": "on-demand"},
}
STORE = {"format": "zarr"}
STORES: dict[str, dict[str, Any]] = {
    "history": STORE | {"every": "2 steps", "file": f"{OUT}/history.zarr", "compression": "zstd"},
    "series": STORE | {"every": "2 min", "new-file": "10 min", "file": f"{OUT}/series_%H%M.zarr"},
    "begin": STORE
    | {"every": "4 min", "initial-record": True, "file": f"{OUT}/begin.zarr", "durability": "record", "sharding": True},
    "points": STORE | {"file": f"{OUT}/points.zarr", "every": "on-demand"},
    "plain": {"format": "netcdf4", "every": "on-demand"},
}
COLLECTIONS = {"files": FILES, "stores": STORES}
SLICES = {"files": 23, "stores": 97}
"""of the calls that are tried; continuous integration tries one of them"""


@dataclass(frozen=True)
class Runs:
    folder: Path
    collections: dict[str, dict[str, Any]]

    @property
    def out(self) -> Path:
        return self.folder / OUT

    def run(self, first: int, last: int, fault: Fault | None = None, log: Path | None = None) -> Ended:
        self.out.mkdir(exist_ok=True)
        collections = {
            name: {"file": f"{OUT}/{name}.nc", "append": "continue", "records-ahead": 4} | of
            for name, of in self.collections.items()
        }
        times = {"time-step": "1 min", "reference-date": "2000-01-01"}
        (self.folder / "thalweg.yaml").write_text(json.dumps({"report": "none", "collections": collections} | times))
        variables = {"PYTHONPATH": PATHS, **preloaded(fault, log), **singleton(self.folder)}
        return ended([*INTERPRETER, PROGRAMS / "continued.py", first, last], self.folder, variables)

    def put_back(self, kept: Path) -> None:
        shutil.rmtree(self.out)
        shutil.copytree(kept, self.out)


def complete(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.suffix in (".nc", ".zarr")}


def content(path: Path) -> dict[str, bytes]:
    """The bytes of a file, or of all objects of a store but the note of what it replaces."""
    files = path.rglob("*") if path.is_dir() else [path]
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in files
        if file.is_file() and file.name != "thalweg-replaces"
    }


def require_whole(folder: Path, before: Path, whole: Path) -> None:
    """What was complete before is there as it was, or as it is to be."""
    for name in complete(before):
        assert (folder / name).exists(), f"{name} is gone"
        others = [other / name for other in (before, whole) if (other / name).exists()]
        assert any(content(folder / name) == content(other) for other in others), f"{name} is another one"


@pytest.mark.parametrize(
    ("of", "first"), [(of, first) for of, slices in SLICES.items() for first in (range(slices) if ALL else [0])]
)
def test_a_run_that_goes_on_is_killed_at_any_call(tmp_path: Path, of: str, first: int) -> None:
    runs, before, whole = Runs(tmp_path, COLLECTIONS[of]), tmp_path / "before", tmp_path / "whole"
    log, slices = tmp_path / "calls.log", SLICES[of]
    assert runs.run(0, 14).code == 0
    shutil.copytree(runs.out, before)
    done = runs.run(12, 25, log=log)
    assert done.code == 0, done.output
    shutil.copytree(runs.out, whole)
    every = [(number, call) for number, call in enumerate(calls_of(log), 1) if call.kind in CHANGING]
    failures: list[str] = []
    killed = 0
    for place, (number, call) in enumerate(every[first::slices], first):
        for moment in ["before", "half", "after"] if ALL and call.kind == "write" else turn(["before", "after"], place):
            runs.put_back(before)
            done = runs.run(12, 25, Fault(number, moment))
            killed += done.killed
            try:
                require_whole(runs.out, before, whole)
                again = runs.run(12, 25)
                assert again.code == 0, again.output
                for name in complete(whole):
                    assert content(runs.out / name) == content(whole / name), f"{name} is another one at last"
            except AssertionError as error:
                failures.append(f"{moment} {call}: {error}")
    assert not failures, "\n".join(failures)
    assert killed > len(every) // slices // 2, "runs were to be killed"
