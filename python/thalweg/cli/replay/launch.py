"""Starts the ranks: in a process of their own, under mpiexec if they are several."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from thalweg import programs
from thalweg.cli import mpi_environment
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import counted
from thalweg.cli.replay.job import Launched
from thalweg.cli.replay.told import shown

INSIDE = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK", "MPI_LOCALNRANKS")
RANK = "thalweg.cli.replay.rank"
FAULT = "thalweg-fault: "  # before what went wrong, on its standard error


def is_inside() -> bool:
    """Whether a launcher of MPI has started this process."""
    return any(name in os.environ for name in INSIDE)


def package_folder() -> Path:
    """Where Python finds the package with its core: the command runs from the sources without it, too."""
    core = importlib.util.find_spec("thalweg._core")
    if core is not None and core.origin:
        return Path(core.origin).parents[1]
    for folder in programs.folders():
        candidate = folder.parent / "python"
        if any((candidate / "thalweg").glob("_core*.so")):
            return candidate
    raise Failure(
        Exit.ENVIRONMENT, "the package's own module 'thalweg._core' is not found; install Thalweg, or 'make build'"
    )


def launch(job: Launched, ranks: int, limit_s: float, module: str = RANK) -> dict[str, Any]:
    """Runs the job to its end; what the ranks say of it."""
    command: list[object] = [sys.executable, "-m", module, job.save()]
    if ranks > 1:
        mpiexec = shutil.which("mpiexec")
        if mpiexec is None:
            raise Failure(Exit.ENVIRONMENT, "mpiexec is not on PATH; load the module of the MPI library, or '-n 1'")
        command = [mpiexec, "-n", ranks, *command]
    path = os.pathsep.join([str(package_folder()), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = mpi_environment.OVERSUBSCRIBED | {"PYTHONPATH": path}
    if ranks == 1:
        environment |= mpi_environment.ALONE
    with shown(job.told, "writing"):
        done = programs.run(command, limit_s, environment)
    require_success(job, ranks, limit_s, done.returncode, done.stderr)
    return read_result(job, ranks)


def faults(job: Launched, err: str) -> Iterator[dict[str, Any]]:
    """What ranks say of how they failed, as far as it can be read."""
    texts = [path.read_text() for path in sorted(Path(job.folder).glob("fault.*.json"))]
    for text in texts + re.findall(rf"{FAULT}(.*)", err):
        with suppress(ValueError):  # the disk is full, or ranks have written into each other's lines
            yield json.loads(text)


def require_success(job: Launched, ranks: int, limit_s: float, code: int, err: str) -> None:
    for fault in faults(job, err):
        if fault["code"] == Exit.INTERNAL and "--debug" in sys.argv:
            sys.stderr.write("".join(fault["trace"]))
        raise Failure(Exit(fault["code"]), f"'{job.source}': {fault['text']}")
    if code == 124:
        raise Failure(Exit.ENVIRONMENT, f"'{job.source}': not written within {limit_s:g} s; --limit allows more")
    if code != 0:
        own = [line for line in err.splitlines() if line.strip(" -*\t") and FAULT.strip() not in line]
        lines = programs.remarks(err, "thalweg") or own
        said = lines[0].strip()[:300] if lines else "it said nothing"
        raise Failure(Exit.ENVIRONMENT, f"'{job.source}': {counted(ranks, 'rank')} ended with code {code}: {said}")


def read_result(job: Launched, ranks: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(job.result("result").read_text())
    if found["ranks"] != ranks:
        raise Failure(
            Exit.ENVIRONMENT,
            f"mpiexec started {ranks} programs that do not know of each other: it is of another MPI library than "
            "Thalweg; put the folder of Thalweg's first on PATH",
        )
    return found
