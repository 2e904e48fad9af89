"""What ranks and nodes have had of memory, and what ranks have given to MPI."""

from __future__ import annotations

from thalweg.report.profile import Json, Profile

PHASES = ("definitions", "put", "advance", "finish", "reading", "server")
CALLS = ("messages", "collectives", "barriers")


def memory(profile: Profile) -> Json | None:
    """Nothing of runs by Thalweg before it told the memory of ranks. Ranks of a node count its blocks each."""
    ranks = [rank for rank in profile.ranks if "memory_bytes" in rank]
    if not ranks:
        return None
    longest = max(ranks, key=lambda rank: int(rank["memory_bytes"]))
    return {
        "max_bytes": longest["memory_bytes"],
        "max_rank": longest["rank"],
        "nodes": [of_node(node, ranks) for node in sorted({rank["node"] for rank in ranks})],
    }


def of_node(node: int, ranks: list[Json]) -> Json:
    own = [rank for rank in ranks if rank["node"] == node]
    largest = max(own, key=lambda rank: int(rank["memory_bytes"]))
    return {
        "node": node,
        "ranks": len(own),
        "bytes": sum(rank["memory_bytes"] for rank in own),
        "max_bytes": largest["memory_bytes"],
        "max_rank": largest["rank"],
        "block_bytes": max(rank["staging_bytes"] + rank["burst_bytes"] for rank in own),
    }


def mpi_calls(profile: Profile) -> list[Json]:
    """By role and phase, over all ranks; what nobody did is left out."""
    found = []
    for role, is_server in (("client", False), ("server", True)):
        ranks = [rank["mpi"] for rank in profile.ranks if "mpi" in rank and rank["is_server"] == is_server]
        for phase in PHASES:
            sums = {call: sum(rank[phase][call] for rank in ranks) for call in CALLS}
            most = {f"most_{call}": max((rank[phase][call] for rank in ranks), default=0) for call in CALLS}
            if any(sums.values()) or (role == "client" and ranks and phase in ("put", "advance")):
                found.append({"role": role, "phase": phase, **sums, **most})
    return found
