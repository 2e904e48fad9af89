"""A file system in an image, whose power is cut: a copy of the image as the loop device has it lacks what the file
system has not sent to it yet, and is mounted like a disk after a power failure. A write that the device has got counts
as kept, also one that was not flushed."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SIZES_MB = {"ext4": 96, "xfs": 320}
MAKERS = {
    "ext4": ["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0"],
    "xfs": ["mkfs.xfs", "-q", "-f"],
}
# By itself the file system sends nothing within the time of a test.
OPTIONS = {"ext4": "commit=600", "xfs": "noatime"}
SAME_IDENTITY = {"ext4": "rw", "xfs": "nouuid"}  # of a copy that is mounted beside its original


def called(*words: object, check: bool = True) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, check=False)
    assert not check or done.returncode == 0, f"{words}: {done.stderr}"
    return done.stdout.strip()


def why_not(kind: str) -> str:
    """Why no such image can be mounted here; '' if it can."""
    if os.geteuid() != 0:
        return "only root mounts an image"
    if shutil.which(MAKERS[kind][0]) is None:
        return f"there is no {MAKERS[kind][0]}"
    if not Path("/dev/loop-control").exists():
        return "there are no loop devices"
    return ""


@contextmanager
def mounted(kind: str, image: Path, place: Path, options: str) -> Iterator[str]:
    """Mounts an image, and says the name of its loop device."""
    place.mkdir(parents=True, exist_ok=True)
    device = called("losetup", "--find", "--show", image)
    try:
        called("mount", "-t", kind, "-o", options, device, place)
        try:
            yield Path(device).name
        finally:
            called("umount", "--lazy", place, check=False)
    finally:
        called("losetup", "--detach", device, check=False)


@dataclass(frozen=True)
class Disk:
    kind: str
    image: Path
    place: Path
    device: str

    def writes(self) -> str:
        """Counts of what the device has got; the last two: whether something is on its way."""
        return " ".join(Path(f"/sys/block/{self.device}/stat").read_text().split()[4:9])

    def sync(self) -> None:
        """What is there now is there after a power failure, too."""
        called("sync", "--file-system", self.place)

    def cut(self, copy: Path) -> Path:
        """A copy as of one moment: if something was written meanwhile, another is made."""
        for _ in range(50):
            before = self.writes()
            called("cp", "--sparse=always", self.image, copy)
            if self.writes() == before and before.split()[-1] == "0":
                return copy
            time.sleep(0.01)
        raise AssertionError("the disk is never quiet")


@contextmanager
def disk(kind: str, folder: Path, place: Path, megabytes: int = 0) -> Iterator[Disk]:
    """A new file system in an image of this folder, mounted at a place; of the usual size unless another is named."""
    image = folder / f"{kind}.image"
    with image.open("wb") as file:
        file.truncate((megabytes or SIZES_MB[kind]) << 20)
    called(*MAKERS[kind], image)
    with mounted(kind, image, place, OPTIONS[kind]) as device:
        shutil.rmtree(place / "lost+found", ignore_errors=True)
        yield Disk(kind, image, place, device)


@contextmanager
def after_power_failure(kind: str, copy: Path, place: Path) -> Iterator[Path]:
    """The copy, its journal replayed."""
    with mounted(kind, copy, place, SAME_IDENTITY[kind]):
        shutil.rmtree(place / "lost+found", ignore_errors=True)
        yield place
