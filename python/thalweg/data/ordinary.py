"""Ordinary files. What else has a name, a device or a pipe, is neither read nor replaced: that may never end, or take
from the machine what it needs."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from thalweg.data.model import DataError

KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class NotOrdinary(DataError):
    """kind: what it is in place of an ordinary file."""

    def __init__(self, path: Path, kind: str) -> None:
        super().__init__(f"'{path}' is {kind}, and no ordinary file; name another one")
        self.kind = kind


def require_ordinary(path: Path, found: os.stat_result) -> None:
    """Errors: NotOrdinary."""
    if not stat.S_ISREG(found.st_mode):
        raise NotOrdinary(path, next((kind for is_of, kind in KINDS if is_of(found.st_mode)), "something else"))


def require_writable(path: Path) -> None:
    """An ordinary file, a link to one, or nothing yet. Errors: NotOrdinary, OSError."""
    with suppress(FileNotFoundError):
        require_ordinary(path, path.stat())


def beginning_of(path: Path, most_bytes: int) -> bytes:
    """To open a device may do something already, so the look at what it is comes first; what takes the name in between
    is not waited for. Errors: NotOrdinary, OSError."""
    require_ordinary(path, path.stat())
    with open(path, "rb", opener=without_waiting) as file:
        require_ordinary(path, os.fstat(file.fileno()))
        return bytes(file.read(most_bytes))


def without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK)


def replace(path: Path, text: str) -> None:
    """At every moment the file is whole. Of a link it is the file that it leads to. Errors: OSError."""
    target = Path(os.path.realpath(path))
    growing = target.with_name(f"{target.name}.{os.getpid()}.new")
    growing.unlink(missing_ok=True)  # of a process that had this number and was killed
    try:
        with growing.open("x", encoding="utf-8") as file:
            file.write(text)
        growing.replace(target)
    except OSError:
        with suppress(OSError):
            growing.unlink(missing_ok=True)
        raise
