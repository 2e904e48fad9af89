# ctest: TIMEOUT 120
"""Files of many GiB with variables of several GiB: what is near their beginnings, their ends and each multiple of
2 GiB is where readers look for it. The files are sparse: tests/programs/inner/sparse.cpp writes few of their bytes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import h5py
import netCDF4
import numpy as np
import pytest
from numpy.typing import NDArray
from support import mpi
from support.conform import same_bits

GIB = 2**30
WITHOUT_FALLOCATE = {"LD_PRELOAD": str(mpi.BUILD / "lib" / "libslow_pwrite.so"), "THALWEG_TEST_NO_FALLOCATE": "1"}
EDGE, LEVELS, FEW, RECORDS = 20000, 3, 4, 2
PLACE_CELLS = 4
FORMATS = pytest.mark.parametrize("format_name", ["cdf2", "cdf5", "netcdf4", "netcdf4-classic"])

Read = Callable[[str, tuple[int | slice, ...]], NDArray]


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """Of a file that does not stay: what does not know holes takes it for what it seems to be."""
    path = tmp_path / "sparse.nc.partial"
    yield path
    for file in path.parent.iterdir():
        file.unlink()


def write(path: Path, format_name: str, *words: str) -> None:
    mpi.run("sparse", 1, path.parent, format_name, path, *words, limit_s=30, environment=WITHOUT_FALLOCATE)
    assert path.stat().st_size > 5 * GIB
    assert path.stat().st_blocks * 512 < GIB // 16, "the file is not sparse"


def places(cells: int, element_bytes: int) -> list[int]:
    step = 2 * GIB // element_bytes
    near = [cell for multiple in range(step, cells, step) for cell in (multiple - PLACE_CELLS, multiple)]
    last = [cells - PLACE_CELLS] if cells > PLACE_CELLS else []
    return [0, *(cell // PLACE_CELLS * PLACE_CELLS for cell in near), *last]


def check(read: Read, format_name: str) -> None:
    volume = (EDGE, EDGE) if format_name == "cdf2" else (LEVELS, EDGE, EDGE)
    variables = {
        "mesh": (0, "f8", (EDGE, EDGE), 1),
        "temp": (1, "f8" if format_name == "cdf2" else "f4", volume, RECORDS),
        "after": (2, "f8", (FEW,), RECORDS),
    }
    for name, (number, type_name, shape, records) in variables.items():
        element_bytes = np.dtype(type_name).itemsize
        assert name == "after" or int(np.prod(shape)) * element_bytes > (3 if format_name == "cdf2" else 2) * 10**9
        for record in range(records):
            for first in places(int(np.prod(shape)), element_bytes):
                at = np.unravel_index(first, shape)
                where = (*(int(i) for i in at[:-1]), slice(int(at[-1]), int(at[-1]) + PLACE_CELLS))
                found = read(name, where if name == "mesh" else (record, *where))
                cells = np.arange(first, first + PLACE_CELLS)
                wanted = (cells % 99991 * 16 + record * 4 + number).astype(type_name)
                assert same_bits(found.astype(found.dtype.newbyteorder("=")), wanted), (name, record, at, found, wanted)


def check_file(path: Path, format_name: str) -> None:
    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_maskandscale(False)
        assert len(dataset.dimensions["time"]) == RECORDS
        check(lambda name, where: np.asarray(dataset[name][where]), format_name)
    if not format_name.startswith("netcdf4"):
        return
    with h5py.File(path) as file:
        check(lambda name, where: np.asarray(file[name][where]), format_name)


@FORMATS
def test_every_place_of_a_big_file_is_found(path: Path, format_name: str) -> None:
    write(path, format_name)
    check_file(path, format_name)


@FORMATS
def test_a_big_file_left_by_a_killed_run_is_recovered(path: Path, format_name: str) -> None:
    write(path, format_name, "open")
    assert mpi.run("recover", 1, path.parent, path).split() == [str(RECORDS)]
    check_file(path.with_suffix(""), format_name)


@FORMATS
def test_nco_finds_the_last_cells(path: Path, format_name: str) -> None:
    write(path, format_name)
    last = ["-d", f"time,{RECORDS - 1}", "-d", f"row,{EDGE - 1}", "-d", f"column,{EDGE - PLACE_CELLS},{EDGE - 1}"]
    level = [] if format_name == "cdf2" else ["-d", f"level,{LEVELS - 1}"]
    done = subprocess.run(
        ["ncks", "-C", "-H", "-s", "%.0f ", "-v", "temp", *last, *level, path],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    cells = np.arange(PLACE_CELLS) + (1 if level == [] else LEVELS) * EDGE**2 - PLACE_CELLS
    assert done.stdout.split() == [str(cell % 99991 * 16 + (RECORDS - 1) * 4 + 1) for cell in cells]
