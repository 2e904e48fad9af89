"""Hot spots in words. Each rule has a name, by which docs/trace.md says when it speaks and what helps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from thalweg.trace.log import LAYERS
from thalweg.trace.table import Trace

SMALL_BYTES = 64 << 10
MANY_CALLS = 100
DATA_LAYERS = ("netcdf", "pnetcdf", "hdf5", "mpiio", "posix")

Finding = dict[str, Any]


def all_of(made: dict[str, Any], trace: Trace) -> list[Finding]:
    rules = (stopped, ranks_shrink, aggregation, imbalance, small, seeking, syncing, resizing, waiting, failing)
    return [finding for rule in rules for finding in rule(made, trace)]


def finding(rule: str, text: str, **values: object) -> Finding:
    return {"rule": rule, "text": text, **values}


def io_time(made: dict[str, Any]) -> float:
    """Of the rank that spent most in I/O; never 0."""
    return max((share["time_max_s"] for share in made["shares"] if share["class"] == "io"), default=0.0) or 1e-9


def stopped(made: dict[str, Any], _: Trace) -> Iterator[Finding]:
    for process in made["processes"]:
        # Of calls in each other the innermost was entered last.
        for call in process["unfinished"][-1:]:
            where = f" of '{call['file']}'" if call["file"] else ""
            text = f"rank {process['rank']} was killed, or left, in {call['function']}{where}"
            yield finding("stopped-in-call", text, rank=process["rank"], function=call["function"])


def ranks_shrink(made: dict[str, Any], _: Trace) -> Iterator[Finding]:
    """How many ranks move data at each layer: with aggregators fewer below than above."""
    counts = [
        (layer["layer"], layer["ranks_moving_data"])
        for layer in made["layers"]
        if layer["layer"] in DATA_LAYERS and layer["ranks_moving_data"]
    ]
    if len(counts) >= 2 and counts[-1][1] < counts[0][1]:
        text = "data goes through fewer ranks the deeper it is: " + ", ".join(f"{n} at {name}" for name, n in counts)
        yield finding("ranks-shrink", f"{text}; the last are the aggregators", ranks=dict(counts))


def aggregation(made: dict[str, Any], trace: Trace) -> Iterator[Finding]:
    """Of collective MPI-IO the part that is not in the calls to the system that it makes itself."""
    mpiio, posix = LAYERS.index("mpiio"), LAYERS.index("posix")
    is_collective = np.array(["_all" in one.name and one.layer == "mpiio" for one in trace.functions] or [False])
    outer = np.flatnonzero((trace.layer == mpiio) & is_collective[trace.function] & ~trace.is_inner_same)
    if not len(outer):
        return
    inner = np.flatnonzero((trace.layer == posix) & (trace.parent >= 0))
    inner = inner[np.isin(trace.parent[inner], outer)]
    size = int(trace.rank.max()) + 1
    in_calls = np.bincount(trace.rank[outer], trace.duration[outer], size) / 1e9
    in_system = np.bincount(trace.rank[inner], trace.duration[inner], size) / 1e9
    rank = int(np.argmax(in_calls))
    longest, longest_below = float(in_calls.max()), float(in_system.max())
    text = (
        f"collective MPI-IO takes {longest:.3g} s on rank {rank}, reading and writing below it at most "
        f"{longest_below:.3g} s on a rank: {max(longest - longest_below, 0.0):.3g} s are exchange and waiting"
    )
    values = {"collective_s": longest, "system_s": longest_below, "overhead_s": max(longest - longest_below, 0.0)}
    yield finding("aggregation-overhead", text, **values)


def imbalance(made: dict[str, Any], trace: Trace) -> Iterator[Finding]:
    ranks = len(trace.ranks)
    for one in made["functions"]:
        mean = sum(one["time_s"].values()) / max(ranks, 1)
        if trace.has_ranks and ranks > 1 and one["time_max_s"] >= 2 * mean and one["time_max_s"] >= 0.1 * io_time(made):
            yield finding(
                "imbalance",
                f"{one['function']}: rank {one['max_rank']} takes {one['time_max_s']:.3g} s, the mean of all "
                f"{ranks} ranks is {mean:.3g} s",
                function=one["function"],
                ratio=one["time_max_s"] / mean,
            )


def small(made: dict[str, Any], _: Trace) -> Iterator[Finding]:
    for file in made["files"]:
        for direction in ("read", "write"):
            data = file[direction]
            if data and data["calls"] >= MANY_CALLS and data["bytes_median"] < SMALL_BYTES:
                yield finding(
                    "small-accesses",
                    f"'{file['file']}': {data['calls']} accesses ({direction}) of {data['bytes_median']} bytes in the "
                    f"median, {data['pattern']}",
                    file=file["file"],
                )


def calls_of(made: dict[str, Any], *names: str) -> int:
    return sum(one["calls"] for one in made["functions"] if one["function"] in names)


def seeking(made: dict[str, Any], _: Trace) -> Iterator[Finding]:
    seeks, data = calls_of(made, "lseek"), calls_of(made, "read", "write", "readv", "writev")
    if seeks >= MANY_CALLS and seeks > 0.9 * data:
        yield finding("seeking", f"{seeks} calls of lseek for {data} of read and write", seeks=seeks)


def share_of_functions(made: dict[str, Any], rule: str, text: str, names: tuple[str, ...]) -> Iterator[Finding]:
    chosen = [one for one in made["functions"] if one["function"] in names]
    time = max((one["time_max_s"] for one in chosen), default=0.0)
    if time >= 0.1 * io_time(made):
        calls = sum(one["calls"] for one in chosen)
        yield finding(rule, f"{text}: {calls} calls, {time:.3g} s on a rank, {time / io_time(made):.0%} of its I/O")


def syncing(made: dict[str, Any], _: Trace) -> Iterator[Finding]:
    yield from share_of_functions(made, "syncing", "waiting for stable storage", ("fsync", "fdatasync", "syncfs"))


def resizing(made: dict[str, Any], _: Trace) -> Iterator[Finding]:
    names = ("ftruncate", "fallocate", "posix_fallocate", "MPI_File_set_size", "MPI_File_preallocate")
    yield from share_of_functions(made, "resizing", "setting the sizes of files", names)


def waiting(made: dict[str, Any], _: Trace) -> Iterator[Finding]:
    for share in made["shares"]:
        if share["class"] in ("barrier", "wait") and share["share"] >= 0.1:
            text = f"{share['share']:.0%} of the ranks' time is in MPI's calls of the class '{share['class']}'"
            yield finding("waiting", text, share=share["share"])


def failing(made: dict[str, Any], _: Trace) -> Iterator[Finding]:
    for one in made["functions"]:
        if one["failed"] >= MANY_CALLS or (one["failed"] and one["layer"] != "posix"):
            yield finding("failing", f"{one['function']} failed {one['failed']} times of {one['calls']}")
