# ctest: TIMEOUT 300 ALL 14400
"""A job with records of tens of megabytes that is killed at its k-th call to the storage. They end with no page and no
chunk: each is written in many pieces, past the page cache with an unaligned beginning and end."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls import Fault, Model
from support.ways import ALL, of
from sweep import CHANGING, chosen, sweeping, turn

pytestmark = pytest.mark.timeout(of(150, 14000))
SHAPE = (7, 1001, 1203)
"""temp: 34 MB a record in the file, ssh: 10 MB"""
MODELS = [
    Model("cdf5", shape=SHAPE),
    Model("netcdf4", "large_chunks", durability="record", shape=SHAPE),
    Model("zarr", "large_shards", shape=SHAPE),
    Model("fortran", shape=SHAPE),
    Model("cdf5", pattern="shared", ranks=2, shape=SHAPE),
    Model("netcdf4", pattern="shared", ranks=2, shape=SHAPE),
]


@pytest.mark.parametrize("existing", of([True], [False, True]))
@pytest.mark.parametrize("model", of(MODELS[:1], MODELS), ids=str)
def test_a_kill_at_any_call_loses_nothing(tmp_path: Path, model: Model, existing: bool) -> None:
    with sweeping(tmp_path, model, existing) as sweep:
        calls = chosen(sweep.calls(), CHANGING, 3)
        calls = calls if ALL else [one for one in calls if one[1].kind == "write"][1:3]
        for place, (number, call) in enumerate(calls):
            moments = ["half", "before", "after"] if call.kind == "write" else ["before", "after"]
            for moment in turn(moments, place):
                sweep.disturb(Fault(number, moment), call, sweep.recover_then_run)
