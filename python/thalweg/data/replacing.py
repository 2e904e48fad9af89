"""What a new file or store may take the place of, by the rule that runs have: only output is ever replaced."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from thalweg.data import checksums
from thalweg.data.kinds import parts_of
from thalweg.data.model import DataError

METADATA = ("zarr.json", ".zgroup", ".zarray", ".zattrs", ".zmetadata")
OWN_OBJECTS = ("thalweg.json", "thalweg-replaced", "thalweg-replaces")
CHUNK = re.compile(r"[0-9][0-9.]*(\.partial)?")


def require_replaceable(target: Path) -> None:
    """Errors: DataError for a folder that is no Zarr store, a store with something else in it, or what is no file."""
    if target.is_symlink() or not target.exists() or target.is_file():
        return
    if not target.is_dir():
        raise DataError(f"'{target}' is neither a file nor a Zarr store, so it is not replaced; choose another name")
    if not is_node(target):
        raise DataError(
            f"'{target}' is a folder and no Zarr store, so it is not replaced; name a file in it, or another one"
        )
    if found := next(foreign_in(target), None):
        raise DataError(
            f"'{target}' is not replaced, because there is something in it that is no part of a Zarr store: '{found}'; "
            "move it away, or choose another name"
        )


def standing_at(target: Path) -> list[Path]:
    """What of a file, store or set has this name already. What runs have not ended is none of it."""
    parts = [path for path in parts_of(target) if not path.name.endswith(".partial")]
    return [*([target] if is_there(target) else []), *parts]


def is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def require_no_foreign_companion(target: Path) -> None:
    """Errors: DataError where something else has the name that the checksums of a file get."""
    companion = checksums.path_of(target)
    if is_there(companion) and not checksums.is_companion(companion):
        raise DataError(
            f"'{companion}' has the name that checksums of '{target.name}' get, and is none; move it away, or choose "
            "another name"
        )


def is_node(folder: Path) -> bool:
    return any((folder / name).exists() for name in METADATA)


def foreign_in(node: Path) -> Iterator[Path]:
    """What no store has, below a group or an array of one."""
    for path in sorted(node.iterdir()):
        if path.is_symlink() or not path.is_dir():
            if path.name not in (*METADATA, *OWN_OBJECTS) and not CHUNK.fullmatch(path.name):
                yield path
        elif path.name == "c" or path.name.isdigit():
            yield from foreign_in_chunks(path)
        elif is_node(path):
            yield from foreign_in(path)
        else:
            yield path


def foreign_in_chunks(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        is_tree = path.is_dir() and not path.is_symlink()
        if not (path.name.isdigit() if is_tree else CHUNK.fullmatch(path.name)):
            yield path
        elif is_tree:
            yield from foreign_in_chunks(path)
