"""Programs under the tracer, and what their logs say."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import support.command  # noqa: F401 - the package thalweg from the sources
from support import mpi
from thalweg.trace.log import LAYERS
from thalweg.trace.table import Trace, read_folder, trace_of

LIBRARY = Path(os.environ.get("THALWEG_TRACE_LIBRARY", mpi.BUILD / "lib" / "libthalweg_trace.so"))
MODEL = LIBRARY.parents[1] / "bin" / "traced_model"


def environment(logs: Path, **settings: object) -> dict[str, str]:
    logs.mkdir(exist_ok=True)
    added = {"LD_PRELOAD": str(LIBRARY), "THALWEG_TRACE_DIR": str(logs)}
    # Python's own files are many, and not what is looked at.
    added["THALWEG_TRACE_EXCLUDE"] = "/proc/:/sys/:/dev/:/etc/:/usr/:/lib/:/lib64/:" + str(mpi.SOURCE / ".venv")
    return {**os.environ, **added, **{f"THALWEG_TRACE_{name}": str(value) for name, value in settings.items()}}


def run(command: Sequence[object], logs: Path, code: int = 0, **settings: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(word) for word in command],
        env=environment(logs, **settings),
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done
    return done


def trace(logs: Path) -> Trace:
    found, losses = read_folder(logs)
    assert not losses
    return trace_of(found, losses)


def counts(found: Trace, file: Path, layer: str = "posix") -> Counter[str]:
    """How many times each function was called for a file."""
    chosen = (found.layer == LAYERS.index(layer)) & (found.file == found.files.index(str(file)))
    return Counter(found.functions[number].name for number in found.function[chosen].tolist())
