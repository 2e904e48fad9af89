"""Opens whatever a path names."""

from __future__ import annotations

from pathlib import Path

from thalweg.data import kinds
from thalweg.data.core import JOURNAL, formats, length_of
from thalweg.data.model import DataError, Dataset
from thalweg.data.virtual import require_one_run


def open_any(path: str | Path) -> Dataset:
    """A file, a Zarr store, or the set of files of this name. Raises DataError for what cannot be read."""
    path = Path(path)
    kind = kinds.kind_of(path)
    if kind == "set":
        from thalweg.data.file_set import open_set

        return open_set(path, kinds.parts_of(path))
    require_one_run(path)
    return open_one(path, kind)


def open_one(path: Path, kind: str) -> Dataset:
    # The libraries take up to a second to load: only that which is needed is.
    if kind == "zarr":
        from thalweg.data.zarr_store import open_zarr

        return open_zarr(path)
    from thalweg.data.netcdf import open_netcdf

    if formats()[kind].has_length:
        length_of(path)  # a damaged header is found here; in netCDF-C it can end the process
    journal = path.with_name(f"{path.name}{JOURNAL}")
    try:
        return open_netcdf(path)
    except DataError as fault:
        if not journal.exists():
            raise
        raise DataError(
            f"{fault}; '{journal.name}' lies beside it: a run writes it, or was killed; after a kill, "
            f"'thalweg recover {path}' completes it"
        ) from None
