"""The arrays in which a model keeps the variables of a collection: all are put, or restored, by one call."""

from __future__ import annotations

import math
import operator
import os
from typing import Any

from numpy.typing import NDArray

from thalweg import _core, values


class RegisteredArrays:
    """Part of a `Collection`."""

    def __init__(self, handle: _core.Collection) -> None:
        self._handle = handle
        self._arrays: dict[tuple[str, int], NDArray[Any]] = {}

    def register_array(self, variable: str, array: NDArray[Any], *, box: int = 0) -> None:
        """Says in which array the model keeps its piece of a variable between steps: `put_arrays` puts from there, and
        `restore` gets into it. Local.

        Args:
            variable: its name.
            array: any array of NumPy that can be written, whatever its strides, as `put` takes it; an empty one on a
                rank that holds nothing. It is kept until the session is finished, or another one is registered.
            box: number of the box, where this rank declared several, each of which has an array of its own.

        Raises:
            Error: NAME, SHAPE, ARGUMENT.
            TypeError, ValueError: for what is no array of NumPy that can be written, for masked arrays, and for
                elements that no file has.
        """
        what = f"array of '{variable}'"
        into = values.writable(array, what)
        _core.register_array(self._handle, variable, box, values.element_type(into.dtype, what), into)
        self._arrays[variable, box] = into

    def put_arrays(self) -> None:
        """Puts all registered arrays, as `put` of each would; those of variables without records the first time only.

        Raises:
            Error: as of `put`.
        """
        _core.put_arrays(self._handle)

    def restore(self, path: str | os.PathLike[str] | None = None, record: int | None = None) -> float | None:
        """Gets every variable of the collection into its registered arrays, whatever ranks, layout or format have
        written the file. Collective over the clients, at any time between start and finish.

        Args:
            path: what is restored; None: the newest complete file of those that the configuration names.
            record: its number, from 0; None: the last one.

        Returns:
            The time of the record, in seconds since reference-date; None if the file does not say it.

        What a halo has beyond the ends of the domain stays as it is. Variables that the configuration switches off are
        left out, and so is a time coordinate that the program does not define.

        Raises:
            Error: ARGUMENT for a variable or a box without an array; FORMAT also where values are not those that the
                checksums beside the file say; STORAGE, with the newest complete file; and as of `Input.get`. When it
                fails, it does so on all ranks, and arrays may hold some of the values.
        """
        number = None if record is None else operator.index(record)
        time_s = _core.restore(self._handle, None if path is None else os.fspath(path), number)
        return None if math.isnan(time_s) else time_s
