# ctest: SHORT LABELS mpi TIMEOUT 180
"""Which ranks open files and how many bytes they write there, by the calls that they make to the storage."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest
from support import conform
from support.batch import Batch, Job
from support.storage_calls import Call, calls_of, watched

RANKS = 6
SHAPE = (160, 160)
VARIABLES = 11
STEPS = [1, 2, 3]
WATCHED = watched("/batch")


@dataclass(frozen=True)
class Traced:
    """A run, and the ranks that open something of each collection; servers are the last ones of their nodes."""

    name: str
    head: str
    settings: str
    openers: tuple[set[int], ...]

    def __str__(self) -> str:
        return self.name

    @property
    def collections(self) -> list[str]:
        return [f"many_{number}" for number in range(len(self.openers))]

    @property
    def job(self) -> Job:
        lines = "".join(f"  {name}: {{file: {name}.nc, {self.settings}}}\n" for name in self.collections)
        text = f"report: none\ndeadline: 30 s\n{self.head}collections:\n{lines}"
        # The last variable but one has no records: it is put before each record is complete.
        words = (f"collections={','.join(self.collections)}", f"shape={SHAPE[0]},{SHAPE[1]}", f"variables={VARIABLES}")
        return Job("conform", RANKS, text, (*words, f"records={len(STEPS)}"), tuple(WATCHED.items()))


NODES = "emulate-nodes: [2, 2, 2]\n"
OWN_NODES = "emulate-nodes: [2, 2, 1, 1]\nwriters: "
TWO_DOMAINS = "pattern: shared, layout: [2, 1]"
# Metadata lie between data. ROMIO, which gathers them, writes again what it finds between them, a buffer at most. A
# variable without records has chunks as well.
SMALL = "hints: {cb_buffer_size: 16 KiB}, chunks: {y: 80, x: 160}"
CASES = [
    Traced("thread", "", "format: cdf5, pattern: single", ({0},)),
    Traced("sync", "writers: sync\n", "format: cdf2, pattern: single", ({0},)),
    Traced("netcdf4", "", "format: netcdf4, pattern: single", ({0},)),
    Traced("domain_a_node", NODES, "format: cdf5, pattern: shared, layout: [3, 1]", ({0, 2, 4},)),
    Traced("two_domains", NODES, f"format: netcdf4, {TWO_DOMAINS}", ({0, 4},)),
    Traced("set", NODES, "format: cdf5, pattern: per-domain, layout: [3, 1]", ({0, 2, 4},)),
    Traced("pnetcdf", "", f"format: cdf5, engine: library, {TWO_DOMAINS}", ({0, 3},)),
    Traced("hdf5", "", f"format: netcdf4, engine: library, {TWO_DOMAINS}, {SMALL}", ({0, 3},)),
    Traced("server", "writers: {ranks: 1}\n", "format: netcdf4, pattern: single", ({5},)),
    Traced("two_servers", OWN_NODES + "{nodes: 2}\n", "format: cdf5, pattern: shared", ({4, 5},)),
    Traced("two_groups", OWN_NODES + "{nodes: {count: 2, groups: 2}}\n", "format: cdf5", ({4}, {5})),
    Traced("store", NODES + "writers: {nodes: 1}\n", "format: zarr", ({4},)),
    Traced("five", "writers: {ranks: 5, assign: in-turn}\n", "format: netcdf4", ({1}, {2}, {3}, {4}, {5})),
]
each_case = pytest.mark.parametrize("case", CASES, ids=str)


def calls_in(folder: Path) -> list[Call]:
    """Of what lies in the folder or is it; what ends a run there lies beside it."""
    return [call for call in calls_of(folder) if f"{call.path}/".startswith(f"{folder}/")]


@each_case
def test_a_file_is_opened_by_those_that_write_it(case: Traced, batch: Batch) -> None:
    folder = batch.made(case.job)
    ranks: dict[str, set[int]] = defaultdict(set)
    for call in calls_in(folder):
        if call.opens:
            name = re.search(r"many_\d(\.nc\.\d+)?", call.path)
            ranks[name[0] if name else "the folder"].add(call.rank)
    among = ranks.pop("the folder", set())  # names in it are forced to the disk
    assert among <= set().union(*case.openers)
    if case.name == "set":
        assert ranks == {f"many_0.nc.{part:04}": {rank} for part, rank in enumerate(sorted(case.openers[0]))}
    else:
        assert ranks == dict(zip(case.collections, case.openers, strict=True))


@each_case
def test_nothing_is_written_but_values_and_a_little_metadata(case: Traced, batch: Batch) -> None:
    """So no file is filled before its values come."""
    folder = batch.made(case.job)
    values = conform.many(VARIABLES, *SHAPE)
    cells = SHAPE[0] * SHAPE[1]
    wanted = sum(
        cells * int(of.type[-2:]) // 8 * (len(STEPS) if of.has_record else 1) for of in values.variables.values()
    )
    for name in case.collections:
        written = sum(call.bytes for call in calls_in(folder) if name in call.path)
        most = 1.01 if "format: cdf" in case.settings else 1.1  # what describes netCDF-4 and stores is less dense
        assert wanted <= written < most * wanted, f"{name}: {written / wanted:.3f} times the values"
        if case.name != "set":
            conform.check_file(folder / f"{name}.nc", values, STEPS)
