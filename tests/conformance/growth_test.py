# ctest: LABELS mpi TIMEOUT 300 ALL 1200
"""Many records, many variables, several sessions and nodes, and readers that look while records are written."""

from __future__ import annotations

import re
from contextlib import nullcontext
from itertools import product
from pathlib import Path

import pytest
from support import cases, conform, mpi
from support.batch import Batch, Job
from support.ways import ALL, of, ways

FORMATS = pytest.mark.parametrize("format_name", cases.FORMATS.values(), ids=cases.FORMATS)
WRITERS = ("sync", "thread")
RECORDS = of(2_000, 4_000)
FULL_CACHE = 10_000  # records of chunks of their own that fill HDF5's cache of metadata
GROWTH_KIB = RECORDS // 2  # sums of each record are kept until the file is complete


def configured(collections: dict[str, str], head: str = "") -> str:
    lines = [f"  {name}: {{{settings}}}\n" for name, settings in collections.items()]
    return f"report: none\n{head}collections:\n{''.join(lines)}"


def configure(path: Path, collections: dict[str, str], head: str = "") -> None:
    path.write_text(configured(collections, head))


def resident_kib(text: str) -> dict[int, list[int]]:
    """By step: the memory of each rank."""
    lines = re.findall(r"^memory (\d+):((?: \d+)+)$", text, re.MULTILINE)
    return {int(step): [int(word) for word in ranks.split()] for step, ranks in lines}


@pytest.mark.parametrize(
    ("format_name", "writers"),
    [*(pytest.param(text, "thread", id=f"{name}-thread") for name, text in cases.FORMATS.items()),
     ("cdf5", "sync"), ("netcdf4", "sync")],
)  # fmt: skip
def test_memory_does_not_grow_with_records(tmp_path: Path, format_name: str, writers: str) -> None:
    configure(tmp_path / "c.yaml", {"small": f"file: small.nc, format: {format_name}, pattern: shared"},
              f"writers: {writers}\nemulate-nodes: 2\n")  # fmt: skip
    first = FULL_CACHE if format_name == cases.FORMATS["netcdf4_zstd"] else 1_000
    last = first + RECORDS
    text = mpi.run("conform", 2, tmp_path, "c.yaml", "collections=small", "shape=12,20", f"records={last}",
                   f"memory={first},{last}", limit_s=120, alone=True)  # fmt: skip
    memory = resident_kib(text)
    growth = [late - early for early, late in zip(memory[first], memory[last], strict=True)]
    assert len(growth) == 2
    assert max(growth) <= GROWTH_KIB, f"KiB a rank: {memory}"
    with conform.zarrs_reads():
        conform.check_file(tmp_path / "small.nc", conform.small(12, 20), list(range(1, last + 1)))


@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4", "zarr"])
def test_own_memory_of_a_client_grows_by_about_a_mebibyte_a_collection(tmp_path: Path, format_name: str) -> None:
    """Collections of eight variables. HDF5 alone takes half a mebibyte for its cache index of an open file."""
    own = {}
    for collections in (1, 21):
        untouched = {"MALLOC_PERTURB_": "0"}  # memory that is asked for and not used counts for nothing
        text = mpi.run("collections", 2, tmp_path, collections, format_name, environment=untouched)
        own[collections] = sorted(int(kib) for kib in re.findall(r"^rank \d: (\d+)$", text, re.MULTILINE))
    growth = [(many - one) / 20 for one, many in zip(own[1], own[21], strict=True)]
    assert len(growth) == 2
    assert max(growth) < 1100, f"KiB a rank: {own}"


# Of netCDF-4 and Zarr those of which each variable takes most; zarr-python takes seconds to look at a thousand arrays.
MOST_WORK = of({"cdf5": 1000, "netcdf4_zstd": 1000, "zarr_shards": 300}, dict.fromkeys(cases.FORMATS, 1000))


@pytest.mark.parametrize(
    ("format_name", "count"), [(cases.FORMATS[name], count) for name, count in MOST_WORK.items()], ids=MOST_WORK
)
def test_a_thousand_variables(tmp_path: Path, format_name: str, count: int) -> None:
    configure(tmp_path / "c.yaml", {"many": f"file: many.nc, format: {format_name}, pattern: shared, layout: [2, 2]"},
              "emulate-nodes: 2\ndeadline: 10 s\n")  # fmt: skip
    mpi.run("conform", 3, tmp_path, "c.yaml", "collections=many", "shape=9,14", f"variables={count}", "records=2")
    with conform.zarrs_reads():
        conform.check_file(tmp_path / "many.nc", conform.many(count, 9, 14), [1, 2])


AT_SERVERS = of(300, 1000)


def of_many_variables(format_name: str, servers: str) -> Job:
    """Of a few cells each, so that there is nothing but their number."""
    writers, ranks, nodes = cases.place_servers(servers, 4)
    text = configured({"many": f"file: many.nc, format: {format_name}, pattern: shared"},
                      f"writers: {writers}\nemulate-nodes: {nodes}\n")  # fmt: skip
    return Job("conform", ranks, text, ("collections=many", "shape=9,14", f"variables={AT_SERVERS}", "records=4"))


MANY = [
    (text, servers)
    for (f, text), (p, servers) in product(
        enumerate(("netcdf4", "cdf5")), enumerate(("node", "2 nodes", "frontends", "3 ranks on 2 nodes"))
    )
    if ALL or f == p % 2  # every place, with one format after the other
]


@pytest.mark.parametrize(
    ("job", "steps"),
    [
        pytest.param(of_many_variables(text, servers), [1, 2, 3, 4], id=f"{text}-{servers.replace(' ', '_')}")
        for text, servers in MANY
    ],
)
def test_many_variables_go_to_servers(batch: Batch, job: Job, steps: list[int]) -> None:
    conform.check_file(batch.made(job) / "many.nc", conform.many(AT_SERVERS, 9, 14), steps)


def ahead(format_name: str, writers: str) -> Job:
    fields = f"file: fields.nc, format: {format_name}, pattern: shared, layout: [2, 1]"
    text = configured({"fields": fields}, f"writers: {writers}\nemulate-nodes: 2\n")
    return Job("conform", 4, text, ("collections=fields", "records=12"))


@pytest.mark.parametrize(
    ("job", "format_name"),
    [
        pytest.param(ahead(text, writers), text, id=f"{name}-{writers}")
        for name, text in cases.FORMATS.items()
        for writers in WRITERS
    ],
)
def test_a_node_that_is_ahead_of_another_loses_nothing(batch: Batch, job: Job, format_name: str) -> None:
    """The node that owns the file lets it grow while the other one writes records further on."""
    with conform.zarrs_reads():
        conform.check_file(batch.made(job) / "fields.nc", conform.fields(format_name), list(range(1, 13)))


@FORMATS
def test_two_sessions_live_side_by_side(tmp_path: Path, format_name: str) -> None:
    """They differ in everything, and their puts alternate."""
    configure(tmp_path / "a.yaml", {"small": f"file: a.nc, format: {format_name}"}, "writers: thread\n")
    configure(tmp_path / "b.yaml", {"small": "file: b.nc, format: netcdf4, pattern: shared, every: 2 steps"},
              "writers: sync\nemulate-nodes: 2\n")  # fmt: skip
    configure(tmp_path / "c.yaml", {"small": "file: c.nc, format: cdf2, pattern: shared, durability: record"},
              "emulate-nodes: 3\n")  # fmt: skip
    mpi.run("conform", 3, tmp_path, "a.yaml,b.yaml,c.yaml", "collections=small", "records=6")
    small = conform.small(61, 83)
    conform.check_file(tmp_path / "a.nc", small, [1, 2, 3, 4, 5, 6])
    conform.check_file(tmp_path / "b.nc", small, [2, 4, 6])
    conform.check_file(tmp_path / "c.nc", small, [1, 2, 3, 4, 5, 6])


def looked_at(format_name: str, nodes: str, writers: str) -> Job:
    fields = f"file: fields.nc, format: {format_name}, pattern: shared"
    text = configured({"fields": fields}, f"writers: {writers}\nemulate-nodes: {nodes}\n")
    types = "classic" if format_name == "cdf1" else "all"
    return Job("conform", 3, text, ("collections=fields", f"types={types}", "records=3", "snapshot=fields.nc"))


@pytest.mark.parametrize(
    ("job", "format_name"),
    [
        pytest.param(looked_at(text, nodes, writers), text, id=f"{name}-{nodes}-{writers}")
        for (name, text), nodes, writers in ways([("cdf1", "cdf1"), *cases.FORMATS.items()], ("none", "2"), WRITERS)
    ],
)
def test_a_reader_of_a_growing_file_sees_exactly_the_committed_records(
    batch: Batch, job: Job, format_name: str
) -> None:
    folder, fields = batch.made(job), conform.fields(format_name)
    with conform.zarrs_reads() if "sharding" in format_name else nullcontext():
        for step in (1, 2, 3):
            conform.check_file(folder / f"fields.nc.step{step}", fields, list(range(1, step + 1)), attributes=True)
        conform.check_file(folder / "fields.nc", fields, [1, 2, 3], attributes=True)
