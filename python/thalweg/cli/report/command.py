"""The command: makes a page of a run's profile, and says what to change next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import say, say_json
from thalweg.data import DataError
from thalweg.data.ordinary import beginning_of

if TYPE_CHECKING:
    from thalweg.report.time_line import TimeLine


def report(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The file of 'profile' of a run, or its folder.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The page; without, beside the profile, as NAME.html."),
    ] = None,
    line: Annotated[
        Path | None,
        typer.Option("--time-line", metavar="FILE", help="The file of 'time-line', if it is not beside the profile."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Say what the page shows; a page only with --output.")] = False,
) -> None:
    """Makes a page of a run: how long the model waited, why, and what to change next.

    The page loads nothing from elsewhere. It has the balance of the ranks, their times, collections and files, hints
    and settings in force, and the time line of ranks and writers if the run has written one.
    """
    from thalweg.report import measures, profile, time_line
    from thalweg.report.page import page_of

    kept = time_line.kept_in(run) if run.is_dir() and not profile.profiles_in(run) else []
    if kept:
        show_kept(time_line.read_kept(kept), output or run / "time_line.html", output is None, json)
        return
    of_run = profile.read(profile.find(run))
    path = line or profile.find_time_line(of_run)
    of_threads = time_line.read(path) if path else None
    made = measures.made_of(of_run, of_threads)
    if json and output is None:
        say_json(made)
        return
    page = output or of_run.path.with_suffix(".html")
    write(page, page_from(of_run.path, lambda: page_of(made, of_threads)))
    if json:
        say_json(made)
    else:
        say_text(made, page)


def show_kept(line: TimeLine, page: Path, is_usual: bool, json: bool) -> None:
    """Of a run that did not end."""
    from thalweg.report import measures
    from thalweg.report.page import page_of_kept

    made = measures.made_of_kept(line)
    if json and is_usual:
        say_json(made)
        return
    write(page, page_from(line.path, lambda: page_of_kept(made, line)))
    if json:
        say_json(made)
    else:
        ranks = made["time_line"]["ranks"]
        say(f"the run did not end; {ranks} of its ranks kept a time line, until {line.end_s:.3f} s from the start")
        say(f"page: {page}")


def page_from(path: Path, make: Callable[[], str]) -> str:
    """What is of another shape than a run writes may be found as late as in its page."""
    from thalweg.report.time_line import FAULTS

    try:
        return make()
    except FAULTS as fault:
        raise DataError(f"'{path}' is no whole profile or time line: {type(fault).__name__} {fault}") from None


def write(page: Path, text: str) -> None:
    """A page replaces only a page."""
    if page.exists() and not beginning_of(page, 64).lower().startswith(b"<!doctype html"):
        raise Failure(Exit.INPUT, f"'{page}' is no page, so it is not replaced; name another file by --output")
    page.write_text(text, encoding="utf-8")


def say_text(made: dict[str, Any], page: Path) -> None:
    from thalweg.pages import seconds
    from thalweg.report.cells import rate, share, size

    head = made["headline"]
    waits = f"the model waits {seconds(head['stall_s'])}, {share(head['stall_share'])} of its run"
    written = f"{size(head['written_bytes'])} written, {rate(head['writing_rate'])}"
    say(f"{waits}; {written}; {share(head['overlap'])} of the writing is hidden")
    for one in made["findings"]:
        say(f"- {one['text']}: {one['advice'].replace('`', '')} ({one['rule']})")
    say(f"page: {page}")
