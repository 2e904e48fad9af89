"""What ranks get that read: arrays with halos, or the points of a list, computed with NumPy from the whole field."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MARK = 0x5A  # of each byte that a get leaves alone (tests/programs/reads.cpp)
TYPES = {name: number for number, name in enumerate(
    ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bytes8"], 1
)}  # fmt: skip


def folder_named(name: str) -> Path:
    """For files of a module's tests, whose jobs have to know where they are before there are fixtures."""
    return Path(tempfile.gettempdir()) / f"thalweg-{name}-{os.getpid()}"


@contextmanager
def files_in(folder: Path) -> Iterator[None]:
    folder.mkdir()
    try:
        yield
    finally:
        shutil.rmtree(folder)


Box = tuple[tuple[int, ...], tuple[int, ...]]  # start, count


def blocks(shape: tuple[int, ...], cut: tuple[int, ...]) -> list[Box]:
    """The boxes of as many ranks, of sizes that differ by one."""
    boxes: list[Box] = [((), ())]
    for extent, parts in zip(shape, cut, strict=True):
        edges = [extent * part // parts for part in range(parts + 1)]
        boxes = [((*start, a), (*count, b - a)) for start, count in boxes for a, b in pairwise(edges)]
    return boxes


@dataclass(frozen=True)
class Held:
    """What ranks hold of the dimensions that are decomposed, which are named by what the model calls them."""

    cut: tuple[str, ...] = ()
    boxes: tuple[Box | None, ...] = ()  # of each rank
    points: tuple[tuple[int, ...], ...] = ()  # or of each rank
    halo: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    periodic: tuple[str, ...] = ()  # or "y=fold PIVOT POINT [SIGN]"
    has_halo: bool = True  # the arrays have it
    names: tuple[str, ...] = ()  # of all dimensions, where the model's are others
    memory: tuple[str, ...] = ()
    reversed: bool = False


def along_longest(names: tuple[str, ...], shape: tuple[int, ...], ranks: int) -> Held:
    """Each rank a part along the longest dimension, with a halo that goes around; all of what is too small for that."""
    if not names or max(shape) < ranks or len(set(names)) < len(names):
        return Held()
    along = shape.index(max(shape))
    boxes = tuple(blocks((shape[along],), (ranks,)))
    return Held((names[along],), boxes, halo=((2,), (1,)), periodic=(names[along],))


def marked(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    return np.full(int(np.prod(shape)) * dtype.itemsize, MARK, np.uint8).view(dtype).reshape(shape)


def with_fold(whole: NDArray[Any], rows: int, columns: int, said: str) -> NDArray[Any]:
    """With as many rows beyond the fold as there are before it. Points are turned around the pivot, in half cells."""
    words = said.split()
    pivot, point, sign = words[1], words[2], -1 if words[-1] == "-1" else 1
    last, around = whole.shape[rows] - 1, whole.shape[columns]
    x, y = 2 * np.arange(around) + (point in "UF"), 2 * (last + np.arange(1, last)) + (point in "VF")
    about_x, about_y = (-1, 2 * last + 1) if pivot == "F" else (0, 2 * last)
    column, row = (2 * about_x - x) // 2 % around, (2 * about_y - y) // 2
    turned = whole.take(row, axis=rows).take(column, axis=columns)
    return np.concatenate([whole, sign * turned], axis=rows, dtype=whole.dtype)


def of_box(whole: NDArray[Any], names: tuple[str, ...], held: Held, box: Box, dtype: np.dtype[Any]) -> NDArray[Any]:
    """One rank's array, in the dimensions of the file."""
    places, shape = [], []
    for said in held.periodic:
        if "=fold" in said:
            around = next(name for name in held.periodic if name in names)
            whole = with_fold(whole, names.index(said.split("=")[0]), names.index(around), said)
    for d, name in enumerate(names):
        if name not in held.cut:
            places.append(np.arange(whole.shape[d]))
            shape.append(whole.shape[d])
            continue
        k = held.cut.index(name)
        low, high = (held.halo[0][k], held.halo[1][k]) if held.halo and held.has_halo else (0, 0)
        cells = np.arange(box[0][k] - low, box[0][k] + box[1][k] + high)
        if name in held.periodic:
            cells = cells % whole.shape[d]
        places.append(np.where((cells < 0) | (cells >= whole.shape[d]), -1, cells))
        shape.append(len(cells))
    array = marked(tuple(shape), dtype)
    there = np.ix_(*[np.flatnonzero(place >= 0) for place in places])
    array[there] = whole[np.ix_(*[place[place >= 0] for place in places])]
    return array


def of_points(whole: NDArray[Any], names: tuple[str, ...], held: Held, points: tuple[int, ...]) -> NDArray[Any]:
    first = names.index(held.cut[0])
    joined = (*whole.shape[:first], -1, *whole.shape[first + len(held.cut) :])
    flat = whole.reshape(joined)
    indices = np.array(points, dtype=np.int64)
    array = marked((*flat.shape[:first], len(points), *flat.shape[first + 1 :]), whole.dtype)
    there = np.flatnonzero(indices >= 0)
    array[(slice(None),) * first + (there,)] = flat[(slice(None),) * first + (indices[there],)]
    return array


@dataclass(frozen=True)
class Get:
    """A get of all ranks: what is asked for, and what each of them is to have."""

    path: Path
    variable: str
    whole: NDArray[Any] = field(compare=False, repr=False)  # of the record, as the model wants its values
    names: tuple[str, ...]  # of the variable's dimensions, as the model calls them; the record dimension left out
    held: Held = Held()
    record: int | None = None
    missing: float | None = None

    def expected(self, rank: int) -> NDArray[Any] | None:
        held, dtype = self.held, self.whole.dtype
        names = self.names
        if held.points:
            array = of_points(self.whole, names, held, held.points[rank])
            first = names.index(held.cut[0])
            names = (*names[:first], "*".join(held.cut), *names[first + len(held.cut) :])
        elif not held.cut:
            array = self.whole
        elif (box := held.boxes[rank]) is None:
            return None
        else:
            array = of_box(self.whole, names, held, box, dtype)
        if held.memory:
            array = array.transpose([names.index(name) for name in held.memory])
        return np.ascontiguousarray(array).reshape(array.shape)

    def words(self, ranks: int) -> list[str]:
        held = self.held
        number = TYPES[self.whole.dtype.name]
        words = [f"input={self.path}", f"variable={self.variable}", f"type={number}", "out=got"]
        arrays = [self.expected(rank) for rank in range(ranks)]
        words += ["extents=" + "|".join("-" if a is None else ",".join(map(str, a.shape)) for a in arrays)]
        if self.record is not None:
            words += [f"record={self.record}"]
        if self.missing is not None:
            words += [f"missing={self.missing}"]
        if held.reversed:
            words += ["reversed=1"]
        if not held.cut:
            return words
        places = [self.names.index(name) for name in held.cut]
        words += ["cut=" + ",".join(held.cut), "shape=" + ",".join(str(self.whole.shape[p]) for p in places)]
        if held.points:
            words += ["points=" + "|".join(",".join(map(str, points)) for points in held.points)]
        else:
            text = [":".join(",".join(map(str, part)) for part in box) if box else "" for box in held.boxes]
            words += ["boxes=" + "|".join(text)]
        if held.halo:
            words += ["halo=" + ":".join(",".join(map(str, side)) for side in held.halo)]
        for key, names in (("dims", held.names), ("memory", held.memory), ("periodic", held.periodic)):
            if names:
                words += [f"{key}={','.join(names)}"]
        return words

    def check(self, folder: Path, ranks: int) -> None:
        for rank in range(ranks):
            error = folder / f"got.error.{rank}"
            assert not error.exists(), error.read_text()
            array = self.expected(rank)
            got = (folder / f"got.{rank}").read_bytes()
            if array is None:
                assert got == b""
                continue
            read = np.frombuffer(got, array.dtype).reshape(array.shape)
            if self.held.reversed:
                read = read[(slice(None, None, -1),) * read.ndim]
            assert read.tobytes() == array.tobytes(), f"rank {rank}:\n{read}\nis not\n{array}"
