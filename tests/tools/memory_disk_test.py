# ctest: SHORT TIMEOUT 30
"""tools/memory_disk.py mounts a disk in memory, where that can be, and leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import memory_disk
import pytest

TOOLS = str(Path(memory_disk.__file__).parent)
CAN = memory_disk.why_not()


def of_disks() -> set[str]:
    """Images, and devices and mounts of them; of what others have in memory nothing is asked."""
    mounts = {line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()}
    mounts = {place for place in mounts if Path(place).name.startswith("thalweg-tests-")}
    devices = {file.read_text() for file in Path("/sys/block").glob("loop*/loop/backing_file")}
    devices = {image for image in devices if image.startswith(f"{memory_disk.MEMORY}/thalweg")}
    return mounts | devices | {str(file) for file in memory_disk.MEMORY.glob("thalweg*")}


@pytest.mark.skipif(bool(CAN), reason=CAN)
def test_files_are_on_ext4_and_gone_at_the_end() -> None:
    before = of_disks()
    with memory_disk.memory_disk() as folder:
        if folder is None:
            pytest.skip("no image can be mounted here")
        kind = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True, check=True).stdout
        assert kind.strip() == "ext2/ext3"  # as stat calls ext4
        (folder / "file").write_text("x")
    assert not folder.exists()
    assert of_disks() == before


def test_without_memory_there_is_none(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(memory_disk, "available_bytes", lambda: 1 << 30)
    with memory_disk.memory_disk() as folder:
        assert folder is None
    assert "Tests write to" in capsys.readouterr().out


@pytest.mark.skipif(bool(CAN), reason=CAN)
def test_of_a_run_that_is_killed_no_memory_is_left() -> None:
    before = of_disks()
    text = "import memory_disk, os\nwith memory_disk.memory_disk() as folder:\n"
    text += "    print(folder, flush=True)\n    os.kill(os.getpid(), 9)"
    killed = subprocess.run(
        [sys.executable, "-c", text],
        env={**os.environ, "PYTHONPATH": TOOLS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL
    Path(killed.stdout.strip()).rmdir()  # an empty folder is what is left
    deadline = time.monotonic() + 10  # the kernel takes its time
    while of_disks() - before and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not of_disks() - before


@pytest.mark.skipif(bool(CAN), reason=CAN)
def test_where_nothing_can_be_mounted_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = of_disks()
    monkeypatch.setattr(memory_disk, "MOUNTED", ["false"])
    with memory_disk.memory_disk() as folder:
        assert folder is None
    assert "can be mounted here" in capsys.readouterr().out
    assert of_disks() == before
