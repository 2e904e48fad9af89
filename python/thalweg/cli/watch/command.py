"""The command: shows how far a run is, once or while it goes on, and tells Prometheus."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from thalweg.cli.exit import Exit
from thalweg.cli.output import complain, say, say_json
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
    terminal it has a screen, elsewhere it says a table at each look, until the run has ended. The exit code is 1 if
    a writer has failed, has ended too early, or gives no sign of life.
    """
    if once or json:
        end_once(look_and_tell(run, prometheus), json)
    elif sys.stdout.isatty():
        on_screen(run, interval, prometheus)
    else:
        until_the_end(run, interval, prometheus)


def look(run: Path) -> Json:
    from thalweg.watch.run import made_of
    from thalweg.watch.status import look as look_at

    return made_of(look_at(run, time.time()))


def tell(prometheus: Path | None, made: Json) -> None:
    from thalweg.watch import prometheus as metrics

    if prometheus:
        metrics.replace(prometheus, metrics.text_of(made))


def look_and_tell(run: Path, prometheus: Path | None) -> Json:
    made = look(run)
    tell(prometheus, made)
    return made


def end_once(made: Json, json: bool) -> None:
    if json:
        say_json(made)
    else:
        say_text(made)
    end_by(made)


def end_by(made: Json) -> None:
    from thalweg.watch.run import has_trouble

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
            return look_and_tell(run, prometheus)
        except (DataError, OSError) as fault:  # which may be over at the next look
            return str(fault)

    Screen(made, interval).run()


def until_the_end(run: Path, interval: float, prometheus: Path | None) -> None:
    from thalweg.watch.run import have_ended

    telling = Telling(run, prometheus)
    while True:
        made = telling.look()
        if made and have_ended(made):
            end_by(made)
            return
        time.sleep(interval)


@dataclass
class Telling:
    """Looks one after the other. What keeps one from its end, and may be over at the next, is said once."""

    run: Path
    prometheus: Path | None
    fault: str = ""

    def look(self) -> Json | None:
        from thalweg.watch.status import Passing

        try:
            made = look(self.run)
        except (Passing, OSError) as fault:
            self.say_once(fault)
            return None
        say_text(made)
        sys.stdout.flush()
        try:
            tell(self.prometheus, made)
            self.fault = ""
        except Passing as fault:
            self.say_once(fault)
        return made

    def say_once(self, fault: Exception) -> None:
        if str(fault) != self.fault:
            complain(f"thalweg: {fault}; the next look may find it otherwise")
        self.fault = str(fault)
