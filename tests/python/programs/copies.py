"""Puts a large array that is nowhere contiguous, in a process that may not get memory for a copy of it."""

from __future__ import annotations

import resource
from pathlib import Path

import numpy as np
import thalweg

NY, NX = 2048, 4096  # 64 MiB of float64
SPARE = 16 << 20  # bytes


def limit_memory(bytes_more: int) -> None:
    """Allows the process what it has now, and so much more."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + bytes_more, hard))


def main() -> None:
    large = np.random.default_rng(5).standard_normal((NX, 2 * NY))
    field = large[::-1, ::2].T
    with thalweg.start(None, {"report": "none", "staging": "256 MiB", "collections": {"history": {}}}) as io:
        cells = io.decompose("y,x", (NY, NX), (0, 0), (NY, NX))
        history = io.collection("history")
        history.define_variable("field", "time,y,x", np.float64, cells)
        io.ready()
        limit_memory(SPARE)
        history.put("field", field)
        try:
            np.ascontiguousarray(field)
            print("a copy was possible")
        except MemoryError:
            print("a copy was not possible")
        io.advance(1.0)
        io.wait()
        limit_memory(1 << 30)
    np.save("field.npy", field)


main()
