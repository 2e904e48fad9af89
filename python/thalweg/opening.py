"""thalweg.open: files are read without a model."""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from thalweg.dataset import Dataset
from thalweg.starting import communicator, start

if TYPE_CHECKING:
    from mpi4py import MPI


def open(
    path: str | os.PathLike[str], comm: MPI.Comm | None = None, *, settings: Mapping[str, Any] | None = None
) -> Dataset:
    """Opens what is under a path or a pattern, to look at it and to read it, without a model and its configuration.

    Args:
        path: a netCDF file, a Zarr store, a set of files ("NAME.nc" where NAME.nc.0000 and so on are), or a pattern of
            such ("ocean_*.nc"), which are a series: their records follow each other in the order of the names.
        comm: an intracommunicator of mpi4py, whose ranks open it together: collective; None: this process alone.
        settings: keys of the configuration, such as {"reading": "domain"} or {"calendar": "noleap"}.

    As a context manager it is closed when the block ends; an exception that leaves the block ends the job where there
    are several ranks, as with `Session`.

    Raises:
        Error: STORAGE, FORMAT, CONFIG.
        FileNotFoundError: for a pattern without a file.
        ValueError: for a series of files that do not have the same variables.

    >>> import numpy as np
    >>> import thalweg
    >>> with thalweg.start(config={"report": "none", "collections": {"levels": {"file": "levels.nc"}}}) as io:
    ...     cells = io.decompose("y,x", shape=(2, 3), start=(0, 0), count=(2, 3))
    ...     levels = io.collection("levels")
    ...     levels.define_variable("temp", "time,y,x", np.float32, cells, units="degC")
    ...     levels.put("temp", np.arange(6.0).reshape(2, 3))
    ...     io.advance(3600.0)
    >>> with thalweg.open("levels.nc") as file:
    ...     print(file["temp"].dims, file["temp"].attributes["units"], file["temp"][-1, :, ::-2])
    ('time', 'y', 'x') degC [[2. 0.]
     [5. 3.]]
    """
    on = alone() if comm is None else communicator(comm)
    session = start(on, {"report": "none", "writers": "sync"} | dict(settings or {}))
    try:
        paths = on.bcast(matches(os.fspath(path)) if on.Get_rank() == 0 else None)
        if not paths:
            raise FileNotFoundError(f"no file has a name like '{os.fspath(path)}'")
        return Dataset(session, [session.open_input(each) for each in paths])
    except Exception:  # all ranks have it
        session.finish()
        raise


def alone() -> MPI.Comm:
    from mpi4py import MPI

    return communicator(MPI.COMM_SELF)


def matches(word: str) -> list[str]:
    """Names of files, stores and sets, sorted; of a set the name of the whole."""
    if not glob.has_magic(word) or os.path.exists(word):
        return [word]
    from thalweg.data import checksums, core

    found = {path for path in glob.glob(word) if core.part_of(os.path.basename(path)) is None}
    for path in glob.glob(f"{word}.[0-9]*"):
        part = core.part_of(os.path.basename(path))
        if part and not part.grows:
            found.add(os.path.join(os.path.dirname(path), part.set))
    beside = (core.GROWING, core.JOURNAL, checksums.ENDING, ".lock")
    return sorted(path for path in found if not path.endswith(beside))
