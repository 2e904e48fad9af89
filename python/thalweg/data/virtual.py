"""Virtual masters: which files show their values through them (docs/formats/file-sets.md)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from thalweg.data import kinds
from thalweg.data.core import part_of
from thalweg.data.cut import SET_OF_TWO_RUNS, run_said_in
from thalweg.data.model import DataError


def files_shown(path: Path) -> list[str]:
    """The files that a virtual master shows, by their names in it; none for a file that has its values itself."""
    import h5py

    with h5py.File(path, "r", locking=False) as file:
        virtual = [item for item in file.values() if isinstance(item, h5py.Dataset) and item.is_virtual]
        return list(dict.fromkeys(source.file_name for item in virtual for source in item.virtual_sources()))


def require_one_run(path: Path) -> None:
    """A run that was killed while it replaced a set has left files of both under the names that a master shows. What
    has no set beside it is not looked into, nor is a part itself: of many each would list the folder."""
    if part_of(path.name) or not path.is_file() or not kinds.parts_of(path):
        return
    try:
        files = [path.parent / name for name in files_shown(path)]
    except (ImportError, OSError, RuntimeError, ValueError, KeyError):
        return  # it is read as far as it can be
    for file in files:
        if file.exists() and not file.is_file():  # HDF5 would wait for who writes into a pipe
            raise DataError(f"'{path}' shows '{file.name}', which is no file; move it away")
    if (other := of_another_run(files)) is not None:
        raise DataError(f"'{path}' shows '{files[0].name}' and '{other.name}', which {SET_OF_TWO_RUNS}")


def of_another_run(files: Sequence[Path]) -> Path | None:
    """The first of the files that another run wrote than the first one."""
    runs = {file: run_of(file) for file in files if file.exists()}
    return next((file for file, run in runs.items() if run != next(iter(runs.values()))), None)


def run_of(file: Path) -> str:
    import h5py

    try:
        with h5py.File(file, "r", locking=False) as part:
            return run_said_in(dict(part.attrs))
    except (OSError, RuntimeError, ValueError, KeyError):
        return ""  # what is wrong with it is found where its values are read
