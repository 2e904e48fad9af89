"""thalweg check: a configuration before the run, without MPI."""

from __future__ import annotations

import json as json_format
import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import typer

from thalweg import programs
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import complain, counted, say, say_json

FAULT = re.compile(r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): (?:error: )?(?P<text>.*)")


def check(
    file: Annotated[Path, typer.Argument(help="The configuration.")],
    program_options: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- OPTIONS]", help="The program's own, for 'command-line: pfio'."),
    ] = None,
    ranks: Annotated[int, typer.Option(help="Ranks of the job: says who does what.", min=0, max=10_000_000)] = 0,
    ranks_per_node: Annotated[int, typer.Option(help="Ranks of each node.  [all]", min=0, show_default=False)] = 0,
    records: Annotated[int, typer.Option(help="Records of each collection to show.", min=1, max=10_000)] = 3,
    show_all: Annotated[bool, typer.Option("--all", help="Show settings that have their default, too.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Say it as JSON.")] = False,
) -> None:
    """Checks a configuration before the run.

    It is read as a run reads it, variables of the environment (THALWEG_…) included. All errors come at once, with
    their places; without errors, what would come of it is shown.
    """
    if ranks_per_node and not ranks:
        raise Failure(Exit.USAGE, "--ranks-per-node needs --ranks: how many ranks has the job?")
    found = inspect(file, ranks, ranks_per_node, records, program_options or [])
    if json:
        say_json(
            {"ok": not found["errors"], **found, "errors": [fault for e in found["errors"] for fault in faults(e)]}
        )
    else:
        report(file, found, show_all)
    if found["errors"]:
        raise typer.Exit(Exit.INPUT)


def inspect(file: Path, ranks: int, ranks_per_node: int, records: int, options: Sequence[str]) -> dict[str, Any]:
    """What the core makes of the file."""
    words: list[object] = [programs.required("thalweg-check"), "--records", records]
    words += ["--ranks", ranks] * (ranks > 0) + ["--ranks-per-node", ranks_per_node] * (ranks_per_node > 0)
    # A relative name could begin with a dash; messages name the file as the user did.
    name = f"./{file}" if str(file).startswith("-") else str(file)
    done = programs.run([*words, name, *(["--", *options] if options else [])])
    try:
        found: dict[str, Any] = json_format.loads(done.stdout)
    except ValueError:
        text = "; ".join(programs.said(done.stderr, "thalweg-check")) or f"code {done.returncode}, and no word"
        raise Failure(Exit.ENVIRONMENT, f"thalweg-check failed: {text}") from None
    return {**found, "warnings": programs.remarks(done.stderr, "thalweg-check")}


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


def report(file: Path, found: dict[str, Any], show_all: bool) -> None:
    for text in found["warnings"]:
        complain(f"thalweg: {text}")
    if found["errors"]:
        for text in found["errors"]:
            complain(text)
        count = sum(len(faults(text)) for text in found["errors"])
        complain(f"thalweg: '{file}' has {counted(count, 'error')}")
        return
    say(f"{file}: no errors", "green")
    report_settings(found["settings"], show_all)
    for collection in found["collections"]:
        report_records(collection)
    if not found["collections"]:
        say("no collections: the model may name them freely, each with default settings")
    if "ranks" in found:
        report_ranks(found["ranks"])


def report_settings(settings: list[dict[str, str]], show_all: bool) -> None:
    shown = [line for line in settings if show_all or line["origin"] != "default"]
    say("settings" if show_all else "settings that are not the default ones (--all shows all)", "bold")
    width = max((len(line["key"]) for line in shown), default=0)
    for line in shown:
        say(f"  {line['key']:<{width}} = {line['value']}  ({line['origin']})")


def report_records(collection: dict[str, Any]) -> None:
    say(f"first records of '{collection['name']}'", "bold")
    for record in collection["records"]:
        date = f", {record['date']}" if "date" in record else ""
        say(f"  {record['record']}: after step {record['step']}{date} → {record['file']}")
    if not collection["records"]:
        say("  none within 2,000,000 steps")


def ranges(numbers: Sequence[int]) -> str:
    """ "0-3, 7"."""
    runs = []
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        of_run = [number for _, number in run]
        runs.append(str(of_run[0]) if len(of_run) == 1 else f"{of_run[0]}-{of_run[-1]}")
    return ", ".join(runs)


def report_ranks(ranks: list[dict[str, Any]]) -> None:
    nodes = len({rank["node"] for rank in ranks})
    say(f"{counted(len(ranks), 'rank')} on {counted(nodes, 'node')}", "bold")
    groups = (
        ("clients, which compute", [r for r in ranks if r["role"] == "client"]),
        ("servers that write", [r for r in ranks if r["role"] == "server" and r["writes"]]),
        ("servers that only receive", [r for r in ranks if r["role"] == "server" and not r["writes"]]),
        ("clients that also write", [r for r in ranks if r["role"] == "client" and r["writes"]]),
        ("idle", [r for r in ranks if r["role"] == "idle"]),
    )
    for text, members in groups:
        if members:
            say(f"  {len(members):>6} {text}: {ranges([member['rank'] for member in members])}")
