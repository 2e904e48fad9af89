"""One file or store, as it is stored: opened by xarray's own engines, without decoding, when it is looked at."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import xarray
from numpy.typing import NDArray
from xarray.backends.lru_cache import LRUCache

from thalweg.data.core import GROWING, is_growing_store, record_dimension
from thalweg.data.model import without_records
from thalweg.xarray_backend.journaled import JournaledFile, read_journal
from thalweg.xarray_backend.paths import format_at


def open_raw(file: Path) -> xarray.Dataset:
    path = str(file)
    how: dict[str, Any] = {"decode_cf": False, "mask_and_scale": False, "cache": False}
    if file.is_dir():
        # Of a store that grows the root says which records are whole, an array of its own may be ahead.
        return xarray.open_dataset(path, engine="zarr", consolidated=True if is_growing_store(file) else None, **how)
    found = format_at(file)
    if found is None:
        file.stat()  # says that it is missing
        raise ValueError(f"'{path}' is no netCDF file: it starts neither with 'CDF' nor with the signature of HDF5")
    journal = read_journal(file) if found.has_virtual else None
    if journal is not None:
        return xarray.open_dataset(JournaledFile(file, journal), engine="h5netcdf", **how)
    try:
        return xarray.open_dataset(path, engine="netcdf4", **how)
    except OSError as error:
        if not file.name.endswith(GROWING) or isinstance(error, FileNotFoundError):
            raise
        raise ValueError(
            f"'{path}' cannot be read yet ({error}): it grows, or was left without a whole record; in the second case "
            "thalweg-recover says what is in it"
        ) from error


@dataclass(frozen=True)
class Described:
    """A variable of a file, without its values."""

    dims: tuple[str, ...]
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    attributes: dict[str, Any]
    encoding: dict[str, Any] = field(compare=False)


OPEN: LRUCache[object, xarray.Dataset] = LRUCache(64, on_evict=lambda _, raw: raw.close())


class File:
    """What a file has; its values are read when they are asked for. Can be sent to other processes.

    A set may have more files than a process can have open. xarray's own cache of open files cannot hold these, which
    have a file in that cache themselves: it would wait for itself when it closes one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._place = path.resolve()
        self._key = object()  # another one after pickle
        with open_raw(self._place) as raw:
            self.sizes = {str(dim): int(size) for dim, size in raw.sizes.items()}
            self.variables = {str(name): described(variable) for name, variable in raw.variables.items()}
            self.attributes = texts(raw.attrs)
            self.unlimited = {str(dim) for dim in raw.encoding.get("unlimited_dims", ())}
        if path.name.endswith(GROWING) and not (record_dimension(path) or self.unlimited):
            raise ValueError(without_records(path))

    def read(self, name: str, key: tuple[Any, ...]) -> NDArray[Any]:
        """Along each dimension a slice or an array of numbers."""
        raw = OPEN.get(self._key)
        if raw is None:
            raw = OPEN[self._key] = open_raw(self._place)
        return np.asarray(raw.variables[name][key].values)

    def close(self) -> None:
        raw = OPEN.pop(self._key, None)
        if raw is not None:
            raw.close()


def described(variable: xarray.Variable) -> Described:
    dims = tuple(str(dim) for dim in variable.dims)
    return Described(dims, variable.shape, variable.dtype, texts(variable.attrs), texts(variable.encoding))


def texts(named: dict[Hashable, Any] | Any) -> dict[str, Any]:
    return {str(name): value for name, value in named.items()}
