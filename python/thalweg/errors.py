"""The exception that every error of Thalweg becomes."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from thalweg._core import Code

if TYPE_CHECKING:
    from mpi4py import MPI


class Error(RuntimeError):
    """An error of Thalweg: what happened, with which value, what is allowed, where, and what to do.

    Wrong arguments that Python can tell (not a number, an array of a type that no file has) are TypeError and
    ValueError instead.

    >>> import thalweg
    >>> try:
    ...     thalweg.recover("nowhere.nc.partial")
    ... except thalweg.Error as error:
    ...     print(error.code.name)
    STORAGE
    """

    code: Code
    """What kind of error it is."""

    def __init__(self, code: Code, text: str) -> None:
        super().__init__(code, text)
        self.code = code

    def __str__(self) -> str:
        return str(self.args[1])


def abort(comm: MPI.Comm, say: Callable[[], object]) -> None:
    """Says why on standard error and aborts the job. What all ranks meet is the first one's to say, which ends the job
    before the others would."""
    if comm.Get_rank() > 0:
        time.sleep(1.0)
    say()
    sys.stderr.flush()
    comm.Abort(1)


def describe(error: BaseException) -> str:
    """What a write procedure raised, in one line and with its place, for the text of the error that this becomes."""
    what = "".join(traceback.format_exception_only(error)).strip()
    places = traceback.extract_tb(error.__traceback__)
    where = f" (line {places[-1].lineno} of {places[-1].filename})" if places else ""
    return what + where
