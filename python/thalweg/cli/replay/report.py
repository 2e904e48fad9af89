"""What is said of a replay."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thalweg.cli import verify_two
from thalweg.cli.output import bytes_text, counted, say
from thalweg.cli.replay.figures import Figures
from thalweg.cli.replay.plan import Plan
from thalweg.cli.replay.proof import sentence
from thalweg.cli.verify_two import Comparison, Request
from thalweg.data import Dataset


@dataclass(frozen=True)
class Played:
    """A file in one format."""

    format: str
    plan: Plan
    grids: dict[str, list[int]]
    parts: dict[str, tuple[int, ...]]
    read_ahead: bool
    thalweg: Figures
    classic: Figures | None
    comparison: Comparison
    request: Request
    output: Path | None  # where it was kept

    @property
    def is_whole(self) -> bool:
        return self.comparison.is_equal and not self.plan.left_out


def head(dataset: Dataset, plan: Plan) -> None:
    records = f"{counted(plan.records, 'record')} of '{plan.record}'" if plan.record else "no records"
    variables = counted(len(dataset.variables), "variable")
    say(f"{dataset.path}: {dataset.kind}, {variables}, {records}, {bytes_text(plan.bytes)}", "bold")
    for text in plan.notes:
        say(f"  note: {text}", "yellow")


def show(played: Played, ranks: int) -> None:
    cuts = [
        f"({dims}) cut into {' x '.join(str(part) for part in parts)}" for dims, parts in played.parts.items()
    ]  # fmt: skip
    say(f"  {played.format} by {counted(ranks, 'rank')}: {'; '.join(cuts) or 'nothing to cut: all have all'}")
    if played.comparison.is_equal:
        say(f"    {sentence(played.comparison, played.plan)}", "green" if played.is_whole else "yellow")
    else:
        verify_two.report(played.comparison, played.request)
    heads = (("stall a record", 15), ("longest", 11), ("finish", 11), ("wall", 11), ("drained", 14), ("overlap", 9))
    say(" " * 14 + "".join(f"{text:>{width}}" for text, width in heads))
    show_figures("thalweg", played.thalweg)
    if played.classic:
        show_figures("classic", played.classic)
        stall, waiting = ratios(played)
        say(
            f"    the classic way takes {times(stall)} the stall of a record, and {times(waiting)} the waiting in all, "
            "the end included"
        )
    if not played.read_ahead:
        say(
            "    note: more than --memory: records were read between the steps, which is in none of the times", "yellow"
        )
    if played.output:
        say(f"    kept: {played.output}")


def show_figures(name: str, of: Figures) -> None:
    overlap = "" if of.overlap is None else f"{100 * of.overlap:.0f} %"
    say(
        f"    {name:<10}{time_text(of.stall_s):>15}{time_text(of.longest_stall_s):>11}{time_text(of.finish_s):>11}"
        f"{time_text(of.wall_s):>11}{bytes_text(of.bytes_per_s) + '/s':>14}{overlap:>9}".rstrip()
    )


def times(ratio: float) -> str:
    return f"{ratio:.3g} times"


def time_text(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def ratios(played: Played) -> tuple[float, float]:
    assert played.classic is not None
    return played.classic.stall_s / played.thalweg.stall_s, played.classic.waited_s / played.thalweg.waited_s


def as_json(dataset: Dataset, played: Played, ranks: int) -> dict[str, Any]:
    plan = played.plan
    found: dict[str, Any] = {
        "file": dataset.path,
        "kind": dataset.kind,
        "format": played.format,
        "ranks": ranks,
        "record_dimension": plan.record,
        "records": plan.records,
        "record_bytes": plan.record_bytes,
        "bytes": plan.bytes,
        "cut": {dims: {"shape": played.grids[dims], "parts": parts} for dims, parts in played.parts.items()},
        "left_out": plan.left_out,
        "notes": plan.notes,
        "read_ahead": played.read_ahead,
        "thalweg": asdict(played.thalweg),
        "classic": asdict(played.classic) if played.classic else None,
        "output": played.output,
        "comparison": verify_two.json_of(played.comparison, played.request),
    }
    if played.classic:
        found["stall_ratio"], found["waiting_ratio"] = ratios(played)
    return found
