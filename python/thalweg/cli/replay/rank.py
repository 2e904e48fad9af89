"""What each rank does: python -m thalweg.cli.replay.rank JOB, alone or under mpiexec."""

from __future__ import annotations

import json
import os
import re
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import thalweg
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.replay import classic
from thalweg.cli.replay.clock import clock_of
from thalweg.cli.replay.job import Job, Launched
from thalweg.cli.replay.launch import FAULT
from thalweg.cli.replay.plan import make_plan
from thalweg.cli.replay.play import How, Timing, play
from thalweg.cli.replay.told import Told
from thalweg.data import DataError, open_any

if TYPE_CHECKING:
    from mpi4py import MPI

AnyJob = TypeVar("AnyJob", bound=Launched)


def perform(comm: MPI.Comm, job: Job) -> None:
    """Leaves what was measured in the job's folder."""
    ways: dict[str, list[list[dict[str, Any]]]] = {"thalweg": [], "classic": []}
    profiles = []
    with open_any(job.source) as dataset:
        plan = make_plan(dataset, job.format, job.record_dim, job.cuts)
        clock = clock_of(dataset, plan)
        # What is kept is there twice for a moment: in the model's arrays and in the staging memory.
        steps = plan.records * job.repeat * (2 if job.classic else 1)
        told = Told(job.told if comm.Get_rank() == 0 else None, steps)
        how = How(job.halo, job.step_s, plan.bytes <= job.memory, told)
        for _ in range(job.repeat):
            timing = play(comm, job.yaml(plan, clock.settings), dataset, plan, clock, how)
            ways["thalweg"].append(together(comm, timing))
            if comm.Get_rank() == 0:
                profiles.append(json.loads(job.result("profile").read_text()))
            codec = classic.codec_of(profiles[-1]["settings"]) if comm.Get_rank() == 0 else {}
            if job.classic:
                file = Path(job.folder) / "classic.nc"
                ways["classic"].append(together(comm, classic.play(comm, file, job.format, codec, dataset, plan, how)))
        result = {
            "ranks": comm.Get_size(),
            "grids": {",".join(cut): shape for cut, shape in plan.grids.items()},
            "read_ahead": how.keeps_all,
            "ways": ways,
            "profiles": profiles,
        }
    if comm.Get_rank() == 0:
        job.result("result").write_text(json.dumps(result))


def together(comm: MPI.Comm, timing: Timing) -> list[dict[str, Any]]:
    """Of all ranks, on rank 0."""
    return [asdict(one) for one in comm.gather(timing) or []]


def fault_of(fault: BaseException) -> dict[str, Any]:
    """What the command will say of it, and its exit code."""
    code, text = Exit.INTERNAL, f"{type(fault).__name__}: {fault}"
    if isinstance(fault, thalweg.Error):
        wrong_words = ("CONFIG", "NAME", "SHAPE", "FORMAT", "ARGUMENT")
        code = (
            Exit.USAGE
            if fault.code.name == "CONFIG"
            else Exit.INPUT
            if fault.code.name in wrong_words
            else Exit.ENVIRONMENT
        )
        # Places in the configuration, which the job has made, tell nothing.
        faults = re.findall(r"error: (.*)", str(fault)) if fault.code.name == "CONFIG" else []
        text = "; ".join(faults) or str(fault)
    elif isinstance(fault, Failure):
        code, text = fault.code, str(fault)
    elif isinstance(fault, DataError):
        code, text = Exit.INPUT, str(fault)
    elif isinstance(fault, OSError):
        where = f"'{fault.filename}': " if fault.filename else ""
        code, text = Exit.ENVIRONMENT, f"{where}{os.strerror(fault.errno) if fault.errno else fault}"
    elif isinstance(fault, MemoryError):
        code, text = Exit.ENVIRONMENT, "the memory is not enough"
    return {"code": int(code), "text": text, "trace": traceback.format_exception(fault)}


def tell(job: Launched, rank: int, fault: str) -> None:
    """Twice: the disk may be full, and mpiexec loses what a job says that is aborted."""
    print(f"{FAULT}{fault}", file=sys.stderr, flush=True)
    with suppress(OSError):
        job.result(f"fault.{rank:06}").write_text(fault)


def main(load: Callable[[str], AnyJob], perform: Callable[[MPI.Intracomm, AnyJob], None]) -> None:
    """The job is named by the only argument of the program."""
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    job = load(sys.argv[1])
    try:
        perform(comm, job)
    except Exception as fault:
        tell(job, comm.Get_rank(), json.dumps(fault_of(fault)))
        if comm.Get_size() > 1:
            comm.Abort(1)  # the others would wait for this rank
        raise


if __name__ == "__main__":
    main(Job.load, perform)
