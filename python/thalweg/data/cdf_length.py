"""How long a netCDF classic file has to be, from its header. The library reads what lies beyond the end of a file that
was cut short as zeros, or as fill values, and says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from thalweg.data.model import DataError

ITEM_BYTES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 4, 6: 8, 7: 1, 8: 2, 9: 4, 10: 8, 11: 8}
LIST_TAGS = {10: "dimensions", 11: "variables", 12: "attributes"}


@dataclass(frozen=True)
class Length:
    bytes: int  # that the file has to have at least
    records: int
    record_begin: int
    record_bytes: int  # 0: no variable has records

    def whole_records(self, size: int) -> int:
        """How many records a file of this size holds."""
        if self.record_bytes == 0:
            return self.records
        return min(self.records, max(size - self.record_begin, 0) // self.record_bytes)


@dataclass(frozen=True)
class Stored:
    """A variable: its first byte, the bytes of one record (or of all of it), and whether it has records."""

    begin: int
    bytes: int
    has_record: bool


class Header:
    """Reads the header field by field; numbers are 32 or 64 bits wide as the version has it."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self.file, self.path, self.size = file, path, path.stat().st_size
        version = self.take(4)[3]
        self.wide = version == 5
        self.offset_bytes = 4 if version == 1 else 8

    def take(self, count: int) -> bytes:
        data = self.file.read(count)
        if len(data) < count:
            raise DataError(f"'{self.path}' ends within its header, at byte {self.file.tell()}: it was cut short")
        return data

    def number(self, wide: bool) -> int:
        return int.from_bytes(self.take(8 if wide else 4), "big")

    def skip_padded(self, count: int) -> None:
        if count > self.size:
            raise DataError(
                f"'{self.path}' has a damaged header: {count} bytes of text or numbers in {self.size} bytes"
            )
        self.file.seek(count + -count % 4, 1)

    def skip_name(self) -> None:
        self.skip_padded(self.number(self.wide))

    def elements(self) -> int:
        tag, count = self.number(False), self.number(self.wide)
        if tag not in LIST_TAGS and (tag, count) != (0, 0):
            raise DataError(f"'{self.path}' has a damaged header: tag {tag} before byte {self.file.tell()}")
        return count

    def skip_attributes(self) -> None:
        for _ in range(self.elements()):
            self.skip_name()
            item = ITEM_BYTES.get(self.number(False))
            if item is None:
                raise DataError(f"'{self.path}' has a damaged header: an attribute of no known type")
            self.skip_padded(self.number(self.wide) * item)

    def dimension(self) -> int:
        self.skip_name()
        return self.number(self.wide)

    def variable(self, dims: list[int]) -> Stored:
        self.skip_name()
        places = [self.number(self.wide) for _ in range(self.number(self.wide))]
        self.skip_attributes()
        item = ITEM_BYTES.get(self.number(False))
        self.number(self.wide)  # the size, which does not count for large variables
        begin = self.number(self.offset_bytes == 8)
        if item is None or any(place >= len(dims) for place in places):
            raise DataError(f"'{self.path}' has a damaged header: a variable of no known type or dimension")
        has_record = bool(places) and dims[places[0]] == 0
        for place in places[has_record:]:
            item *= dims[place]
        return Stored(begin, item, has_record)


def length_of(path: Path) -> Length:
    with path.open("rb") as file:
        header = Header(file, path)
        records = header.number(header.wide)
        dims = [header.dimension() for _ in range(header.elements())]
        header.skip_attributes()
        variables = [header.variable(dims) for _ in range(header.elements())]
    if records == (2**64 - 1 if header.wide else 2**32 - 1):
        raise DataError(f"'{path}' does not say how many records it has (a stream that was never closed)")
    return length(variables, records)


def cut_short(path: Path) -> str:
    """What is missing of a file that is shorter than its header says; "" if nothing is."""
    needed, size = length_of(path), path.stat().st_size
    if size >= needed.bytes:
        return ""
    return (
        f"'{path}' has {size} bytes, its header needs {needed.bytes}: it was cut short and holds "
        f"{needed.whole_records(size)} of {needed.records} records; libraries read the rest as fill values or zeros"
    )


def length(variables: list[Stored], records: int) -> Length:
    of_records = [variable for variable in variables if variable.has_record]
    # A single variable with records has no padding between them.
    record_bytes = sum(v.bytes + (-v.bytes % 4 if len(of_records) > 1 else 0) for v in of_records)
    ends = [variable.begin + variable.bytes for variable in variables if not variable.has_record]
    if records > 0:
        ends += [variable.begin + (records - 1) * record_bytes + variable.bytes for variable in of_records]
    begin = min((variable.begin for variable in of_records), default=0)
    return Length(max(ends, default=0), records, begin, record_bytes)
