"""Files that are looked at and read without a model: variables that are indexed like arrays."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from thalweg._core import Decomposition
from thalweg.decomposing import Cells, Halo, declare, share_of
from thalweg.errors import Error
from thalweg.indexing import Index, Reading, Spread, reading_of
from thalweg.input import Input
from thalweg.input_contents import Attribute, ContentsVariable
from thalweg.series_meaning import Convert, conversion_of, meanings_of
from thalweg.session import Session

if TYPE_CHECKING:
    import xarray

SELECTABLE = re.compile(r"[A-Za-z_]\w*")  # what a selection can name without being taken for something else


class Dataset(Mapping[str, "DatasetVariable"]):
    """A file, a store, a set of files, or a series of them, and its variables by their names. From `thalweg.open`.

    Where it was opened by several ranks, "collective" means that all of them make the call, in the same order and with
    the same index; the others are local.
    """

    def __init__(self, session: Session, inputs: Sequence[Input]) -> None:
        self.session = session
        """The session that it has for itself."""
        self._inputs = tuple(inputs)
        self._contents = joined_contents(self._inputs)
        self._conversions = [conversions_of(self._inputs[0], each) for each in self._inputs]
        self._is_alone = session.model_comm.Get_size() == 1
        self.paths: tuple[str, ...] = tuple(each.path for each in inputs)
        """What was opened, in the order of records."""

    def __repr__(self) -> str:
        named = f"'{self.paths[0]}'" + (f" and {len(self.paths) - 1} more" if len(self.paths) > 1 else "")
        return "\n ".join([f"<thalweg.Dataset {named}", *(f"  {v!r}" for v in self.values())]) + ">"

    def __getitem__(self, name: str) -> DatasetVariable:
        if name not in self._contents:
            try:
                self._inputs[0].variable(name)
            except Error as error:  # it says which names are near, or why the variable cannot be read
                raise KeyError(str(error)) from error
        return DatasetVariable(self, self._contents[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)

    def __contains__(self, name: object) -> bool:
        return name in self._contents

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, place: TracebackType | None
    ) -> None:
        self.session.__exit__(kind, error, place)

    def __del__(self) -> None:
        if hasattr(self, "_is_alone") and self._is_alone:
            self.close()

    @property
    def sizes(self) -> dict[str, int]:
        """All dimensions that variables have, with their extents."""
        return {dim: size for v in self._contents.values() for dim, size in zip(v.dims, v.shape, strict=True)}

    @property
    def records(self) -> int:
        """The number of records of all files; 0 without a record dimension."""
        return sum(each.records for each in self._inputs)

    @property
    def times(self) -> NDArray[np.float64]:
        """Of all records, in seconds since the `reference-date` of the settings (2000-01-01 unless said).

        Raises:
            Error: FORMAT (no record coordinate, or none that is known, or one of another calendar).
        """
        return np.concatenate([each.times for each in self._inputs])

    @property
    def attributes(self) -> dict[str, Attribute]:
        """Those of the file; of a series, of the first one."""
        return self._inputs[0].attributes

    def decompose(
        self, dims: str | Sequence[str], *, ranks_along: Mapping[str, int] | None = None, halo: Halo | None = None
    ) -> Cells:
        """Divides dimensions over the ranks, as evenly as possible, for `DatasetVariable.part`. Collective.

        Args:
            dims: which ones, slowest first ("lat,lon").
            ranks_along: the number of ranks along some of them ({"lat": 2}).
            halo: cells around each rank's part that are read, too ({"lat": 1, "lon": (1, 2)}).

        Raises:
            ValueError: for dimensions that are not there, and numbers of ranks that do not multiply to that of all.
        """
        chosen = tuple(dim.strip() for dim in dims.split(",")) if isinstance(dims, str) else tuple(dims)
        sizes = self.sizes
        if missing := [dim for dim in chosen if dim not in sizes]:
            raise ValueError(f"decompose: no dimension {missing} in {list(sizes)}")
        comm = self.session.model_comm
        extents = {dim: sizes[dim] for dim in chosen}
        share = share_of(comm.Get_rank(), comm.Get_size(), extents, ranks_along=ranks_along, halo=halo)
        return Cells(share, {chosen: declare(self.session, share, chosen)})

    def to_xarray(self, *, decode: bool = True) -> xarray.Dataset:
        """All variables as an xarray.Dataset, whose values are read when they are asked for; those of coordinates that
        are dimensions are read now. Collective, and so is what loads values. It is of use until this is closed.

        decode: packed values, missing ones, times and texts become what they mean (xarray.decode_cf).
        """
        from thalweg.lazy_xarray import xarray_dataset

        return xarray_dataset(self, decode)

    def close(self) -> None:
        """Ends it, if it is open. Collective."""
        if self.session.is_open:
            self.session.finish()

    def read(self, name: str, reading: Reading, cells: Decomposition | None, periodic: str | None) -> NDArray[Any]:
        """What `DatasetVariable.__getitem__` gives, before its last step. Collective."""
        of = self._contents[name]
        if not of.has_records:
            begin_reading(self._inputs[0], of, reading, cells, periodic)
            return self._inputs[0].get(name)
        found = np.empty(0)
        begun: int | None = None
        for place, (file, record) in enumerate(self._records_of(reading.records)):
            each = self._inputs[file]
            if file != begun:
                begin_reading(each, of, reading, cells, periodic)
                begun = file
            if place == 0:
                first = each.get(name, record=record)
                found = np.zeros((len(reading.records), *first.shape), first.dtype)
                found[0] = first
            else:
                each.get(name, found[place, ...], record=record)
            if convert := self._conversions[file].get(name):
                found[place] = convert(found[place])
        return found

    def _records_of(self, numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Each as the number of a file, and that of a record in it."""
        firsts = np.cumsum([0, *(each.records for each in self._inputs)])
        for number in numbers:
            file = int(np.searchsorted(firsts, number, "right")) - 1
            yield file, number - int(firsts[file])


class DatasetVariable:
    """A variable of a `Dataset`: what it is, and its values by indices, as they lie in the file.

    `variable[2, :, 10:20]` gives an array of NumPy, for integers and slices of any step, which may be fewer than the
    dimensions, and with `...` among them. It reads what it gives and little more. Collective.
    """

    def __init__(
        self,
        dataset: Dataset,
        contents: ContentsVariable,
        cells: Decomposition | None = None,
        periodic: str | None = None,
    ) -> None:
        self._dataset = dataset
        self._contents = contents
        self._cells = cells
        self._periodic = periodic

    def __repr__(self) -> str:
        return repr(self._contents)

    @property
    def name(self) -> str:
        return self._contents.name

    @property
    def dims(self) -> tuple[str, ...]:
        """Slowest first, with the record dimension if it has one."""
        return self._contents.dims

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of all of it, also of a part."""
        return self._contents.shape

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Its type in the file, which is that of its arrays."""
        return self._contents.dtype

    @property
    def attributes(self) -> dict[str, Attribute]:
        return self._contents.attributes

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"variable '{self.name}' has no dimensions, and so no length")
        return self.shape[0]

    def part(self, cells: Cells | Decomposition, *, periodic: str | None = None) -> DatasetVariable:
        """The same variable, of which each rank gets its own part: an index leaves the decomposed dimensions whole (":"
        or nothing), and the array has there the cells of this rank, with the halo. Local.

        Args:
            cells: from `Dataset.decompose`, or from the `session`, by the names of dimensions that the file has.
            periodic: those of the dimensions that go around, as "lon": there the halo beyond one end is the other end.
                "lat=fold T U -1" beside it is a northern fold (`Input.declare`). Other halos beyond the ends are zeros.
        """
        own = cells.decomposition if isinstance(cells, Cells) else cells
        spread = self._dataset.session.dims_of(own)
        if missing := [dim for dim in spread if dim not in self.dims]:
            raise ValueError(f"variable '{self.name}' has no dimension {missing}: it has {list(self.dims)}")
        return DatasetVariable(self._dataset, self._contents, own, periodic)

    def __getitem__(self, key: Index) -> Any:
        session = self._dataset.session
        spread = Spread()
        if self._cells is not None:
            spread = Spread(session.dims_of(self._cells), session.local_extents(self._cells))
        can_select = len(set(self.dims)) == self.ndim and all(SELECTABLE.fullmatch(dim) for dim in self.dims)
        reading = reading_of(key, self._contents, spread, can_select)
        if reading.is_empty:
            return np.empty(reading.shape, self.dtype)
        return self._dataset.read(self.name, reading, self._cells, self._periodic)[reading.after]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """All of it. Collective."""
        return np.asarray(self[...], dtype)


def begin_reading(
    of: Input, variable: ContentsVariable, reading: Reading, cells: Decomposition | None, periodic: str | None
) -> None:
    """What was declared before need not fit what is selected now, so that it goes first. Nothing is selected where
    nothing was: that would be a message."""
    of.declare(variable.name)
    if reading.text or of.variable(variable.name).shape != variable.shape[1 if variable.has_records else 0 :]:
        of.select(variable.name, reading.text)
    if cells is not None:
        names = (*variable.dims[:1], *reading.kept) if variable.has_records else reading.kept
        around = ",".join(dim for dim in (periodic or "").split(",") if dim.split("=")[0].strip() in reading.kept)
        of.declare(variable.name, cells, dims=",".join(names), periodic=around or None)


def joined_contents(inputs: Sequence[Input]) -> dict[str, ContentsVariable]:
    """Those of the first file, with the records of all.

    Raises:
        ValueError: for files that do not have the same variables.
    """
    first, *others = inputs
    whole = first.variables
    if others and not any(each.records for each in inputs):
        raise ValueError(f"'{first.path}' and {len(others)} more files are no series: they have no records")
    records = sum(each.records for each in inputs)
    for other in others:
        for name, variable in whole.items():
            its = other.variables.get(name)
            if like(its) != like(variable):
                raise ValueError(f"'{first.path}' and '{other.path}' are no series: they have {variable} and {its}")
    return {
        name: replace(variable, shape=(records, *variable.shape[1:])) if variable.has_records else variable
        for name, variable in whole.items()
    }


def conversions_of(first: Input, other: Input) -> dict[str, Convert]:
    """How numbers of the records of one file become such as the first one's attributes say.

    Raises:
        ValueError: for files that are not joined.
    """
    found: dict[str, Convert] = {}
    if other is first:
        return found
    wanted, given = (meanings_of(each.path, each.variables) for each in (first, other))
    for name, variable in first.variables.items():
        if variable.has_records and (convert := conversion_of(name, wanted[name], given[name], variable.dtype)):
            found[name] = convert
    return found


def like(variable: ContentsVariable | None) -> object:
    if variable is None:
        return None
    return variable.dims, variable.shape[1 if variable.has_records else 0 :], variable.dtype
