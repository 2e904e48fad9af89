"""Ranks that stay: one start of mpiexec makes one run of a program after another, each with its own folder, words,
standard output and session of Thalweg. Three ranks of Python take 0.6 s of the processors to start, most of it for
imports, and three of C++ 0.2 s; most runs take less.

A run that ends a rank, or leaves a session open, ends the job as it would end one of its own, with the same exit code
and messages; the next one is started anew. What the ranks do is in `standing_ranks.py` and `programs/standing.hpp`."""

from __future__ import annotations

import selectors
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import pytest

KEPT = 4
"""jobs at a time; the one that was used least recently makes room for another"""
LIFE_S = 7200
"""of a job at most. Ranks end when nobody is there to tell them a run, and a while after the limit of a run."""
START_S = 120
END_S = 30

Start = Callable[[str], Sequence[str]]
"""The command that starts the ranks, with this last word."""


class Standing:
    """A job, and a connection to each of its ranks, which waits for the next run without taking a processor."""

    def __init__(self, ranks: int, start: Start, environment: Mapping[str, str]) -> None:
        self._place = tempfile.TemporaryDirectory(prefix="ranks")
        self.folder = Path(self._place.name)
        self.said: tuple[IO[str], IO[str]] = (self._file("stdout"), self._file("stderr"))
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(str(self.folder / "door"))
            door.listen(ranks)
            self.job = subprocess.Popen(
                start(f"@@{self.folder}"),
                stdin=subprocess.DEVNULL,
                stdout=self.said[0],
                stderr=self.said[1],
                env=environment,
            )
            door.settimeout(START_S)
            self.ranks: list[socket.socket] = []
            try:
                while len(self.ranks) < ranks:
                    self.ranks.append(door.accept()[0])
            except OSError:
                self.end(limit_s=0)
                raise AssertionError(f"the ranks did not start: {self._said('stderr')}") from None

    def _file(self, name: str) -> IO[str]:
        return (self.folder / name).open("w+")

    @property
    def stays(self) -> bool:
        return bool(self.ranks)

    def run(self, folder: Path, words: Sequence[str], limit_s: float) -> subprocess.CompletedProcess[str]:
        """Makes a run to its end, whatever that is; the exit code is 0 where the ranks stay, and 124 at the limit."""
        assert not any(letter in word for word in words for letter in "\t\n"), words
        call = "\t".join([f"{limit_s + END_S:.0f}", str(folder.absolute()), *words]) + "\n"
        for rank in self.ranks:
            rank.sendall(call.encode())
        code = 0
        if not self._wait(limit_s):
            self.end(limit_s=0)
            code = 124
        elif not self.stays:
            code = self.end()
        out, err = (self._said(name) for name in ("stdout", "stderr"))
        return subprocess.CompletedProcess(list(words), code, out, err)

    def _wait(self, limit_s: float) -> bool:
        """Until each rank has come to the end of its run; or one has ended, and the others have been told to."""
        with selectors.DefaultSelector() as waiting:
            for rank in self.ranks:
                waiting.register(rank, selectors.EVENT_READ)
            until = time.monotonic() + limit_s
            while waiting.get_map():
                ready = waiting.select(max(0.0, until - time.monotonic()))
                if not ready:
                    return False
                for key, _ in ready:
                    waiting.unregister(key.fileobj)
                    if not self._has_come(key.fileobj):  # type: ignore[arg-type]
                        self._dismiss()
                        return True
        return True

    def _has_come(self, rank: socket.socket) -> bool:
        try:
            return rank.recv(1) == b"+"
        except ConnectionResetError:  # it was killed
            return False

    def _dismiss(self) -> None:
        for rank in self.ranks:
            rank.close()
        self.ranks = []

    def _said(self, name: str) -> str:
        """By the ranks in their order, and by mpiexec."""
        files = [*sorted(self.folder.glob(f"{name}.*")), self.folder / name]
        return "".join(file.read_text(errors="replace") for file in files)

    def end(self, limit_s: float = END_S) -> int:
        """Ranks that have come to the end of their runs end MPI and themselves; others are ended at the limit."""
        self._dismiss()
        try:
            code = self.job.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.job.send_signal(signal.SIGTERM)  # "timeout" passes it on
            code = self.job.wait(END_S)
        for file in self.said:
            file.close()
        return code


_jobs: dict[object, Standing] = {}  # by what was started; the one that was used last is at the end


def run(
    ranks: int, start: Start, environment: Mapping[str, str], folder: Path, words: Sequence[object], limit_s: float
) -> subprocess.CompletedProcess[str]:
    """Makes a run with these words by so many ranks, which are started if there are none yet."""
    kind = (*start(""), *environment.items())
    job = _jobs.pop(kind, None)
    if job is None:
        while len(_jobs) >= KEPT:
            require_good_end(_jobs.pop(next(iter(_jobs))))
        job = Standing(ranks, start, environment)
    try:
        done = job.run(folder, [str(word) for word in words], limit_s)
    except BaseException:  # such as the time limit of the test
        job.end(limit_s=0)
        raise
    if job.stays:
        _jobs[kind] = job
    return done


def require_good_end(job: Standing) -> None:
    code = job.end()
    assert code == 0, f"ranks that had made their runs ended with exit code {code}"


@pytest.fixture(scope="session", autouse=True)
def standing_ranks_end_well() -> Iterator[None]:
    """What comes after the last session in a process, MPI_Finalize and the end of the program, goes well too."""
    yield
    while _jobs:
        require_good_end(_jobs.popitem()[1])
