"""A file system for what tests write: ext4 like most disks, in an image in memory, where root can mount one.

Tests force many small files to the storage and remove them. Their calls are the same on any device, but a
disk takes most of the time of some tests to answer them."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = Path("/dev/shm")
IMAGE_BYTES = 12 << 30
"""of which memory is taken as far as something is written"""
MOST_WRITTEN_BYTES = 6 << 30
"""what has to be free"""
MADE = ["mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=1,lazy_journal_init=1"]
MOUNTED = ["mount", "-o", "loop,noatime"]
"""by "discard" memory comes back when files are removed"""


def why_not(memory: Path = MEMORY) -> str:
    """Why there can be none here; '' if there can."""
    if os.geteuid() != 0:
        return "only root mounts an image"
    if shutil.which(MADE[0]) is None:
        return f"there is no {MADE[0]}"
    if not memory.is_dir() or min(shutil.disk_usage(memory).free, available_bytes()) < MOST_WRITTEN_BYTES:
        return f"{memory} has less than {MOST_WRITTEN_BYTES >> 30} GiB of memory"
    return ""


def available_bytes() -> int:
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))


def succeeds(*words: object) -> bool:
    return subprocess.run([str(word) for word in words], stderr=subprocess.DEVNULL, check=False).returncode == 0


def sees_mounts_alone() -> bool:
    """This process and those that it starts have mounts of their own from now on: they are gone with the last of them,
    also where all are killed."""
    new_mounts = 0x20000  # CLONE_NEWNS of sched.h
    return ctypes.CDLL(None).unshare(new_mounts) == 0 and succeeds("mount", "--make-rprivate", "/")


def mounted(place: Path) -> bool:
    with tempfile.TemporaryDirectory(prefix="thalweg-", dir=MEMORY) as memory:
        image = Path(memory, "image")
        with image.open("wb") as file:
            file.truncate(IMAGE_BYTES)
        # Its name is not needed any more then.
        return sees_mounts_alone() and succeeds(*MADE, image) and succeeds(*MOUNTED, image, place)


@contextmanager
def memory_disk() -> Iterator[Path | None]:
    """The folder on it, or none. It ends with its files."""
    reason = why_not()
    if reason:
        yield none(reason)
        return
    place = Path(tempfile.mkdtemp(prefix="thalweg-tests-"))
    is_there = mounted(place)
    try:
        yield place if is_there else none("no image can be mounted here")
    finally:
        # What a test has left running may still be in it.
        if not is_there or succeeds("umount", "--lazy", place):
            place.rmdir()


def none(reason: str) -> None:
    print(f"Tests write to {tempfile.gettempdir()}, and not to memory: {reason}", flush=True)
