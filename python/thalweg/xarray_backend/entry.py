"""What xarray calls."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, ClassVar

import xarray
from xarray import Variable
from xarray.backends import AbstractDataStore, BackendEntrypoint

from thalweg.xarray_backend import paths
from thalweg.xarray_backend.joining import Whole, join
from thalweg.xarray_backend.paths import Named
from thalweg.xarray_times import with_plain_units


class RawStore(AbstractDataStore):
    """Variables as they are stored; xarray decodes them, and times as `plain` units say it."""

    def __init__(self, whole: Whole, decode_times: bool) -> None:
        self._whole = whole
        self._variables = with_plain_units(whole.variables) if decode_times else whole.variables

    def get_variables(self) -> dict[str, Variable]:
        return self._variables

    def get_attrs(self) -> dict[str, Any]:
        return self._whole.attributes

    def get_encoding(self) -> dict[str, Any]:
        return self._whole.encoding

    def close(self) -> None:
        for file in self._whole.files:
            file.close()


class ThalwegBackend(BackendEntrypoint):
    """Opens what Thalweg writes.

    filename_or_obj is one of, or a list of members of a series:

    * NAME.nc, where the files of a set NAME.nc.0000, … are (with a virtual master or without), or any of these files,
      or a folder with one set: the whole, by the decomposition that the files describe,
    * NAME.partial, or a set of such: the committed records of a file that grows, or was left by a job that was killed.
      Nothing is written: what is in its journal is laid over the file,
    * a pattern such as "ocean_*.nc": a series, joined along the record dimension in the order of the names,
    * a Zarr store, and any netCDF file.

    Every file is opened for its header, and closed; and again when values of it are asked for.
    """

    description: ClassVar[str] = "Sets of files, growing files and series of Thalweg"
    url: ClassVar[str] = ""

    def open_dataset(  # type: ignore[override]
        self,
        filename_or_obj: Named,
        *,
        mask_and_scale: bool = True,
        decode_times: bool = True,
        concat_characters: bool = True,
        decode_coords: bool = True,
        drop_variables: str | Iterable[str] | None = None,
        use_cftime: bool | None = None,
        decode_timedelta: bool | None = None,
        record_dim: str | None = None,
    ) -> xarray.Dataset:
        """record_dim: the dimension along which the members of a series are joined; None: the unlimited one, or time.

        Raises:
            FileNotFoundError: if nothing is there.
            ValueError: for sets that are not complete, files that do not belong together, and what is no file of these.
        """
        whole = join(paths.members_of(filename_or_obj), record_dim)
        return xarray.decode_cf(
            RawStore(whole, bool(decode_times)),
            concat_characters=concat_characters,
            mask_and_scale=mask_and_scale,
            decode_times=decode_times,
            decode_coords=decode_coords,
            drop_variables=drop_variables,
            use_cftime=use_cftime,
            decode_timedelta=decode_timedelta,
        )

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Whether only this engine opens it: sets and growing files, no ordinary ones."""
        return isinstance(filename_or_obj, (str, os.PathLike)) and paths.is_own(os.fspath(filename_or_obj))
