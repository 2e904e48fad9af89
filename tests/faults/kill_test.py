# ctest: TIMEOUT 240
"""A job that is killed loses nothing that was committed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from killed_job import Variant, kill_once

SMALL, LARGE = (4, 32, 32), (6, 128, 160)
# Two emulated nodes write one file together, or one of them writes it alone.
PLACES = ((1, "single"), (2, "shared"))
VARIANTS = [
    Variant(file_format, writers, nodes, pattern, wait_every, shape)
    for file_format in ("cdf5", "netcdf4")
    for writers in ("thread", "sync")
    for nodes, pattern in PLACES
    for wait_every, shape in ((1, SMALL), (5, LARGE))
] + [
    Variant("cdf5", "thread", 2, "single", 2, LARGE),
    Variant("netcdf4", "thread", 2, "single", 2, LARGE),
    Variant("netcdf4", "thread", 1, "shared", 7, SMALL),
    Variant("cdf2", "sync", 1, "single", 1, SMALL),
    Variant("fortran", "thread", 1, "single", 1, SMALL),
    Variant("fortran", "thread", 2, "shared", 5, LARGE),
    Variant("fortran", "sync", 2, "shared", 1, SMALL),
]


@pytest.mark.parametrize(("seed", "variant"), list(enumerate(VARIANTS)), ids=map(str, VARIANTS))
def test_every_confirmed_record_survives_a_kill(tmp_path: Path, seed: int, variant: Variant) -> None:
    remains = kill_once(tmp_path, variant, seed)
    print(variant, remains)
    shutil.rmtree(tmp_path)
