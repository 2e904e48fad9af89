"""The exception that every error of Thalweg becomes."""

from __future__ import annotations

import traceback

from thalweg._core import Code


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


def describe(error: BaseException) -> str:
    """What a write procedure raised, in one line and with its place, for the text of the error that this becomes."""
    what = "".join(traceback.format_exception_only(error)).strip()
    places = traceback.extract_tb(error.__traceback__)
    where = f" (line {places[-1].lineno} of {places[-1].filename})" if places else ""
    return what + where
