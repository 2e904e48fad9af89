"""The command: all looks one after the other, each by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import typer

from thalweg.cli.doctor import launch, libraries, machine, storage
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.finding import Finding, Level, as_json, has_problem, problem, show
from thalweg.cli.output import counted, progress, say, say_json

Look = tuple[str, Callable[[], Iterable[Finding]]]


def doctor(
    folder: Annotated[Path, typer.Argument(help="Where output will be written.")] = Path("."),
    probe: Annotated[int, typer.Option(help="MiB to write there for the speed; 0: none.", min=0, max=4096)] = 64,
    ranks: Annotated[int, typer.Option(help="Ranks of the self-test under mpiexec; 0: none.", min=0, max=64)] = 2,
    limit: Annotated[float, typer.Option(help="Seconds that the self-test may take.", min=1.0)] = 30.0,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Looks whether Thalweg can run here.

    It looks at MPI, libraries, the file system of a folder and the machine, and lets two ranks write a file. Each
    finding is ok, a note, or a problem with what to do about it.
    """
    if not folder.is_dir():
        raise Failure(Exit.INPUT, f"'{folder}' is {'no folder' if folder.exists() else 'not there'}; name a folder")
    looks: list[Look] = [
        ("MPI", lambda: launch.look(ranks, limit)),
        ("libraries", libraries.look),
        (f"storage of {folder.resolve()}", lambda: storage.look(folder, probe)),
        ("machine", machine.look),
    ]
    found: dict[str, list[Finding]] = {}
    with progress("looking", len(looks)) as advance:
        for name, look in looks:
            found[name] = looked(look)
            advance(1)
    everything = [finding for findings in found.values() for finding in findings]
    if json:
        say_json({"ok": not has_problem(everything), "findings": {name: as_json(f) for name, f in found.items()}})
    else:
        report(found, everything)
    if has_problem(everything):
        raise typer.Exit(Exit.FINDING)


def looked(look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """One look that fails is a finding, and does not keep the others from being taken."""
    try:
        return list(look())
    except OSError as fault:
        return [problem("look", f"{fault.filename or ''}: {fault.strerror}")]


def report(found: dict[str, list[Finding]], everything: list[Finding]) -> None:
    for name, findings in found.items():
        say(name, "bold")
        show(findings)
    counts = [(level, sum(1 for finding in everything if finding.level is level)) for level in Level]
    words = {Level.OK: "right", Level.NOTE: "note", Level.PROBLEM: "problem"}
    parts = [f"{n} {words[level]}" if level is Level.OK else counted(n, words[level]) for level, n in counts]
    say(", ".join(parts))
