"""Calls of thalweg_netcdf.h by ctypes: netcdf_calls.py LIBRARY CASE. Two ranks, each with a row of (y, x) = (2, 4)."""

from __future__ import annotations

import ctypes
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from mpi4py import MPI

WORLD = MPI.COMM_WORLD
TYPES = {"b": 1, "S": 2, "h": 3, "i": 4, "f": 5, "d": 6, "B": 7, "H": 8, "I": 9, "q": 10, "Q": 11}  # netcdf.h, NC_BYTE
CLASSIC, NOCLOBBER, NETCDF4 = 0, 0x4, 0x1000
NX = 4


class Calls:
    """The library; a call that fails is told, and returns its code."""

    def __init__(self, library: str) -> None:
        self.library = ctypes.CDLL(library)
        self.library.thalweg_error_text.restype = ctypes.c_char_p
        self.session = ctypes.c_void_p()

    def __call__(self, name: str, *arguments: Any) -> int:
        code = int(getattr(self.library, f"thalweg_{name}")(*arguments))
        if code != 0:
            text = self.library.thalweg_error_text().decode()
            sys.stdout.write(f"rank {WORLD.rank}: {name}: {code}: {text}\n")
            sys.stdout.flush()
        return code

    def start(self, config: str) -> None:
        comm = ctypes.c_void_p.from_address(MPI._addressof(WORLD))
        assert self("start", comm, config.encode(), ctypes.byref(self.session)) == 0

    def finish(self) -> int:
        return self("finish", ctypes.byref(self.session))


class File:
    def __init__(self, call: Calls, path: str, mode: int = CLASSIC, has_time: bool = True) -> None:
        self.call = call
        self.ncid = self.number("nc_create", call.session, path.encode(), mode)
        self.dims = {"x": self.dim("x", NX), "y": self.dim("y", 2)}
        if has_time:
            self.dims["t"] = self.dim("t", 0)

    def number(self, name: str, *arguments: Any) -> int:
        number = ctypes.c_int(-1)
        self.call(name, *arguments, ctypes.byref(number))
        return number.value

    def dim(self, name: str, size: int) -> int:
        return self.number("nc_def_dim", self.ncid, name.encode(), ctypes.c_int64(size))

    def var(self, name: str, dims: str, kind: str = "d") -> int:
        ids = [self.dims[dim] for dim in dims]
        return self.number("nc_def_var", self.ncid, name.encode(), TYPES[kind], len(ids), (ctypes.c_int * 8)(*ids))

    def att(self, name: str, text: str) -> int:
        return self.call("nc_put_att", self.ncid, -1, name.encode(), TYPES["S"], len(text), text.encode())

    def put(self, var: int, values: npt.ArrayLike, start: list[int], count: list[int], kind: str = "d") -> int:
        array = np.ascontiguousarray(values, kind)
        sizes = [ctypes.c_int64 * max(1, len(of)) for of in (start, count, array.shape)]
        return self.call(
            *("nc_put_vara", self.ncid, var, len(start), sizes[0](*start), len(count), sizes[1](*count)),
            *(array.ctypes.data_as(ctypes.c_void_p), TYPES[kind], array.ndim, sizes[2](*array.shape), None),
        )

    def put_row(self, var: int, value: float, record: int | None = None, row: int = WORLD.rank) -> int:
        first = [] if record is None else [record]
        return self.put(var, np.full((1, NX), value), [*first, row, 0], [*(1 for _ in first), 1, NX])

    def sync(self) -> int:
        return self.call("nc_sync", self.ncid)

    def close(self) -> int:
        return self.call("nc_close", self.ncid)


def series(call: Calls, path: str, value: float, mode: int = CLASSIC, row: int = WORLD.rank, note: str = "") -> None:
    """A file with one record."""
    file = File(call, path, mode)
    temp = file.var("temp", "tyx")
    if note:
        file.att("note", note)
    file.put_row(temp, value, 0, row)
    file.sync()
    file.close()


def failed(call: Calls) -> None:
    """Definitions that cannot be, of ranks and of the format; the files before and behind are written."""
    series(call, "ok_1.nc", 1.0)
    file = File(call, "twice_1.nc", has_time=False)
    both = file.var("both", "xx")
    file.put(both, np.ones((2, NX)), [2 * WORLD.rank, 0], [2, NX])
    file.close()
    file = File(call, "int64_1.nc", has_time=False)
    file.put(file.var("v", "x", "q"), np.arange(NX), [], [], "q")
    file.close()
    file.close()
    series(call, "good_1.nc", 2.0)
    series(call, "ok_2.nc", 3.0)


def follow(call: Calls) -> None:
    """Files that do not follow as they are: other mode, header, parts; one is there, and kept."""
    series(call, "his_1.nc", 1.0)
    for mode in (NETCDF4 | NOCLOBBER, NOCLOBBER):
        call("nc_create", call.session, b"his_2.nc", mode, ctypes.byref(ctypes.c_int()))
    series(call, "none_2.nc", 2.0, NETCDF4 | NOCLOBBER)
    series(call, "his_3.nc", 3.0, NETCDF4)
    series(call, "his_4.nc", 4.0, note="long" * 5000)
    for number in range(5, 13):
        series(call, f"his_{number}.nc", float(number), row=(WORLD.rank + number) % 2)


def differing(call: Calls) -> None:
    """Variables that each rank has as a whole, in one call and in two, with the same values and with others."""
    file = File(call, "differing_1.nc")
    of_rank, same = file.var("of_rank", "tyx"), file.var("same", "tyx")
    scalar, halves, ends = file.var("scalar", ""), file.var("halves", "y"), file.var("ends", "y")
    file.put(of_rank, np.full((1, 2, NX), float(WORLD.rank)), [0, 0, 0], [1, 2, NX])
    file.put(same, np.arange(2.0 * NX), [0, 0, 0], [1, 2, NX])
    file.put(scalar, [5.0], [], [])
    for row in (0, 1) if WORLD.rank == 0 else (1, 0):
        file.put(halves, [float(row)], [row], [1])
        file.put(ends, [float(row * WORLD.rank)], [row], [1])
    file.sync()
    file.close()


def odd(call: Calls) -> None:
    """Arguments that netCDF takes or refuses."""
    file = File(call, "odd_1.nc")
    temp, time = file.var("temp", "tyx"), file.var("time", "t")
    scalar, small = file.var("scalar", "", "i"), file.var("small", "x", "B")
    file.put(temp, np.full((1, NX), 7.0), [9] * 17 + [0, WORLD.rank, 0], [9] * 17 + [1, 1, NX])
    file.put(scalar, [5], [0], [0], "i")
    file.put(small, [-1] * NX, [], [], "i")
    file.put(small, [255] * NX, [], [], "i")
    file.put(temp, np.zeros(NX), [0, 0, 2**62], [1, 1, NX])
    last = WORLD.rank == WORLD.size - 1
    file.put(time, [60.0 if last else -1.0], [0], [1 if last else 0])
    file.sync()
    file.close()


def types(call: Calls) -> None:
    """A variable and an attribute of each of netCDF's types, told as they were given; numbers that are no types."""
    file = File(call, "types_1.nc", NETCDF4, has_time=False)
    for kind, number in TYPES.items():
        name = f"of_{number}"
        values = np.frombuffer(b"text", "S1") if kind == "S" else np.arange(1, NX + 1, dtype=kind)
        var = file.var(name, "x", kind)
        part = values.ctypes.data_as(ctypes.c_void_p)
        call("nc_put_att", file.ncid, var, b"value", number, 3, part)
        call("nc_put_vara", file.ncid, var, 0, None, 0, None, part, number, 1, (ctypes.c_int64 * 1)(NX), None)
        told, count = ctypes.c_int(), ctypes.c_int()
        call("nc_inq_var", file.ncid, var, None, ctypes.byref(told), None, None, None)
        assert told.value == number
        call("nc_inq_att", file.ncid, var, b"value", ctypes.byref(told), ctypes.byref(count))
        assert (told.value, count.value) == (number, 3)
    for wrong in (0, 12):
        call("nc_def_var", file.ncid, b"wrong", wrong, 0, None, None)
    call("nc_put_att", file.ncid, -1, b"wrong", 12, 1, b"text")
    call("nc_put_vara", file.ncid, 0, 0, None, 0, None, b"text", -1, 1, (ctypes.c_int64 * 1)(NX), None)
    call("nc_def_dim", file.ncid, b"wrong", ctypes.c_int64(-1), None)
    file.close()


def partly(call: Calls) -> None:
    """One rank has an error where the others have none."""
    file = File(call, "partly_1.nc")
    first, second = file.var("first", "tyx"), file.var("second", "tyx")
    file.put_row(first, 1.0, 0)
    if WORLD.rank == 1:
        file.put_row(first, 2.0, 0)
    file.put_row(second, 3.0, 0)
    file.close()


def rewritten(call: Calls) -> None:
    """Variables without records, put again: before the first record is closed, then the same, then others."""
    file = File(call, "again_1.nc")
    temp, mask, steps = file.var("temp", "tyx"), file.var("mask", "yx"), file.var("steps", "", "i")
    for record in range(3):
        file.put_row(mask, -1.0 if record == 0 else 4.0)
        file.put_row(mask, 4.0)
        file.put(steps, [3 if record < 2 else 5], [], [], "i")
        file.put_row(temp, float(record), record)
        file.sync()
    file.close()
    one = File(call, "one.nc", has_time=False)
    state = one.var("state", "yx")
    one.put_row(state, 1.0)
    one.put_row(state, 2.0)
    one.close()


def ranges(call: Calls) -> None:
    """A value that one rank cannot have, in the first record of a file and in a later one."""
    for wrong in range(2):
        file = File(call, f"range{wrong}.nc")
        small = file.var("small", "tyx", "b")
        for record in range(2):
            is_wrong = record == wrong and WORLD.rank == 1
            file.put_row(small, 300.0 if is_wrong else 7.0, record)
            file.sync()
        file.close()


def again(call: Calls) -> None:
    """A name twice, and restart files whose values without records change."""
    for number in range(3):
        file = File(call, f"rst_{number}.nc", has_time=False)
        file.put_row(file.var("state", "yx"), float(number))
        file.close()
    call("nc_create", call.session, b"rst_1.nc", 0, ctypes.byref(ctypes.c_int()))
    call("nc_create", call.session, b"tab\t.nc", 0, ctypes.byref(ctypes.c_int()))


def snapshots(call: Calls) -> None:
    """Many files without an unlimited dimension, one after the other."""
    for number in range(40):
        file = File(call, f"snap_{number:04}.nc", has_time=False)
        file.att("note", f"file {number:03}")
        state, count = file.var("state", "yx"), file.var("record", "", "i")
        file.put_row(state, float(number))
        file.put(count, [number], [], [], "i")
        file.close()
        if number == 20:
            call("wait", call.session)
            assert os.path.exists("snap_0020.nc")


def moving(call: Calls) -> None:
    """Files with an unlimited dimension and other values without it each; of one the same ones as before."""
    for number in range(40):
        file = File(call, f"moving_{number:04}.nc")
        temp, mask = file.var("temp", "tyx"), file.var("mask", "yx")
        file.put_row(temp, float(number), 0)
        file.put_row(mask, 3.0 if number == 4 else float(number))
        file.close()


def alone(call: Calls) -> None:
    """One rank puts what has records, and every rank syncs and closes; a sync of none before it closes nothing."""
    for number in range(2):
        file = File(call, f"alone_{number}.nc")
        temp = file.var("temp", "tyx")
        file.sync()
        for record in range(3):
            if WORLD.rank == 1:
                file.put(temp, np.full((2, NX), number + 1.0), [record, 0, 0], [1, 2, NX])
            if record < 2 or number == 0:
                file.sync()
        file.close()


def unsynced(call: Calls) -> None:
    """One rank puts several records, and no rank syncs; then one that puts what cannot be cut."""
    file = File(call, "unsynced.nc")
    temp = file.var("temp", "tyx")
    for record in range(2 if WORLD.rank == 1 else 0):
        file.put(temp, np.ones((2, NX)), [record, 0, 0], [1, 2, NX])
    file.close()
    file = File(call, "scalar.nc")
    hours = file.var("time", "t")
    if WORLD.rank == 1:
        file.put(hours, [1.0], [0], [1])
    file.sync()
    file.close()


def apart(call: Calls) -> None:
    """Ranks that are in calls of which each waits for the others."""
    file = File(call, "apart.nc")
    file.put_row(file.var("temp", "tyx"), 1.0, 0)
    if WORLD.rank == 0:
        file.sync()


def masters(call: Calls) -> None:
    """Files of several nodes whose variables each rank puts as a whole, with values of its own from a record on."""
    for name in ("one", "two", "three"):
        file = File(call, f"{name}_1.nc")
        whole, seconds = file.var(f"{name}_temp", "tyx"), file.var("seconds", "t")
        for record in range(3):
            value = 5.0 if WORLD.rank == 0 or record == 0 else -1.0
            file.put(whole, np.full((1, 2, NX), value), [record, 0, 0], [1, 2, NX])
            file.put(seconds, [value], [record], [1])
            file.sync()
        file.close()


def sometimes(call: Calls) -> None:
    """All ranks put values of the first record, one of them alone in later ones, and all sync, twice at the end."""
    file = File(call, "sometimes_1.nc")
    temp = file.var("temp", "tyx")
    for record in range(4):
        if record == 0 or WORLD.rank == record % 2:
            file.put_row(temp, 1.0 + record, record)
        file.sync()
    file.sync()
    file.close()


def left(call: Calls) -> None:
    """One rank alone makes a file and leaves it open."""
    if WORLD.rank == 0:
        file = File(call, "left.nc")
        file.put_row(file.var("temp", "tyx"), 1.0, 0)


def closed_alone(call: Calls) -> None:
    """One rank alone makes a file and closes it."""
    series(call, "before_1.nc", 1.0)
    if WORLD.rank == 0:
        series(call, "mine_1.nc", 2.0)


def late(call: Calls) -> None:
    """One rank comes to a sync when the other has given up; both have told of a file before."""
    series(call, "before.nc", 1.0)
    file = File(call, "late.nc")
    file.put_row(file.var("temp", "tyx"), 1.0, 0)
    file.put_row(file.var("salt", "tyx"), 1.0, 0)
    if WORLD.rank == 1:
        time.sleep(4.0)
    file.sync()


def fewer(call: Calls) -> None:
    """One rank has a record more than the other."""
    file = File(call, "fewer.nc")
    temp = file.var("temp", "tyx")
    for record in range(3 if WORLD.rank == 0 else 2):
        file.put_row(temp, 1.0, record)
        file.sync()
    file.close()


def nowhere(call: Calls) -> None:
    """Names that storage takes for no file, and one that is one."""
    for path in ("nofolder/x.nc", "folder.nc", "n" * 300 + ".nc"):
        call("nc_create", call.session, path.encode(), CLASSIC, ctypes.byref(ctypes.c_int()))
    series(call, "f_1.nc", 1.0)


def opened(call: Calls) -> None:
    """Files of netCDF's calls, and then the collection by the program's own call."""
    series(call, "f_1.nc", 1.0)
    call("open_collection", call.session, b"g", ctypes.byref(ctypes.c_int()))


def created(call: Calls) -> None:
    """One that is refused."""
    call("nc_create", call.session, b"f_1.nc", CLASSIC, ctypes.byref(ctypes.c_int()))


CASES: dict[str, Callable[[Calls], None]] = {
    case.__name__: case
    for case in (
        *(
            failed,
            follow,
            differing,
            odd,
            types,
            partly,
            again,
            snapshots,
            rewritten,
            ranges,
            moving,
            alone,
            unsynced,
            apart,
        ),
        *(late, fewer, nowhere, opened, created, differing, left, closed_alone, masters, sometimes),
    )
}

if __name__ == "__main__":
    calls = Calls(sys.argv[1])
    calls.start("thalweg.yaml")
    CASES[sys.argv[2]](calls)
    calls("wait", calls.session)
    calls.finish()
