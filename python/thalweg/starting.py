"""How a session, or a rank that only serves, begins."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from thalweg import _core
from thalweg.errors import Error, abort
from thalweg.session import OnException, Session, text_of

if TYPE_CHECKING:
    from mpi4py import MPI

Configuration = str | os.PathLike[str] | Mapping[str, Any] | None


def start(
    comm: MPI.Comm | None = None, config: Configuration = None, *, on_exception: OnException = "abort"
) -> Session:
    """Starts a session. Collective over comm, which is duplicated.

    Args:
        comm: an intracommunicator of mpi4py; None: MPI.COMM_WORLD.
        config: path of a YAML file, or a dict with the same content (paths and dates may be Python's), or None for
            defaults (settings may still come from the environment, THALWEG_<KEY>).
        on_exception: what becomes of the job when a rank leaves `with` by an exception: "abort" it, or only "raise" the
            exception, for a model that brings all its ranks to the same exception (see `Session`).

    Ranks that the configuration makes servers serve in this call, and come back when all is written.

    Raises:
        Error: CONFIG, MPI.

    >>> import numpy as np
    >>> import thalweg
    >>> settings = {"report": "none", "collections": {"history": {"file": "heights.nc", "format": "cdf5"}}}
    >>> with thalweg.start(config=settings) as io:
    ...     cells = io.decompose("y,x", shape=(2, 3), start=(0, 0), count=(2, 3))
    ...     history = io.collection("history")
    ...     history.define_variable("height", "time,y,x", np.float32, cells, units="m")
    ...     for record in (1, 2):
    ...         history.put("height", np.full((2, 3), 10.0 * record))
    ...         io.advance(3600.0 * record)
    """
    if isinstance(config, Mapping):
        return start_text(comm, text_of(config), on_exception=on_exception)
    on = communicator(comm)
    with said_once(on):
        handle = _core.start(on.py2f(), path_of(config))
    return Session(handle, on, on_exception)


def start_text(
    comm: MPI.Comm | None, yaml: str, origin: str = "program", *, on_exception: OnException = "abort"
) -> Session:
    """As `start`, with the YAML text itself in place of a file. origin names it in messages.

    Raises:
        Error: CONFIG, MPI.
    """
    on = communicator(comm)
    with said_once(on):
        handle = _core.start_text(on.py2f(), yaml, origin)
    return Session(handle, on, on_exception)


def serve(comm: MPI.Comm | None = None, config: str | os.PathLike[str] | None = None) -> None:
    """The whole part of a rank whose program is a server and nothing else, for launches of several programs: serves,
    and returns when the model has finished. Collective with `start` of the other ranks, with the same configuration, in
    which the number of servers may be left out.

    Raises:
        Error: CONFIG, MPI, and what ended the output.
    """
    on = communicator(comm)
    with said_once(on):
        _core.serve(on.py2f(), path_of(config))


def register_procedure(collection: str, procedure: Callable[[_core.Block], object]) -> None:
    """Sets the callable that writes collections of this name and of format "user" in sessions that this process starts
    later: as `Collection.set_procedure`, but also for ranks that the configuration makes servers, which are in `start`
    until the model has finished. Every rank calls it. It is not looked at with another format, and a later call takes
    the place of an earlier one. Local.
    """
    _core.register_procedure(collection, procedure)


def recover(partial: str | os.PathLike[str]) -> int:
    """Turns what a killed run left ("NAME.partial") into a proper file NAME, and returns its number of records. Local,
    needs no session and no MPI.

    Raises:
        Error: STORAGE, FORMAT.
    """
    return _core.recover(os.fspath(partial))


def communicator(comm: MPI.Comm | None) -> MPI.Comm:
    """Imports mpi4py, which initialises MPI unless it was told not to."""
    from mpi4py import MPI

    own, its = _core.mpi_library(), MPI.Get_library_version()
    if own != its.rstrip("\0"):
        raise Error(
            _core.Code.MPI, f"mpi4py uses another MPI library ({its}) than Thalweg ({own}): build it with the same"
        )
    if not MPI.Is_initialized():
        raise Error(_core.Code.STATE, "MPI is not initialised; call MPI.Init before thalweg.start")
    if comm is None:
        return MPI.COMM_WORLD
    if not isinstance(comm, MPI.Comm):
        raise TypeError(f"comm is a communicator of mpi4py, not {type(comm).__name__}")
    return comm


@contextmanager
def said_once(comm: MPI.Comm) -> Iterator[None]:
    """All ranks meet an error of the start. If the program does not catch it, the first rank prints its traceback and
    aborts the job; the others would do so a second later."""
    try:
        yield
    except Error as error:
        if comm.Get_size() > 1:
            sys.excepthook = partial(show_and_abort, sys.excepthook, comm, error)
        raise


def show_and_abort(shown: Callable[..., None], comm: MPI.Comm, of: Error, kind: Any, error: Any, place: Any) -> None:
    if error is of:
        abort(comm, lambda: shown(kind, error, place))
    else:
        shown(kind, error, place)


def path_of(config: str | os.PathLike[str] | None) -> str:
    return "" if config is None else os.fspath(config)
