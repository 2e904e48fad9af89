"""A job that is stopped in the middle of its file, and lives."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from calls import Ended, Model, singleton
from launch import environment
from names import NEW, confirmed_records


class Living:
    """On one rank; it has confirmed a record, and makes no step until it is told to go on."""

    def __init__(self, folder: Path, model: Model) -> None:
        self.folder = folder / "first"
        self.folder.mkdir()
        (self.folder / "out").symlink_to(folder / "out")
        model.configure(self.folder)
        command = model.command(NEW, {}, pause_ms=100)
        self.job = subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment() | singleton(self.folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.process = self.job.pid
        end = time.monotonic() + 20
        while confirmed_records(self.folder) < 1:
            assert self.job.poll() is None and time.monotonic() < end, self.job.communicate(timeout=5)[0]
            time.sleep(0.005)
        os.kill(self.process, signal.SIGSTOP)
        os.waitpid(self.process, os.WUNTRACED)  # until all of its threads have stopped

    def go_on(self) -> Ended:
        os.kill(self.process, signal.SIGCONT)
        try:
            output, _ = self.job.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            self.job.kill()
            return Ended(-9, self.job.communicate(timeout=5)[0], hung=True)
        return Ended(self.job.returncode, output)

    def die(self) -> int:
        """How many records were confirmed."""
        self.job.kill()
        self.job.communicate(timeout=5)
        return confirmed_records(self.folder)
