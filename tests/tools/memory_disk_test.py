# ctest: SHORT TIMEOUT 30
"""tools/memory_disk.py mounts a disk in memory, where that can be, and leaves nothing."""

from __future__ import annotations

import subprocess
from pathlib import Path

import memory_disk
import pytest

CAN = memory_disk.why_not()


def of_disks() -> set[str]:
    """Images and mounts; of what others have in memory nothing is asked."""
    mounts = {line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()}
    mounts = {place for place in mounts if Path(place).name.startswith("thalweg-tests-")}
    return mounts | {str(file) for file in memory_disk.MEMORY.glob("thalweg*")}


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
def test_where_nothing_can_be_mounted_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = of_disks()
    monkeypatch.setattr(memory_disk, "MOUNTED", ["false"])
    with memory_disk.memory_disk() as folder:
        assert folder is None
    assert "can be mounted here" in capsys.readouterr().out
    assert of_disks() == before
