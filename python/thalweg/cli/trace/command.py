"""The command: runs a program with the tracer, or takes the logs of a run, and shows the report."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from thalweg.cli.arguments import hint, make_folder, names_of, require_finite
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import complain, say_json
from thalweg.data.ordinary import require_writable


def trace(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- PROGRAM…", help="What to run, such as mpiexec -n 4 ./model.")
    ] = None,
    logs: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Report on these logs; run nothing.")] = None,
    compare: Annotated[
        tuple[Path, Path] | None, typer.Option(metavar="FOLDER FOLDER", help="Set the logs of two runs side by side.")
    ] = None,
    keep: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Keep the logs there.")] = None,
    layers: Annotated[
        str, typer.Option(metavar="NAME,…", help="Such as 'posix,mpiio', or '+hdf5'; without, all but hdf5.")
    ] = "",
    events: Annotated[int, typer.Option(help="Most events of a process, 64 bytes each.", min=64, max=2**32 - 2)] = 1
    << 20,
    exclude: Annotated[
        str | None, typer.Option(metavar="PATH:…", help="Beginnings of paths that are left out.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(help="Paths below this per cent of the longest are left out.", min=0.0, max=100.0)
    ] = 1.0,
    balance: Annotated[str, typer.Option(metavar="NAME,…", help="Functions to show rank by rank.")] = "",
    all_processes: Annotated[bool, typer.Option("--all", help="Also processes without a rank, as mpiexec.")] = False,
    limit: Annotated[float | None, typer.Option(help="Seconds that the program may take.", min=0.1)] = None,
    library: Annotated[Path | None, typer.Option(metavar="FILE", help="The tracer's library.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the report there.")] = None,
    page: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write a page with the graph of calls.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Shows who calls what in a program's output and input, layer by layer, and who waits.

    Runs any program, unmodified, with a library before its own that logs calls of netCDF, PnetCDF, MPI-IO and POSIX;
    then shows functions, the paths of calls between layers, files, the balance of the ranks, and what stands out.
    """
    require_finite("--limit", limit)
    for path in filter(None, (output, page)):
        require_writable(path)
    if compare is not None and not command and logs is None:
        show_two(compare, all_processes, output, json)
        return
    if (not command) == (logs is None) or compare is not None:
        raise Failure(
            Exit.USAGE, "give a program to run, as in 'thalweg trace -- mpiexec -n 4 ./model', or --logs, or --compare"
        )
    code = 0
    with tempfile.TemporaryDirectory(prefix="thalweg-trace-") as temporary:
        folder = logs or keep or Path(temporary)
        if command:
            code = traced(command, folder, layers, events, exclude, limit, library)
        try:
            made = report_of(folder, all_processes, threshold, names_of(balance), command)
        except Failure as nothing_logged:
            if not code:
                raise
            complain(f"thalweg: {nothing_logged}")
            end_as(code)
    say_unknown(names_of(balance), made)
    show(made, output, json)
    if page is not None:
        from thalweg.trace.page import page_of

        page.write_text(page_of(made, threshold), encoding="utf-8")
    if code:
        end_as(code)


def say_unknown(balance: list[str], made: dict[str, Any]) -> None:
    called = [one["function"] for one in made["functions"]]
    for name in balance:
        if name not in called:
            complain(f"thalweg: --balance: '{name}' was not called, or is not traced; {hint(name, called)}")


def end_as(code: int) -> NoReturn:
    """With the program's exit code, and where a signal ended it, as a shell says it."""
    ended = f"by signal {-code}" if code < 0 else f"with code {code}"
    complain(f"thalweg: the program ended {ended}")
    raise typer.Exit(code if 0 < code < 256 else 128 - code if code < 0 else 1)


def traced(
    command: list[str],
    folder: Path,
    layers: str,
    events: int,
    exclude: str | None,
    limit: float | None,
    library: Path | None,
) -> int:
    from thalweg.cli.trace import launch

    preload, chosen = launch.library(library), launch.layers_of(layers)
    if " " in str(preload) or ":" in str(preload):
        raise Failure(Exit.ENVIRONMENT, f"'{preload}' has a blank or a colon, which LD_PRELOAD cannot have; move it")
    make_folder(folder, "--keep")
    if any(folder.glob("*.trace")):
        raise Failure(Exit.INPUT, f"--keep '{folder}' has logs of another run; name an empty folder, or delete them")
    return launch.run(command, launch.environment(preload, folder.resolve(), chosen, events, exclude), limit)


def report_of(
    folder: Path,
    all_processes: bool,
    threshold: float,
    balance: list[str],
    command: list[str] | None,
    option: str = "--logs",
) -> dict[str, Any]:
    from thalweg.trace.report import report
    from thalweg.trace.table import read_folder, trace_of

    if not folder.is_dir():
        raise Failure(
            Exit.INPUT, f"{option} '{folder}': {'no folder' if folder.exists() else 'there is no such folder'}"
        )
    logs, losses = read_folder(folder)
    if not logs and not losses:
        raise Failure(
            Exit.INPUT,
            f"'{folder}' has no logs (*.trace): no process touched a file, or none could be traced because it is "
            "linked statically, runs with other rights (setuid), or was started with another LD_PRELOAD",
        )
    if not logs:
        raise Failure(Exit.INPUT, f"'{folder}' has no log that can be read: {'; '.join(losses)}")
    made = report(trace_of(logs, losses, all_processes), threshold, balance)
    return {**made, "command": command or []}


def show_two(folders: tuple[Path, Path], all_processes: bool, output: Path | None, as_json: bool) -> None:
    from thalweg.cli.trace.text import show_comparison
    from thalweg.trace.compare import compare

    first, second = (report_of(folder, all_processes, 0.0, [], None, "--compare") for folder in folders)
    show(compare(first, second), output, as_json, show_comparison)


def show(
    made: dict[str, Any], output: Path | None, as_json: bool, as_text: Callable[[dict[str, Any]], None] | None = None
) -> None:
    from contextlib import redirect_stdout

    from thalweg.cli.trace.text import show_text

    said = say_json if as_json else as_text or show_text
    if output is None:
        said(made)
        return
    with output.open("w", encoding="utf-8") as file, redirect_stdout(file):
        said(made)
