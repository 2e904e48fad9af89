"""A rank of Python that stays: standing_ranks.py @@FOLDER, as programs/standing.hpp for C++ (standing.py). The words of
a run are a program, or "-m" and a module, and its own."""

from __future__ import annotations

import os
import runpy
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import thalweg
from mpi4py import MPI

FILES = {1: "stdout", 2: "stderr"}
EMPTY = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def redirect(folder: Path) -> None:
    for number, name in FILES.items():
        file = os.open(folder / f"{name}.{MPI.COMM_WORLD.rank:03d}", EMPTY)
        os.dup2(file, number)
        os.close(file)


def make(limit_s: str, folder: str, *words: str) -> None:
    """Raises what the program raises, but its end without an error."""
    signal.alarm(int(limit_s))  # the runner may have been killed
    os.chdir(folder)
    is_module = words[0] == "-m"
    sys.argv = list(words[is_module:])
    sys.path[0] = folder if is_module else os.path.dirname(words[0])
    known, hook = set(sys.modules), sys.excepthook
    try:
        if is_module:
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        if end.code not in (None, 0):
            raise
    for name in set(sys.modules) - known:  # another folder may have one of that name
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(sys.path[0]):
            del sys.modules[name]
    sys.excepthook = hook
    signal.alarm(0)


def told(runner: socket.socket) -> Iterator[str]:
    with suppress(ConnectionResetError):  # nobody waits for what this rank has answered
        yield from runner.makefile()


def tell(runner: socket.socket, what: bytes) -> None:
    with suppress(BrokenPipeError):  # it waits no longer, and has the output
        runner.sendall(what)


def serve(folder: Path) -> None:
    with socket.socket(socket.AF_UNIX) as runner:
        runner.connect(str(folder / "door"))
        for line in told(runner):
            redirect(folder)
            try:
                make(*line[:-1].split("\t"))
            except BaseException:
                tell(runner, b"-")  # the others are not to wait
                raise
            sys.stdout.flush()
            sys.stderr.flush()
            stays = not thalweg.session._open  # which may only end as the process ends
            tell(runner, b"+" if stays else b"-")
            if not stays:
                return


if __name__ == "__main__":
    serve(Path(sys.argv[1].removeprefix("@@")))
