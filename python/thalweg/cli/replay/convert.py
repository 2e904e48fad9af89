"""thalweg convert: a file in another format, written through Thalweg."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import bytes_text, counted, say, say_json


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A netCDF file, a Zarr store, or the name of a set.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="What to make of it.")],
    format_: Annotated[
        str, typer.Option("--format", help="cdf1, cdf2, cdf5, netcdf4, netcdf4-classic or zarr.", metavar="NAME")
    ] = "",
    ranks: Annotated[int, typer.Option("--ranks", "-n", help="Ranks that write.", min=1, max=4096)] = 1,
    pattern: Annotated[str, typer.Option(help="single, shared, per-domain or per-rank.")] = "",
    layout: Annotated[str, typer.Option(metavar="N,…", help="I/O domains along each dimension that is cut.")] = "",
    compression: Annotated[str, typer.Option(help="Such as zstd, or '{codec: deflate, level: 4}'.")] = "",
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any key; the collection is 'replay'.")
    ] = None,
    record_dim: Annotated[str, typer.Option(metavar="NAME", help="The dimension of records; 'none' for none.")] = "",
    skip: Annotated[bool, typer.Option("--skip", help="Leave out what cannot be written.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace OUT if it exists.")] = False,
    limit: Annotated[float, typer.Option(help="Seconds that it may take.", min=1.0)] = 3600.0,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Writes a file in another format through Thalweg.

    Without --format it is that of the name OUT (.zarr), or that of IN. Variables keep their compression where the
    format has it, unless --compression says another one. The result is compared with IN, value by value,
    before it gets its name. What Thalweg or the format cannot hold is an error, or left out with --skip.
    """
    from thalweg.cli.replay import launch, options, publishing, work
    from thalweg.cli.replay.job import Job
    from thalweg.cli.replay.proof import left_out
    from thalweg.cli.verify_two import require_length, require_records
    from thalweg.data import DataError, open_any

    if not target.absolute().parent.is_dir():
        raise Failure(Exit.INPUT, f"'{target}': there is no folder '{target.parent}'")
    publishing.require_free(target, force)
    keys = options.settings_of(
        settings or [], "", pattern=pattern, layout=options.layout_text(layout), compression=compression
    )
    try:
        with open_any(source) as dataset, publishing.folder_in(target.absolute().parent) as folder:
            require_length(dataset)
            require_records(dataset)
            if dataset.missing:
                raise Failure(Exit.INPUT, f"'{source}': {dataset.missing}; move the missing files beside the others")
            name = format_ or ("zarr" if target.suffix == ".zarr" else "")
            chosen, *more = options.formats_of("netcdf4" if not name and dataset.kind == "zarr" else name, dataset)
            if more:
                raise Failure(Exit.USAGE, f"--format: '{target}' can have one format, not {1 + len(more)}: '{format_}'")
            output = folder / target.name
            job = Job(
                str(source.resolve()), str(output), str(folder), chosen, record_dim, memory=0, classic=False,
                settings=keys,
            )  # fmt: skip
            plan = work.planned(dataset, job, ranks)
            if plan.left_out and not skip:
                raise Failure(
                    Exit.INPUT, f"'{source}' cannot be written whole: {left_out(plan)}; --skip does it without"
                )
            kept, lost = ({}, []) if options.says_compression(keys) else options.kept_compression(plan, chosen)
            job = replace(job, compression=kept)
            played = work.played(dataset, job, ranks, partial(launch.launch, ranks=ranks, limit_s=limit), target)
            played.plan.notes += lost
            if played.comparison.is_equal:
                publishing.publish(output, target, force)
            report(played, target, json)
    except DataError as fault:
        raise Failure(Exit.INPUT, str(fault)) from None
    raise typer.Exit(Exit.OK if played.comparison.is_equal else Exit.FINDING)


def report(played: Any, target: Path, as_json: bool) -> None:
    from thalweg.cli import verify_two
    from thalweg.cli.replay.proof import sentence

    equal = played.comparison.is_equal
    if as_json:
        say_json(
            {
                "output": target if equal else None,
                "format": played.format,
                "left_out": played.plan.left_out,
                "notes": played.plan.notes,
                "comparison": verify_two.json_of(played.comparison, played.request),
            }
        )
        return
    for text in played.plan.notes:
        say(f"note: {text}", "yellow")
    if equal:
        records = f"{counted(played.plan.records, 'record')}, " if played.plan.record else ""
        say(f"{target}: {played.format}, {records}{bytes_text(played.plan.bytes)} of values", "green")
        say(sentence(played.comparison, played.plan), "green")
    else:
        verify_two.report(played.comparison, played.request)
        say(f"'{target}' was not made", "bold red")
