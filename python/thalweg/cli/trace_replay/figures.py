"""The numbers of a replayed trace: how long the program waits for its output in each way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from thalweg.trace.writes import Writes

PARTS = ("start", "create", "put", "wait", "close", "finish")


@dataclass(frozen=True)
class Figure:
    """Of several turns, in seconds."""

    median: float
    least: float
    most: float


@dataclass(frozen=True)
class Way:
    """Of the slowest rank, for each turn the one that is slowest in it."""

    waited_s: Figure
    parts_s: dict[str, Figure]
    longest_s: Figure  # of one call
    wall_s: Figure
    late_s: float  # by which values that were made up came after their time, at most


def figure(values: Iterable[float]) -> Figure:
    found = list(values)
    return Figure(median(found), min(found), max(found))


def way_of(turns: Sequence[list[dict[str, Any]]]) -> Way:
    """turns: for each, what was measured by each rank."""
    parts = {
        part: figure(max(rank["waited_s"].get(part, 0.0) for rank in turn) for turn in turns) for part in PARTS
    }  # fmt: skip
    return Way(
        waited_s=figure(waited(turn) for turn in turns),
        parts_s={part: found for part, found in parts.items() if found.most > 0},
        longest_s=figure(max(rank["longest_s"] for rank in turn) for turn in turns),
        wall_s=figure(max(rank["wall_s"] for rank in turn) for turn in turns),
        late_s=max(rank["late_s"] for turn in turns for rank in turn),
    )


def waited(turn: list[dict[str, Any]]) -> float:
    return max(float(sum(rank["waited_s"].values())) for rank in turn)


def ratios(original: Sequence[list[dict[str, Any]]], thalweg: Sequence[list[dict[str, Any]]]) -> Figure:
    """How many times as long the original way waits, turn by turn."""
    pairs = zip(original, thalweg, strict=True)
    return figure(waited(one) / max(waited(other), 1e-9) for one, other in pairs)


def traced_s(writes: Writes) -> float:
    """What the traced run itself waited in the calls that are made again."""
    return max((sum(step.traced_s for step in steps) for steps in writes.steps), default=0.0)
