# ctest: LABELS soak TIMEOUT 7200
"""Jobs with records of tens of megabytes whose writes fail, and that are killed at random moments."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest
from calls import Fault, Model
from calls_test import Failed
from killed_job import Variant, kill_once
from large_records_test import MODELS, SHAPE
from sweep import chosen, sweeping

pytestmark = pytest.mark.timeout(3600)
FAILURES = {"ENOSPC": str(errno.ENOSPC), "short": "short"}
KILLED = [
    Variant("cdf5", "thread", 2, "shared", 1, SHAPE),
    Variant("netcdf4", "thread", 1, "single", 2, SHAPE, "large_chunks"),
    Variant("netcdf4", "divided", 1, "shared", 1, SHAPE),
    Variant("zarr", "node", 1, "single", 1, SHAPE, "large_shards"),
]


@pytest.mark.parametrize("model", MODELS[:4], ids=str)
@pytest.mark.parametrize("failure", FAILURES)
def test_a_write_that_fails_is_an_error_that_loses_nothing(tmp_path: Path, model: Model, failure: str) -> None:
    with sweeping(tmp_path, model, True) as sweep:
        for number, call in chosen(sweep.calls(), {"write"}, 1):
            sweep.disturb(Fault(number, FAILURES[failure]), call, Failed(sweep, failure))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("variant", KILLED, ids=str)
def test_every_confirmed_record_survives_a_kill(tmp_path: Path, variant: Variant, seed: int) -> None:
    kill_once(tmp_path, variant, seed)
    shutil.rmtree(tmp_path)
