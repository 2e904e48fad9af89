"""The ocean of Thalweg's sources: what its own demo.py does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from thalweg import programs
from thalweg.cli import mpi_environment
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import say_json

SCRIPT = programs.PACKAGE.parents[1] / "examples" / "ocean" / "demo.py"


def program() -> Path | None:
    """Not one of the same name somewhere on PATH."""
    return next((folder / "ocean" for folder in programs.folders() if os.access(folder / "ocean", os.X_OK)), None)


def is_here() -> bool:
    return SCRIPT.is_file() and program() is not None


def run(ranks: int, quick: bool, format_name: str, out: Path, as_json: bool) -> Exit:
    found = program()
    if found is None or not SCRIPT.is_file():
        missing = "is built by 'make build' in these sources" if SCRIPT.is_file() else "comes with Thalweg's sources"
        how = "" if SCRIPT.is_file() else ", in which 'make demo' builds and runs it"
        raise Failure(
            Exit.ENVIRONMENT, f"the ocean is not here: it {missing}{how}; 'thalweg demo --model atmosphere' runs here"
        )
    result = out / "result.json"
    result.unlink(missing_ok=True)
    command: list[str | Path] = [sys.executable, SCRIPT, "--build-dir", found.parents[1], "--out", out]
    command += ["--ranks", str(ranks), "--format", format_name, *(["--quick"] if quick else [])]
    # Its text goes to where this command's goes; with --json only what went wrong is wanted.
    to = subprocess.DEVNULL if as_json else None
    done = subprocess.run(command, env=os.environ | mpi_environment.OVERSUBSCRIBED, stdout=to, check=False)
    if not result.is_file():
        raise Failure(
            Exit.ENVIRONMENT, f"the ocean's demo ended with code {done.returncode}, see above; logs are in {out}"
        )
    if as_json:
        say_json({"model": "ocean", "ranks": ranks, "folder": out, "ways": json.loads(result.read_text())})
    return Exit.OK if done.returncode == 0 else Exit.FINDING
