"""What each rank does: python -m thalweg.cli.trace_replay.play JOB, alone or under mpiexec."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from thalweg.cli.replay.rank import main
from thalweg.cli.replay.told import Told
from thalweg.cli.trace_replay.job import TraceJob
from thalweg.cli.trace_replay.original import Original
from thalweg.cli.trace_replay.through import Thalweg
from thalweg.cli.trace_replay.values import memory_type, values_of
from thalweg.trace.writes import File, Step

if TYPE_CHECKING:
    from mpi4py import MPI

# As the table has them.
PARTS = {"create": "create", "open": "create", "put": "put", "close": "close"}


def communicators(world: MPI.Intracomm, files: list[File]) -> list[Any]:
    """Of each file the ranks that write it; None on others. Files of the same ranks have one."""
    from mpi4py import MPI

    made: dict[tuple[int, ...], Any] = {}
    for ranks in sorted({tuple(file.ranks) for file in files}):
        if world.Get_rank() not in ranks:
            made[ranks] = None
        elif len(ranks) == 1:
            made[ranks] = MPI.COMM_SELF
        elif len(ranks) == world.Get_size():
            made[ranks] = world
        else:
            made[ranks] = world.Create_group(world.Get_group().Incl(list(ranks)))
    return [made[tuple(file.ranks)] for file in files]


def pause(since: float, seconds: float, is_busy: bool) -> float:
    """Until so long after; by how much that was over already."""
    left = since + seconds - time.perf_counter()
    if left > 0 and not is_busy:
        time.sleep(left)
    while is_busy and time.perf_counter() < since + seconds:
        pass
    return max(-left, 0.0)


def play(way: Original | Thalweg, files: list[File], steps: list[Step], job: TraceJob, told: Told) -> dict[str, Any]:
    waited: defaultdict[str, float] = defaultdict(float)
    late = longest = 0.0
    begin = end = time.perf_counter()

    def timed(part: str, call: Callable[[], None]) -> float:
        nonlocal end
        start = time.perf_counter()
        call()
        end = time.perf_counter()
        waited[part] += end - start
        return end - start

    for step in steps:
        values = made_up(files, step)
        late += pause(end, step.gap_s * job.pace, job.is_busy)
        longest = max(longest, timed(PARTS.get(step.kind, "wait"), lambda s=step, v=values: way.step(s, v)))  # type: ignore[misc]
        told.step()
    if isinstance(way, Thalweg):
        timed("finish", way.finish)
    return {"waited_s": dict(waited), "longest_s": longest, "late_s": late, "wall_s": end - begin}


def made_up(files: list[File], step: Step) -> NDArray[Any] | None:
    if step.kind != "put":
        return None
    kind = memory_type(step.function, files[step.file].variables[step.variable].type)
    return values_of(step.variable, kind, step.boxes)


def perform(comm: MPI.Intracomm, job: TraceJob) -> None:
    """Leaves what was measured in the job's folder."""
    rank = comm.Get_rank()
    files, steps = job.files(), job.steps(rank) if rank < job.ranks else []
    comms = communicators(comm, files)
    is_thalweg = job.way == "thalweg"
    began = time.perf_counter()
    way = Thalweg(files, job.paths, comms, job.yaml) if is_thalweg else Original(files, job.paths, comms)
    start_s = time.perf_counter() - began
    told = Told(job.told if rank == 0 else None, len(steps))
    comm.Barrier()
    found = play(way, files, steps, job, told)
    found["wall_s"] += start_s
    if is_thalweg:
        found["waited_s"]["start"] = start_s
    measured = comm.gather(found)
    if rank == 0:
        job.result("result").write_text(json.dumps({"ranks": comm.Get_size(), "measured": measured}))


if __name__ == "__main__":
    main(TraceJob.load, perform)
