"""Which files a path, a pattern or a list names. Looks at names, and into no file but a possible virtual master."""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from thalweg.data.core import GROWING, JOURNAL, Format, format_beginning, part_of, parts_near

STORE = ("zarr.json", ".zgroup", ".zmetadata")
"""By which a folder is a Zarr store, of version 3 or 2."""

Named = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class Member:
    """A file or a store, or the files of a set. Several are a series."""

    name: Path
    files: tuple[Path, ...]
    is_set: bool = False


def members_of(named: Named) -> list[Member]:
    if isinstance(named, (str, os.PathLike)):
        words = [os.fspath(named)]
    elif isinstance(named, Sequence) and all(isinstance(each, (str, os.PathLike)) for each in named):
        words = [os.fspath(each) for each in named]
    else:
        raise TypeError(f"engine 'thalweg' opens paths, patterns and lists of paths, not {type(named).__name__}")
    members: dict[Path, Member] = {}
    for path in [path for word in words for path in matches(word)]:
        member = member_of(path)
        members.setdefault(member.name, member)
    if not members:
        raise FileNotFoundError(f"an empty list of files: {named!r}")
    return list(members.values())


def matches(word: str) -> list[Path]:
    if not glob.has_magic(word) or os.path.exists(word):
        return [Path(word)]
    found = {Path(path) for path in glob.glob(word) if not path.endswith(JOURNAL)}
    for part in map(Path, glob.glob(f"{word}.[0-9][0-9][0-9][0-9]*")):
        if named := part_of(part.name):
            found.add(part.with_name(named.set))
    if not found:
        raise FileNotFoundError(f"no file has a name like '{word}'")
    return sorted(found)


def member_of(path: Path) -> Member:
    if path.is_dir():
        return store_or_folder(path)
    if part := part_of(path.name):
        return set_of(path.with_name(part.set), part.grows)
    if path.is_file() and not is_virtual_master(path):
        return Member(path, (path,))
    is_partial = path.name.endswith(GROWING)
    whole = path.with_name(path.name.removesuffix(GROWING))
    if not numbers_of(whole):
        raise FileNotFoundError(f"no file '{path}', and no file of a set: '{whole.name}.0000', …")
    return set_of(whole, is_partial)


def is_store(folder: Path) -> bool:
    return any((folder / name).exists() for name in STORE)


def store_or_folder(path: Path) -> Member:
    if is_store(path):
        return Member(path, (path,))
    parts = [part for file in sorted(path.iterdir()) if (part := part_of(file.name))]
    names = sorted({part.set for part in parts})
    if len(names) != 1:
        what = f"the files of several sets: {', '.join(names)}" if names else "no file of a set (NAME.nc.0000)"
        raise ValueError(f"folder '{path}' is no Zarr store (it has no {STORE[0]}) and has {what}")
    return set_of(path / names[0], False)


def numbers_of(whole: Path) -> dict[int, dict[bool, Path]]:
    """The files of a set by their numbers, complete ones under False, growing ones under True."""
    numbers: dict[int, dict[bool, Path]] = {}
    for part, file in parts_near(whole):
        if file.is_file():
            numbers.setdefault(part.number, {})[part.grows] = file
    return dict(sorted(numbers.items()))


def set_of(whole: Path, prefers_growing: bool) -> Member:
    """Files grow until all are complete, or were left so. Where a new set grows beside the one that it replaces, which
    is seen by a number with both, one of them is meant: the complete one, unless the growing one is asked for."""
    numbers = numbers_of(whole)
    if not numbers:
        raise FileNotFoundError(f"no file of the set '{whole}': '{whole.name}.0000', …")
    replaces = not prefers_growing and any(len(states) == 2 for states in numbers.values())
    files = [states[max(states)] for states in numbers.values() if not replaces]
    files = files or [states[False] for states in numbers.values() if False in states]
    return Member(whole, tuple(files), True)


def is_virtual_master(path: Path) -> bool:
    """Shows the values of the set beside it; other files of its name, as thalweg-combine makes them, have their own."""
    found = format_at(path)
    if found is None or not found.has_virtual or not numbers_of(path.with_name(path.name.removesuffix(GROWING))):
        return False
    import h5py

    with h5py.File(path, "r", locking=False) as file:
        return any(isinstance(each, h5py.Dataset) and each.is_virtual for each in file.values())


def format_at(path: Path) -> Format | None:
    """The format that the file begins like, if it is one that we know."""
    try:
        with path.open("rb") as file:
            return format_beginning(file.read(8))
    except OSError:
        return None


def is_own(word: str) -> bool:
    path = Path(word)
    if path.is_dir():
        return path.name.endswith(GROWING) and (path / "zarr.json").exists()
    if path.exists():
        return bool((path.name.endswith(GROWING) or part_of(path.name)) and format_at(path))
    return bool(numbers_of(path.with_name(path.name.removesuffix(GROWING))))
