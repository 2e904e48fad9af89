"""Finds and runs Thalweg's own programs, and those of the system."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from thalweg.data.model import DataError

PACKAGE = Path(__file__).resolve().parent
LIBRARY = "/libthalweg.so"
PATIENCE_S = 5.0  # with a program that was asked to end


class MissingProgram(DataError):
    """One of Thalweg's own is not found."""


def folders() -> Iterator[Path]:
    """Where Thalweg's programs are looked for, before PATH: in the package, its prefix, the sources' build, and the
    prefix of the library that the package was built on."""
    yield PACKAGE / "bin"
    yield Path(sys.prefix) / "bin"
    yield from (parent / "bin" for parent in PACKAGE.parents[:4] if (parent / "bin").is_dir())
    yield PACKAGE.parents[1] / "build" / "release" / "bin"
    yield from beside_library()


def beside_library() -> list[Path]:
    try:
        importlib.import_module("thalweg._core")
    except ImportError:  # the command runs from the sources without it
        return []
    lines = Path("/proc/self/maps").read_text().splitlines()
    mapped = {line.split(maxsplit=5)[-1] for line in lines if LIBRARY in line}
    return [parent / "bin" for path in sorted(mapped) for parent in Path(path).parents[1:3]]


def find(name: str) -> Path | None:
    for folder in folders():
        if os.access(folder / name, os.X_OK):
            return folder / name
    found = shutil.which(name)
    return Path(found) if found else None


def required(name: str) -> Path:
    program = find(name)
    if program is None:
        places = ", ".join(str(folder) for folder in folders())
        raise MissingProgram(
            f"the program '{name}' is not found, neither in {places} nor on PATH; install Thalweg, or build it with "
            "'make build', or put its folder on PATH",
        )
    return program


def run(
    command: Sequence[object],
    limit_s: float | None = None,
    environment: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Runs a command to its end, or to the limit: then its code is 124, as that of `timeout`."""
    words = [str(word) for word in command]
    # A group of its own, so that at the limit whatever it started ends with it.
    with subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        cwd=folder,
        env={**os.environ, **(environment or {})},
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(timeout=limit_s)
        except BaseException as end:
            out, err = stop(process)
            if not isinstance(end, subprocess.TimeoutExpired):
                raise
            return subprocess.CompletedProcess(words, 124, out, err)
    return subprocess.CompletedProcess(words, process.returncode, out, err)


def stop(process: subprocess.Popen[str]) -> tuple[str, str]:
    """mpiexec ends its ranks, which are in groups of their own, if it is asked to end, not if it is killed."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        return process.communicate(timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()


def said(text: str, name: str) -> list[str]:
    """The lines that Thalweg's program wrote, without its name in front; or, without any, those of its libraries."""
    return remarks(text, name) or [line for line in text.splitlines() if line.strip()]


def remarks(text: str, name: str) -> list[str]:
    """The same without what libraries have to say: MPI warns of much that concerns nobody."""
    own = (f"{name}: ", "thalweg: ")  # of the program, and of the library's log
    return [line.split(": ", 1)[1] for line in text.splitlines() if line.startswith(own)]
