"""What a path is, by its first bytes and its neighbours, without a format library."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from thalweg.data.core import GROWING, format_beginning, parts_near
from thalweg.data.model import DataError

OFFSETS = (0, 512, 1024, 2048)  # a file of HDF5 may begin with a block of its user's
KNOWN = "netCDF classic (CDF-1, 2, 5), netCDF-4 (HDF5), Zarr v3, and sets of such files (NAME.nc.0000, …)"


def parts_of(path: Path) -> list[Path]:
    """The files of the set of this name in the order of their numbers: growing ones where none is complete."""
    found = {(part.number, part.grows): file for part, file in parts_near(path) if file.is_file()}
    return [found[key] for key in sorted(found) if not key[1] or (key[0], False) not in found]


def kind_of(path: Path) -> str:
    """The name of a format, the first one of those whose files begin alike; or "set"."""
    try:
        if path.is_dir():
            return kind_of_folder(path)
        if not path.exists():
            return kind_of_nothing(path)
        if not path.is_file():
            raise DataError(f"'{path}' is a pipe or a device; name a file or a store")
        return kind_of_file(path)
    except OSError as fault:
        raise DataError(f"'{path}' cannot be read: {os.strerror(fault.errno or errno.EIO)}") from None


def kind_of_nothing(path: Path) -> str:
    if parts_of(path):
        return "set"
    growing = path.with_name(f"{path.name}{GROWING}")
    hint = f"; '{growing.name}' is there: it still grows, or its run was killed" if growing.exists() else ""
    raise DataError(f"'{path}' does not exist{hint}")


def kind_of_folder(path: Path) -> str:
    if (path / "zarr.json").exists():
        return "zarr"
    if any((path / name).exists() for name in (".zgroup", ".zarray", ".zmetadata")):
        raise DataError(f"'{path}' is a Zarr store of version 2; only version 3 is read")
    raise DataError(f"'{path}' is a folder without 'zarr.json', hence no Zarr store; name a file or a store")


def kind_of_file(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(8)
        for offset in OFFSETS:
            file.seek(offset)
            known = format_beginning(file.read(8))
            if known and (offset == 0 or known.has_virtual):
                return known.name
    if not start:
        raise DataError(f"'{path}' is empty (0 bytes): whoever wrote it was stopped before the first byte")
    if not any(start):
        raise DataError(
            f"'{path}' starts with zero bytes, not with a format's mark: its header was never written; "
            "if it is a '.partial' file, try 'thalweg recover'"
        )
    raise DataError(f"'{path}' is of no known format: it starts with {start!r}; known are {KNOWN}")
