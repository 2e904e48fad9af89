# ctest: SHORT LABELS mpi TIMEOUT 180
"""A burst of records uses what is left of `staging`, and gives it back to collections that are defined later."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import netCDF4
import numpy as np
import pytest
from support import python

sys.path.insert(0, str(python.PROGRAMS))
from bursts import LATER_MIB, RECORD_MIB, VARIABLES, values

# 160 MiB: three records of a little more than 8 MiB as a rule, and eight more in a burst; where records of 40 MiB come
# later, these need room that the burst would have.
WAYS: dict[str, tuple[int, dict[str, Any]]] = {
    "thread": (2, {}),
    "several": (2, {"writers": {"per-node": 2, "assign": "idle"}}),
    "server": (3, {"writers": {"ranks": 1}}),
    "nodes": (3, {"writers": {"nodes": 1}, "emulate-nodes": [2, 1], "staging": "240 MiB"}),
}


def configuration(**settings: Any) -> dict[str, Any]:
    of = {"format": "cdf5", "every": "on-demand"}
    return {"deadline": "30 s", "staging": "160 MiB", "collections": {"first": of, "later": of}} | settings


def check(path: Path, mib: int, records: int) -> None:
    with netCDF4.Dataset(path) as file:
        for variable in range(VARIABLES):
            for number in range(1, records + 1):
                expected = values(mib, 100 * variable + number, slice(None))
                np.testing.assert_array_equal(file[f"v{variable}"][number - 1], expected)


def test_a_burst_is_held_as_far_as_staging_goes(tmp_path: Path) -> None:
    held = configuration(drain="on-flush", **{"when-full": "fail"})
    python.run("bursts.py", 2, tmp_path, held, 11)
    check(tmp_path / "first.nc", RECORD_MIB, 11)
    done = python.start("bursts.py", 2, tmp_path, held, 12)
    assert done.returncode != 0 and "no free block for record 11" in done.stderr, done.stderr
    held["collections"]["first"] |= {"records-ahead": 3}
    done = python.start("bursts.py", 2, tmp_path, held, 4)
    assert done.returncode != 0 and "no free block for record 3" in done.stderr, done.stderr


@pytest.mark.parametrize("way", WAYS)
def test_collections_that_come_later_get_what_a_burst_does_not_use(tmp_path: Path, way: str) -> None:
    ranks, settings = WAYS[way]
    config = configuration(report="table", **settings)
    said = python.start("bursts.py", ranks, tmp_path, config, 9, "later")
    assert said.returncode == 0, said.stderr
    check(tmp_path / "first.nc", RECORD_MIB, 18)
    check(tmp_path / "later.nc", LATER_MIB, 9)
    depth = re.search(r"collection 'later': .* up to (\d+) records in memory", said.stdout + said.stderr)
    assert depth and int(depth[1]) >= 2, said.stdout + said.stderr
