"""A command that MPI itself has started: its first rank is the command, the others do the jobs that it tells them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import thalweg
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import complain
from thalweg.cli.replay.job import Job
from thalweg.cli.replay.launch import read_result

if TYPE_CHECKING:
    from mpi4py import MPI

Work = Callable[[Job], dict[str, Any]]


def crew() -> MPI.Intracomm:
    if not hasattr(thalweg, "start_text"):
        raise Failure(Exit.ENVIRONMENT, "inside of MPI the installed package is needed: mpiexec -n N thalweg replay …")
    from mpi4py import MPI

    return MPI.COMM_WORLD


def follow(comm: MPI.Intracomm) -> None:
    """The part of all ranks but the first."""
    while (job := comm.bcast(None)) is not None:
        done(comm, job)


@contextmanager
def leading(comm: MPI.Intracomm) -> Iterator[Work]:
    """The part of the first rank: a function that has a job done by all."""

    def work(job: Job) -> dict[str, Any]:
        comm.bcast(job)
        done(comm, job)
        return read_result(job, comm.Get_size())

    try:
        yield work
    finally:
        comm.bcast(None)


def done(comm: MPI.Intracomm, job: Job) -> None:
    """The other ranks may wait for one that fails, for as long as their deadline is: it ends the job."""
    from thalweg.cli.replay import rank

    try:
        rank.perform(comm, job)
    except Exception as fault:
        said = rank.fault_of(fault)
        if comm.Get_size() == 1:
            raise Failure(Exit(said["code"]), said["text"]) from None
        complain(f"thalweg: {said['text']}")
        sys.stderr.flush()
        comm.Abort(said["code"])
        raise
