"""What is said of a replayed trace."""

from __future__ import annotations

from typing import Any

from thalweg.cli.output import bytes_text, counted, say
from thalweg.cli.replay.report import time_text

NAMES = {
    "start": "start of the session",
    "create": "creating, defining",
    "put": "writes",
    "wait": "sync, wait and the like",
    "close": "closing files",
    "finish": "end of the session",
}
ROW = 24


def show(made: dict[str, Any]) -> None:
    writes = made["writes"]
    say(
        f"{made['trace']}: {counted(made['ranks'], 'rank')}, {counted(writes, 'write')} of "
        f"{bytes_text(made['bytes'])} to {counted(len(made['files']), 'file')}",
        "bold",
    )
    for row in made["files"]:
        say(
            f"  {row['file']} ({row['layer']}): {counted(row['ranks'], 'rank')}, "
            f"{counted(row['variables'], 'variable')}, {counted(row['writes'], 'write')}, {bytes_text(row['bytes'])}"
        )
    for library in made["libraries"]:
        say(f"  original library: {library}")
    say(f"  {between(made['pace'], made['busy'])}; values are made up, attributes and hints left out")
    for text in made["notes"]:
        say(f"  note: {text}", "yellow")
    show_left_out("not played", made["left_out"])
    show_left_out("not played through Thalweg", made["left_out_of_thalweg"])
    show_lateness(made)
    say()
    show_table(made)
    if made["thalweg"] is None:
        say(f"Thalweg does not take it: {made['refused']}", "red")
        return
    ratio = made["ratio"]
    say(
        f"the original library has the program wait {ratio['median']:.3g} times as long as Thalweg "
        f"({ratio['least']:.3g} … {ratio['most']:.3g})"
    )
    show_proof(made["proof"])
    if made["output"]:
        say(f"kept: {made['output']}")


def show_lateness(made: dict[str, Any]) -> None:
    """Values are made up between the writes: where that takes longer than in the trace, these come later."""
    for name in ("original", "thalweg"):
        way = made[name]
        if made["pace"] and way and way["late_s"] > 0.05 * way["wall_s"]["median"]:
            say(
                f"  note: writes came up to {time_text(way['late_s'])} late in all, because values are made up",
                "yellow",
            )
            return


def between(pace: float, is_busy: bool) -> str:
    how = "computing" if is_busy else "asleep"
    kept = "as in the trace" if pace == 1 else f"{pace:g} times those of the trace"
    return f"times between: {kept}, {how}" if pace else "times between: none"


def show_left_out(what: str, found: dict[str, int]) -> None:
    if found:
        told = ", ".join(f"{count} {name}" for name, count in sorted(found.items(), key=lambda pair: -pair[1]))
        say(f"  {what}: {told}", "yellow")


def show_table(made: dict[str, Any]) -> None:
    turns = counted(made["turns"], "turn")
    say(f"the slowest rank waits; median of {turns} (least … most)")
    ways = [made["original"], made["thalweg"]]
    say(f"{'':{ROW}}  {'original library':<36}Thalweg")
    parts = [name for name in NAMES if any(way and name in way["parts_s"] for way in ways)]
    for name in parts:
        row(NAMES[name], [way["parts_s"].get(name) if way else None for way in ways])
    row("in all", [way and way["waited_s"] for way in ways])
    row("longest call", [way and way["longest_s"] for way in ways])
    row("the run", [way and way["wall_s"] for way in ways])
    say(f"{'in all, in the trace':<{ROW}}{time_text(made['traced_s']):>12}")


def row(name: str, figures: list[dict[str, float] | None]) -> None:
    cells = []
    for figure in figures:
        if figure is None:
            cells.append(f"{'–':>12}{'':24}")
        else:
            spread = f"({time_text(figure['least'])} … {time_text(figure['most'])})"
            cells.append(f"{time_text(figure['median']):>12} {spread:<23}")
    say(f"{name:<{ROW}}{''.join(cells)}".rstrip())


def show_proof(proof: dict[str, Any]) -> None:
    if proof["differences"]:
        say("the files differ:", "red")
        for line in proof["differences"]:
            say(f"  {line}", "red")
        return
    partly = f"; not compared, because only partly written: {', '.join(proof['partly_written'])}"
    say(
        f"both have written the same {counted(proof['values'], 'value')} of {counted(proof['variables'], 'variable')}"
        f"{partly if proof['partly_written'] else ''}",
        "green",
    )
