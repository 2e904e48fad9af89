"""Which calls ranks make to the storage, as tests/faults/fault_calls.c writes them down."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from support import mpi

LOG = "calls"  # in the folder of the run


def watched(under: str) -> dict[str, str]:
    """The environment of a run of which opened files are written down, and what is written to them: those whose path
    has these letters."""
    return {
        "LD_PRELOAD": f"{mpi.SANITIZER}:{mpi.BUILD}/lib/libfault_calls.so",
        "THALWEG_TEST_CALLS_UNDER": under,
        "THALWEG_TEST_CALLS_KINDS": " create open write ",
        "THALWEG_TEST_CALLS_LOG": LOG,
        "THALWEG_TEST_CALLS_DETAILS": "1",
    }


@dataclass(frozen=True)
class Call:
    rank: int
    bytes: int
    kind: str
    path: str

    @property
    def opens(self) -> bool:
        return self.kind != "write"


def calls_of(folder: Path) -> list[Call]:
    lines = (line.split(" ", 3) for line in (folder / LOG).read_text().splitlines())
    return [Call(int(rank), int(count), kind, path) for rank, count, kind, path in lines]
