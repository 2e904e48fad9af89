"""Inputs: files, or sets of files, that are read."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray

from thalweg import _core, values
from thalweg.errors import Error
from thalweg.input_contents import Attribute, ContentsVariable, attributes_of, contents_variable

if TYPE_CHECKING:
    from thalweg.session import Session


class InputVariable(NamedTuple):
    """What a variable of an input is."""

    dtype: np.dtype[Any]
    """its type in the file"""
    has_records: bool
    shape: tuple[int, ...]
    """its extents without those of records, slowest first"""


@dataclass(frozen=True)
class Declared:
    """How arrays lie; names without the record dimension."""

    decomposition: _core.Decomposition | None
    dims: tuple[str, ...] | None
    memory_dims: tuple[str, ...] | None


class Input:
    """A file, or a set of files, that is read. From `Session.open_input`; valid until it is closed or its session is
    finished. As a context manager it is closed when the block ends.

    >>> import numpy as np
    >>> import thalweg
    >>> settings = {"report": "none", "collections": {"state": {"file": "state.nc"}}}
    >>> with thalweg.start(config=settings) as io:
    ...     cells = io.decompose("y,x", shape=(2, 3), start=(0, 0), count=(2, 3))
    ...     state = io.collection("state")
    ...     state.define_variable("temp", "time,y,x", np.float32, cells)
    ...     state.put("temp", np.arange(6.0).reshape(2, 3))
    ...     io.advance(3600.0)
    >>> with thalweg.start(config=settings) as io, io.open_input("state.nc") as before:
    ...     cells = io.decompose("y,x", shape=(2, 3), start=(0, 0), count=(2, 3), halo=(0, 1))
    ...     before.declare("temp", cells, dims="time,y,x", periodic="x")
    ...     print(before.get("temp", record=before.record_at(3600.0)))
    [[2. 0. 1. 2. 0.]
     [5. 3. 4. 5. 3.]]
    """

    def __init__(self, session: Session, handle: _core.Input, path: str) -> None:
        self.session = session
        """The session that it belongs to, which is not forgotten as long as this is used."""
        self._opened = handle
        self.path = path
        """What was opened."""
        self._declared: dict[str, Declared] = {}
        self._is_closed = False

    def __repr__(self) -> str:
        return f"<thalweg.Input '{self.path}'>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, place: TracebackType | None
    ) -> None:
        self.close()

    @property
    def _handle(self) -> _core.Input:
        if self._is_closed:
            raise Error(_core.Code.ARGUMENT, f"the input '{self.path}' is closed; open it again by open_input")
        return self._opened

    @property
    def records(self) -> int:
        """The number of records; 0 without a record dimension."""
        return _core.input_records(self._handle)

    def variable(self, name: str) -> InputVariable:
        """What a variable is. Local.

        Raises:
            Error: NAME, with the nearest names.
        """
        element, has_records, shape = _core.input_variable(self._handle, name)
        return InputVariable(values.DTYPES[element], has_records, tuple(shape))

    @property
    def variables(self) -> dict[str, ContentsVariable]:
        """All variables by their names, in the order of the file: dims and shape with the record dimension, as xarray
        and netCDF4 have them; of one that is selected, those of the part. Local."""
        return {name: contents_variable(self._handle, name) for name in _core.input_variables(self._handle)}

    @property
    def attributes(self) -> dict[str, Attribute]:
        """Those of the file. Local."""
        return attributes_of(self._handle, "")

    @property
    def times(self) -> NDArray[np.float64]:
        """Of all records, in seconds since reference-date. Local.

        Raises:
            Error: FORMAT (no record coordinate, or none that is known, or one of another calendar).
        """
        return np.array(_core.input_times(self._handle), np.float64)

    def select(self, name: str, selection: str | None) -> None:
        """Says that of a variable only a part is got, as if the file had no more of it: `variable` and `variables` tell
        what the part has, and a decomposition that is declared has its extents. Collective: one rank reads coordinates.

        Args:
            name: the variable.
            selection: dimensions by their names in the file, in any order; of others, all is got. By index "z[2:5]",
                "z[::2]", or "z[2]", which leaves the dimension out; by coordinate "lat=20:70" with both ends,
                "lat=20:70:2" for every second of the cells, "z=500" for the cell with this value and "z=~480" for the
                nearest, which leave the dimension out. Longitudes (units degrees_east) go around: "lon=-30:40". None:
                all of the variable again.

        What was declared before stays, and has to fit.

        Raises:
            Error: ARGUMENT (cannot be understood; an index or a range beyond the file), NAME (no such dimension, no
                coordinate, no cell with this value: says the nearest ones), FORMAT (a coordinate that neither ascends
                nor descends), SHAPE (what is declared does not fit), AGREEMENT (ranks select different parts), STORAGE.
        """
        _core.select_input(self._handle, name, selection)

    def record_at(self, time_s: float) -> int:
        """The number of the record whose time this is, in seconds since reference-date, to a thousandth. Local.

        Raises:
            Error: NAME (no record has this time: says the nearest ones), FORMAT (no record coordinate, or none that is
                known, or one of another calendar).
            TypeError: for what is no number, such as a date.
        """
        return values.with_seconds("record_at", time_s, lambda: _core.input_record_at(self._handle, time_s))

    def declare(
        self,
        name: str,
        decomposition: _core.Decomposition | None = None,
        *,
        dims: str | None = None,
        memory_dims: str | None = None,
        periodic: str | None = None,
    ) -> None:
        """Declares how the arrays lie into which this rank gets a variable; again, for another decomposition. Without
        it a get brings the whole variable to every rank. Local, but every client makes the same calls.

        Args:
            name: the variable.
            decomposition: how the dimensions that it names are spread over the ranks; None: not at all. Of an index
                list a rank gets what its list has, also points that another rank owns.
            dims: what the model calls the variable's dimensions in the file, slowest first, with the record dimension
                if it has one; None: as the file does.
            memory_dims: the same dimensions (record dimension left out) in the order of the model's arrays, slowest
                first; None: as in dims.
            periodic: those of the dimensions, separated by commas, on which the last cell is followed by the first, so
                that halos beyond the ends are read from the other end. Another one may have the northern fold of a
                tripolar grid, beyond which the last rows lie the other way round, as "x, y=fold T U -1": the pivot (T,
                F), the points of their cells where values are (T, U, V, F), and -1 where signs change, as of vectors.

        Raises:
            Error: NAME, ARGUMENT (no such fold), SHAPE (an extent of the decomposition is not that of the file).
        """
        _core.declare_input(self._handle, name, dims, decomposition, memory_dims, periodic)
        self._declared[name] = Declared(decomposition, names_in(dims), names_in(memory_dims))

    def set_missing(self, name: str, value: float) -> None:
        """Sets what a get gives in place of missing values, which are those that the attributes _FillValue and
        missing_value of the variable say; without this call they are given as they are, and as NaN where the others
        are unpacked. Local, but every client makes the same calls.

        Raises:
            Error: NAME.
        """
        _core.set_missing(self._handle, name, value)

    def get(
        self,
        name: str,
        array: NDArray[Any] | None = None,
        record: int | None = None,
        *,
        dtype: DTypeLike | None = None,
        box: int = 0,
    ) -> NDArray[Any]:
        """Gets this rank's part of a variable into an array, which it returns. Collective over the clients: a rank that
        holds nothing calls it too, with an empty array or without one.

        Args:
            name: the variable.
            array: any array of NumPy that can be written, whatever its strides, with its dimensions as in memory_dims;
                in a decomposed dimension either with the declared halo or without any. None: a new one with the halo,
                of zeros where nothing is got.
            record: its number, from 0; None: of a variable without records.
            dtype: the type of a new array; None: that in the file.
            box: which box of a rank that declared several; all ranks get the same ones, also those that have fewer.

        Values are converted to the type of the array. Packed ones (attributes scale_factor and add_offset) are unpacked
        into float32 and float64, and are given as they are in an array of the type of the file. A halo is filled from
        the file; of it, what is neither in the file nor beyond the end of a periodic dimension stays as it is, and so
        do places of an index list that are no points. May wait for other ranks and for the storage, without the GIL.

        Raises:
            Error: NAME, SHAPE, ARGUMENT (no such record; a value that the type cannot hold), AGREEMENT (ranks get
                different variables or records), STORAGE, FORMAT (damaged), DEADLINE. When it fails, it does so on all
                ranks, and the array may hold some of the values.
            TypeError: for what is no array of NumPy, for masked arrays, and for elements that no file has.
            ValueError: for an array that cannot be written, and where a new one cannot be made because `declare` was
                given a decomposition without dims.
        """
        what = f"get of '{name}'"
        into = self._new(name, dtype, box) if array is None else values.writable(array, what)
        number = None if record is None else operator.index(record)
        _core.get(self._handle, name, number, box, values.element_type(into.dtype, what), into)
        return into

    def get_at(
        self,
        name: str,
        time_s: float,
        array: NDArray[Any] | None = None,
        *,
        box: int = 0,
        dtype: DTypeLike | None = None,
    ) -> NDArray[Any]:
        """Gets this rank's part of a variable as it is at a time, into an array, which it returns. Collective over the
        clients where a record is needed that this rank has not yet, else local: all make the same calls. The record
        that comes next is read while the model computes.

        Args:
            name: the variable.
            time_s: in seconds since reference-date.
            array: as for get, always of the same type and extents; None: a new one.
            box: as for get.
            dtype: the type of a new array; None: that in the file, and float64 for integers.

        Between two records it is what `forcing.NAME.interpolation` of the configuration says of an input that was
        opened by that name, and linear for one that was opened by its path: lower + weight * (upper - lower), in
        float64 and rounded once. NaN stands for what is missing in one of both, unless set_missing says another value.

        Raises:
            Error: as get; NAME for a time without a record before or after it; FORMAT for times that are not known or
                do not ascend; SHAPE for integers between two records.
            TypeError, ValueError: as get; a time that is no number.
        """
        what = f"get_at of '{name}'"
        into = self._new(name, dtype or self._between(name), box) if array is None else values.writable(array, what)
        values.with_seconds(
            "get_at",
            time_s,
            lambda: _core.get_at(self._handle, name, time_s, box, values.element_type(into.dtype, what), into),
        )
        return into

    def _between(self, name: str) -> np.dtype[Any]:
        dtype = self.variable(name).dtype
        return np.dtype(np.float64) if dtype.kind in "iu" else dtype

    def _new(self, name: str, dtype: DTypeLike | None, box: int = 0) -> NDArray[Any]:
        variable = self.variable(name)
        shape = variable.shape
        if (declared := self._declared.get(name)) and (declared.decomposition or declared.memory_dims):
            shape = self._local_shape(name, variable, declared, box)
        return np.zeros(shape, variable.dtype if dtype is None else dtype)

    def _local_shape(self, name: str, variable: InputVariable, declared: Declared, box: int) -> tuple[int, ...]:
        if declared.dims is None:
            raise ValueError(f"get of '{name}': a new array needs the names of its dimensions: declare(…, dims='…')")
        own = declared.dims[1:] if variable.has_records else declared.dims
        extents = dict(zip(own, variable.shape, strict=True))
        in_memory = list(declared.memory_dims or own)
        if declared.decomposition:
            spread = self.session.dims_of(declared.decomposition)
            local = self.session.local_extents(declared.decomposition, box)
            if len(local) < len(spread):  # the points of several dimensions lie along the first of them
                in_memory = [dim for dim in in_memory if dim not in spread[1:]]
            extents |= dict(zip(spread, local, strict=False))
        return tuple(extents[dim] for dim in in_memory)

    def close(self) -> None:
        """Closes it on this rank, if it is open. Local."""
        if not self._is_closed and self.session.is_open:
            _core.close_input(self._handle)
        self._is_closed = True


def names_in(dims: str | None) -> tuple[str, ...] | None:
    return None if dims is None else tuple(dim.strip() for dim in dims.split(","))
