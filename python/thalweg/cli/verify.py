"""thalweg verify: one file by itself, or two compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from thalweg.cli.arguments import MemorySize, names_of
from thalweg.cli.exit import Exit, Failure
from thalweg.data.compare import Tolerance


def verify(
    a: Annotated[Path, typer.Argument(help="A file, a Zarr store, or the name of a set of files.")],
    b: Annotated[Path | None, typer.Argument(help="What to compare it with, of any format.")] = None,
    rtol: Annotated[float, typer.Option(help="With B: relative tolerance, of B's value.", min=0.0)] = 0.0,
    atol: Annotated[float, typer.Option(help="With B: absolute tolerance.", min=0.0)] = 0.0,
    variables: Annotated[str, typer.Option(metavar="NAME,…", help="Only these variables.")] = "",
    ignore_attributes: Annotated[
        str, typer.Option(metavar="NAME,…", help="With B: attributes that may differ; 'all' for all.")
    ] = "",
    show: Annotated[int, typer.Option(help="With B: differences of a variable to show.", min=0)] = 3,
    memory: Annotated[str, typer.Option(metavar="SIZE", help="Memory for values.")] = "256 MiB",
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Checks one file, or compares two.

    With one: every value is read, so that all checksums that the format has are checked, and what is left of a killed
    run is named. With two: all values and attributes are compared, bit for bit (NaN equals NaN, 0.0 is
    not -0.0), or within --rtol and --atol.
    """
    slab_bytes = max(MemorySize.parse(memory) // 8, 1 << 16)  # a comparison has up to eight arrays of a slab
    wanted = names_of(variables)
    # The format libraries take a second to load, which the help of other commands need not wait for.
    if b is None:
        if rtol or atol or ignore_attributes:
            raise Failure(Exit.USAGE, "--rtol, --atol and --ignore-attributes are for two files: 'thalweg verify A B'")
        from thalweg.cli.verify_one import verify_one

        raise typer.Exit(verify_one(a, wanted, slab_bytes, json))
    from thalweg.cli.verify_two import Request, verify_two

    request = Request(a, b, Tolerance(rtol, atol), wanted, names_of(ignore_attributes), show, slab_bytes)
    raise typer.Exit(verify_two(request, json))
