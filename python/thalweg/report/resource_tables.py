"""The tables of memory and of what was given to MPI."""

from __future__ import annotations

from thalweg.pages import left, table
from thalweg.report import resources
from thalweg.report.cells import amount, count
from thalweg.report.profile import Json


def memory(made: Json) -> str:
    head = ("node", "ranks", "all ranks", "largest rank", "its memory", "blocks of the node")
    rows = [
        [
            count(one["node"]),
            count(one["ranks"]),
            amount(one["bytes"]),
            count(one["max_rank"]),
            amount(one["max_bytes"]),
            amount(one["block_bytes"]),
        ]
        for one in made["memory"]["nodes"]
    ]
    return table("memory", head, rows)


def mpi_calls(made: Json) -> str:
    head = ("role", "phase", "messages", "of a rank", "collectives", "of a rank", "barriers", "of a rank")
    rows = [
        [
            left(one["role"]),
            left(one["phase"]),
            *(count(one[key]) for call in resources.CALLS for key in (call, f"most_{call}")),
        ]
        for one in made["mpi_calls"]
    ]
    return table("mpi-calls", head, rows)
