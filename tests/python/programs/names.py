"""Runs one after the other in one folder: names.py, on one rank. Each says in a line of JSON what it met."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import thalweg
from mpi4py import MPI

STEP_S = 3600.0
FORMATS = {"netcdf4": "n.nc", "cdf5": "c.nc", "zarr": "z.zarr"}


def digest(path: Path) -> str:
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files if file.exists())).hexdigest()


def run(
    collections: Mapping[str, Mapping[str, Any]],
    steps: int,
    start_s: float = 0.0,
    after_start: Callable[[], None] = lambda: None,
    **top: object,
) -> str:
    """The error, or nothing."""
    settings = {"report": "none", "time-step": "1 h", "collections": collections} | top
    Path("run.yaml").write_text(json.dumps(settings))
    try:
        with thalweg.start(MPI.COMM_WORLD, "run.yaml", on_exception="raise") as io:
            after_start()
            cells = io.decompose("x", (4,), (0,), (4,))
            opened = [io.collection(name) for name in collections]
            for one in opened:
                one.define_variable("temp", "time,x", np.float64, cells)
            if start_s:
                io.set_time(start_s)
            for step in range(steps):
                for one in opened:
                    one.put("temp", start_s + step + np.arange(4.0))
                io.advance(start_s + (step + 1) * STEP_S)
    except thalweg.Error as error:
        return str(error)
    return ""


def say(case: str, error: str, **seen: object) -> None:
    print(json.dumps({"case": case, "error": error} | seen), flush=True)


def go_on(file_format: str, file: str) -> None:
    """A run that continues another in the middle of its file."""
    settings: dict[str, Any] = {"file": file, "format": file_format}
    path = Path(file)
    say(f"first {file_format}", run({"h": settings}, 3))
    before = digest(path)
    error = run({"h": settings}, 2, 3 * STEP_S)
    say(f"continued {file_format}", error, same=digest(path) == before)
    error = run({"h": settings | {"append": "new"}}, 2, 3 * STEP_S)
    say(f"replaced {file_format}", error, same=digest(path) == before)
    before = digest(path)
    say(f"repeated {file_format}", run({"h": settings}, 3, 3 * STEP_S), same=digest(path) == before)
    before = digest(path)
    say(f"empty {file_format}", run({"h": settings | {"every": "10 steps"}}, 3), same=digest(path) == before)


def main() -> None:
    for file_format, file in FORMATS.items():
        go_on(file_format, file)
    two = {"a": {"file": "o_%Y.nc"}, "b": {"file": "o_2000.nc"}}
    say("two collections", run(two, 2))
    home = Path.cwd()
    Path("elsewhere").mkdir()
    error = run({"h": {"file": "here.nc"}}, 2, after_start=lambda: os.chdir("elsewhere"), profile="here.json")
    os.chdir(home)
    say("folder", error, there=Path("here.nc").exists() and Path("here.json").exists())
    Path("precious").write_text("{precious")
    Path("link.json").symlink_to("precious")
    error = run({"h": {"file": "p.nc"}}, 1, profile="link.json")
    linked = not Path("link.json").is_symlink() and json.loads(Path("link.json").read_text()) is not None
    say("link", error, replaced=linked, target=Path("precious").read_text())
    before = digest(Path("here.nc"))
    say("profile", run({"h": {"file": "p.nc"}}, 1, profile="here.nc"), same=digest(Path("here.nc")) == before)
    say("own", run({"h": {"file": "p.nc"}}, 1, profile="./p.nc"))
    say("configuration", run({"h": {"file": "run.yaml"}}, 1))
    say("left", "", files=sorted(path.name for path in home.iterdir()))


main()
