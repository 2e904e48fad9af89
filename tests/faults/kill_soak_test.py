# ctest: LABELS soak TIMEOUT 3600
"""Many kills of a writing job, and what was lost by them (nothing)."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path

import pytest
from kill_test import VARIANTS
from killed_job import kill_once

KILLS = int(os.environ.get("THALWEG_TEST_KILLS", "500"))
SEED = int(os.environ.get("THALWEG_TEST_SEED", "1000"))


@pytest.mark.timeout(14400)
def test_no_kill_of_many_loses_a_confirmed_record(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    losses = []
    for seed in range(SEED, SEED + KILLS):
        variant = VARIANTS[seed % len(VARIANTS)]
        folder = tmp_path / str(seed)
        try:
            remains = kill_once(folder, variant, seed)
        except AssertionError as error:
            losses.append(f"{variant}, seed {seed}: {error}")
            continue
        counts["records confirmed"] += remains.confirmed
        counts["records recovered"] += remains.recovered
        counts["kills that left a journal"] += remains.journal
        counts["kills that needed the journal"] += remains.needed_journal
        counts["partial files not readable as they were left"] += remains.visible < 0
        shutil.rmtree(folder)
        if (done := seed - SEED + 1) % 100 == 0:
            print(f"after {done} kills: {dict(counts)}, {len(losses)} with losses", flush=True)
    print(f"{KILLS} kills, {len(losses)} with losses")
    for name, count in sorted(counts.items()):
        print(f"  {name}: {count}")
    assert not losses, "\n".join(losses)
