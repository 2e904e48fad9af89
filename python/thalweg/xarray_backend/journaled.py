"""A growing netCDF-4 file with what its journal says laid over it (docs/formats/journal.md). Writes nothing."""

from __future__ import annotations

import io
from pathlib import Path

from thalweg.data.journal import Transaction, transaction_in


def read_journal(path: Path) -> Transaction | None:
    """Of the file beside it. None if there is none, or none that is whole. Raises OSError if it is of another file."""
    if not path.is_file():
        return None
    try:
        found = transaction_in(path.read_bytes())
    except FileNotFoundError:
        return None
    file = path.with_name(path.name.removesuffix(".journal"))
    if found is not None and not found.belongs_to(file, path):
        raise OSError(f"'{path}' is the journal of another file than '{file.name}'; remove it, if that is wanted")
    return found


class JournaledFile(io.RawIOBase):
    """The file as it is after the transaction."""

    mode = "rb"

    def __init__(self, path: Path, journal: Transaction) -> None:
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
