"""How the dimensions of an xarray object are divided over ranks. `Share` and `share_of` are arithmetic alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thalweg import values
from thalweg._core import Decomposition

if TYPE_CHECKING:
    import xarray

    from thalweg.session import Session

Halo = Mapping[str, int | Sequence[int]]

HORIZONTAL = (
    ({"axis": "Y"}, {"standard_name": "latitude"}, {"standard_name": "projection_y_coordinate"}),
    ({"axis": "X"}, {"standard_name": "longitude"}, {"standard_name": "projection_x_coordinate"}),
)
USUAL_NAMES = (("y", "lat", "latitude"), ("x", "lon", "longitude"))


@dataclass(frozen=True)
class Share:
    """What one rank has of an index space that is cut evenly along some dimensions."""

    dims: tuple[str, ...]
    """slowest first"""
    shape: tuple[int, ...]
    ranks: tuple[int, ...]
    """how many ranks divide each dimension"""
    position: tuple[int, ...]
    """which of them this one is"""
    halo: tuple[tuple[int, int], ...]
    """cells before and behind, in each dimension"""

    @property
    def start(self) -> tuple[int, ...]:
        every = zip(self.shape, self.ranks, self.position, strict=True)
        return tuple(extent * place // parts for extent, parts, place in every)

    @property
    def count(self) -> tuple[int, ...]:
        every = zip(self.start, self.shape, self.ranks, self.position, strict=True)
        return tuple(extent * (place + 1) // parts - first for first, extent, parts, place in every)

    @property
    def own(self) -> dict[str, slice]:
        """Indexers of the cells that this rank writes: dataset.isel(share.own)."""
        every = zip(self.dims, self.start, self.count, strict=True)
        return {dim: slice(first, first + cells) for dim, first, cells in every}

    @property
    def with_halo(self) -> dict[str, slice]:
        """Indexers of these cells and the halo around them, which ends where the whole ends."""
        widths = dict(zip(self.dims, zip(self.shape, self.halo, strict=True), strict=True))
        return {
            dim: slice(max(section.start - widths[dim][1][0], 0), min(section.stop + widths[dim][1][1], widths[dim][0]))
            for dim, section in self.own.items()
        }

    def along(self, dims: Sequence[str]) -> Share:
        """The share of an array that has these of the dimensions only."""
        kept = [self.dims.index(dim) for dim in dims]
        every = (self.shape, self.ranks, self.position, self.halo)
        shape, ranks, position, halo = (tuple(values[place] for place in kept) for values in every)
        return Share(tuple(dims), shape, ranks, position, halo)  # type: ignore[arg-type]

    def is_first_besides(self, dims: Sequence[str]) -> bool:
        """Whether, of the ranks that have the same share along these dimensions, this is the first one."""
        return all(place == 0 for dim, place in zip(self.dims, self.position, strict=True) if dim not in dims)


@dataclass(frozen=True)
class Cells:
    """A share of this rank with its decompositions in a session. From `decompose_like`."""

    share: Share
    by_dims: Mapping[tuple[str, ...], Decomposition]
    """a decomposition for arrays with all of the dimensions, and for each choice of some of them"""

    @property
    def decomposition(self) -> Decomposition:
        return self.by_dims[self.share.dims]

    @property
    def own(self) -> dict[str, slice]:
        """As `Share.own`."""
        return self.share.own

    @property
    def with_halo(self) -> dict[str, slice]:
        """As `Share.with_halo`."""
        return self.share.with_halo


def share_of(
    rank: int,
    ranks: int,
    extents: Mapping[str, int],
    *,
    ranks_along: Mapping[str, int] | None = None,
    halo: Halo | None = None,
) -> Share:
    """The share of a rank when so many of them divide these dimensions, slowest first, as evenly as possible: of the
    ways whose largest share has at most an eighth more cells than need be, the one with the shortest edges. Ranks that
    are neighbours in the last dimension have numbers side by side. Where there are more ranks than cells, some have
    none.

    ranks_along: the number of ranks for some or all dimensions. halo: a width, or one before and one behind, for some
    dimensions.

    >>> share_of(3, 4, {"y": 5, "x": 6}, halo={"y": 1}).with_halo
    {'y': slice(1, 5, None), 'x': slice(3, 6, None)}
    """
    for what, named in (("ranks_along", ranks_along), ("halo", halo)):
        if unknown := set(named or ()) - set(extents):
            raise ValueError(f"{what} names {sorted(unknown)}, which is not among the dimensions {list(extents)}")
    shape = tuple(extents.values())
    divided = evenly(ranks, shape, [(ranks_along or {}).get(dim) for dim in extents])
    low, high = values.halo_widths([(halo or {}).get(dim, 0) for dim in extents])
    position: list[int] = []
    for parts in reversed(divided):
        rank, place = divmod(rank, parts)
        position.insert(0, place)
    return Share(tuple(extents), shape, divided, tuple(position), tuple(zip(low, high, strict=True)))


def evenly(ranks: int, shape: Sequence[int], fixed: Sequence[int | None]) -> tuple[int, ...]:
    """How many ranks divide each dimension."""
    ways = [way for way in factorizations(ranks, len(shape)) if fits(way, fixed)]
    if not ways:
        asked = ", ".join("any" if parts is None else str(parts) for parts in fixed)
        raise ValueError(f"{ranks} ranks cannot be arranged as ({asked}): the product has to be their number")
    largest = {way: [-(-extent // parts) for extent, parts in zip(shape, way, strict=True)] for way in ways}
    limit = min(map(math.prod, largest.values())) * 9 / 8
    even = [way for way in ways if math.prod(largest[way]) <= limit]
    return min(even, key=lambda way: (sum(largest[way]), [-parts for parts in way]))


def fits(way: Sequence[int], fixed: Sequence[int | None]) -> bool:
    return all(asked in (None, parts) for asked, parts in zip(fixed, way, strict=True))


def factorizations(number: int, factors: int) -> Iterator[tuple[int, ...]]:
    if factors == 1:
        yield (number,)
        return
    for first in range(1, number + 1):
        if number % first == 0:
            for others in factorizations(number // first, factors - 1):
                yield first, *others


def decompose_like(
    io: Session,
    like: xarray.Dataset | xarray.DataArray,
    dims: str | Sequence[str] | None = None,
    *,
    ranks_along: Mapping[str, int] | None = None,
    halo: Halo | None = None,
) -> Cells:
    """Divides dimensions of an xarray object over the clients of a session, as evenly as possible, and declares it.
    Collective over the clients.

    Args:
        io: the session.
        like: has the dimensions with the sizes of the whole; values are not looked at.
        dims: which dimensions, slowest first ("y,x"); None: the horizontal ones, by axis or standard_name of their
            coordinates, or by the names y, lat, latitude and x, lon, longitude.
        ranks_along: the number of ranks along some dimensions ({"y": 2}).
        halo: cells around each box that local arrays may have as well ({"y": 1, "x": (1, 2)}).

    `own` and `with_halo` of the result go to isel; `Collection.define_like` takes the result as it is, and
    `define_variable` its `decomposition`.

    Raises:
        ValueError: for dimensions that are not there, and numbers of ranks that do not multiply to that of the clients.
        Error: as with `Session.decompose`.
    """
    sizes = {str(dim): int(size) for dim, size in like.sizes.items()}
    chosen = dims.split(",") if isinstance(dims, str) else horizontal(like) if dims is None else list(dims)
    if missing := [dim for dim in chosen if dim not in sizes]:
        raise ValueError(f"decompose_like: no dimension {missing} in {list(sizes)}")
    comm = io.model_comm
    extents = {dim: sizes[dim] for dim in chosen}
    share = share_of(comm.Get_rank(), comm.Get_size(), extents, ranks_along=ranks_along, halo=halo)
    choices = (some for length in range(len(chosen), 0, -1) for some in itertools.combinations(chosen, length))
    return Cells(share, {some: declare(io, share, some) for some in choices})


def declare(io: Session, share: Share, dims: tuple[str, ...]) -> Decomposition:
    part = share.along(dims)
    holds = share.is_first_besides(dims) and math.prod(part.count) > 0
    boxes = [(part.start, part.count)] if holds else []
    return io.decompose(",".join(dims), part.shape, boxes=boxes, halo=part.halo)


def horizontal(like: xarray.Dataset | xarray.DataArray) -> list[str]:
    found = []
    for signs, names in zip(HORIZONTAL, USUAL_NAMES, strict=True):
        dims = [dim for dim in like.sizes if dim in like.coords and has_sign(like.coords[dim].attrs, signs)]
        dims = dims or [dim for dim in like.sizes if dim in names]
        found += [str(dim) for dim in dims]
    if not found:
        raise ValueError(
            f"decompose_like: which of {list(like.sizes)} are horizontal is not said; name them: dims='y,x'"
        )
    return found


def has_sign(attributes: Mapping[Hashable, object], signs: Sequence[Mapping[str, str]]) -> bool:
    return any(attributes.get(name) == value for sign in signs for name, value in sign.items())
