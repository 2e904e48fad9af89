"""Times of a model's steps, as it writes them to times.json."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from mpi4py import MPI


class Times(dict[str, float]):
    """How long each step took, on the rank that took longest."""

    @contextmanager
    def of(self, step: str) -> Iterator[None]:
        MPI.COMM_WORLD.Barrier()
        start_s = time.monotonic()
        yield
        self[step] = MPI.COMM_WORLD.allreduce(time.monotonic() - start_s, MPI.MAX)
