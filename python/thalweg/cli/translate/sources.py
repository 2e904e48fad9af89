"""The files of a configuration that is translated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from thalweg.cli.exit import Exit, Failure


@dataclass
class Source:
    path: Path
    text: str
    is_alone: bool = True

    def place(self, number: int) -> str:
        """Of a line; with the file's name where there are several."""
        return str(number) if self.is_alone else f"{self.path.name}:{number}"


def read_source(path: Path) -> Source:
    if not path.is_file():
        raise Failure(Exit.INPUT, f"'{path}' {'is no file' if path.exists() else 'does not exist'}")
    text = path.read_bytes().decode("utf-8", "replace")
    if "\0" in text:
        raise Failure(Exit.INPUT, f"'{path}' is no text; give a diag_table, HISTORY.rc, file_def.xml or input.nml")
    return Source(path, text)
