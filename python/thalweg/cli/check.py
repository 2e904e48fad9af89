"""thalweg check: a configuration before the run, without MPI."""

from __future__ import annotations

import json as json_format
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from thalweg import programs
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import complain, say, say_json
from thalweg.data import core

CHECK = "thalweg-check"
FAULT = re.compile(r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): (?:error: )?(?P<text>.*)")


def check(
    file: Annotated[Path | None, typer.Argument(help="The configuration.")] = None,
    program_options: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- OPTIONS]", help="The program's own, for 'command-line: pfio'."),
    ] = None,
    ranks: Annotated[int, typer.Option(help="Ranks of the job: says who does what.", min=0, max=10_000_000)] = 0,
    ranks_per_node: Annotated[int, typer.Option(help="Ranks of each node.  [all]", min=0, show_default=False)] = 0,
    records: Annotated[int, typer.Option(help="Records of each collection to show.", min=1, max=10_000)] = 3,
    show_all: Annotated[bool, typer.Option("--all", help="Show settings that have their default, too.")] = False,
    keys: Annotated[bool, typer.Option("--keys", help="Explain all keys that a configuration may have.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Checks a configuration before the run.

    It is read as a run reads it, variables of the environment (THALWEG_…) included. All errors come at once, with
    their places; without errors, what would come of it is shown.
    """
    if (file is None) != keys:
        raise Failure(Exit.USAGE, "give either a configuration, or --keys")
    if keys:
        explain_keys(json)
        return
    if ranks_per_node and not ranks:
        raise Failure(Exit.USAGE, "--ranks-per-node needs --ranks: how many ranks has the job?")
    words: list[object] = ["--records", records] + ["--all"] * show_all
    words += ["--ranks", ranks] * (ranks > 0) + ["--ranks-per-node", ranks_per_node] * (ranks_per_node > 0)
    # A relative name could begin with a dash; messages name the file as the user did.
    words.append(f"./{file}" if str(file).startswith("-") else str(file))
    words += ["--", *program_options] if program_options else []
    right = tell_program(words) if json else tell(words)
    if not right:
        raise typer.Exit(Exit.INPUT)


def explain_keys(as_json: bool) -> None:
    rows = core.ask("keys")
    if as_json:
        say_json(rows)
        return
    for row in rows:
        fallback = f" (default: {row['default']})" if row["default"] else ""
        say(f"{row['key']}: {row['values'].replace('`', '')}{fallback}", "bold")
        say(f"    {row['meaning']}")


def tell(words: Sequence[object]) -> bool:
    """What the core says of the file, on the same streams; returns whether it is right."""
    done = programs.run([programs.required(CHECK), *words])
    if done.returncode not in (0, 1):
        raise failure(done)
    for line in done.stderr.splitlines():
        complain(line)
    for line in done.stdout.splitlines():
        say(line, "" if line.startswith(" ") else "bold")
    return done.returncode == 0


def tell_program(words: Sequence[object]) -> bool:
    """The same as JSON, each fault with its place."""
    done, found = said_by_core(programs.required(CHECK), words)
    warnings = programs.remarks(done.stderr, CHECK)
    say_json({"ok": not found["errors"], **found, "warnings": warnings})
    return not found["errors"]


def refusals(text: str) -> list[str]:
    """What the core has against a configuration; nothing where its program is missing."""
    try:
        program = programs.required(CHECK)
    except programs.MissingProgram:
        return []
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        _, found = said_by_core(program, [file.name])
    return [f"line {fault['line']}: {fault['text']}" if fault["line"] else fault["text"] for fault in found["errors"]]


def said_by_core(program: Path, words: Sequence[object]) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """What it finds, each error with its place."""
    done = programs.run([program, "--json", *words])
    try:
        found: dict[str, Any] = json_format.loads(done.stdout)
    except ValueError:
        raise failure(done) from None
    return done, found | {"errors": [fault for text in found["errors"] for fault in faults(text)]}


def failure(done: subprocess.CompletedProcess[str]) -> Failure:
    text = "; ".join(programs.said(done.stderr, CHECK)) or f"code {done.returncode}, and no word"
    return Failure(Exit.ENVIRONMENT, f"{CHECK} failed: {text}")


def faults(text: str) -> list[dict[str, Any]]:
    """The single faults of a text, each with its place if it has one."""
    found: list[dict[str, Any]] = []
    for line in text.splitlines():
        match = FAULT.fullmatch(line)
        if match and not line.startswith(" "):
            place = {"line": int(match["line"]), "column": int(match["column"])}
            found.append({"file": match["file"], **place, "text": match["text"]})
        elif not line.startswith(" "):
            found.append({"file": None, "line": None, "column": None, "text": line})
    return found
