"""A growing netCDF-4 file with what its journal says laid over it (docs/formats/journal.md). Writes nothing."""

from __future__ import annotations

import io
from pathlib import Path

from thalweg.data.core import JOURNAL, Journal, journal_of
from thalweg.data.model import DataError


def read_journal(file: Path) -> Journal | None:
    """None if there is none, or none that is whole. Raises OSError if it is of another file."""
    if not file.with_name(file.name + JOURNAL).is_file():
        return None
    try:
        return journal_of(file)
    except DataError as fault:
        raise OSError(str(fault)) from None


class JournaledFile(io.RawIOBase):
    """The file as it is after the transaction."""

    mode = "rb"

    def __init__(self, path: Path, journal: Journal) -> None:
        self._file = path.open("rb", buffering=0)
        found = self._file.seek(0, io.SEEK_END)
        self._kept = found if journal.file_bytes is None else journal.file_bytes
        self._writes = journal.writes
        self._size = max([self._kept, *(offset + len(data) for offset, data in journal.writes)])
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._place = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        return self._place

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        begin, end = self._place, min(self._place + len(buffer), self._size)
        if end <= begin:
            return 0
        data = bytearray(end - begin)
        self._file.seek(begin)
        there = self._file.read(max(min(end, self._kept) - begin, 0))
        data[: len(there)] = there
        for offset, written in self._writes:
            low, high = max(offset, begin), min(offset + len(written), end)
            if low < high:
                data[low - begin : high - begin] = written[low - offset : high - offset]
        memoryview(buffer).cast("B")[: end - begin] = data
        self._place = end
        return end - begin

    def close(self) -> None:
        self._file.close()
        super().close()
