"""Time lines of runs, as `time-line: FILE` has them written: which thread did what when."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.data import DataError
from thalweg.report.profile import Json, read_version, says

VERSION = 1
MOST = 1e15  # microseconds, and all else: a time line is of thirty years at most
MOST_NAMES = 255  # of spans; of collections those behind count as the last one
DEEPEST = 5  # levels that a picture tells apart

# What a file of other content ends in, where it is taken apart.
FAULTS = (AttributeError, KeyError, IndexError, TypeError, ValueError, OverflowError)
WAITS = ("copy", "wait_block", "wait_send", "wait_commit")  # of a client, for a record
WRITES = ("write", "sync", "commit")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Track:
    """A thread. Its spans are sorted by level, and by time within one: those of a level do not overlap."""

    rank: int
    name: str
    start_s: Floats
    length_s: Floats
    kind: NDArray[np.uint8]  # numbers of names
    level: NDArray[np.uint8]
    spans: NDArray[np.uint32]  # that have become this one
    counted_s: Floats  # without pauses between them
    exclusive_s: Floats  # of these, without spans within
    collection: NDArray[np.uint8]  # numbers of collections, from 1; 0: of none, or of several
    first_record: NDArray[np.int32]  # -1: of none
    last_record: NDArray[np.int32]


@dataclass(frozen=True)
class TimeLine:
    path: Path
    version: str
    names: list[str]
    collections: list[str]  # the first of them is 1
    tracks: list[Track]
    ranks: list[Json]  # as the file has them
    end_s: float
    is_kept: bool = False  # by ranks of a run that did not end

    @property
    def spans(self) -> int:
        return sum(len(track.start_s) for track in self.tracks)


def read(path: Path) -> TimeLine:
    made = read_version(path, "time line", "thalweg_time_line", (VERSION,))
    try:
        return time_line_of(path, made)
    except FAULTS as fault:
        raise DataError(f"'{path}' is no whole time line: {type(fault).__name__} {fault}") from None


def kept_in(folder: Path) -> list[Path]:
    """What ranks of a run have kept that did not end."""
    return [path for path in sorted(folder.glob("*.rank-*.json")) if says(path, "thalweg_time_line")]


def read_kept(paths: list[Path]) -> TimeLine:
    """Of the newest run among them. Ranks of one clock are set to each other by it, and others begin together."""
    made = {path: read_version(path, "time line", "thalweg_time_line", (VERSION,)) for path in paths}
    try:
        newest = made[max(paths, key=lambda path: path.stat().st_mtime_ns)]["ranks"][0]["session"]
        parts = [one for one in made.values() if one["ranks"][0]["session"] == newest]
        line = time_line_of(paths[0].parent, together(parts))
    except FAULTS as fault:
        raise DataError(f"'{paths[0].parent}' has no whole time lines: {type(fault).__name__} {fault}") from None
    return replace(line, is_kept=True)


def together(parts: list[Json]) -> Json:
    first: dict[str, float] = {}
    for part in parts:
        rank = part["ranks"][0]
        first[rank["clock"]] = min(first.get(rank["clock"], float("inf")), -rank["offset_us"])
    for part in parts:
        rank = part["ranks"][0]
        shift_us = -rank["offset_us"] - first[rank["clock"]]
        for name in ("start_us", "end_us"):
            rank[name] += shift_us
        for event in part["traceEvents"]:
            if event["ph"] == "X":
                event["ts"] += shift_us
    return {
        "version": parts[0].get("version", ""),
        "ranks": [part["ranks"][0] for part in parts],
        "traceEvents": [event for part in parts for event in part["traceEvents"]],
    }


def time_line_of(path: Path, made: Json) -> TimeLine:
    names: dict[str, int] = {}
    collections: dict[str, int] = {"": 0}
    threads: dict[tuple[int, int], list[Any]] = {}
    for event in made["traceEvents"]:
        if event["ph"] != "X":
            continue
        kind = names.setdefault(text(event, "name"), len(names))
        more = event.get("args") or {}
        if not isinstance(more, dict):
            raise TypeError(f"'args' is {more!r:.40}, and no map")
        threads.setdefault((event["pid"], event["tid"]), []).append(
            (
                *(event["ts"], event["dur"], kind, more.get("spans", 1), more.get("counted_us", event["dur"])),
                collections.setdefault(str(more.get("collection", "")), min(len(collections), MOST_NAMES)),
                *((record := more.get("record", -1)), more.get("last_record", record)),
            )
        )
    if len(names) > MOST_NAMES:
        raise ValueError(f"it has more than {MOST_NAMES} names")
    ranks = sorted(made["ranks"], key=lambda rank: int(rank["rank"]))
    tracks = [
        track_of(int(rank["rank"]), text(thread, "name"), threads.get((rank["rank"], thread["thread"]), []))
        for rank in ranks
        for thread in rank["threads"]
    ]
    end_s = max((float(rank["end_us"]) / 1e6 for rank in ranks), default=0.0)
    known = list(collections)[1 : MOST_NAMES + 1]
    return TimeLine(path, str(made.get("version", "")), list(names), known, tracks, ranks, end_s)


def text(of: Json, key: str) -> str:
    if not isinstance(of[key], str):
        raise TypeError(f"'{key}' is {of[key]!r:.40}, and no text")
    return str(of[key])


def track_of(rank: int, name: str, events: list[Any]) -> Track:
    """With the level of each span, which is how many it lies in, and what it has without those in it."""
    all_of = np.array(events, dtype=np.float64).reshape(-1, 8)
    if not (np.abs(all_of) < MOST).all():
        raise ValueError(f"times and numbers of thread '{name}' of rank {rank} cannot be")
    order = np.lexsort((-all_of[:, 1], all_of[:, 0]))
    start_us, length_us, kinds, spans, counted_us, collections, first, last = all_of[order].T
    starts, ends = start_us.tolist(), (start_us + length_us).tolist()
    level, exclusive = np.zeros(len(starts), np.uint8), counted_us.copy()
    around: list[int] = []
    for k, start in enumerate(starts):
        while around and ends[around[-1]] <= start + 5e-4:  # times are rounded to nanoseconds
            around.pop()
        if around:
            exclusive[around[-1]] -= counted_us[k]
        level[k] = min(len(around), DEEPEST)
        around.append(k)
    order = np.lexsort((start_us, level))
    return Track(
        rank,
        name,
        start_us[order] / 1e6,
        length_us[order] / 1e6,
        kinds[order].astype(np.uint8),
        level[order],
        spans[order].astype(np.uint32),
        counted_us[order] / 1e6,
        np.maximum(exclusive[order], 0.0) / 1e6,
        collections[order].astype(np.uint8),
        first[order].astype(np.int32),
        last[order].astype(np.int32),
    )


def exclusive_by_rank(line: TimeLine) -> dict[tuple[str, int], float]:
    """Seconds without what lies within, by name and rank, over its threads."""
    sums: dict[tuple[str, int], float] = {}
    for track in line.tracks:
        of_kind = np.bincount(track.kind, track.exclusive_s, len(line.names))
        for kind in np.flatnonzero(np.bincount(track.kind, minlength=len(line.names))):
            key = (line.names[kind], track.rank)
            sums[key] = sums.get(key, 0.0) + float(of_kind[kind])
    return sums


def by_collection(line: TimeLine) -> list[Json]:
    """Seconds without what lies within, over all threads, of spans that are of one collection."""
    sums = np.zeros((len(line.collections) + 1, len(line.names)))
    counts = np.zeros_like(sums)
    for track in line.tracks:
        np.add.at(sums, (track.collection, track.kind), track.exclusive_s)
        np.add.at(counts, (track.collection, track.kind), track.spans)
    return [
        {
            "collection": collection,
            "timer": name,
            "exclusive_s": float(sums[row, kind]),
            "spans": int(counts[row, kind]),
        }
        for row, collection in enumerate(line.collections, 1)
        for kind, name in enumerate(line.names)
        if counts[row, kind]
    ]


def by_record(line: TimeLine) -> list[Json]:
    """Of spans that are of one record: how long the client waited that waited longest, and how long writers wrote."""
    waits = [number for number, name in enumerate(line.names) if name in WAITS]
    writes = [number for number, name in enumerate(line.names) if name in WRITES]
    stalls: dict[tuple[int, int], dict[int, float]] = {}
    written: dict[tuple[int, int], float] = {}
    for track in line.tracks:
        of_one = (track.collection > 0) & (track.first_record >= 0) & (track.first_record == track.last_record)
        for k in np.flatnonzero(of_one & np.isin(track.kind, [*waits, *writes])).tolist():
            key = (int(track.collection[k]), int(track.first_record[k]))
            stalls.setdefault(key, {}).setdefault(track.rank, 0.0)
            if int(track.kind[k]) in waits:
                stalls[key][track.rank] += float(track.exclusive_s[k])
            else:
                written[key] = written.get(key, 0.0) + float(track.exclusive_s[k])
    return [
        {
            "collection": line.collections[key[0] - 1],
            "record": key[1],
            "stall_s": max(stalls[key].values()),
            "stall_rank": max(stalls[key], key=lambda rank: stalls[key][rank]),
            "writing_s": written.get(key, 0.0),
        }
        for key in sorted(stalls)
    ]


def summary(line: TimeLine) -> Json:
    """What is said of it in words and numbers."""
    threads = [
        {"rank": rank["rank"], **{key: thread[key] for key in ("name", "spans", "grain_us", "left_out")}}
        for rank in line.ranks
        for thread in rank["threads"]
    ]
    left_out = sum(of["spans"] for thread in threads for of in thread["left_out"].values())
    left_out_s = sum(of["us"] for thread in threads for of in thread["left_out"].values()) / 1e6
    return {
        "file": str(line.path),
        "spans": line.spans,
        "end_s": line.end_s,
        "is_kept": line.is_kept,
        "ranks": len(line.ranks),
        "hosts": len({rank["host"] for rank in line.ranks}),
        "clock_error_s": max((float(rank["offset_error_us"]) / 1e6 for rank in line.ranks), default=0.0),
        "collections": by_collection(line),
        "records": by_record(line),
        "left_out_spans": left_out,
        "left_out_s": left_out_s,
        "threads": threads,
    }
