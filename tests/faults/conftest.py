"""What several tests of faults stand on."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from power_cut import disk, why_not

EXT4_MB = 12


@contextmanager
def small_tmpfs(place: Path, size: str) -> Iterator[None]:
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"no small file system can be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


@pytest.fixture
def small_disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A file system in memory of 8 MiB, or of the size that the test asks for, or, by the word ext4, one of a disk."""
    if os.geteuid() != 0:
        pytest.skip("only root mounts a small file system")
    place, kind = tmp_path / "disk", getattr(request, "param", "8m")
    place.mkdir()
    if kind != "ext4":
        with small_tmpfs(place, kind):
            yield place
        return
    reason = why_not("ext4")
    if reason:
        pytest.skip(reason)
    with disk("ext4", tmp_path, place, EXT4_MB):
        yield place
