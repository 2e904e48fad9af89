# ctest: SHORT LABELS mpi TIMEOUT 120
"""A part of the plane is a collection of its own, beside one of the whole plane: ranks outside of it hold nothing."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from support import conform
from support.batch import Batch, Job

SHAPE = (46, 64)
COLLECTIONS = ("region", "small")


@dataclass(frozen=True)
class Region:
    """On six ranks, of which one or two hold something of the region, or most, where blocks are dealt."""

    format: str
    writers: str = "thread"
    nodes: str = "none"
    mode: str = "block"
    keys: str = "pattern: single"

    def __str__(self) -> str:
        words = (self.format, self.writers, self.nodes, self.mode, self.keys)
        return "-".join(words).replace(" ", "_")

    @property
    def job(self) -> Job:
        settings = f"format: {self.format}, {self.keys}"
        collections = "".join(f"  {name}: {{file: {name}.nc, {settings}}}\n" for name in COLLECTIONS)
        head = f"writers: {self.writers}\nemulate-nodes: {self.nodes}\nreport: none\ndeadline: 30 s\n"
        words = (f"collections={','.join(COLLECTIONS)}", f"shape={SHAPE[0]},{SHAPE[1]}", "records=3")
        return Job("conform", 6, f"{head}collections:\n{collections}", (*words, f"mode={self.mode}"))


NODES = "[2, 2, 2]"
CASES = [
    Region("cdf5"),
    Region("zarr", "sync"),
    Region("netcdf4", nodes=NODES, keys="pattern: shared"),
    Region("cdf5", nodes=NODES, mode="deal", keys="pattern: shared, layout: [2, 2]"),
    Region("netcdf4", "{ranks: 3}", NODES, "deal"),
    Region("cdf5", "{nodes: 1}", NODES),
    Region("cdf2", nodes=NODES, keys="pattern: shared, engine: library"),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_region_is_a_collection_of_its_own(case: Region, batch: Batch) -> None:
    folder = batch.made(case.job)
    conform.check_file(folder / "region.nc", conform.region(*SHAPE), [1, 2, 3])
    conform.check_file(folder / "small.nc", conform.small(*SHAPE), [1, 2, 3])
