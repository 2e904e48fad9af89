"""What a rank of the replayed model holds: its pieces of the fields, with a halo if wanted."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.cli.replay.cut import Box, box_of
from thalweg.cli.replay.plan import Plan, Planned
from thalweg.data import Slab

Array = NDArray[Any]


class Fields:
    def __init__(self, plan: Plan, ranks: int, rank: int, halo: int = 0) -> None:
        self.plan = plan
        self.halo = halo
        self.boxes = {cut: box_of(shape, ranks, rank) for cut, shape in plan.grids.items()}
        self._kept: dict[tuple[str, int], Array] = {}

    def box(self, planned: Planned) -> Box | None:
        """In all dimensions of the variable, without that of records; None: this rank has nothing of it."""
        if not planned.cut:
            return (0,) * len(planned.shape), planned.shape
        own = self.boxes[planned.cut]
        if own is None:
            return None
        start, count = [0] * len(planned.shape), list(planned.shape)
        for dim, first, extent in zip(planned.cut, *own, strict=True):
            place = planned.dims.index(dim)
            start[place], count[place] = first, extent
        return tuple(start), tuple(count)

    def held(self, has_record: bool) -> list[Planned]:
        """The variables of which this rank has a piece."""
        return [
            planned
            for planned in self.plan.variables
            if planned.has_record == has_record and self.box(planned) is not None
        ]

    def bytes_of(self, has_record: bool) -> int:
        boxes = [(planned, self.box(planned)) for planned in self.held(has_record)]
        return sum(prod(box[1]) * planned.source.dtype.itemsize for planned, box in boxes if box)

    def keep(self, records: Iterable[int]) -> None:
        """Reads these records ahead of the play, so that it need not."""
        for record in records:
            for planned in self.held(has_record=True):
                self._kept[planned.name, record] = self.read(planned, record)

    def of(self, planned: Planned, record: int) -> Array:
        kept = self._kept.get((planned.name, record))
        return self.read(planned, record) if kept is None else kept

    def read(self, planned: Planned, record: int) -> Array:
        """record: any number for a variable without records."""
        box = self.box(planned)
        assert box is not None
        slab: Slab = tuple(slice(first, first + extent) for first, extent in zip(*box, strict=True))
        if planned.has_record:
            values = planned.source.read((slice(record, record + 1), *slab))
            values = np.asarray(values).reshape(box[1])
        else:
            values = np.asarray(planned.source.read(slab)).reshape(box[1])
        return with_halo(values, planned, self.halo)


def with_halo(values: Array, planned: Planned, width: int) -> Array:
    """The halo has other values than the neighbours', so that one that gets into the file is seen."""
    if width == 0 or not planned.cut:
        return values
    widths = [(width, width) if dim in planned.cut else (0, 0) for dim in planned.dims]
    return np.pad(values, widths, constant_values=99)
