"""The journal beside a growing file (docs/formats/journal.md): whether it is whole, and what it would do."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"THWJRNL2"
HEADER = struct.Struct("<8s9Q")
CHECKSUM_PLACE = 72
WRITE = struct.Struct("<2Q")
MASK = 2**64 - 1
LARGEST_BYTES = 64 << 20  # the checksum is made in Python: of larger ones it is left to the recovery


@dataclass(frozen=True)
class Journal:
    path: Path
    is_whole: bool | None  # None: too large to be checked here
    sequence: int = 0
    records: int = 0


@dataclass(frozen=True)
class Transaction:
    sequence: int
    records: int
    file_bytes: int | None
    """of the file before the writes; None: as it is"""
    writes: tuple[tuple[int, bytes], ...]
    """where, what"""
    file_inode: int
    own_inode: int

    def belongs_to(self, file: Path, journal: Path) -> bool:
        """As recovery has it (docs/formats/journal.md), but for the times of birth, which Python does not see."""
        found = file.stat()
        if found.st_ino == self.file_inode:
            return True
        length = max([self.file_bytes or 0, *(offset + len(data) for offset, data in self.writes)])
        return journal.stat().st_ino != self.own_inode and length <= found.st_size


def checksum(stretches: Sequence[bytes]) -> int:
    total = 0xCBF29CE484222325
    for stretch in stretches:
        padded = stretch + bytes(-len(stretch) % 8)
        for (word,) in struct.iter_unpack("<Q", padded):
            mixed = (total ^ word) * 0x9E3779B97F4A7C15 & MASK
            total = (mixed << 29 | mixed >> 35) & MASK
    return total


def read_journal(path: Path) -> Journal:
    if path.stat().st_size > LARGEST_BYTES:
        return Journal(path, None)
    found = transaction_in(path.read_bytes())
    return Journal(path, False) if found is None else Journal(path, True, found.sequence, found.records)


def transaction_in(data: bytes) -> Transaction | None:
    """None unless it is whole: then the file was not touched by it. What lies behind is left over from a longer one."""
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        return None
    _, sequence, count, size, records, file_inode, _, own_inode, _, wanted = HEADER.unpack_from(data)
    writes, end = [], HEADER.size
    for _ in range(count):
        if end + WRITE.size > len(data):
            return None
        offset, length = WRITE.unpack_from(data, end)
        begin, end = end + WRITE.size, end + WRITE.size + length
        writes.append((offset, data[begin:end]))
    if end > len(data) or checksum([data[:CHECKSUM_PLACE], data[HEADER.size : end]]) != wanted:
        return None
    return Transaction(sequence, records, None if size == MASK else size, tuple(writes), file_inode, own_inode)
