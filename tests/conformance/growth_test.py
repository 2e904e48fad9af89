# ctest: LABELS mpi TIMEOUT 300
"""Many records, many variables, several sessions and nodes, and readers that look while records are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import cases, conform, mpi

FORMATS = pytest.mark.parametrize("format_name", cases.FORMATS.values(), ids=cases.FORMATS)
WRITERS = pytest.mark.parametrize("writers", ["sync", "thread"])
RECORDS = 10_000
GROWTH_KIB = 2048


def configure(path: Path, collections: dict[str, str], head: str = "") -> None:
    lines = [f"  {name}: {{{settings}}}\n" for name, settings in collections.items()]
    path.write_text(f"report: none\n{head}collections:\n{''.join(lines)}")


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
    # HDF5's cache of metadata fills up in the first ten thousand records, where each has chunks of its own.
    first, last = (RECORDS, 2 * RECORDS) if format_name == cases.FORMATS["netcdf4_zstd"] else (RECORDS // 5, RECORDS)
    text = mpi.run("conform", 2, tmp_path, "c.yaml", "collections=small", "shape=12,20", f"records={last}",
                   f"memory={first},{last}", limit_s=120)  # fmt: skip
    memory = resident_kib(text)
    growth = [late - early for early, late in zip(memory[first], memory[last], strict=True)]
    assert len(growth) == 2
    assert max(growth) <= GROWTH_KIB, f"KiB a rank: {memory}"
    conform.check_file(tmp_path / "small.nc", conform.small(12, 20), list(range(1, last + 1)))


@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4", "zarr"])
def test_own_memory_of_a_client_grows_by_less_than_a_mebibyte_a_collection(tmp_path: Path, format_name: str) -> None:
    """Collections of eight variables. HDF5 alone takes half a mebibyte for its cache index of an open file."""
    own = {}
    for collections in (1, 21):
        text = mpi.run("collections", 2, tmp_path, collections, format_name)
        own[collections] = sorted(int(kib) for kib in re.findall(r"^rank \d: (\d+)$", text, re.MULTILINE))
    growth = [(many - one) / 20 for one, many in zip(own[1], own[21], strict=True)]
    assert len(growth) == 2
    assert max(growth) < 1024, f"KiB a rank: {own}"


@FORMATS
def test_a_thousand_variables(tmp_path: Path, format_name: str) -> None:
    configure(tmp_path / "c.yaml", {"many": f"file: many.nc, format: {format_name}, pattern: shared, layout: [2, 2]"},
              "emulate-nodes: 2\ndeadline: 10 s\n")  # fmt: skip
    mpi.run("conform", 3, tmp_path, "c.yaml", "collections=many", "shape=9,14", "variables=1000", "records=2")
    conform.check_file(tmp_path / "many.nc", conform.many(1000, 9, 14), [1, 2])


@WRITERS
@FORMATS
def test_a_node_that_is_ahead_of_another_loses_nothing(tmp_path: Path, format_name: str, writers: str) -> None:
    """The node that owns the file lets it grow while the other one writes records further on."""
    settings = f"file: fields.nc, format: {format_name}, pattern: shared, layout: [2, 1]"
    configure(tmp_path / "c.yaml", {"fields": settings}, f"writers: {writers}\nemulate-nodes: 2\n")
    mpi.run("conform", 4, tmp_path, "c.yaml", "collections=fields", "records=12")
    conform.check_file(tmp_path / "fields.nc", conform.fields(format_name), list(range(1, 13)))


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


@WRITERS
@pytest.mark.parametrize("nodes", ["none", "2"])
@pytest.mark.parametrize("format_name", ["cdf1", *cases.FORMATS.values()], ids=["cdf1", *cases.FORMATS])
def test_a_reader_of_a_growing_file_sees_exactly_the_committed_records(
    tmp_path: Path, format_name: str, nodes: str, writers: str
) -> None:
    configure(tmp_path / "c.yaml", {"fields": f"file: fields.nc, format: {format_name}, pattern: shared"},
              f"writers: {writers}\nemulate-nodes: {nodes}\n")  # fmt: skip
    classic = "classic" if format_name == "cdf1" else "all"
    mpi.run("conform", 3, tmp_path, "c.yaml", "collections=fields", f"types={classic}", "records=3",
            "snapshot=fields.nc")  # fmt: skip
    fields = conform.fields(format_name)
    for step in (1, 2, 3):
        conform.check_file(tmp_path / f"fields.nc.step{step}", fields, list(range(1, step + 1)), attributes=True)
    conform.check_file(tmp_path / "fields.nc", fields, [1, 2, 3], attributes=True)
