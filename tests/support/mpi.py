"""Starts programs under mpiexec with a time limit, in the environment that all tests share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

SOURCE = Path(os.environ.get("THALWEG_TEST_SOURCE_DIR", Path(__file__).resolve().parents[2]))
BUILD = Path(os.environ.get("THALWEG_TEST_BUILD_DIR", SOURCE / "build" / "release"))
OUTSIDE = {name: value for name, value in os.environ.items() if not name.startswith("THALWEG_")}
SANITIZER = os.environ.get("THALWEG_TEST_SANITIZER", "")
"""libraries that come first in a process (tools/sanitized.sh)"""
ENVIRONMENT = SOURCE / "tools" / "mpi_env.sh"


def program(name: str) -> Path:
    return BUILD / "bin" / name


def start(
    name: str, ranks: int, folder: Path, *words: object, limit_s: int = 60, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a program of the build folder to its end, whatever that is; its settings come from its configuration."""
    return launch(["-n", ranks, program(name), *words], folder, limit_s, environment)


def launch(
    words: Sequence[object], folder: Path, limit_s: int = 60, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs mpiexec with these words to its end. What ranks have freed is overwritten at once, so that its use is seen;
    not in mpiexec, which does use it."""
    variables = {"MALLOC_PERTURB_": "165"} | dict(environment or {})
    perturbed = ["-x", f"MALLOC_PERTURB_={variables.pop('MALLOC_PERTURB_')}"]
    command = [ENVIRONMENT, "timeout", "--kill-after=5", limit_s, "mpiexec", *perturbed, *words]
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=OUTSIDE | variables,
        capture_output=True,
        text=True,
        timeout=limit_s + 30,
        check=False,
    )


def run(
    name: str, ranks: int, folder: Path, *words: object, limit_s: int = 60, environment: Mapping[str, str] | None = None
) -> str:
    """Runs a program that has to succeed, and returns what it printed."""
    done = start(name, ranks, folder, *words, limit_s=limit_s, environment=environment)
    assert done.returncode == 0, f"{name} on {ranks} ranks: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done.stdout
