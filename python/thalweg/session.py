"""Sessions: a model's use of Thalweg, from start to finish."""

from __future__ import annotations

import atexit
import json
import os
import sys
import traceback
import warnings
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self

from numpy.typing import ArrayLike, DTypeLike

from thalweg import _core, values
from thalweg.collection import Collection
from thalweg.errors import abort
from thalweg.field import OF_VALUES, Field
from thalweg.input import Input
from thalweg.steps_of_fields import StepsOfFields
from thalweg.values import Attribute

if TYPE_CHECKING:
    from mpi4py import MPI

Extents = Sequence[int]
OnException = Literal["abort", "raise"]


def text_of(settings: Mapping[str, Any]) -> str:
    """Settings as a text of the configuration's grammar, which JSON is too; paths and dates may be Python's."""
    return json.dumps(settings, indent=1, ensure_ascii=False, default=str)


class Session(StepsOfFields):
    """One model's use of Thalweg; owns everything that was made from it. From `thalweg.start`.

    "Collective" means: every client (`is_client`) calls it, in the same order; start and finish are calls of servers
    too, which make no others between them. "Local" means: any rank, any order, no communication that waits for another
    rank. One thread at a time uses a session and what was made from it: a call of another one meanwhile is an
    error (STATE). Calls that may wait release the GIL.

    As a context manager it is finished when the block ends, which is collective. When the block is left by an
    exception, nothing can be finished, because the other ranks do not come to it: they would wait for this rank until
    their deadline. So the traceback is printed and the job aborted (MPI_Abort), as after an error of finish at the end
    of the block, whose text the ranks that end would cut short. On one rank, or if the session was started with
    on_exception="raise", the exception passes, and the session is left as by a job that is killed. What was committed
    is in NAME.partial, which `thalweg.recover` turns into a proper file.
    """

    def __init__(self, handle: _core.Session, comm: MPI.Comm, on_exception: OnException) -> None:
        self._handle = handle
        self._comm = comm
        self._on_exception = on_exception
        self.extents: dict[str, int] = {}
        """The dimensions that were decomposed, with their sizes."""
        self._dims: dict[_core.Decomposition, tuple[str, ...]] = {}
        self._local: dict[_core.Decomposition, list[tuple[int, ...]]] = {}
        _open.add(handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, place: TracebackType | None
    ) -> None:
        if not self.is_open:
            return
        if error is not None:
            _leave(self._handle)
            self._abort_by(error)
            return
        try:
            self.finish()
        except Exception as fault:  # of any rank, and each has it
            self._abort_by(fault)
            raise

    def __del__(self) -> None:
        if hasattr(self, "_handle") and self.is_open and self._handle in _open:
            warnings.warn("a thalweg.Session was not finished: its files are not published", ResourceWarning, 2)

    def _abort_by(self, error: BaseException) -> None:
        if self._on_exception != "abort" or self._comm.Get_size() == 1:
            return

        def say() -> None:
            rank = self._comm.Get_rank()
            print(f"thalweg: rank {rank} left its session by an exception, and the job is aborted:", file=sys.stderr)
            traceback.print_exception(error)

        abort(self._comm, say)

    @property
    def is_open(self) -> bool:
        """Whether finish was not called yet."""
        return _core.is_open(self._handle)

    @property
    def is_client(self) -> bool:
        """Whether this rank computes; False on one that only served, or is left over: it comes back from start when all
        is written, and calls finish and nothing else."""
        return _core.is_client(self._handle)

    @property
    def model_comm(self) -> MPI.Intracomm:
        """The communicator of the clients; it belongs to the session: do not free it.

        Raises:
            Error: STATE on a rank that is no client.
        """
        from mpi4py import MPI

        return MPI.Intracomm(MPI.Comm.f2py(_core.model_comm(self._handle)))

    def decompose(
        self,
        dims: str,
        shape: Extents,
        start: Extents | None = None,
        count: Extents | None = None,
        *,
        boxes: Sequence[tuple[Extents, Extents]] | None = None,
        halo: Sequence[int | Sequence[int]] | None = None,
        masked: bool = False,
    ) -> _core.Decomposition:
        """Declares which part of a global index space this rank holds. Collective over the clients.

        Args:
            dims: names of the dimensions, slowest first, for example "y,x"; 1 to 5 of them.
            shape: global extent of each dimension.
            start: first index of this rank's box in each dimension, counted from 0, without halo.
            count: extents of this rank's box, without halo.
            boxes: in place of start and count, pairs of them: several boxes, or [] for a rank that holds nothing.
            halo: cells around each box that the local arrays hold as well: for each dimension a width, or a tuple of
                the width before and the one behind; None: none.
            masked: cells that no rank owns are intended (land) and get the fill value; otherwise they are an error.

        Raises:
            Error: SHAPE for a box outside of shape; AGREEMENT for overlaps and unintended holes, naming ranks and
            boxes.
            TypeError: unless there are either start and count or boxes.
        """
        if (start is None) != (count is None) or (start is None) == (boxes is None):
            raise TypeError("decompose: give start and count, or boxes")
        if boxes is None and start is not None and count is not None:
            boxes = [(start, count)]
        own = [(values.integers(first), values.integers(extents)) for first, extents in boxes or ()]
        low, high = values.halo_widths(halo)
        whole = values.integers(shape)
        made = _core.decompose(self._handle, dims, whole, own, low, high, masked)
        around = [sum(widths) for widths in zip(low, high, strict=True)] or [0] * len(whole)
        local = [[cells + more for cells, more in zip(count, around, strict=True)] for _, count in own]
        return self._remember(made, dims.split(","), whole, local or [[0] * len(whole)])

    def decompose_indices(self, dim: str, size: int, index: ArrayLike, *, masked: bool = False) -> _core.Decomposition:
        """Declares which points of one dimension this rank holds, as a list: for unstructured meshes. Collective over
        the clients.

        Args:
            dim: name of the dimension, for example "cell".
            size: its global extent.
            index: global index of each local point, counted from 0, in any order; a negative one marks a point that is
                not written (halo, hole). Local arrays have as many points along dim; it may be empty.
            masked: points that no rank lists are intended and get the fill value; otherwise they are an error.

        A point listed twice is an error, or belongs to the lowest rank that lists it ("owner: lowest-rank").

        Raises:
            Error: SHAPE for an index that is too large, naming rank, position and value; AGREEMENT for points listed
                twice and unintended holes, naming ranks and points.
            TypeError: for indices that are no integers, or no list of one dimension.
        """
        points = values.index_list(index)
        made = _core.decompose_indices(self._handle, dim, size, points, masked)
        return self._remember(made, [dim], [size], [[points.size]])

    def decompose_points(
        self, dims: str, shape: Extents, index: ArrayLike, *, masked: bool = False
    ) -> _core.Decomposition:
        """Declares which points of a grid this rank holds, as a list: land without sea, any map. Files have all the
        dimensions; the rank's arrays have one in their place, along the list. Collective over the clients.

        Args:
            dims: names of the dimensions, slowest first, for example "lat,lon"; 1 to 5 of them.
            shape: global extent of each dimension.
            index: number of each local point among all, counted row by row from 0, as numpy.ravel_multi_index does, in
                any order; a negative one marks a point that is not written. It may be empty.
            masked: points that no rank lists are intended and get the fill value; otherwise they are an error.

        A variable on it has all of dims next to each other and in this order, in its dimensions and in memory_dims,
        where they stand for the one dimension of the list: arrays of "time,z,lat,lon" are z by points.

        Raises:
            Error: SHAPE for an index that is too large, naming rank, position and value; NAME for a dimension that is
                there twice; AGREEMENT for points listed twice and unintended holes, naming ranks and points.
            TypeError: for indices that are no integers, or no list of one dimension.
        """
        whole = values.integers(shape)
        points = values.index_list(index)
        made = _core.decompose_points(self._handle, dims, whole, points, masked)
        return self._remember(made, dims.split(","), whole, [[points.size]])

    def _remember(
        self, made: _core.Decomposition, dims: Sequence[str], shape: Extents, local: Sequence[Extents]
    ) -> _core.Decomposition:
        names = tuple(dim.strip() for dim in dims)
        self._dims[made] = names
        self._local[made] = [tuple(extents) for extents in local]
        self.extents.update(zip(names, shape, strict=True))
        return made

    def dims_of(self, decomposition: _core.Decomposition) -> tuple[str, ...]:
        """The dimensions of a decomposition of this session, slowest first."""
        return self._dims[decomposition]

    def local_extents(self, decomposition: _core.Decomposition, box: int = 0) -> tuple[int, ...]:
        """The extents of this rank's arrays along the dimensions of a decomposition of this session: those of a box
        with the halo, zeros where there is none, or the one of its list, whatever dimensions that has."""
        every = self._local[decomposition]
        return every[box] if 0 <= box < len(every) else (0,) * len(every[0])

    def collection(self, name: str, settings: str | Mapping[str, Any] | None = None) -> Collection:
        """Opens a collection by its name; its file, format and frequency come from the configuration, or from the
        program. Local, but every client opens the same ones.

        Args:
            settings: the program's own settings of it, a dict with the keys that may stand below its name in a
                configuration, or the YAML text of them. What the configuration says of the same collection prevails,
                key by key; it need not have the collection.

        Raises:
            Error: NAME if the configuration has collections and this is none of them; CONFIG for wrong settings.
        """
        if settings is None:
            return Collection(self, _core.open_collection(self._handle, name), name)
        yaml = settings if isinstance(settings, str) else text_of(settings)
        return Collection(self, _core.open_collection_text(self._handle, name, yaml), name)

    def define_field_dimension(self, name: str, size: int) -> None:
        """Defines a dimension of fields that no decomposition has, for example of levels. Local.

        Raises:
            Error: NAME for one of another size; STATE.
        """
        _core.define_field_dimension(self._handle, name, size)

    def define_field(
        self,
        name: str,
        dims: str,
        dtype: DTypeLike,
        decomposition: _core.Decomposition | None = None,
        *,
        memory_dims: str | None = None,
        static: bool = False,
        **attributes: Attribute,
    ) -> Field:
        """Defines a field, of which collections have what the configuration chooses (`fields`). Local; every client
        defines the same, also behind the first steps: a collection waits for what it names until its first record, and
        has what it would have had by a pattern in its next file.

        Args:
            name: "temp", or "ocean/temp" with the component in front.
            dims: its dimensions, slowest first, without the record dimension.
            dtype: the type of the variables that are written of it, unless the configuration says another one.
            decomposition, memory_dims: as of `Collection.define_variable`; static: it is put once, for all files.
            attributes: as with `Field.define_attribute`; _FillValue, missing_value and valid_* get the field's type.

        Raises:
            Error: NAME; STATE where a collection that has all that is like it has ended its definitions, and no other
                file of it follows.
            TypeError: for a dtype that no file has.
        """
        element = values.element_type(dtype, f"field '{name}'")
        handle = _core.define_field(self._handle, name, dims, element, decomposition, memory_dims, static)
        field = Field(self, handle, name)
        for attribute, value in attributes.items():
            field.define_attribute(attribute, value, dtype if attribute in OF_VALUES else None)
        return field

    def open_input(self, path: str | os.PathLike[str]) -> Input:
        """Opens what is under a path, to read it: a netCDF file, a Zarr store, or a set of files ("NAME.nc" where
        NAME.nc.0000 and so on are). At any time, also before definitions have ended. Collective over the clients.

        It is opened by ranks that read, and the others are told what is in it; a file that goes on growing is seen as
        it is now.

        Raises:
            Error: ARGUMENT, AGREEMENT (ranks name different paths), STORAGE, FORMAT.
        """
        return Input(self, _core.open_input(self._handle, os.fspath(path)), os.fspath(path))

    def ready(self) -> None:
        """Ends the definitions: checks that all ranks agree, makes plans and memory, sees that files can be made.
        Collective over the clients, optional: the first advance, wait or finish does it otherwise.

        Raises:
            Error: AGREEMENT, MEMORY, STORAGE, FORMAT, CONFIG (a configured variable that was never defined).
        """
        _core.ready(self._handle)

    def set_time(self, time_s: float) -> None:
        """Says the model time at the start of the run, in seconds since reference-date (default 0); needed by a run
        that continues another one. Local, before the first put or advance and, for collections with `append: continue`,
        before definitions end.

        Raises:
            Error: STATE after that.
            TypeError: for what is no number, such as a date.
        """
        values.with_seconds("set_time", time_s, lambda: _core.set_time(self._handle, time_s))

    def set_end_time(self, time_s: float) -> None:
        """Says the model time at which the run ends, in seconds since reference-date: records of collections with
        `every: end` are closed by the advance to it, and that advance may be shorter than time-step. No advance goes
        beyond it. Local, before the first put or advance; every client says the same.

        Raises:
            Error: STATE after that; ARGUMENT (no time, or before the start).
            TypeError: for what is no number, such as a date.
        """
        values.with_seconds("set_end_time", time_s, lambda: _core.set_end_time(self._handle, time_s))

    @property
    def time_units(self) -> tuple[str, str]:
        """How the record coordinate that Thalweg puts counts, for bounds and times of the model's own: its units,
        "seconds since 2000-01-01 00:00:00" with reference-date, and its calendar, such as "noleap"."""
        return _core.time_units(self._handle)

    def advance(self, time_s: float) -> None:
        """Closes the step: model time is now time_s, in seconds since reference-date in the configured calendar. Due
        records are complete with it. Local, never waits for storage under "writers: thread"; with "sync" it returns
        when the record is written. Records of collections with "engine: library" are written in it, by calls that are
        collective.

        Raises:
            Error: ARGUMENT (no time), STATE (time does not grow), AGREEMENT (ranks go to different times), STORAGE,
                DEADLINE.
            TypeError: for what is no number, such as a date.
        """
        values.with_seconds("advance", time_s, lambda: _core.advance(self._handle, time_s))

    def flush(self) -> None:
        """Asks the writers to drain what is there. Local."""
        _core.flush(self._handle)

    def wait(self) -> None:
        """Returns when all records closed so far are committed. Collective over the clients.

        Raises:
            Error: STORAGE, DEADLINE, and with "on-server-loss: continue" what servers were lost.
        """
        _core.wait(self._handle)

    def finish(self) -> None:
        """Writes and publishes everything and prints the report; the session and all that was made from it end here,
        also on error. Collective.

        Raises:
            Error: STORAGE, DEADLINE and any that a writer met since the last call.
        """
        _core.finish(self._handle)
        _open.discard(self._handle)


_open: set[_core.Session] = set()  # neither finished well nor left


def _leave(handle: _core.Session) -> None:
    _open.discard(handle)
    _core.leave(handle)


@atexit.register
def _leave_all() -> None:
    """A writer that still has something to write must not call Python when it ends."""
    for handle in list(_open):
        _leave(handle)
    _core.leave_registered()
