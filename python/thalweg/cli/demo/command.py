"""The command: which model, and what is said of it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from thalweg.cli.demo import atmosphere, ocean
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.replay.launch import is_inside


class Model(StrEnum):
    OCEAN = "ocean"
    ATMOSPHERE = "atmosphere"


class Format(StrEnum):
    NETCDF4 = "netcdf4"
    CDF5 = "cdf5"
    ZARR = "zarr"


def demo(
    model: Annotated[
        Model | None, typer.Option(help="Which one.  [the ocean where it is built, else the atmosphere]")
    ] = None,
    ranks: Annotated[int, typer.Option("--ranks", "-n", help="Ranks of each run.", min=1, max=4096)] = 4,
    quick: Annotated[bool, typer.Option("--quick", help="A small grid and a short run: some seconds.")] = False,
    days: Annotated[
        float | None, typer.Option(help="How long the atmosphere runs.  [2; quick: 1]", min=0.05, max=30.0)
    ] = None,
    grid: Annotated[str, typer.Option(metavar="LONxLAT", help="Cells of the atmosphere.  [144x72; quick: 48x24]")] = "",
    format: Annotated[Format, typer.Option(help="Of all files; zarr: of the atmosphere alone.")] = Format.NETCDF4,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where files go.  [out/demo, out/demo/atmosphere]")
    ] = None,
    limit: Annotated[float, typer.Option(help="Seconds that a run of the atmosphere may take.", min=1.0)] = 600.0,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Runs a model without output and with it, compares the files, and shows what output costs.

    The ocean (Fortran, real coastline) also writes by hand, and is part of Thalweg's sources. The atmosphere (NumPy)
    comes with the package.
    """
    if is_inside():
        raise Failure(Exit.USAGE, "demo starts mpiexec by itself: call it without, and say --ranks")
    chosen = model or (Model.OCEAN if ocean.is_here() else Model.ATMOSPHERE)
    if chosen is Model.OCEAN:
        for name, value in (
            ("--days", days),
            ("--grid", grid or None),
            ("--format zarr", format is Format.ZARR or None),
        ):
            if value is not None:
                raise Failure(Exit.USAGE, f"{name} is for '--model atmosphere'; the ocean has --quick")
        code = ocean.run(ranks, quick, format.value, out or Path("out/demo"), json)
    else:
        run = atmosphere.Demo(
            ranks=ranks,
            days=days or (1.0 if quick else 2.0),
            grid=atmosphere.Grid.parse(grid or ("48x24" if quick else "144x72"), ranks),
            format=format.value,
            folder=out or Path("out/demo/atmosphere"),
            limit_s=limit,
        )
        code = run.show(json)
    raise typer.Exit(code)
