"""A model that puts in each step of an hour what follows from the step's number alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import thalweg
from mpi4py import MPI

HOUR = 3600.0


class Model(Protocol):
    def put_fixed(self) -> None: ...

    def put(self, step: int) -> None: ...


def run(make: Callable[[thalweg.Session], Model], steps: int) -> None:
    """As thalweg.yaml says."""
    with thalweg.start(MPI.COMM_WORLD, "thalweg.yaml") as io:
        if not io.is_client:
            return
        model = make(io)
        model.put_fixed()
        for step in range(1, steps + 1):
            model.put(step)
            io.advance(step * HOUR)
