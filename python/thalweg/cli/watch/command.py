"""The command: shows how far a run is, once or while it goes on, and tells Prometheus."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from thalweg.cli.exit import Exit
from thalweg.cli.output import say, say_json
from thalweg.cli.trace.text import table
from thalweg.data import DataError

Json = dict[str, Any]


def watch(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="The folder of 'status' of a run, or one that has it as 'status'.")
    ],
    once: Annotated[bool, typer.Option("--once", help="Say how far the run is, and end.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Say all that is known, once.")] = False,
    interval: Annotated[
        float, typer.Option("--interval", metavar="SECONDS", min=0.1, help="Between two looks at the folder.")
    ] = 2.0,
    prometheus: Annotated[
        Path | None,
        typer.Option(
            "--prometheus-textfile", metavar="FILE", help="Also write FILE (*.prom) at each look, for node_exporter."
        ),
    ] = None,
) -> None:
    """Shows how far a run is: steps, records, free blocks, rates, the slowest rank, and the time that is left.

    The writers of a run with 'status: FOLDER' keep a small file each there; the command only reads these. On a
    terminal it has a screen, elsewhere it says a table at each look, until the run has ended. With --once or --json
    the exit code is 1 if a writer has failed, has ended too early, or gives no sign of life.
    """
    if once or json:
        end_once(look(run, prometheus), json)
    elif sys.stdout.isatty():
        on_screen(run, interval, prometheus)
    else:
        until_the_end(run, interval, prometheus)


def look(run: Path, prometheus: Path | None) -> Json:
    from thalweg.watch import prometheus as metrics
    from thalweg.watch.run import made_of
    from thalweg.watch.status import look as look_at

    made = made_of(look_at(run, time.time()))
    if prometheus:
        metrics.replace(prometheus, metrics.text_of(made))
    return made


def end_once(made: Json, json: bool) -> None:
    from thalweg.watch.run import has_trouble

    if json:
        say_json(made)
    else:
        say_text(made)
    if has_trouble(made):
        raise typer.Exit(Exit.FINDING)


def say_text(made: Json) -> None:
    from thalweg.watch import rows

    if not made["runs"]:
        say(rows.NOTHING)
    for run in made["runs"]:
        say(rows.title(run), "bold cyan")
        for sentence in rows.sentences(run):
            say(f"- {sentence}")
        if run["collections"]:
            table(rows.COLLECTIONS, [rows.collection_row(of) for of in run["collections"]], ends_with_text=True)
        table(rows.WRITERS, [rows.writer_row(one) for one in run["writers"]], left=2, ends_with_text=True)
    for remark in rows.remarks(made):
        say(remark)


def on_screen(run: Path, interval: float, prometheus: Path | None) -> None:
    from thalweg.watch.screen import Screen

    def made() -> Json | str:
        try:
            return look(run, prometheus)
        except (DataError, OSError) as fault:  # which may be over at the next look
            return str(fault)

    Screen(made, interval).run()


def until_the_end(run: Path, interval: float, prometheus: Path | None) -> None:
    from thalweg.watch.run import have_ended

    while True:
        made = look(run, prometheus)
        if not prometheus:
            say_text(made)
            sys.stdout.flush()
        if have_ended(made):
            return
        time.sleep(interval)
