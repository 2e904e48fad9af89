"""Starts a program with the tracer before its libraries."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from thalweg import programs
from thalweg.cli.exit import Exit, Failure
from thalweg.trace.log import LAYERS

LIBRARY = "libthalweg_trace.so"
USUAL_LAYERS = tuple(layer for layer in LAYERS if layer != "hdf5")


def places() -> list[Path]:
    """In the package, its prefix, and the sources' builds."""
    package = programs.PACKAGE
    return [
        package / "lib",
        *(folder.parent / "lib" for folder in programs.folders()),
        *(folder.parent / "lib" / "thalweg" for folder in programs.folders()),
        package.parents[1] / "build" / "tracer" / "lib",
    ]


def library(given: Path | None) -> Path:
    named = given or (Path(os.environ["THALWEG_TRACE_LIBRARY"]) if "THALWEG_TRACE_LIBRARY" in os.environ else None)
    if named is not None:
        if named.is_file():
            return named.resolve()
        raise Failure(Exit.ENVIRONMENT, f"the tracer's library '{named}' is not there; give the path of {LIBRARY}")
    for folder in dict.fromkeys(places()):
        if (folder / LIBRARY).is_file():
            return (folder / LIBRARY).resolve()
    looked = ", ".join(str(folder) for folder in dict.fromkeys(places()))
    raise Failure(
        Exit.ENVIRONMENT,
        f"the tracer's library '{LIBRARY}' is not found in {looked}; build it with 'cmake -S tracer -B build/tracer && "
        "cmake --build build/tracer', or say where it is with --library",
    )


def layers_of(text: str) -> str:
    """As the library is told them."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    chosen = list(USUAL_LAYERS) if not names else []
    for name in names:
        plain = name.lstrip("+-")
        if plain not in LAYERS:
            raise Failure(Exit.USAGE, f"--layers: '{plain}' is no layer; layers are {', '.join(LAYERS)}")
        if name[0] in "+-" and not chosen and name is names[0]:
            chosen = list(USUAL_LAYERS)
        if name[0] == "-":
            chosen = [one for one in chosen if one != plain]
        elif plain not in chosen:
            chosen.append(plain)
    if not chosen:
        raise Failure(Exit.USAGE, f"--layers '{text}' leaves none; layers are {', '.join(LAYERS)}")
    return ",".join(chosen)


def environment(preload: Path, folder: Path, layers: str, events: int, exclude: str | None) -> dict[str, str]:
    found = {
        "LD_PRELOAD": " ".join([str(preload), *os.environ.get("LD_PRELOAD", "").split()]),
        "THALWEG_TRACE_DIR": str(folder),
        "THALWEG_TRACE_LAYERS": layers,
        "THALWEG_TRACE_EVENTS": str(events),
    }
    if exclude is not None:
        found["THALWEG_TRACE_EXCLUDE"] = exclude
    return found


def run(command: Sequence[str], added: dict[str, str], limit_s: float | None) -> int:
    """The program's own exit code; its input and output are those of the command. 124: the limit was reached."""
    try:
        process = subprocess.Popen(command, env={**os.environ, **added})
    except OSError as fault:
        raise Failure(Exit.INPUT, f"'{command[0]}' cannot be started: {fault.strerror}; name a program") from None
    with process:
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            # mpiexec ends its ranks if it is asked to end, not if it is killed.
            process.terminate()
            try:
                process.wait(programs.PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
            return 124
        except KeyboardInterrupt:
            process.wait()
            return Exit.INTERRUPTED
