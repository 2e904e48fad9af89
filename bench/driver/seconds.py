"""One launch of a program that tells, in its last line, the seconds that each of its ways took in each round."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def seconds_of(
    words: Sequence[object], ranks: int, timeout_s: float, folder: Path | None = None
) -> dict[str, list[float]]:
    """By ways. One that fails ends the benchmark, with what it said."""
    command = ["mpiexec", "-n", str(ranks), *(str(word) for word in words)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False, cwd=folder)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    seconds: dict[str, list[float]] = json.loads(done.stdout.splitlines()[-1])
    return seconds
