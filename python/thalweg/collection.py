"""Collections: series of files with the same variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike, DTypeLike

from thalweg import _core, values, xarray_fields
from thalweg.registered_arrays import RegisteredArrays
from thalweg.values import Attribute
from thalweg.xarray_fields import Layout

if TYPE_CHECKING:
    import xarray

    from thalweg.decomposing import Cells
    from thalweg.session import Session
    from thalweg.xarray_definition import Likeness


class Collection(RegisteredArrays):
    """A series of files with the same variables. From `Session.collection`; valid until its session is finished.

    Its methods are local but for `restore`: any client calls them in any order, and they wait for no other rank (put
    may wait for a free block). Every client defines the same.
    """

    def __init__(self, session: Session, handle: _core.Collection, name: str) -> None:
        super().__init__(handle)
        self.session = session
        """The session that it belongs to, which is not forgotten as long as this is used."""
        self.name = name
        """Its name in the configuration."""
        self.extents: dict[str, int] = {}
        """The dimensions that were defined, with their sizes."""
        self.layouts: dict[str, Layout] = {}
        """Its variables, as arrays have them."""
        self.said: dict[tuple[str | None, str], str] = {}
        """The texts of attributes, by name and variable, where None is the file."""
        self._likeness: Likeness | None = None
        self._is_begun = False
        self._put_once: set[str] = set()

    def __repr__(self) -> str:
        return f"<thalweg.Collection '{self.name}'>"

    def define_dimension(self, name: str, size: int | None) -> None:
        """Defines a dimension that is not decomposed.

        The record dimension needs no definition, unless it has a name of the program's: with the size None, before any
        variable. If the configuration says its name ("record-dimension"), files have that, and the program goes on to
        use its own.

        Raises:
            Error: ARGUMENT, NAME, STATE.
        """
        _core.define_dimension(self._handle, name, size)
        if size is not None:
            self.extents[name] = size

    def define_variable(
        self,
        name: str,
        dims: str,
        dtype: DTypeLike,
        decomposition: _core.Decomposition | None = None,
        *,
        memory_dims: str | None = None,
        **attributes: Attribute,
    ) -> None:
        """Defines a variable.

        Args:
            name: its name in the file.
            dims: its dimensions in the file, slowest first, for example "time,z,y,x"; the record dimension ("time"
                unless configured), if it has one, comes first. A variable without it is written once in each file.
            dtype: its type in the file: integers of 1 to 8 bytes with or without a sign, float32, float64, or S1 for
                characters.
            decomposition: how dims named by it are spread over the ranks; None: replicated, every rank puts the same.
            memory_dims: the same dimensions (record dimension left out) in the order of the model's arrays, slowest
                first; None: as in dims.
            attributes: as with define_attribute; _FillValue, valid_min, valid_max and valid_range get the type of the
                variable.

        Raises:
            Error: NAME, SHAPE.
            TypeError: for a dtype that no file has.
        """
        element = values.element_type(dtype, f"variable '{name}'")
        _core.define_variable(self._handle, name, dims, element, decomposition, memory_dims)
        self.layouts[name] = self._layout(name, dims, memory_dims)
        for attribute, value in attributes.items():
            of_variable = attribute in ("_FillValue", "valid_min", "valid_max", "valid_range")
            self._give(
                _core.define_text, _core.define_attribute, name, attribute, value, dtype if of_variable else None
            )

    def _layout(self, name: str, dims: str, memory_dims: str | None) -> Layout:
        """The record dimension is the one that nobody defined."""
        names = [dim.strip() for dim in dims.split(",")] if dims.strip() else []
        is_record = bool(names) and names[0] not in self.session.extents and names[0] not in self.extents
        own = names[1:] if is_record else names
        in_memory = own if memory_dims is None else [dim.strip() for dim in memory_dims.split(",")]
        return Layout(name, tuple(in_memory), names[0] if is_record else None)

    def define_like(
        self, dataset: xarray.Dataset, *cells: Cells | _core.Decomposition, record_dim: str = "time"
    ) -> None:
        """Defines what a dataset of xarray has: dimensions, coordinates, variables, attributes.

        Args:
            dataset: the whole, or, along dimensions that are decomposed, any part of it. Values are not looked at, but
                for variables without records that lack some of the dimensions that are decomposed together, such as x
                beside a decomposition of y and x: what the whole has of these is put with the first dataset.
            cells: how dimensions are decomposed: of `decompose_like`, which also serves variables with some of its
                dimensions, or of `Session.decompose`.
            record_dim: the record dimension. Its coordinate is Thalweg's own: `Session.advance` says the time, and the
                dataset only attributes other than units and calendar. Dates in its bounds are counted as it is
                (`Session.time_units`).

        Values are written **as they are in memory**. A variable has its type in memory, or the real type that
        encoding["dtype"] names for another real type; bool becomes int8 with the attribute dtype = "bool"; dates and
        differences of time become float64 in the units and calendar of the encoding, or in seconds since 2000-01-01. So
        what xarray has unpacked is written unpacked: scale_factor and add_offset of the encoding are left out.
        Attributes are those in attrs, and _FillValue and missing_value of the encoding in the type of the variable
        (unless it was unpacked); NaN in memory stays NaN in the file. The record dimension comes first in the file,
        the others in the dataset's order.

        Raises:
            TypeError: for variables of texts and other types that no file has.
            ValueError: for a variable with decomposed dimensions for which no decomposition is given.
            Error: as with `define_variable`.
        """
        from thalweg.xarray_definition import define_like

        self._likeness = define_like(self, dataset, cells, record_dim)

    def define_attribute(self, variable: str | None, name: str, value: Attribute) -> None:
        """Gives an attribute to a variable, or to the file where variable is None.

        value: a text, a number, several, or none. NumPy's numbers keep their type; Python's become int32 (int64 if they
        are too large) and float64. "_FillValue" of the variable's type sets what holes are filled with.

        Raises:
            TypeError: for values that no file has.
        """
        self._give(_core.define_text, _core.define_attribute, variable, name, value)

    def change_attribute(self, variable: str | None, name: str, value: Attribute) -> None:
        """Gives an attribute to a variable, or to the file where variable is None, or another value to one that it has:
        in all files of the collection that begin after this call, also the first one, while it has no record.

        For what is said anew with each file: the units of a time that counts from its first record, a title. Local,
        after `Session.ready`; every client makes the same changes between the same two advances, before it puts a field
        of a record that begins a file. A text may become numbers, and numbers a text.

        Raises:
            Error: NAME for an unknown variable, and for what Thalweg says itself (_FillValue, units and calendar of a
                time that it puts, what tells of rounding); STATE before the end of definitions, or too late for the
                coming file; FORMAT where the format does not take it, or the header would outgrow header-reserve.
                `Session.finish` raises AGREEMENT if ranks made different changes.
        """
        self._give(_core.change_text, _core.change_attribute, variable, name, value)

    def add_attribute(self, variable: str | None, name: str, value: Attribute) -> None:
        """Gives an attribute to a variable of the open file, or to the file itself where variable is None.

        For what is known at the end only, such as how long the run took. The file has it, in place of one of that name,
        when it is complete; later files do not.

        Local; every client gives attributes of the same names between the same two advances or records, behind the
        first record of the file and before it puts a field of the next one's. Values may differ: the file has those of
        the rank that makes it, with servers those of the lowest client. What files cannot take so late is left out,
        with a warning: of one record, of `engine: library`, of sets that are read as one file, types that the format
        has not, more bytes than the header has room for (`header-reserve`).

        Raises:
            Error: NAME, as of `change_attribute`; STATE where no file with a record is open. `Session.finish` raises
                AGREEMENT if ranks gave others.
        """
        self._give(_core.add_text, _core.add_attribute, variable, name, value)

    def _give(
        self,
        text: Callable[[_core.Collection, str | None, str, str], None],
        numbers: Callable[[_core.Collection, str | None, str, _core.Type, object], None],
        variable: str | None,
        name: str,
        value: Attribute,
        dtype: DTypeLike | None = None,
    ) -> None:
        if isinstance(value, str):
            text(self._handle, variable, name, value)
            self.said[variable, name] = value
            return
        what = f"attribute '{name}'"
        array = values.attribute_numbers(value, what, dtype)
        numbers(self._handle, variable, name, values.element_type(array.dtype, what), array)

    def set_procedure(self, procedure: Callable[[_core.Block], object]) -> None:
        """Sets the callable that writes a collection of format "user", where Thalweg makes, renames and looks at no
        file.

        procedure(block) is called in one rank of each node that writes a part of the collection: by the helper thread
        under "writers: thread", which takes the GIL for it, and by advance, wait or finish under "sync". For one
        collection it is never called by two threads at once. It must not call MPI or Thalweg. What it returns is
        ignored; what it raises ends the output of the session with the error STORAGE, whose text says it, and it is not
        called again.

        block.data is a read-only array over the memory of Thalweg, valid during that call only: keep block.data.copy()
        of what you need later. A procedure that keeps an array of it ends the output with an error that says so.

        Order, on each node: BEGIN, BLOCK of the first record in any order, its RECORD, those of the next, ..., END.
        BLOCK of a variable without records comes once in each file as soon as all of its pieces were put.

        Every client sets one, before the end of definitions.

        Raises:
            Error: STATE after the end of definitions, FORMAT for a collection of another format.

        >>> import numpy as np
        >>> import thalweg
        >>> def write(block):
        ...     if block.event is thalweg.Event.BLOCK:
        ...         print(block.variable, block.record, block.data)
        >>> settings = {"report": "none", "writers": "sync", "collections": {"raw": {"format": "user"}}}
        >>> with thalweg.start(config=settings) as io:
        ...     raw = io.collection("raw")
        ...     raw.define_dimension("z", 3)
        ...     raw.define_variable("levels", "time,z", np.float64)
        ...     raw.set_procedure(write)
        ...     raw.put("levels", [1.0, 2.0, 4.0])
        ...     io.advance(60.0)
        levels 0 [1. 2. 4.]
        """
        _core.set_procedure(self._handle, procedure)

    def put(self, variable: str, field: ArrayLike, *, box: int = 0) -> None:
        """Puts this rank's piece of a field for the record that the coming advance closes, and returns when it is in
        its block (memory speed): the array may be changed then. A field that is not due costs a look-up.

        Args:
            variable: its name.
            field: the local array with its dimensions as in memory_dims; in a decomposed dimension either with the
                declared halo or without any. Of a DataArray dimensions count by their names, in any order; the record
                dimension has one value or is left out. It is read where it lies, whatever its strides: sections,
                transposed and reversed views are not copied. Its type is that of the variable in the file, or of
                other numbers: a variable of integers takes integers that it can hold (a signed one in an unsigned one
                of its size as its bits are), and reals that its scale_factor or add_offset pack; one of reals takes all
                numbers. Characters (S1) go into characters alone.
            box: which box of a rank that declared several.

        A variable without records is put once, at any time, for all files. Put again, before the first field of the
        record that begins a file, it has the new values in that file and those behind it; the open file keeps its own.

        Ranks that hold nothing may leave out the call. A record's field that a rank holding a piece did not put before
        advance is filled with the fill value and reported. May wait for a free block, without the GIL.

        Raises:
            Error: NAME, SHAPE, ARGUMENT (a value that the variable cannot hold), STATE (put twice in one record, or
                before one file), DEADLINE, FULL, and what a writer met (STORAGE).
            TypeError: for elements that no file has, of another byte order, and for masked arrays.
        """
        if xarray_fields.is_xarray(field):
            field = self._arranged(variable, field)
        array = values.as_array(field, variable)
        element = values.TYPES.get(array.dtype) or values.element_type(array.dtype, f"put of '{variable}'")
        _core.put(self._handle, variable, box, element, array)

    def _arranged(self, variable: str, field: object) -> ArrayLike:
        layout = self.layouts.get(variable)
        return field if layout is None else layout.arrange(field)  # type: ignore[return-value, arg-type]

    def put_dataset(self, dataset: xarray.Dataset) -> None:
        """Puts all variables of a local dataset: those with records for the record that the coming advance closes,
        others once, with the first dataset that has them. Of dimensions that are decomposed it has this rank's cells,
        with the halo or without: dataset.isel(cells.own) or dataset.isel(cells.with_halo).

        The first call is collective over the clients, if definitions did not end before. Variables with records are not
        looked at, nor read by a dataset that is not in memory, if the collection is not due.

        Raises:
            ValueError: for variables that were not defined.
            ValueError, Error: as with `put`.
        """
        if not self._is_begun:
            self._begin()
        record_dim = self._likeness.record_dim if self._likeness else "time"
        names = [str(name) for name in dataset.variables if name in self.layouts or name != record_dim]
        if unknown := [name for name in names if name not in self.layouts]:
            raise ValueError(f"put_dataset: collection '{self.name}' has no variable {unknown}; leave out: drop_vars")
        is_due = self.is_due
        for name in names:
            if self.layouts[name].record_dim is None:
                self._put_first(name, dataset.variables[name])
            elif is_due:
                self.put(name, dataset.variables[name])

    def _put_first(self, name: str, field: ArrayLike) -> None:
        if name not in self._put_once:
            self.put(name, field)
            self._put_once.add(name)

    def _begin(self) -> None:
        self._is_begun = True
        self.session.ready()
        if self._likeness is None:
            return
        for attribute, value in self._likeness.time_attributes.items():
            self.change_attribute(self._likeness.record_dim, attribute, value)
        for name, whole in self._likeness.known.items():
            self._put_first(name, whole)

    @property
    def is_due(self) -> bool:
        """Whether the coming advance closes a record of this collection; True with "every: on-demand"."""
        return _core.is_due(self._handle)

    def record(self, time_s: float) -> None:
        """Closes the record of a collection with "every: on-demand": it holds what was put since the last one, and its
        time is time_s, in seconds since reference-date. Model time and other collections stay as they are.

        Every client closes the same records, in the same order with its advances. Local, waits as `Session.advance`.

        Raises:
            Error: ARGUMENT (no time), STATE (the collection has an interval; time does not grow from record to record),
                AGREEMENT (ranks close different records), STORAGE, DEADLINE.
            TypeError: for what is no number, such as a date.
        """
        values.with_seconds("record", time_s, lambda: _core.record(self._handle, time_s))

    def new_file(self, file: str) -> None:
        """The records after this call go to a new file of this name, instead of the configured series.

        Every client calls it between the same two advances or records, before it puts a field of the coming record.

        Raises:
            Error: STATE, STORAGE for a name that this run has used.
        """
        _core.new_file(self._handle, file)

    def close_file(self) -> None:
        """Closes the open file: no record follows in it, and it gets its name as soon as its writers have done their
        part, which Session.wait waits for.

        Where none is open, a file without records is made: of the name that new_file gave, or the first of a series
        whose name has no date. A later record opens the next file of the series, or that of new_file. Every client
        calls it between the same two advances or records.

        Raises:
            Error: STATE (the coming record has fields, no file is open), STORAGE.
        """
        _core.close_file(self._handle)

    def wait(self) -> None:
        """Returns when the records of this collection closed so far are written by the writers of this rank's node and,
        if one of them owns the files, committed.

        Local, and nothing is asked of other nodes: what all of them have done Session.wait says. The other ranks have
        to go on meanwhile. What has failed elsewhere is no error as long as the records are written.

        Raises:
            Error: what a file of the collection has met; DEADLINE; STATE if no writer of the node has a part in the
                files, or its records are gathered (write-behind) on several ranks.
        """
        _core.wait_collection(self._handle)
