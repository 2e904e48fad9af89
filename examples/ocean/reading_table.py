"""What the ocean read in the runs of the demo, and how long it waited for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rich import box
from rich.table import Table


@dataclass
class Waits:
    """Of the rank that waited longest, in seconds."""

    mask_s: float
    restart_s: float
    first_wind_s: float  # two records
    longest_wind_s: float  # of all later steps: one in which a record is passed
    wind_s: float  # all steps together


def waits_of(told: Mapping[str, Any]) -> Waits:
    """From the report of a run."""
    return Waits(told["mask_s"], told["restart_read_s"], *(told[f"{of}wind_s"] for of in ("first_", "longest_", "")))


def medians(rounds: Sequence[Waits]) -> Waits:
    return Waits(**{name: median(asdict(one)[name] for one in rounds) for name in asdict(rounds[0])})


def reading_table(names: Mapping[str, str], waits: Mapping[str, Waits]) -> Table:
    shown = Table(
        title="How long the model waits for what it reads", title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1)
    )
    shown.add_column("\n\nway", no_wrap=True)
    for heading in ("land\nmask\nms", "restart\n\nms", "wind,\nfirst\nms", "wind, at\na record\nms", "all\nsteps\nms"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for way, of in waits.items():
        by = names[way] if way in ("sync", "thread") else f"by hand ({names[way]})"
        times = (of.mask_s, of.restart_s, of.first_wind_s, of.longest_wind_s, of.wind_s)
        shown.add_row(by, *(f"{seconds * 1e3:.1f}" for seconds in times))
    return shown


def what_was_read(mask: Path, restart: Path, wind: Path, records: int) -> str:
    """In a sentence or two, for below the table."""
    sizes = [f"{path.name} ({path.stat().st_size / 1e6:.1f} MB)" for path in (mask, restart, wind)]
    return (
        f"Each run read {sizes[0]} on every rank, its state from {sizes[1]}, and at every step the wind between two of "
        f"{records} records of {sizes[2]}. By hand, rank 0 reads a record when time comes to it, and sends all of it "
        "to all; Thalweg has read it ahead, and each rank gets its part."
    )
