"""Whether a program of this machine has a file open. Those of other machines cannot be seen."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def users_of(files: Iterable[Path]) -> dict[Path, int]:
    """The process that has a file, or something in a folder, open; of files that nobody has open, nothing."""
    wanted = {str(file.resolve()): file for file in files}
    found: dict[Path, int] = {}
    for process in Path("/proc").glob("[0-9]*"):
        for name in open_files_of(process):
            for path, file in wanted.items():
                if name == path or name.startswith(f"{path}/"):
                    found[file] = int(process.name)
    return found


def open_files_of(process: Path) -> Iterable[str]:
    """None of processes of other users, nor of those that have just ended."""
    try:
        descriptors = list((process / "fd").iterdir())
    except OSError:
        return
    for descriptor in descriptors:
        try:
            yield os.readlink(descriptor)
        except OSError:
            continue
