"""What a growing netCDF-4 file is before a commit, and behind each of its writes, and a reader who meets several of
that."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calls import OUT, Fault, Model, calls_of
from thalweg.data.core import journal_of


@dataclass(frozen=True)
class Commit:
    records: int
    """that are there behind it"""
    states: list[bytes]


def commits(folder: Path, model: Model, numbers: Sequence[int]) -> list[Commit]:
    """Those that lead to so many records, each of a job that is killed when it has written the journal."""
    folder.mkdir(parents=True)
    log = folder / "calls.log"
    assert model.run(folder, max(numbers), Fault(0, "before", kinds=("write",)), log).code == 0
    journals = [n for n, call in enumerate(calls_of(log), 1) if call.path.endswith(".journal")]
    return [commit_of(folder / str(number), model, number, journals[number - 1]) for number in numbers]


def commit_of(folder: Path, model: Model, number: int, call: int) -> Commit:
    folder.mkdir()
    done = model.run(folder, number, Fault(call, "after", kinds=("write",)))
    assert done.killed, done.output
    partial = folder / OUT / f"{model.name}.partial"
    journal = journal_of(partial)
    assert journal is not None
    assert journal.records == number
    file = bytearray(partial.read_bytes())
    states = [bytes(file)]
    assert journal.file_bytes in (None, len(file))
    for offset, data in journal.writes:
        file[offset : offset + len(data)] = data
        states.append(bytes(file))
    return Commit(number, states)


class ChangingFile(io.RawIOBase):
    """A file that becomes another one after so many reads."""

    def __init__(self, before: bytes, after: bytes, reads: int) -> None:
        self.now, self.after, self.left, self.place = before, after, reads, 0
        self.made = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self.place = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.place, io.SEEK_END: len(self.now)}[whence]
        return self.place

    def readinto(self, buffer) -> int:
        if self.made == self.left:
            self.now = self.after
        self.made += 1
        data = self.now[self.place : self.place + len(buffer)]
        buffer[: len(data)] = data
        self.place += len(data)
        return len(data)
