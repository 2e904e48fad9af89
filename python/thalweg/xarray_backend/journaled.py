"""A growing netCDF-4 file with what its journal says laid over it (docs/formats/journal.md). Writes nothing."""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"THWJRNL1"
HEADER = struct.Struct("<8s5Q")
WRITE = struct.Struct("<2Q")
MASK = 2**64 - 1


@dataclass(frozen=True)
class Journal:
    size: int | None
    """of the file before the writes; None: as it is"""
    writes: tuple[tuple[int, bytes], ...]
    """where, what"""


def checksum(stretches: Sequence[bytes]) -> int:
    total = 0xCBF29CE484222325
    for stretch in stretches:
        for (word,) in struct.iter_unpack("<Q", stretch + bytes(-len(stretch) % 8)):
            mixed = (total ^ word) * 0x9E3779B97F4A7C15 & MASK
            total = (mixed << 29 | mixed >> 35) & MASK
    return total


def read_journal(path: Path) -> Journal | None:
    """None if there is none, or none that is whole: then the file was not touched by it."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return None
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        return None
    _, _, count, size, _, wanted = HEADER.unpack_from(data)
    writes, end = [], HEADER.size
    for _ in range(count):
        if end + WRITE.size > len(data):
            return None
        offset, length = WRITE.unpack_from(data, end)
        begin, end = end + WRITE.size, end + WRITE.size + length
        writes.append((offset, data[begin:end]))
    if end > len(data) or checksum([data[:40], data[HEADER.size : end]]) != wanted:
        return None
    return Journal(None if size == MASK else size, tuple(writes))


class JournaledFile(io.RawIOBase):
    """The file as it is after the transaction."""

    mode = "rb"

    def __init__(self, path: Path, journal: Journal) -> None:
        self._file = path.open("rb", buffering=0)
        found = self._file.seek(0, io.SEEK_END)
        self._kept = found if journal.size is None else journal.size
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
