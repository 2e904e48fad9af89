"""Which files a path, a pattern or a list names. Looks at names, and into no file but a possible virtual master."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PARTIAL = ".partial"
JOURNAL = ".journal"
PART = re.compile(r"(?P<set>.+)\.(?P<number>\d{4,18})(?P<partial>\.partial)?")
STARTS = (b"CDF", b"\x89HDF\r\n\x1a\n")

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
        if match := PART.fullmatch(part.name):
            found.add(part.with_name(match["set"]))
    if not found:
        raise FileNotFoundError(f"no file has a name like '{word}'")
    return sorted(found)


def member_of(path: Path) -> Member:
    if path.is_dir():
        return store_or_folder(path)
    if part := part_of(path):
        return set_of(path.with_name(part["set"]), bool(part["partial"]))
    if path.is_file() and not is_virtual_master(path):
        return Member(path, (path,))
    is_partial = path.name.endswith(PARTIAL)
    whole = path.with_name(path.name.removesuffix(PARTIAL))
    if not numbers_of(whole):
        raise FileNotFoundError(f"no file '{path}', and no file of a set: '{whole.name}.0000', …")
    return set_of(whole, is_partial)


def part_of(path: Path) -> re.Match[str] | None:
    return PART.fullmatch(path.name)


def store_or_folder(path: Path) -> Member:
    if (path / "zarr.json").exists():
        return Member(path, (path,))
    parts = [part for file in sorted(path.iterdir()) if (part := part_of(file))]
    names = sorted({part["set"] for part in parts})
    if len(names) != 1:
        what = f"the files of several sets: {', '.join(names)}" if names else "no file of a set (NAME.nc.0000)"
        raise ValueError(f"folder '{path}' is no Zarr store (it has no zarr.json) and has {what}")
    return set_of(path / names[0], False)


def numbers_of(whole: Path) -> dict[int, dict[bool, Path]]:
    """The files of a set by their numbers, complete ones under False, growing ones under True."""
    numbers: dict[int, dict[bool, Path]] = {}
    for file in whole.parent.iterdir() if whole.parent.is_dir() else ():
        part = part_of(file)
        if part and part["set"] == whole.name and file.is_file():
            numbers.setdefault(int(part["number"]), {})[bool(part["partial"])] = file
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
    if magic_of(path) != STARTS[1] or not numbers_of(path.with_name(path.name.removesuffix(PARTIAL))):
        return False
    import h5py

    with h5py.File(path, "r", locking=False) as file:
        return any(isinstance(each, h5py.Dataset) and each.is_virtual for each in file.values())


def magic_of(path: Path) -> bytes:
    """What the file starts with, if it is a start that we know, else nothing."""
    try:
        with path.open("rb") as file:
            start = file.read(8)
    except OSError:
        return b""
    return next((known for known in STARTS if start.startswith(known)), b"")


def is_own(word: str) -> bool:
    path = Path(word)
    if path.is_dir():
        return path.name.endswith(PARTIAL) and (path / "zarr.json").exists()
    if path.exists():
        return bool((path.name.endswith(PARTIAL) or part_of(path)) and magic_of(path))
    return bool(numbers_of(path.with_name(path.name.removesuffix(PARTIAL))))
