"""A file through the ranks and back: what replay and convert share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from thalweg.data import DataError, Dataset, checksums, kinds, replacing


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


@contextmanager
def folder_in(place: Path) -> Iterator[Path]:
    """A hidden one, on the file system of the result, so that what is whole can be moved there at once."""
    try:
        folder = tempfile.TemporaryDirectory(prefix=".thalweg-", dir=place)
    except OSError as fault:
        reason = os.strerror(fault.errno or 0)
        raise Failure(Exit.ENVIRONMENT, f"'{place}': nothing can be written there: {reason}") from None
    with folder as name:
        yield Path(name).resolve()


def suffix_of(format_name: str) -> str:
    return ".zarr" if format_name == "zarr" else ".nc"


def require_free(target: Path, force: bool) -> None:
    """Errors: Failure where something has the name, unless it is to be replaced and is something that may be."""
    there = replacing.standing_at(target)
    if there and not force:
        raise Failure(Exit.INPUT, f"'{there[0]}' exists; --force replaces it")
    try:
        for path in there:
            replacing.require_replaceable(path)
    except DataError as fault:
        raise Failure(Exit.INPUT, str(fault)) from None


def publish(output: Path, target: Path) -> None:
    """Moves what was written, with the files of its set, to the same name elsewhere, in place of what is there. A file
    is replaced at once; a store or a set is first put beside the output, and goes with its folder."""
    aside = output.parent / "replaced"
    aside.mkdir()
    try:
        for old in replacing.standing_at(target):
            if old != target or not (old.is_file() and output.is_file()):
                old.replace(aside / old.name)
            move_if_there(checksums.path_of(old), aside)
        for path in [*kinds.parts_of(output), output]:
            move_if_there(path, target.parent)
            move_if_there(checksums.path_of(path), target.parent)
    except OSError:
        for old in aside.iterdir():  # the folder of the output goes, and would take it along
            if not target.with_name(old.name).exists():
                old.replace(target.with_name(old.name))
        raise


def move_if_there(path: Path, folder: Path) -> None:
    if path.exists():
        path.replace(folder / path.name)
