"""The journal beside a growing file (docs/formats/journal.md): whether it is whole, and what it would do."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"THWJRNL1"
HEADER = struct.Struct("<8s5Q")
WRITE = struct.Struct("<2Q")
MASK = 2**64 - 1
LARGEST_BYTES = 64 << 20  # the checksum is made in Python: of larger ones it is left to the recovery


@dataclass(frozen=True)
class Journal:
    path: Path
    is_whole: bool | None  # None: too large to be checked here
    sequence: int = 0
    records: int = 0


def checksum(stretches: list[bytes]) -> int:
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
    data = path.read_bytes()
    if len(data) < HEADER.size or not data.startswith(MAGIC):
        return Journal(path, False)
    _, sequence, writes, _, records, wanted = HEADER.unpack_from(data)
    end = HEADER.size
    for _ in range(writes):
        if end + WRITE.size > len(data):
            return Journal(path, False)
        end += WRITE.size + WRITE.unpack_from(data, end)[1]
    if end > len(data):  # what lies behind is left over from a longer one
        return Journal(path, False)
    return Journal(path, checksum([data[:40], data[HEADER.size : end]]) == wanted, sequence, records)
