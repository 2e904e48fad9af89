# ctest: WAITS TIMEOUT 500
"""A job that is killed loses nothing that was committed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from killed_job import Variant, kill_once
from support.ways import covering_of, ways

SMALL, LARGE = (4, 32, 32), (6, 128, 160)
ONE_NODE, TWO_NODES = ("thread", 1, "single"), ("thread", 2, "shared")
# Two emulated nodes write one file together, or one of them writes it alone.
PLACES = ((1, "single"), (2, "shared"))
VARIANTS = [
    Variant(file_format, writers, nodes, pattern, wait_every, shape)
    for file_format, writers, (nodes, pattern), (wait_every, shape) in ways(
        ("cdf5", "netcdf4"), ("thread", "sync"), PLACES, ((1, SMALL), (5, LARGE))
    )
] + [
    Variant("cdf5", "thread", 2, "single", 2, LARGE),
    Variant("netcdf4", "thread", 2, "single", 2, LARGE),
    Variant("netcdf4", "thread", 1, "shared", 7, SMALL),
    Variant("cdf2", "sync", 1, "single", 1, SMALL),
    Variant("fortran", "thread", 1, "single", 1, SMALL),
    Variant("fortran", "thread", 2, "shared", 5, LARGE),
    Variant("fortran", "sync", 2, "shared", 1, SMALL),
]
# Sizes of chunks that are encoded on another node go to the home of the file by message.
ENCODED = [
    Variant("netcdf4", *ONE_NODE, 1, SMALL, "encoded"),
    Variant("netcdf4", *ONE_NODE, 5, LARGE, "encoded"),
    Variant("netcdf4", *TWO_NODES, 1, SMALL, "encoded"),
    Variant("netcdf4", *TWO_NODES, 5, LARGE, "encoded"),
    Variant("netcdf4", "sync", 1, "single", 1, SMALL, "encoded"),
    Variant("netcdf4", "sync", 2, "shared", 5, LARGE, "encoded"),
    Variant("netcdf4", *TWO_NODES, 2, LARGE, "encoded", "record"),
    Variant("netcdf4", *TWO_NODES, 3, LARGE, "deflated"),
    Variant("netcdf4", *TWO_NODES, 3, LARGE, "chunked"),
    Variant("netcdf4-classic", *ONE_NODE, 3, LARGE, "encoded"),
]
STORES = [
    Variant("zarr", *ONE_NODE, 1, SMALL),
    Variant("zarr", *TWO_NODES, 3, LARGE),
    Variant("zarr", "sync", 2, "shared", 1, SMALL),
    Variant("zarr", *ONE_NODE, 3, LARGE, "sharded"),
    Variant("zarr", *TWO_NODES, 1, SMALL, "sharded"),
    Variant("zarr", "sync", 1, "single", 2, LARGE, "sharded"),
    Variant("zarr", *TWO_NODES, 3, LARGE, "encoded", "record"),
]
SERVERS = [
    Variant("cdf5", "ranks", 1, "single", 1, SMALL),
    Variant("netcdf4", "ranks", 1, "single", 5, LARGE),
    Variant("netcdf4", "rank_a_node", 2, "shared", 1, LARGE),
    Variant("netcdf4", "rank_a_node", 2, "shared", 3, LARGE, "encoded"),
    Variant("netcdf4", "node", 1, "single", 2, LARGE),
    Variant("cdf5", "node", 1, "single", 3, SMALL),
    Variant("zarr", "node", 1, "single", 3, LARGE, "sharded"),
    Variant("cdf5", "divided", 1, "shared", 1, SMALL),
    Variant("netcdf4", "divided", 1, "shared", 3, LARGE),
    Variant("netcdf4", "divided", 1, "shared", 2, LARGE, "encoded", "record"),
    Variant("zarr", "divided", 1, "shared", 3, LARGE, "sharded"),
    Variant("fortran", "divided", 1, "shared", 2, LARGE),
    Variant("cdf5", "idle", 1, "single", 1, SMALL),
    Variant("netcdf4", "idle", 1, "single", 2, LARGE, "encoded"),
]
VARIANTS += ENCODED + STORES + SERVERS


# The long tests (kill_soak_test.py) kill all of them many times.
OF_WAY = {(v.file_format, v.writers, v.nodes, v.pattern, v.encoding, v.durability): v for v in VARIANTS}
FEW = [OF_WAY[way] for way in covering_of(list(OF_WAY))]


@pytest.mark.by_turns(2)
@pytest.mark.parametrize("variant", FEW, ids=str)
def test_every_confirmed_record_survives_a_kill(tmp_path: Path, variant: Variant) -> None:
    remains = kill_once(tmp_path, variant, FEW.index(variant))
    print(variant, remains)
    shutil.rmtree(tmp_path)
