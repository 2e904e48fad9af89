# ctest: SHORT LABELS mpi TIMEOUT 120
"""What makes many runs in one start of mpiexec tells them apart: a fault is that of one run, and hides no other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support import conform
from support.batch import Batch, Job

WORDS = ("collections=small", "shape=5,6")
GOOD = [Job("conform", 2, "report: none\n", (*WORDS, f"records={records}")) for records in (1, 2, 3)]


def check(batch: Batch, job: Job) -> None:
    conform.check_file(batch.made(job) / "small.nc", conform.small(5, 6), list(range(1, GOOD.index(job) + 2)))


def test_jobs_that_may_be_joined_are_made_in_one_start(tmp_path: Path) -> None:
    other_place = replace(GOOD[0], ranks=1)
    batch = Batch(tmp_path, [*GOOD, other_place])
    for job in GOOD:
        check(batch, job)
    assert batch.starts == 1
    assert not (batch.place(other_place) / "small.nc").exists()
    batch.made(other_place)
    assert batch.starts == 2


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        pytest.param(replace(GOOD[0], configuration="writters: thread\n"), "did you mean 'writers'", id="an error"),
        pytest.param(replace(GOOD[0], words=(*WORDS, "records=many")), "signal 6", id="a crash"),
    ],
)
def test_a_fault_is_told_of_its_job_and_the_others_are_made(tmp_path: Path, fault: Job, text: str) -> None:
    batch = Batch(tmp_path, [GOOD[0], fault, *GOOD[1:]])
    check(batch, GOOD[0])
    for _ in range(2):
        with pytest.raises(AssertionError, match="run 2 of 4") as met:
            batch.made(fault)
        assert text in str(met.value)
    check(batch, GOOD[1])
    check(batch, GOOD[2])
    assert batch.starts == 2
