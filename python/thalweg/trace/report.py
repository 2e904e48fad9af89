"""The report as JSON: docs/trace.md says what is in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from thalweg.trace import files, findings
from thalweg.trace.log import CLASSES, LAYERS, Log
from thalweg.trace.paths import folded, links, sums_by, tree
from thalweg.trace.table import Trace, function_of

SCHEMA = 1
BALANCED = 8  # functions whose ranks are shown one by one, if the caller names none


def report(trace: Trace, threshold: float = 1.0, balance: list[str] | None = None) -> dict[str, Any]:
    """`threshold`: per cent of the longest rank's time in I/O, below which paths are left out."""
    roots = tree(trace)
    longest = max((node.sums.time_max_ns for node in roots), default=0)
    kept, omitted = folded(roots, longest * threshold / 100)
    made: dict[str, Any] = {
        "thalweg_trace_report": SCHEMA,
        "processes": [process(trace, number) for number in range(len(trace.logs))],
        "processes_left_out": trace.left_out,
        "layers": layers(trace),
        "shares": shares(trace),
        "functions": functions(trace),
        "links": links(trace),
        "paths": [node.as_json() for node in kept],
        "paths_left_out": omitted,
        "files": files.table(trace),
        "losses": trace.losses,
    }
    made["balance"] = balances(trace, made["functions"], balance)
    made["findings"] = findings.all_of(made, trace)
    return made


def process(trace: Trace, number: int) -> dict[str, Any]:
    log = trace.logs[number]
    left = np.flatnonzero((trace.log == number) & trace.is_unfinished)
    return {
        "rank": trace.rank_of_log[number],
        "mpi_rank": log.rank if log.rank >= 0 else None,
        "host": log.host,
        "pid": log.pid,
        "program": log.program,
        "command": log.command,
        "wall_s": log.wall_ns / 1e9,
        "has_ended": log.has_ended,
        "events": int((trace.log == number).sum()),
        "dropped": log.dropped,
        "unfinished": [
            {
                "function": trace.functions[int(trace.function[event])].name,
                "file": trace.files[int(trace.file[event])],
                "thread": int(trace.thread[event]),
                "time_s": int(trace.duration[event]) / 1e9,
            }
            for event in left[:20]
        ],
    }


def layers(trace: Trace) -> list[dict[str, Any]]:
    """Time in calls of each layer, calls within calls of the same layer counted once. The layers contain each other."""
    outer = ~trace.is_inner_same
    reads, writes = trace.of_functions("is_read"), trace.of_functions("is_write")
    moves = trace.of_functions("moves_data")
    found = []
    for number, sums in sorted(sums_by(trace, trace.layer, outer).items()):
        own = outer & (trace.layer == number)
        found.append(
            {
                "layer": LAYERS[number],
                **{name: value for name, value in sums.as_json().items() if name != "bytes"},
                "bytes_read": int(trace.bytes[own & reads].sum()),
                "bytes_written": int(trace.bytes[own & writes].sum()),
                "ranks_moving_data": len(np.unique(trace.rank[own & moves])),
            }
        )
    return found


def shares_of(log: Log) -> dict[str, int]:
    """Nanoseconds of one process by class. Threads add up, so that parts can be more than the whole."""
    rows = log.rows
    is_mpi = rows["layer"] == LAYERS.index("mpi")
    parts = {"wall": log.wall_ns, "io": int(rows["outer_time"][~is_mpi].sum())}
    for number, name in enumerate(CLASSES[1:], 1):
        parts[name] = int(rows["outer_time"][is_mpi & (rows["class"] == number)].sum())
    parts["mpi_in_io"] = int(rows["in_io_time"][is_mpi].sum())
    parts["mpi"] = sum(parts[name] for name in CLASSES[1:])
    parts["compute"] = max(log.wall_ns - parts["io"] - parts["mpi"], 0)
    return parts


def shares(trace: Trace) -> list[dict[str, Any]]:
    """What ranks did with their time: the mean of all, and the rank with most of it."""
    each = [shares_of(log) for log in trace.logs]
    wall = sum(parts["wall"] for parts in each)
    found = []
    for name in ("compute", "io", "mpi", *CLASSES[1:], "mpi_in_io"):
        times = [parts[name] for parts in each]
        if not any(times):
            continue
        place = int(np.argmax(times))
        found.append(
            {
                "class": name,
                "share": sum(times) / wall if wall else 0.0,
                "time_mean_s": sum(times) / len(times) / 1e9,
                "time_max_s": times[place] / 1e9,
                "max_rank": trace.rank_of_log[place],
            }
        )
    return found


def functions(trace: Trace) -> list[dict[str, Any]]:
    """From the counters, which are whole when the log is full. Calls that were not finished are not in them."""
    cells: dict[tuple[str, str], dict[int, list[int]]] = {}
    for log, rank in zip(trace.logs, trace.rank_of_log, strict=True):
        for row in log.rows:
            of = function_of(row)
            sums = cells.setdefault((of.layer, of.name), {}).setdefault(rank, [0, 0, 0, 0, 0])
            for place, column in enumerate(("count", "failed", "bytes", "time", "longest")):
                value = int(row[column])
                sums[place] = max(sums[place], value) if column == "longest" else sums[place] + value
    found = [function(layer, name, of_rank) for (layer, name), of_rank in cells.items()]
    return sorted((one for one in found if one["calls"]), key=lambda one: -one["time_max_s"])


def function(layer: str, name: str, of_rank: dict[int, list[int]]) -> dict[str, Any]:
    called = {rank: sums for rank, sums in of_rank.items() if sums[0]}
    times = {rank: sums[3] / 1e9 for rank, sums in called.items()}
    most = max(times, key=lambda rank: times[rank], default=-1)
    return {
        "layer": layer,
        "function": name,
        "calls": sum(sums[0] for sums in called.values()),
        "failed": sum(sums[1] for sums in called.values()),
        "bytes": sum(sums[2] for sums in called.values()),
        "ranks": len(called),
        "time_max_s": times.get(most, 0.0),
        "max_rank": most,
        "time_min_s": min(times.values(), default=0.0),
        "time_mean_s": sum(times.values()) / max(len(times), 1),
        "longest_call_s": max((sums[4] for sums in called.values()), default=0) / 1e9,
        "time_s": {str(rank): time for rank, time in sorted(times.items())},
    }


def balances(trace: Trace, of_run: list[dict[str, Any]], wanted: list[str] | None) -> list[dict[str, Any]]:
    """Time of every rank in a function, ranks that never called it too: the longest of each layer, or those wanted."""
    ranks = trace.ranks
    chosen = [one for one in of_run if one["function"] in wanted] if wanted else longest_of_layers(of_run)
    return [
        {
            "layer": one["layer"],
            "function": one["function"],
            "time_s": {str(rank): one["time_s"].get(str(rank), 0.0) for rank in ranks},
        }
        for one in chosen
    ]


def longest_of_layers(of_run: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = []
    for layer in LAYERS:
        found += [one for one in of_run if one["layer"] == layer and one["time_max_s"] > 0][:2]
    return found[:BALANCED]
