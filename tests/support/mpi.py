"""Starts programs under mpiexec with a time limit, in the environment that all tests share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from support import standing
from support.ways import ALL

SOURCE = Path(os.environ.get("THALWEG_TEST_SOURCE_DIR", Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get("THALWEG_TEST_BUILD_DIR", SOURCE / "build" / "release"))
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("THALWEG_")}
SANITIZER = os.environ.get("THALWEG_TEST_SANITIZER", "")
"""libraries that come first in a process (tools/sanitized.sh)"""
ENVIRONMENT = SOURCE / "tools" / "mpi_env.sh"
STAY = ("conform", "indices")
"""programs whose runs may share ranks (standing.py)"""
MAY_STAY = not ALL and not SANITIZER
PYTHON_PATHS = f"{BUILD / 'python'}:{SOURCE / 'tests'}"
PYTHON_RANKS = (sys.executable, SOURCE / "tests" / "support" / "standing_ranks.py")


def program(name: str) -> Path:
    return BUILD / "bin" / name


def start(
    name: str,
    ranks: int,
    folder: Path,
    *words: object,
    limit_s: int = 60,
    environment: Mapping[str, str] | None = None,
    alone: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Runs a program of the build folder to its end, whatever that is; its settings come from its configuration. The
    ranks may have made other runs before, unless it is to be alone, as where Thalweg reads the command line, or has an
    environment of its own."""
    if name in STAY and MAY_STAY and not environment and not alone:
        return stay(ranks, [program(name)], folder, words, limit_s)
    return launch(["-n", ranks, program(name), *words], folder, limit_s, environment)


def stay(
    ranks: int,
    program: Sequence[object],
    folder: Path,
    words: Sequence[object],
    limit_s: int,
    environment: Mapping[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Makes a run with these words by ranks of this program, which stay for further ones."""
    start = partial(staying, ranks, program)
    return standing.run(ranks, start, OUTSIDE | dict(environment or {}), folder, words, limit_s)


def staying(ranks: int, program: Sequence[object], folder: str) -> list[str]:
    return command(["-n", ranks, *program, folder], standing.LIFE_S)


def launch(
    words: Sequence[object], folder: Path, limit_s: int = 60, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs mpiexec with these words to its end. What ranks have freed is overwritten at once, so that its use is seen;
    not in mpiexec, which does use it."""
    variables = {"MALLOC_PERTURB_": "165"} | dict(environment or {})
    return subprocess.run(
        command(words, limit_s, variables.pop("MALLOC_PERTURB_")),
        cwd=folder,
        env=OUTSIDE | variables,
        capture_output=True,
        text=True,
        timeout=limit_s + 30,
        check=False,
    )


def command(words: Sequence[object], limit_s: int, perturbed: str = "165") -> list[str]:
    every = ["timeout", "--kill-after=5", limit_s, "mpiexec", "-x", f"MALLOC_PERTURB_={perturbed}", *words]
    return [str(word) for word in (ENVIRONMENT, *every)]


def run(
    name: str,
    ranks: int,
    folder: Path,
    *words: object,
    limit_s: int = 60,
    environment: Mapping[str, str] | None = None,
    alone: bool = False,
) -> str:
    """Runs a program that has to succeed, and returns what it printed."""
    done = start(name, ranks, folder, *words, limit_s=limit_s, environment=environment, alone=alone)
    assert done.returncode == 0, f"{name} on {ranks} ranks: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout
