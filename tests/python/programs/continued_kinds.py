"""A model with variables of every type, whose values follow from the time alone:
continued_kinds.py FIRST LAST [WORD ...]

Steps FIRST + 1 to LAST are made, of a minute each, with a record each. Words:

single   has a scale_factor of single precision
letters  has another _FillValue of characters
"""

from __future__ import annotations

import sys

import numpy as np
import numpy.typing as npt
import thalweg
from mpi4py import MPI

NX, LETTERS = 11, 5
STEP_S = 60.0
TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]


def field(dtype: str, time_s: float) -> npt.NDArray[np.generic]:
    """Any bits: among them are numbers that are none."""
    size = np.dtype(dtype).itemsize
    bits = np.random.default_rng(int(time_s) + 1).integers(0, 256, NX * size, np.uint8)
    if dtype == "f4":
        bits[4:8] = [1, 0, 0xC0, 0x7F]
    return bits.view(dtype)


def letters(time_s: float) -> npt.NDArray[np.bytes_]:
    return np.array(list(f"{time_s:.0f}".ljust(LETTERS, "\0")), "S1")


class Model:
    def __init__(self, io: thalweg.Session, words: list[str]) -> None:
        self.io = io
        rank, ranks = io.model_comm.Get_rank(), io.model_comm.Get_size()
        self.part = slice(NX * rank // ranks, NX * (rank + 1) // ranks)
        cells = io.decompose("x", (NX,), (self.part.start,), (self.part.stop - self.part.start,))
        self.history = history = io.collection("history")
        history.define_dimension("letter", LETTERS)
        for dtype in TYPES:
            history.define_variable(f"{dtype}_fixed", "x", dtype, cells)
            history.define_variable(f"{dtype}_field", "ocean_time,x", dtype, cells, units="°C")
        history.define_variable("name", "letter", "S1")
        history.define_variable("label", "ocean_time,letter", "S1", _FillValue="-" if "letters" in words else "*")
        history.define_variable("depth", "", "f8", missing_value=np.nan)
        history.define_variable("rare", "ocean_time,x", "f4", cells, _FillValue=np.nan, valid_min=-1e3)
        history.define_variable("packed", "ocean_time,x", "i2", cells, _FillValue=-9, add_offset=-2.5, missing_value=-7)
        scale = np.float32(0.1) if "single" in words else 0.1
        history.define_attribute("packed", "scale_factor", scale)

    def put_fixed(self) -> None:
        for dtype in TYPES:
            self.history.put(f"{dtype}_fixed", field(dtype, 0.0)[self.part])
        self.history.put("name", letters(123.0))
        self.history.put("depth", np.float64(-7.25))

    def put(self, step: int) -> None:
        time_s = step * STEP_S
        for dtype in TYPES:
            self.history.put(f"{dtype}_field", field(dtype, time_s)[self.part])
        self.history.put("packed", field("i2", time_s)[self.part])
        if step % 3 != 0:
            self.history.put("label", letters(time_s))
            self.history.put("rare", field("f4", time_s)[self.part])


def main(first: int, last: int, words: list[str]) -> None:
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        io.set_time(first * STEP_S)
        model = Model(io, words)
        io.ready()
        model.put_fixed()
        for step in range(first + 1, last + 1):
            model.put(step)
            io.advance(step * STEP_S)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
