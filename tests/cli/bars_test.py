# ctest: SHORT LABELS cli mpi TIMEOUT 60
"""What takes long is shown on a terminal while it goes on, and nowhere else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np
from support import mpi
from support.command import COMMAND


def example(path: Path) -> Path:
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("time", None), ("y", 12), ("x", 10)):
            file.createDimension(name, size)
        file.createVariable("a", "f4", ("time", "y", "x"))[:] = np.ones((20, 12, 10))
    return path


def on_terminal(*words: object) -> str:
    """What the command writes to standard error, which is a terminal."""
    ours, theirs = pty.openpty()
    command = [mpi.ENVIRONMENT, sys.executable, COMMAND, *words]
    with subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=theirs) as job:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:  # it is closed
            pass
        assert job.stdout is not None
        job.stdout.read()
    os.close(ours)
    assert job.returncode == 0, text
    return text.decode()


def test_ranks_that_write_show_how_far_they_are(tmp_path: Path) -> None:
    words = ("replay", "-n", 2, "--step-time", 0.08, "--no-classic", example(tmp_path / "a.nc"))
    shown = on_terminal(*words)
    assert "writing" in shown
    assert any(f" {percent} %" in shown for percent in range(20, 95)), shown


def test_without_a_terminal_there_is_none(tmp_path: Path) -> None:
    command = [mpi.ENVIRONMENT, sys.executable, COMMAND, "convert", example(tmp_path / "a.nc"), tmp_path / "b.zarr"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=40, check=False)
    assert (done.returncode, done.stderr) == (0, "")
