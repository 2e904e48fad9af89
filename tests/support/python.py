"""Starts Python programs that use the package of the build folder, under mpiexec."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from support import mpi

PROGRAMS = mpi.SOURCE / "tests" / "python" / "programs"
PATHS = mpi.PYTHON_PATHS
sys.path.insert(0, str(mpi.BUILD / "python"))  # for tests that import the package themselves
# It leaves memory to the end of the process: that is reported, and no error (reports.py).
SANITIZED = 'LD_PRELOAD="$0:$LD_PRELOAD" LSAN_OPTIONS="$LSAN_OPTIONS:exitcode=0" exec "$@"'
INTERPRETER = ["sh", "-c", SANITIZED, mpi.SANITIZER] if mpi.SANITIZER else []
INTERPRETER.append(sys.executable)


def start(
    program: str | Path,
    ranks: int,
    folder: Path,
    configuration: Mapping[str, Any] | None = None,
    *words: object,
    limit_s: int = 60,
    alone: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Runs a program of tests/python/programs, or any other, or "-m" and a module, to its end; thalweg.yaml holds the
    configuration. The ranks may have made other runs before, unless it is to be alone."""
    if configuration is not None:
        (folder / "thalweg.yaml").write_text(json.dumps({"report": "none"} | dict(configuration)))
    words = (program if program == "-m" else PROGRAMS / program, *words)
    if mpi.MAY_STAY and not alone:
        return mpi.stay(ranks, mpi.PYTHON_RANKS, folder, words, limit_s, {"PYTHONPATH": PATHS})
    return mpi.launch(["-n", ranks, *INTERPRETER, *words], folder, limit_s, {"PYTHONPATH": PATHS})


def run(
    program: str | Path,
    ranks: int,
    folder: Path,
    configuration: Mapping[str, Any] | None = None,
    *words: object,
    alone: bool = False,
) -> str:
    """Runs a program that has to succeed, and returns what it printed."""
    done = start(program, ranks, folder, configuration, *words, alone=alone)
    assert done.returncode == 0, f"{program} on {ranks} ranks: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout
