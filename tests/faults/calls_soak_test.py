# ctest: LABELS soak TIMEOUT 3600
"""Jobs by chance that are killed at a call to the storage by chance, with and without an older complete file:
nothing that was complete or confirmed is lost. On one rank, and on two nodes of one rank each."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from calls import Ended, Fault, Model
from calls_test import KILLED, TWO_NODES
from sweep import CHANGING, Sweep, sweeping

KILLS = int(os.environ.get("THALWEG_TEST_KILLS", "500"))
SEED = int(os.environ.get("THALWEG_TEST_SEED", "1"))
MODELS = [
    *KILLED,
    *TWO_NODES,
    Model("cdf1"),
    Model("cdf2", durability="none"),
    Model("netcdf4", "chunked", durability="none"),
    Model("netcdf4-classic", "deflated"),
    Model("zarr", "encoded"),
    Model("fortran", durability="record"),
    Model("cdf5", pattern="per-domain", durability="record"),
    Model("fortran", pattern="shared", ranks=2),
]
EACH = 10
"""kills of one model before another has its turn"""


class Kills:
    """Of one job, each at another call, followed by a recovery and a run, or by a run and a recovery."""

    def __init__(self, sweep: Sweep, random: Random, counts: Counter[str]) -> None:
        self.sweep, self.random, self.counts = sweep, random, counts
        self.calls = {rank: sweep.calls(rank) for rank in range(sweep.model.ranks)}

    def faults(self, many: int) -> Iterator[Fault]:
        for _ in range(many):
            rank = self.random.randrange(self.sweep.model.ranks)
            number, call = self.random.choice([(n, c) for n, c in enumerate(self.calls[rank], 1) if c.kind in CHANGING])
            moments = ("before", "half", "after") if call.kind == "write" else ("before", "after")
            yield Fault(number, self.random.choice(moments), rank)

    def make(self, many: int) -> None:
        for fault in self.faults(many):
            call = self.calls[fault.rank][fault.number - 1]
            self.sweep.disturb(fault, call, self.follow)
            self.counts[call.kind] += 1

    def follow(self, done: Ended) -> None:
        self.counts["kills"] += done.killed
        self.random.choice((self.sweep.recover_then_run, self.sweep.run_then_recover))()


@pytest.mark.timeout(14400)
def test_no_kill_at_a_call_by_chance_loses_anything(tmp_path: Path) -> None:
    random, counts, failures = Random(SEED), Counter[str](), []
    for number in range(0, KILLS, EACH):
        model = MODELS[number // EACH % len(MODELS)]
        try:
            with sweeping(tmp_path / str(number), model, random.random() < 0.5) as sweep:
                Kills(sweep, random, counts).make(min(EACH, KILLS - number))
        except AssertionError as error:
            failures.append(f"{model}: {error}")
    print(f"seed {SEED}: {KILLS} jobs, {dict(counts)}, {len(failures)} models with a loss")
    assert not failures, "\n".join(failures)
