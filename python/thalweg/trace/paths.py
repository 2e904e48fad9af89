"""Who calls whom: the links between functions, and the tree of all paths of calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.trace.table import Function, Ints, Trace


@dataclass
class Sums:
    """Of a group of events: all, and those of the rank that took longest."""

    calls: int
    bytes: int
    ranks: int
    time_ns: int
    time_max_ns: int
    max_rank: int

    def as_json(self) -> dict[str, Any]:
        return {
            "calls": self.calls,
            "bytes": self.bytes,
            "ranks": self.ranks,
            "time_s": self.time_ns / 1e9,
            "time_max_s": self.time_max_ns / 1e9,
            "max_rank": self.max_rank,
        }


def sums_by(trace: Trace, key: Ints, chosen: NDArray[np.bool_]) -> dict[int, Sums]:
    """Sums for each value of the key, of the chosen events."""
    key, rank = key[chosen], trace.rank[chosen]
    if not len(key):
        return {}
    ranks = int(rank.max()) + 1
    pairs, place = np.unique(key * ranks + rank, return_inverse=True)
    time, size, calls = (np.zeros(len(pairs), np.int64) for _ in range(3))
    np.add.at(time, place, trace.duration[chosen])
    np.add.at(size, place, trace.bytes[chosen])
    np.add.at(calls, place, 1)
    found: dict[int, Sums] = {}
    for pair, one_time, one_size, one_calls in zip(
        pairs.tolist(), time.tolist(), size.tolist(), calls.tolist(), strict=True
    ):
        group, one_rank = divmod(pair, ranks)
        sums = found.setdefault(group, Sums(0, 0, 0, 0, -1, -1))
        sums.calls += one_calls
        sums.bytes += one_size
        sums.ranks += 1
        sums.time_ns += one_time
        if one_time > sums.time_max_ns:
            sums.time_max_ns, sums.max_rank = one_time, one_rank
    return found


@dataclass
class Node:
    function: Function
    sums: Sums
    children: list[Node] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        below = [child.as_json() for child in self.children]
        return {"layer": self.function.layer, "function": self.function.name, **self.sums.as_json(), "calls_to": below}


def links(trace: Trace) -> list[dict[str, Any]]:
    """From caller to callee, the one that took longest on a rank first."""
    count = max(len(trace.functions), 1)
    has_caller = trace.parent >= 0
    callers = trace.function[np.maximum(trace.parent, 0)] if len(trace.parent) else trace.parent
    found = []
    for key, sums in sums_by(trace, callers * count + trace.function, has_caller).items():
        caller, callee = (trace.functions[number] for number in divmod(key, count))
        names = {"caller_layer": caller.layer, "caller": caller.name, "layer": callee.layer, "function": callee.name}
        found.append({**names, **sums.as_json()})
    return sorted(found, key=lambda link: -link["time_max_s"])


def path_numbers(trace: Trace) -> tuple[Ints, list[tuple[int, int]]]:
    """For each event the number of its path; a path is that of its caller (or -1) and a function."""
    count = max(len(trace.functions), 1)
    path = np.full(len(trace.function), -1, np.int64)
    paths: list[tuple[int, int]] = []
    waiting = np.flatnonzero(trace.parent < 0)
    outer = np.full(len(waiting), -1, np.int64)
    # Callees of events, found by their callers in order.
    by_parent = np.argsort(trace.parent, kind="stable")
    parents = trace.parent[by_parent]
    while len(waiting):
        keys, place = np.unique((outer + 1) * count + trace.function[waiting], return_inverse=True)
        path[waiting] = place + len(paths)
        paths += [(key // count - 1, key % count) for key in keys.tolist()]
        begin, end = np.searchsorted(parents, waiting, "left"), np.searchsorted(parents, waiting, "right")
        lengths = end - begin
        outer = np.repeat(path[waiting], lengths)
        first = np.repeat(begin - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
        waiting = by_parent[first + np.arange(int(lengths.sum()))]
    return path, paths


def tree(trace: Trace) -> list[Node]:
    path, paths = path_numbers(trace)
    sums = sums_by(trace, path, path >= 0)
    nodes = [Node(trace.functions[function], sums[number]) for number, (_, function) in enumerate(paths)]
    roots: list[Node] = []
    for node, (outer, _) in zip(nodes, paths, strict=True):
        (nodes[outer].children if outer >= 0 else roots).append(node)
    for node in nodes:
        node.children.sort(key=lambda child: -child.sums.time_max_ns)
    return sorted(roots, key=lambda node: -node.sums.time_max_ns)


def folded(roots: list[Node], least_ns: float) -> tuple[list[Node], int]:
    """The tree without paths that took less on every rank; and how many those are."""
    kept, omitted = [], 0
    for node in roots:
        if node.sums.time_max_ns < least_ns:
            omitted += size(node)
            continue
        children, fewer = folded(node.children, least_ns)
        omitted += fewer
        kept.append(Node(node.function, node.sums, children))
    return kept, omitted


def size(node: Node) -> int:
    return 1 + sum(size(child) for child in node.children)
