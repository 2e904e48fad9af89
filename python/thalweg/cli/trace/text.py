"""The report as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from thalweg.cli.output import bytes_text, counted, say
from thalweg.trace import files

MOST_ROWS = 25
MOST_FILES = 20
MOST_RANKS = 16
BAR = 30


def seconds(value: float) -> str:
    return f"{value:.3f} s" if value >= 1 else f"{value * 1e3:.3f} ms" if value >= 1e-3 else f"{value * 1e6:.1f} µs"


def table(head: Sequence[str], rows: Iterable[Sequence[object]], left: int = 1, ends_with_text: bool = False) -> None:
    """The first columns, and a last one of texts, to the left, the others, which are numbers, to the right."""
    last = len(head) - 1 if ends_with_text else len(head)
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for number, row in enumerate(cells):
        parts = [
            cell.ljust(width) if column < left or column == last else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        say("  ".join(parts).rstrip(), "bold" if number == 0 else "")


def show_text(made: dict[str, Any]) -> None:
    show_processes(made)
    for title, part in (
        ("What stands out", show_findings),
        ("Time of the ranks", show_shares),
        ("Layers (they contain each other)", show_layers),
        ("Paths of calls: longest rank, [ranks], calls, bytes", show_paths),
        ("Functions", show_functions),
        ("Balance of the ranks", show_balance),
        ("Files", show_files),
        ("What is lost", show_losses),
    ):
        if part is show_losses and not made["losses"]:
            continue
        say()
        say(title, "bold cyan")
        part(made)


def show_processes(made: dict[str, Any]) -> None:
    processes = made["processes"]
    hosts = {process["host"] for process in processes}
    events = sum(process["events"] for process in processes)
    programs = sorted({Path(process["program"]).name for process in processes})
    wall = max((process["wall_s"] for process in processes), default=0.0)
    say(
        f"{counted(len(processes), 'process', 'processes')} on {counted(len(hosts), 'host')}: "
        f"{', '.join(programs[:8])}; {counted(events, 'event')}, {seconds(wall)}"
    )
    killed = [process["rank"] for process in processes if not process["has_ended"]]
    if killed:
        shown = ", ".join(map(str, killed[:MOST_RANKS])) + (", …" if len(killed) > MOST_RANKS else "")
        say(f"did not end regularly (killed, or left by _exit or exec): rank {shown}", "yellow")
    if made["processes_left_out"]:
        say(f"{counted(made['processes_left_out'], 'process', 'processes')} without a rank left out; --all shows them")


def show_findings(made: dict[str, Any]) -> None:
    for finding in made["findings"]:
        say(f"- {finding['text']} ({finding['rule']})")
    if not made["findings"]:
        say("nothing that a rule knows")


def show_shares(made: dict[str, Any]) -> None:
    names = {"io": "I/O", "mpi": "MPI", "mpi_in_io": "MPI within I/O"}
    rows = [
        (
            names.get(one["class"], one["class"] if one["class"] == "compute" else f"  {one['class']}"),
            f"{one['share']:.1%}",
            seconds(one["time_mean_s"]),
            seconds(one["time_max_s"]),
            one["max_rank"],
        )
        for one in made["shares"]
    ]
    table(("class", "share", "mean", "longest", "rank"), rows)


def show_layers(made: dict[str, Any]) -> None:
    rows = [
        (
            one["layer"],
            one["ranks"],
            one["ranks_moving_data"],
            one["calls"],
            seconds(one["time_max_s"]),
            one["max_rank"],
            bytes_text(one["bytes_read"]),
            bytes_text(one["bytes_written"]),
        )
        for one in made["layers"]
    ]
    table(("layer", "ranks", "moving data", "calls", "longest", "rank", "read", "written"), rows)


def path_lines(node: dict[str, Any], before: str, joint: str) -> list[tuple[str, dict[str, Any]]]:
    lines = [(before + joint + node["function"], node)]
    below = before + {"": "", "├─ ": "│  ", "└─ ": "   "}[joint]
    for number, child in enumerate(node["calls_to"]):
        lines += path_lines(child, below, "└─ " if number == len(node["calls_to"]) - 1 else "├─ ")
    return lines


def show_paths(made: dict[str, Any]) -> None:
    lines = [line for node in made["paths"] for line in path_lines(node, "", "")]
    rows = [
        (
            text,
            node["layer"],
            seconds(node["time_max_s"]),
            f"at {node['max_rank']}",
            f"[{node['ranks']}]",
            node["calls"],
            bytes_text(node["bytes"]),
        )
        for text, node in lines
    ]
    table(("path", "layer", "longest", "rank", "ranks", "calls", "bytes"), rows, left=2)
    if made["paths_left_out"]:
        say(f"{counted(made['paths_left_out'], 'smaller path')} left out; --threshold 0 shows all")


def show_functions(made: dict[str, Any]) -> None:
    rows = [
        (
            one["function"],
            one["layer"],
            one["calls"],
            one["failed"] or "",
            bytes_text(one["bytes"]) if one["bytes"] else "",
            one["ranks"],
            seconds(one["time_max_s"]),
            one["max_rank"],
            seconds(one["time_mean_s"]),
            seconds(one["longest_call_s"]),
        )
        for one in made["functions"][:MOST_ROWS]
    ]
    head = ("function", "layer", "calls", "failed", "bytes", "ranks", "longest", "rank", "mean", "longest call")
    table(head, rows, left=2)
    say_more(len(made["functions"]) - MOST_ROWS, "function")


def show_balance(made: dict[str, Any]) -> None:
    for one in made["balance"]:
        times = {int(rank): time for rank, time in one["time_s"].items()}
        longest = max(times.values(), default=0.0)
        say(f"{one['function']} ({one['layer']})")
        shown = sorted(times, key=lambda rank: -times[rank])[: MOST_RANKS - 2]
        for rank in sorted(shown):
            bar = "█" * round(BAR * times[rank] / longest) if longest else ""
            say(f"  {rank:>6} {seconds(times[rank]):>12} {bar}")
        if len(times) > len(shown):
            rest = [times[rank] for rank in times if rank not in shown]
            say(f"  {len(rest)} more ranks, {seconds(min(rest))} to {seconds(max(rest))}")


def show_files(made: dict[str, Any]) -> None:
    table(files.COLUMNS, files.rows(made["files"][:MOST_FILES], bytes_text, seconds), left=2)
    say_more(len(made["files"]) - MOST_FILES, "file")


def show_comparison(made: dict[str, Any]) -> None:
    say("wall: " + ", then ".join(seconds(value) for value in made["wall_s"]))
    for title in ("layers", "functions", "files"):
        say()
        say(f"{title.capitalize()}: first run, second run, second to first", "bold cyan")
        head = ("name", "", "longest", "longest", "ratio", "calls", "calls", "ratio", "bytes", "bytes", "ratio")
        rows = [
            (
                one["name"],
                "" if one["state"] == "both" else one["state"],
                *map(seconds, one["time_max_s"]),
                ratio(one["time_max_s_ratio"]),
                *one["calls"],
                ratio(one["calls_ratio"]),
                *map(bytes_text, one["bytes"]),
                ratio(one["bytes_ratio"]),
            )
            for one in made[title][:MOST_ROWS]
        ]
        table(head, rows, left=2)
        say_more(len(made[title]) - MOST_ROWS, title[:-1])
    for run, losses in zip(("first", "second"), made["losses"], strict=True):
        if losses:
            say()
            say(f"What is lost of the {run} run", "bold cyan")
            show_losses({"losses": losses})


def ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def say_more(number: int, one: str) -> None:
    if number > 0:
        say(f"{counted(number, f'more {one}')} in --json")


def show_losses(made: dict[str, Any]) -> None:
    for loss in made["losses"]:
        say(f"- {loss}", "yellow")
