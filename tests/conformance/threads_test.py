# ctest: LABELS mpi TIMEOUT 120
"""Threads put parts of fields: what is written has the bits of one thread's puts, whatever is made of the fields, and
each thread learns of its own errors."""

from __future__ import annotations

from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import mpi
from support.threads import FILES, PLACES, TOP, written


@pytest.mark.parametrize("place", PLACES)
def test_the_bits_are_those_of_one_thread(tmp_path: Path, place: str) -> None:
    of_one = written(tmp_path / "one", place, 1)
    for threads in (2, 7):
        of_several = written(tmp_path / f"{threads}", place, threads)
        assert [name for name in FILES if of_several[name] != of_one[name]] == []


def test_values_are_those_of_the_blocks(tmp_path: Path) -> None:
    written(tmp_path / "several", "one rank", 5)
    y, x = np.mgrid[0:24, 0:40]
    of_steps = [np.sin(2.0 + 0.37 * step + 0.11 * (y * 40 + x)) for step in range(12)]
    with netCDF4.Dataset(tmp_path / "several" / "means.nc") as file:
        means = np.asarray(file["u"][:])
    assert np.allclose(means, np.mean(np.reshape(of_steps, (4, 3, 24, 40)), axis=1), rtol=1e-12, atol=1e-14)
    with netCDF4.Dataset(tmp_path / "several" / "instants.nc") as file:
        assert np.allclose(np.asarray(file["u"][:]), of_steps[1::2], rtol=1e-14, atol=1e-15)


def test_each_thread_learns_of_its_own_errors(tmp_path: Path) -> None:
    (tmp_path / "thalweg.yaml").write_text(
        f"{TOP}collections: {{means: {{file: means.nc, every: 3 h, operation: mean, fields: [u]}}}}\n"
    )
    # 24 blocks, each of which one of five threads puts.
    assert mpi.run("threads_put", 1, tmp_path, 5, "twice") == "24 accepted, 96 refused\n"


def test_a_parallel_region_of_openmp(tmp_path: Path) -> None:
    of_threads = {}
    for threads in (1, 4):
        folder = tmp_path / f"{threads}"
        folder.mkdir()
        (folder / "thalweg.yaml").write_text(
            f"{TOP}collections:\n"
            "  means: {file: means.nc, every: 5 h, operation: mean, fields: [temp, pressure]}\n"
            "  instants: {file: instants.nc, every: 3 h, fields: [temp, pressure]}\n"
        )
        said = mpi.run("threads_openmp", 1, folder, environment={"OMP_NUM_THREADS": str(threads)})
        assert said == f"{threads} threads\n"
        of_threads[threads] = [(folder / name).read_bytes() for name in ("means.nc", "instants.nc")]
    assert of_threads[1] == of_threads[4]
    with netCDF4.Dataset(folder / "instants.nc") as file:
        k, j, i = np.mgrid[1:5, 1:49, 1:61]
        assert np.allclose(file["temp"][0], 280 + k + np.cos(0.05 * (3 * i + j) - 3), atol=1e-4)
