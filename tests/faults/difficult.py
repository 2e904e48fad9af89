"""A folder below a difficult file system in user space (difficult_fs.c)."""

from __future__ import annotations

import functools
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from launch import BIN

PROGRAM = BIN / "difficult_fs"


@functools.cache
def why_not() -> str:
    """Why there is no such file system here; '' if there is."""
    if not PROGRAM.exists():
        return "difficult_fs is not built: there is no libfuse3"
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "no FUSE file system can be mounted here: there is no /dev/fuse"
    with tempfile.TemporaryDirectory() as folder:
        below, place = Path(folder) / "below", Path(folder) / "place"
        below.mkdir()
        place.mkdir()
        process = begin(below, place, [])
        if not is_mounted(process, place):
            return f"no FUSE file system can be mounted here: {process.communicate(timeout=10)[0].strip()}"
        end(process, place)
    return ""


def begin(below: Path, place: Path, options: Sequence[str]) -> subprocess.Popen[str]:
    words = ",".join([f"root={below}", *options])
    return subprocess.Popen(
        [PROGRAM, place, "-f", "-s", "-o", words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def is_mounted(process: subprocess.Popen[str], place: Path) -> bool:
    """False: it has ended."""
    limit = time.monotonic() + 10
    while process.poll() is None and time.monotonic() < limit:
        if os.path.ismount(place):
            return True
        time.sleep(0.002)
    process.kill()
    return False


def end(process: subprocess.Popen[str], place: Path) -> None:
    """Lazily: who is still in there, as a process that is about to end, is not waited for."""
    subprocess.run(["umount" if os.geteuid() == 0 else "fusermount3", *unmounting(), place], timeout=10, check=False)
    try:
        process.wait(timeout=2)  # a signal to one that is ending by itself would cut off what it counts
    except subprocess.TimeoutExpired:
        process.terminate()  # a mount namespace that somebody made meanwhile has the mount, too, and keeps it up
    try:
        process.communicate(timeout=10)
    finally:
        process.kill()  # also frees whoever waits for an answer


def unmounting() -> list[str]:
    return ["--lazy"] if os.geteuid() == 0 else ["-u", "-z"]


@contextmanager
def difficult(below: Path, place: Path, *options: str) -> Iterator[dict[str, int]]:
    """The folder below as a difficult file system shows it; how often each difficulty was met is there at the end."""
    counts: dict[str, int] = {}
    said = below.parent / "counts"
    place.mkdir(exist_ok=True)
    process = begin(below, place, [*options, f"counts={said}"])
    assert is_mounted(process, place), process.communicate(timeout=10)[0]
    try:
        yield counts
    finally:
        end(process, place)
    counts |= {name: int(number) for name, number in map(str.split, said.read_text().splitlines())}
