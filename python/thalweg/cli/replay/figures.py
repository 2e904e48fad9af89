"""The numbers of a replay: how long records kept the model from going on, and how fast they came to the storage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Figures:
    """Of one way of writing; of several plays the median."""

    stall_s: float  # a record's, of the slowest rank; median over records
    longest_stall_s: float
    waited_s: float  # all stalls, and the end
    finish_s: float  # after the last record, until the file has its name
    wall_s: float
    bytes_per_s: float
    overlap: float | None = None  # the part of the writing that was hidden; None: not known


def figures(plays: Sequence[Sequence[dict[str, Any]]], size: int, profiles: Sequence[dict[str, Any]] = ()) -> Figures:
    """plays: for each, what was measured by each rank."""
    clients = [[rank for rank in play if rank["stalls_s"]] for play in plays]
    stalls = [max(record) for play in clients for record in zip(*(rank["stalls_s"] for rank in play), strict=True)]
    ends = [slowest(play, "finish_s") for play in clients]
    wall = median(slowest(play, "wall_s") for play in clients)
    overlaps = [part for part in map(overlap_of, profiles) if part is not None]
    return Figures(
        stall_s=median(stalls),
        longest_stall_s=max(stalls),
        waited_s=sum(stalls) / len(plays) + median(ends),
        finish_s=median(ends),
        wall_s=wall,
        bytes_per_s=size / wall,
        overlap=median(overlaps) if overlaps else None,
    )


def slowest(play: Sequence[dict[str, Any]], what: str) -> float:
    return max(float(rank[what]) for rank in play)


def overlap_of(profile: dict[str, Any]) -> float | None:
    """As the table at the end of a run has it (src/profile/report.cpp)."""
    ranks = profile["ranks"]
    waits = ("wait_block_s", "wait_send_s", "wait_commit_s")
    clients = [rank["client"] for rank in ranks if not rank["is_server"]]
    waited = max((sum(client[key] for key in waits) for client in clients), default=0.0)
    waited += min((client["finish_s"] for client in clients), default=0.0)
    parts = ("write_s", "sync_s", "commit_s")
    written = max((sum(rank["writer"][key] for key in parts) for rank in ranks if rank["is_writer"]), default=0.0)
    return min(max(1.0 - waited / written, 0.0), 1.0) if written > 0 else None
