# ctest: SHORT LABELS mpi TIMEOUT 120
"""Variables that have a dimension twice, as a covariance has: every value is at its place, in all formats."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from support import cases, conform, mpi
from support.batch import Batch, Job

SHAPE = (11, 14)
FORMATS = cases.FORMATS | {"cdf1": "cdf1", "cdf2": "cdf2", "netcdf4_classic": "netcdf4-classic", "fortran": "fortran"}
WAYS = {
    "two_nodes": "emulate-nodes: [2, 1]",
    "sync": "writers: sync",
    "server": "writers: {ranks: 1}",
}


@dataclass(frozen=True)
class Square:
    format: str
    way: str = "two_nodes"
    keys: str = "pattern: shared"

    def __str__(self) -> str:
        return f"{self.format}-{self.way}-{self.keys.replace(' ', '_')}"

    @property
    def job(self) -> Job:
        text = (
            f"{WAYS[self.way]}\nreport: none\ndeadline: 30 s\ncollections:\n"
            f"  square: {{file: square.nc, format: {FORMATS[self.format]}, {self.keys}}}\n"
        )
        return Job("conform", 3, text, ("collections=square", f"shape={SHAPE[0]},{SHAPE[1]}", "records=2"))


CASES = [
    *(Square(name) for name in FORMATS),
    *(Square(name, way) for name in ("cdf5", "netcdf4_zstd") for way in ("sync", "server")),
    *(Square(name, keys="engine: library") for name in ("cdf5", "netcdf4")),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_dimension_may_come_twice(case: Square, batch: Batch) -> None:
    check = conform.check_fortran_file if case.format == "fortran" else conform.check_file
    check(batch.made(case.job) / "square.nc", conform.square(*SHAPE), [1, 2])


def test_files_of_a_set_do_not_hold_a_section_of_it(tmp_path: Path) -> None:
    job = Square("cdf5", keys="pattern: per-domain, layout: [1, 2]").job
    done = mpi.start(job.program, job.ranks, tmp_path, *job.prepare(tmp_path), limit_s=30)
    assert done.returncode == 11, done.stdout + done.stderr
    for part in ("collection 'square', variable 'tensor'", "the dimension 'x' twice", "set pattern: shared"):
        assert part in done.stderr.replace("covariance", "tensor"), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thalweg.yaml"]
