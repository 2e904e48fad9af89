"""Runs of test programs, many in one start of mpiexec (tests/programs/batch.hpp), which takes longer than most of them.
A run that ends the program is named, and does not keep those after it from being made: they are started again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support import mpi

CONFIGURATION = "thalweg.yaml"
ALONE_S, MORE_S = 60, 3  # limits of a start: for the first run, and for each further one, on a busy machine
MOST_S = 240  # pytest ends a test after 300 s, and would leave the ranks


@dataclass(frozen=True)
class Job:
    """A run that has to succeed."""

    program: str
    ranks: int
    configuration: str
    words: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def job(self) -> Job:
        return self

    def prepare(self, folder: Path) -> list[str]:
        """Returns the words for the program."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / CONFIGURATION).write_text(self.configuration)
        return [CONFIGURATION, *self.words]

    def run(self, folder: Path) -> None:
        """In a start of its own."""
        words = self.prepare(folder)
        mpi.run(self.program, self.ranks, folder, *words, environment=dict(self.environment))

    def may_join(self, other: Job) -> bool:
        """They may be made in one start."""
        return (self.program, self.ranks, self.environment) == (other.program, other.ranks, other.environment)


class Batch:
    """Jobs with a folder each. They are made when one of them is asked for, with all others that may join it."""

    def __init__(self, folder: Path, jobs: Iterable[Job]) -> None:
        self.folder = folder
        self.jobs = list(dict.fromkeys(jobs))
        self.faults: dict[Job, str] = {}  # of all that were started; empty: none
        self.starts = 0

    def made(self, job: Job) -> Path:
        """The folder of a job, which was made without a fault."""
        if job not in self.jobs:
            self.jobs.append(job)
        if job not in self.faults:
            self.start([job, *(one for one in self.jobs if one != job and one.may_join(job))])
        assert not self.faults[job], f"{job}\n{self.faults[job]}"
        return self.place(job)

    def place(self, job: Job) -> Path:
        return self.folder / str(self.jobs.index(job))

    def start(self, jobs: list[Job]) -> None:
        """Makes those that were not started before, up to the first that ends the program."""
        jobs = [job for job in jobs if job not in self.faults]
        self.starts += 1
        lines = ["\t".join([str(self.place(job)), *job.prepare(self.place(job))]) for job in jobs]
        file = self.folder / f"start{self.starts}"
        file.write_text("".join(f"{line}\n" for line in lines))
        limit_s = min(MOST_S, ALONE_S + MORE_S * len(jobs))
        done = mpi.start(jobs[0].program, jobs[0].ranks, self.folder, f"@{file}",
                         limit_s=limit_s, environment=dict(jobs[0].environment), alone=True)  # fmt: skip
        log = file.with_name(f"{file.name}.done")
        made = len(log.read_text().splitlines()) if log.exists() else 0
        self.faults |= dict.fromkeys(jobs[:made], "")
        if made < len(jobs) or done.returncode != 0:  # after the last of them the program has still to end well
            said = f"run {made + 1} of {len(jobs)} ended the program: exit {done.returncode}"
            said += f"\n{done.stdout}{done.stderr}"
            self.faults[jobs[min(made, len(jobs) - 1)]] = said


def of_tests(
    request: pytest.FixtureRequest,
    folders: pytest.TempPathFactory,
    jobs_of: Callable[[Any], Iterable[Job]] = lambda parameter: [parameter.job],
) -> Batch:
    """What those tests of a module need that are about to run and have a parameter with a job."""
    calls = [item.callspec for item in request.session.items if item.path == request.path and hasattr(item, "callspec")]
    parameters = [value for call in calls for value in call.params.values() if hasattr(value, "job")]
    return Batch(folders.mktemp("batch"), [job for parameter in parameters for job in jobs_of(parameter)])


@pytest.fixture(scope="module")
def batch(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Batch:
    """Of parameters that are jobs or have one; a module whose parameters have several makes its own."""
    return of_tests(request, tmp_path_factory)
