# ctest: SHORT LABELS mpi TIMEOUT 300
"""What becomes of the values of a file that is read: types, packed and missing values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from numpy.typing import NDArray
from support.batch import Batch, Job
from support.reading import Get, Held, files_in, folder_named

FOLDER = folder_named("reading-values")
SIZE = 24
INTEGERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f4", "f8"]
PACKED = np.arange(-12, 12, dtype="i2")
SCALE, OFFSET = 0.1, 273.15
UNPACKED = PACKED * SCALE + OFFSET
MISSING = -12
LARGE = np.arange(65535, 65535 - SIZE, -1).astype("u2")


def numbers(code: str) -> NDArray[Any]:
    """Those that every type holds."""
    return (np.arange(SIZE) % 100).astype(code)


@pytest.fixture(scope="module")
def file() -> Iterator[Path]:
    with files_in(FOLDER):
        with netCDF4.Dataset(FOLDER / "values.nc", "w") as dataset:
            dataset.set_auto_maskandscale(False)
            dataset.createDimension("x", SIZE)
            for code in INTEGERS + FLOATS:
                dataset.createVariable(code, code, ("x",))[:] = numbers(code)
            packed = dataset.createVariable("packed", "i2", ("x",), fill_value=MISSING)
            packed.setncatts({"scale_factor": SCALE, "add_offset": OFFSET})
            dataset.createVariable("unsigned", "i1", ("x",)).setncatts({"_Unsigned": "true"})
            dataset.createVariable("large", "u2", ("x",), fill_value=65535)
            two = dataset.createVariable("two", "f4", ("x",), fill_value=np.float32(1e20))
            two.setncatts({"missing_value": np.array([5.0, 7.0], "f8")})
            nan = dataset.createVariable("nan", "f8", ("x",), fill_value=np.nan)
            default = dataset.createVariable("default", "f8", ("x",))
            dataset.set_auto_maskandscale(False)
            packed[:] = PACKED
            dataset["unsigned"][:] = np.arange(-12, 12, dtype="i1")
            dataset["large"][:] = LARGE
            two[:] = np.r_[np.float32(1e20), np.arange(1, SIZE, dtype="f4")]
            nan[:] = np.r_[np.nan, np.arange(1, SIZE)]
            default[: SIZE // 2] = np.arange(SIZE // 2)
        yield FOLDER


@dataclass(frozen=True)
class Case:
    variable: str
    type: str
    missing: float | None = None

    def whole(self) -> NDArray[Any]:
        name = self.variable
        if name in INTEGERS + FLOATS:
            return numbers(name).astype(self.type)
        if name == "packed":
            hidden = PACKED == MISSING
            values = np.where(hidden, np.nan, UNPACKED) if self.type in FLOATS else PACKED
        elif name == "unsigned":
            values = np.arange(-12, 12, dtype="i1").astype(self.type)
            if np.dtype(self.type).itemsize > 1:
                values = np.arange(-12, 12, dtype="i1").view("u1").astype(self.type)
            hidden = np.zeros(SIZE, bool)
        elif name == "large":  # types without a sign have their bits in those of the same size
            values = LARGE if np.dtype(self.type).itemsize > 2 else LARGE.view("i2")
            hidden = LARGE == 65535
        elif name == "two":
            values = np.r_[np.float32(1e20), np.arange(1, SIZE, dtype="f4")]
            hidden = np.isin(values, [np.float32(1e20), 5, 7])
        elif name == "nan":
            values = np.r_[np.nan, np.arange(1, SIZE)]
            hidden = np.isnan(values)
        else:
            values = np.r_[np.arange(SIZE // 2), np.full(SIZE // 2, netCDF4.default_fillvals["f8"])]
            hidden = np.arange(SIZE) >= SIZE // 2
        if self.missing is not None:
            values = np.where(hidden, self.missing, values)
        return values.astype(self.type)

    @property
    def get(self) -> Get:
        boxes = (((0,), (SIZE - 5,)), ((SIZE - 5,), (5,)))
        return Get(FOLDER / "values.nc", self.variable, self.whole(), ("x",), Held(("x",), boxes), None, self.missing)

    @property
    def job(self) -> Job:
        return Job("reads", 2, "report: none\n", tuple(self.get.words(2)))


CASES = [
    *(Case(a, b) for a in INTEGERS + FLOATS for b in INTEGERS + FLOATS),
    *(Case("packed", code) for code in ["f4", "f8", "i2", "i4"]),
    Case("packed", "f8", -1.0),
    Case("packed", "f4", np.nan),
    Case("packed", "i2", 0),
    Case("unsigned", "i1"),
    Case("unsigned", "u1"),
    Case("unsigned", "i2"),
    Case("unsigned", "f4"),
    Case("large", "i2"),
    Case("large", "i2", -5.0),
    Case("large", "i4", -5.0),
    Case("two", "f4"),
    Case("two", "f4", 0.5),
    Case("two", "f8", -1.0),
    Case("nan", "f8", 3.0),
    Case("nan", "i4", 3),
    Case("default", "f8"),
    Case("default", "f8", np.nan),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_converts_values(batch: Batch, file: Path, case: Case) -> None:
    case.get.check(batch.made(case.job), 2)
