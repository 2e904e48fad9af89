"""What a new file or store may take the place of, by the rule that runs have: only output is ever replaced."""

from __future__ import annotations

from pathlib import Path

from thalweg.data import checksums, core
from thalweg.data.kinds import parts_of
from thalweg.data.model import DataError


def require_replaceable(target: Path) -> None:
    """Errors: DataError for a folder that is no Zarr store, a store with something else in it, or what is no file."""
    if target.is_symlink() or not target.exists() or target.is_file():
        return
    if not target.is_dir():
        raise DataError(f"'{target}' is neither a file nor a Zarr store, so it is not replaced; choose another name")
    core.require_replaceable(target)


def standing_at(target: Path) -> list[Path]:
    """What of a file, store or set has this name already. What runs have not ended is none of it."""
    parts = [path for path in parts_of(target) if not path.name.endswith(core.GROWING)]
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
