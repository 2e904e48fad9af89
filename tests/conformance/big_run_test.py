# ctest: LABELS soak TIMEOUT 7200
"""Runs whose records have more than 2 GiB, and their files more than 4: every value is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import netCDF4
import numpy as np
import pytest
import zarr
from numpy.typing import NDArray
from support import conform, formula, mpi

GIB = 2**30
EDGE, ROWS = 24_000, 1_000  # a field of float32 has 2.3 GB
STEPS = (1, 2)
FORMATS = ["cdf2", "cdf5", "netcdf4", "netcdf4, compression: zstd", "zarr", "zarr, compression: zstd, sharding: true"]

Rows = Callable[[int, int], NDArray]


@contextmanager
def field_of(path: Path) -> Iterator[Rows]:
    """Reads rows of a record, from the first up to a thousand on."""
    if path.is_dir():
        array = zarr.open_group(path, mode="r")["ssh"]
        yield lambda record, first: np.asarray(array[record, first : first + ROWS])
        return
    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_maskandscale(False)
        yield lambda record, first: np.asarray(dataset["ssh"][record, first : first + ROWS])


def wanted_rows(step: int, first: int) -> NDArray:
    index = np.arange(first * EDGE, (first + ROWS) * EDGE, dtype=np.uint64)
    bits = formula.mix(formula.seed_of("ssh") + formula.mix(np.uint64(step << 40) + index))
    return ((bits >> np.uint64(11)).astype(np.float64) * 2.0**-21 - 2.0**31).astype(np.float32).reshape(ROWS, EDGE)


@pytest.mark.timeout(1500)
@pytest.mark.parametrize("format_name", FORMATS)
def test_every_value_of_big_records_is_right(tmp_path: Path, format_name: str) -> None:
    path = tmp_path / ("small.zarr" if format_name.startswith("zarr") else "small.nc")
    (tmp_path / "c.yaml").write_text(
        f"report: none\nstaging: 12 GiB\ncollections:\n  small: {{file: {path.name}, format: {format_name}}}\n"
    )
    mpi.run("conform", 4, tmp_path, "c.yaml", "collections=small", f"shape={EDGE},{EDGE}",
            f"records={len(STEPS)}", limit_s=900)  # fmt: skip
    assert path.is_dir() or "zstd" in format_name or path.stat().st_size > 4 * GIB
    with field_of(path) as rows:
        for record, step in enumerate(STEPS):
            for first in range(0, EDGE, ROWS):
                found, wanted = conform.native(rows(record, first)), wanted_rows(step, first)
                assert conform.same_bits(found, wanted), f"step {step}, rows from {first}"
