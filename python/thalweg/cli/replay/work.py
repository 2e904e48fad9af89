"""A file through the ranks and back: what replay and convert share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import counted
from thalweg.cli.replay.cut import parts_of
from thalweg.cli.replay.figures import figures
from thalweg.cli.replay.job import Job
from thalweg.cli.replay.plan import Plan, make_plan
from thalweg.cli.replay.proof import left_out, proved
from thalweg.cli.replay.report import Played
from thalweg.data import Dataset
from thalweg.data.core import formats


def planned(dataset: Dataset, job: Job, ranks: int) -> Plan:
    plan = make_plan(dataset, job.format, job.record_dim, job.cuts)
    if not plan.variables:
        why = left_out(plan) or "it has none at all"
        raise Failure(Exit.INPUT, f"'{dataset.path}' has no variable that can be written: {why}")
    if 0 < plan.points < ranks:
        raise Failure(
            Exit.USAGE,
            f"'{dataset.path}': {counted(ranks, 'rank')} are more than the {counted(plan.points, 'point')} of its "
            "largest field; take fewer (-n)",
        )
    return plan


def played(dataset: Dataset, job: Job, ranks: int, work: Callable[[Job], dict[str, Any]], kept: Path | None) -> Played:
    """The job done by the ranks, and compared."""
    plan = planned(dataset, job, ranks)
    found = work(job)
    comparison, request = proved(dataset, plan, Path(job.output))
    ways = found["ways"]
    clients = sum(1 for rank in ways["thalweg"][-1] if rank["stalls_s"])  # the others are servers
    return Played(
        format=job.format,
        plan=plan,
        grids=found["grids"],
        parts={",".join(cut): parts_of(shape, clients) for cut, shape in plan.grids.items()},
        read_ahead=found["read_ahead"],
        thalweg=figures(ways["thalweg"], plan.bytes, found["profiles"]),
        classic=figures(ways["classic"], plan.bytes) if ways["classic"] else None,
        comparison=comparison,
        request=request,
        output=kept,
    )


def suffix_of(format_name: str) -> str:
    return formats()[format_name].ending
