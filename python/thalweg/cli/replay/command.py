"""thalweg replay: files written again through Thalweg by ranks, compared and measured."""

from __future__ import annotations

import tempfile
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalweg.cli.arguments import MemorySize, make_folder
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import complain, say_json

if TYPE_CHECKING:
    from thalweg.cli.replay.crew import Work
    from thalweg.cli.replay.job import Job


def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="netCDF files, Zarr stores, or names of sets.")],
    ranks: Annotated[int, typer.Option("--ranks", "-n", help="Ranks that write.", min=1, max=4096)] = 4,
    formats: Annotated[
        str, typer.Option("--format", metavar="NAME,…", help="Formats to write, or 'all'; without, the file's own.")
    ] = "",
    pattern: Annotated[str, typer.Option(help="single, shared, per-domain or per-rank.")] = "",
    layout: Annotated[str, typer.Option(metavar="N,…", help="I/O domains along each dimension that is cut.")] = "",
    writers: Annotated[str, typer.Option(help="sync, thread, or such as '{ranks: 1}'.")] = "",
    compression: Annotated[str, typer.Option(help="Such as zstd, or '{codec: deflate, level: 4}'.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any key; the collection is 'replay'.")
    ] = None,
    record_dim: Annotated[str, typer.Option(metavar="NAME", help="The dimension of records; 'none' for none.")] = "",
    cut: Annotated[
        list[str] | None, typer.Option(metavar="NAME,…", help="Dimensions to cut over the ranks; once for each grid.")
    ] = None,
    halo: Annotated[int, typer.Option(help="Cells around each rank's arrays.", min=0, max=64)] = 0,
    step_time: Annotated[float, typer.Option(help="Seconds of each step, in which nothing is put.", min=0.0)] = 0.0,
    repeat: Annotated[int, typer.Option(help="How many times to play; medians are shown.", min=1)] = 1,
    classic: Annotated[bool, typer.Option(help="Measure the classic way, too.")] = True,
    keep: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Keep there what was written.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what --keep finds in its place.")] = False,
    skip: Annotated[bool, typer.Option("--skip", help="What cannot be written is no finding.")] = False,
    limit: Annotated[float, typer.Option(help="Seconds that a file may take.", min=1.0)] = 600.0,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory of all ranks for values read ahead.")] = "1 GiB",
    inside: Annotated[bool, typer.Option("--inside", help="MPI has started this command: no mpiexec.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Writes files again through Thalweg, as a model would, and compares every value and attribute.

    Starts ranks under mpiexec (unless MPI has started the command), cuts each file's fields over them, puts record by
    record at full speed or at a given step, and shows how long each record kept the ranks from going on, next to the
    classic way: fields gathered to rank 0, which writes them by netCDF4-python. What Thalweg has no type for is left
    out and named.
    """
    from thalweg.cli.replay import launch, options
    from thalweg.cli.replay.job import Job

    if keep is not None:
        make_folder(keep, "--keep")
    keys = options.settings_of(
        settings or [], writers, pattern=pattern, layout=options.layout_text(layout), compression=compression
    )
    read_ahead = MemorySize.parse(memory)
    job = Job(
        "", "", "", "", record_dim, options.cuts_of(cut or []), halo, step_time, repeat, read_ahead, classic, keys
    )
    work: AbstractContextManager[Work]
    if inside or launch.is_inside():
        from thalweg.cli.replay import crew

        comm = crew.crew()
        if comm.Get_rank() > 0:
            crew.follow(comm)
            return
        ranks, work = comm.Get_size(), crew.leading(comm)
    else:
        work = nullcontext(partial(launch.launch, ranks=ranks, limit_s=limit))
    with work as start:
        code = Show(job, ranks, start, formats, keep, force, skip, json).all(files)
    raise typer.Exit(code)


@dataclass
class Show:
    """All files in all formats, one after the other."""

    job: Job
    ranks: int
    work: Work
    formats: str
    keep: Path | None
    force: bool
    skip: bool
    as_json: bool
    results: list[dict[str, Any]] = field(default_factory=list)

    def all(self, files: list[Path]) -> Exit:
        """A file that is not understood does not keep the others from being played."""
        code = Exit.OK
        for file in files:
            try:
                code = max(code, self.file(file))
            except Failure as fault:
                if len(files) == 1:
                    raise
                complain(f"thalweg: {fault}")
                code = max(code, fault.code)
        if self.as_json:
            say_json(self.results)
        return code

    def file(self, file: Path) -> Exit:
        from thalweg.cli.replay.options import formats_of
        from thalweg.cli.verify_two import require_length, require_records
        from thalweg.data import DataError, open_any

        try:
            with open_any(file) as dataset:
                require_length(dataset)
                require_records(dataset)
                names = formats_of(self.formats, dataset)
                return max(self.one(dataset, name, is_first=name == names[0]) for name in names)
        except DataError as fault:
            raise Failure(Exit.INPUT, str(fault)) from None

    def one(self, dataset: Any, format_name: str, is_first: bool) -> Exit:
        from thalweg.cli.replay import publishing, report, work

        with publishing.folder_in(self.keep or Path(tempfile.gettempdir())) as folder:
            output = folder / f"{dataset.path.stem}-{format_name}{work.suffix_of(format_name)}"
            job = replace(
                self.job,
                source=str(dataset.path.resolve()),
                output=str(output),
                folder=str(folder),
                format=format_name,
            )
            kept = self.keep / output.name if self.keep else None
            if kept:
                publishing.require_free(kept, self.force)
            played = work.played(dataset, job, self.ranks, self.work, kept)
            if kept:
                publishing.publish(output, kept, self.force)
        if self.as_json:
            self.results.append(report.as_json(dataset, played, self.ranks))
        else:
            if is_first:
                report.head(dataset, played.plan)
            report.show(played, self.ranks)
        is_right = played.comparison.is_equal and (self.skip or not played.plan.left_out)
        return Exit.OK if is_right else Exit.FINDING
