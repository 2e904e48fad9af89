"""What happened to each file: who opened it, in pieces of what size, one behind the other or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from thalweg.trace.log import LAYERS
from thalweg.trace.table import Ints, Trace

OPENS = ("open", "openat", "creat", "fopen", "freopen", "MPI_File_open")


def table(trace: Trace) -> list[dict[str, Any]]:
    """Accesses are those of the lowest layer that the file was seen in. The longest first."""
    moves = trace.of_functions("moves_data") & ~trace.is_inner_same
    is_open = np.array([function.name in OPENS for function in trace.functions] or [False])
    order = np.argsort(trace.file, kind="stable")
    bounds = np.searchsorted(trace.file[order], np.arange(len(trace.files) + 1))
    found = []
    for number in range(1, len(trace.files)):
        events = order[bounds[number] : bounds[number + 1]]
        if not len(events):
            continue
        outer = events[~trace.is_inner_same[events]]
        layer = lowest(trace, events[moves[events]])
        data = events[moves[events] & (trace.layer[events] == layer)]
        opened = events[is_open[trace.function[events]]]
        opens = int((trace.layer[opened] == lowest(trace, opened)).sum())
        found.append(
            {
                "file": trace.files[number],
                "opens": opens,
                "ranks": len(np.unique(trace.rank[events])),
                "time_max_s": {
                    LAYERS[one]: longest_rank(trace, outer[trace.layer[outer] == one]) / 1e9
                    for one in np.unique(trace.layer[outer]).tolist()
                },
                "accesses_seen_at": LAYERS[layer] if len(data) else None,
                "read": accesses(trace, data, "is_read"),
                "write": accesses(trace, data, "is_write"),
            }
        )
    return sorted(found, key=lambda file: -max(file["time_max_s"].values(), default=0.0))


COLUMNS = ("file", "", "opens", "ranks", "accesses", "bytes", "median", "from–to", "pattern", "longest rank")


def rows(
    files: Iterable[dict[str, Any]], size: Callable[[float], str], time: Callable[[float], str]
) -> list[tuple[str, ...]]:
    """Texts of the columns: a row for each direction in which a file was accessed, one where it was not."""
    made = []
    for file in files:
        longest = time(max(file["time_max_s"].values(), default=0.0))
        for direction in ("read", "write"):
            if data := file[direction]:
                sizes = "–".join(size(data[f"bytes_{name}"]) for name in ("min", "max"))
                counts = (file["opens"], data["ranks"], data["calls"], size(data["bytes"]), size(data["bytes_median"]))
                made.append((file["file"], direction, *map(str, counts), sizes, data["pattern"], longest))
        if not file["read"] and not file["write"]:
            made.append((file["file"], "", str(file["opens"]), str(file["ranks"]), "", "", "", "", "", longest))
    return made


def lowest(trace: Trace, data: Ints) -> int:
    return int(trace.layer[data].max()) if len(data) else -1


def longest_rank(trace: Trace, events: Ints) -> float:
    return float(np.bincount(trace.rank[events], trace.duration[events]).max()) if len(events) else 0.0


def accesses(trace: Trace, data: Ints, direction: str) -> dict[str, Any] | None:
    """Without those that have moved nothing, as a read at the end of a file."""
    chosen = data[trace.of_functions(direction)[data] & (trace.bytes[data] > 0)]
    if not len(chosen):
        return None
    sizes = trace.bytes[chosen]
    return {
        "calls": len(chosen),
        "bytes": int(sizes.sum()),
        "ranks": len(np.unique(trace.rank[chosen])),
        "bytes_min": int(sizes.min()),
        "bytes_median": int(np.median(sizes)),
        "bytes_max": int(sizes.max()),
        **pattern(trace, chosen),
    }


def pattern(trace: Trace, chosen: Ints) -> dict[str, Any]:
    """Of accesses of each process in their order: which begin where the one before ended, or in a constant step."""
    # Offsets of the layers above are indices, or count from a view.
    known = chosen[(trace.offset[chosen] >= 0) & (trace.layer[chosen] == LAYERS.index("posix"))]
    known = known[np.lexsort((trace.start[known], trace.log[known]))]
    same = trace.log[known][1:] == trace.log[known][:-1]
    gaps = (trace.offset[known][1:] - trace.offset[known][:-1] - trace.bytes[known][:-1])[same]
    if not len(gaps):
        return {"pattern": "single" if len(known) else "unknown", "sequential": None}
    sequential = float((gaps == 0).mean())
    _, counts = np.unique(gaps[gaps != 0], return_counts=True)
    is_strided = len(counts) > 0 and counts.max() >= 2 and counts.max() >= 0.5 * len(gaps)
    name = "sequential" if sequential >= 0.5 else "strided" if is_strided else "irregular"
    return {"pattern": name, "sequential": sequential}
