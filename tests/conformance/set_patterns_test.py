# ctest: LABELS mpi TIMEOUT 600
"""The patterns per-domain and per-rank: sets of files whose union is what one writer writes, bit for bit."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import conform, mpi
from support.readers import READERS, Sample, tool

RECORDS = 4
STEPS = list(range(1, RECORDS + 1))
NODES = {"one": "none", "two": "2", "uneven": "[1, 2, 1]"}
RANKS_OF = {"one": 1, "two": 2, "uneven": 4}
KINDS = {
    "cdf1": "format: cdf1",
    "cdf5": "format: cdf5",
    "netcdf4": "format: netcdf4",
    "zstd": "format: netcdf4, compression: {codec: zstd, checksum: true}",
    "chunks": "format: netcdf4, chunks: {y: 7, x: 10, yc: 64}",
}
CONTENTS = {"fields": conform.fields, "shapes": lambda _: conform.shapes()}


@dataclass(frozen=True)
class Case:
    kind: str
    pattern: str
    mode: str = "block"
    ranks: int = 4
    nodes: str = "two"
    writers: str = "thread"
    layout: str = ""
    durability: str = "close"

    def __str__(self) -> str:
        layout = f"-{self.layout}" if self.layout else ""
        return f"{self.kind}-{self.pattern}{layout}-{self.mode}-{self.ranks}-{self.nodes}-{self.writers}"

    @property
    def format(self) -> str:
        return self.kind if self.kind.startswith("cdf") else "netcdf4"

    @property
    def collections(self) -> list[str]:
        """A layout fits the two-dimensional decompositions of 'fields'; 'chunks' names their dimensions."""
        return ["fields"] if self.layout or self.kind == "chunks" else ["fields", "shapes"]

    def run(self, folder: Path, *words: str) -> None:
        layout = f", layout: {self.layout}" if self.layout else ""
        lines = [
            f"  {name}: {{{KINDS[self.kind]}, pattern: {self.pattern}, durability: {self.durability}{layout}}}\n"
            for name in self.collections
        ]
        (folder / "sets.yaml").write_text(
            f"writers: {self.writers}\nreport: none\ndeadline: 30 s\nstaging: 256 MiB\n"
            f"emulate-nodes: {NODES[self.nodes]}\ncollections:\n{''.join(lines)}"
        )
        types = "classic" if self.format == "cdf1" else "all"
        mpi.run("conform", self.ranks, folder, "sets.yaml", f"mode={self.mode}", f"records={RECORDS}",
                f"collections={','.join(self.collections)}", f"types={types}", "rotate=1", *words)  # fmt: skip


def cases() -> list[Case]:
    """Every kind with every pattern, mode and number of ranks that go together; nodes and writers take turns."""
    turn = random.Random(7)
    found = []
    for kind, pattern, ranks in product(KINDS, ("per-domain", "per-rank"), (1, 2, 4)):
        modes = ("block", "empty") if pattern == "per-rank" else ("block", "deal", "empty", "mask", "barren")
        for mode in modes:
            if kind in ("cdf1", "chunks") and mode != "block" and ranks != 4:
                continue
            nodes = turn.choice([name for name, least in RANKS_OF.items() if least <= ranks])
            found.append(Case(kind, pattern, mode, ranks, nodes, turn.choice(("thread", "sync"))))
    layouts = [("[3, 1]", "block"), ("[2, 2]", "mask"), ("[1, 4]", "deal")]
    for kind, (layout, mode) in product(("cdf5", "netcdf4", "zstd"), layouts):
        durability = turn.choice(("none", "close", "record"))
        found.append(Case(kind, "per-domain", mode, 4, "two", turn.choice(("thread", "sync")), layout, durability))
    return found


def parts_in(folder: Path, name: str) -> list[Path]:
    return sorted(folder.glob(f"{name}.[0-9]*"))


def joined(folder: Path, name: str) -> Path:
    """The whole: shown by the master if there is one, else made by thalweg-combine."""
    whole = folder / name
    if whole.exists():
        return whole
    command = [mpi.ENVIRONMENT, "timeout", "60", mpi.program("thalweg-combine"), whole]
    done = subprocess.run(
        list(map(str, command)), env=mpi.OUTSIDE, capture_output=True, text=True, timeout=90, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return whole


def check_whole(case: Case, folder: Path) -> None:
    for name in case.collections:
        whole = joined(folder, f"{name}.nc")
        conform.check_file(whole, CONTENTS[name](case.format), STEPS, case.mode, attributes=name == "fields")


@pytest.mark.parametrize("case", cases(), ids=str)
def test_union_of_a_set_is_the_whole(case: Case, tmp_path: Path) -> None:
    case.run(tmp_path)
    for name in case.collections:
        parts = parts_in(tmp_path, f"{name}.nc")
        check_parts(case, parts)
        assert (tmp_path / f"{name}.nc").exists() == (case.format == "netcdf4")
    assert not list(tmp_path.glob("*partial*"))
    assert not list(tmp_path.glob(".thalweg*"))
    check_whole(case, tmp_path)


def check_parts(case: Case, parts: list[Path]) -> None:
    """As many as they say, numbered by domain or rank."""
    numbers = [int(path.suffix[1:]) for path in parts]
    for path in parts:
        with netCDF4.Dataset(path) as file:
            assert len(parts) == file.NumFilesInSet
    if case.pattern == "per-rank":
        assert numbers == list(range(0, case.ranks, 2 if case.mode == "empty" else 1))
    if case.mode not in conform.MASKED_MODES and case.layout:
        assert numbers == list(range(int(np.prod(eval(case.layout)))))


def test_domains_of_land_have_no_file(tmp_path: Path) -> None:
    Case("netcdf4", "per-domain", "barren", layout="[4, 1]").run(tmp_path)
    assert [path.name for path in parts_in(tmp_path, "fields.nc")] == ["fields.nc.0000", "fields.nc.0001"]


@pytest.mark.parametrize("reader", [one for one in READERS if "netcdf4" in one.formats and one.name != "NCO ncks"],
                         ids=lambda one: one.name)  # fmt: skip
@pytest.mark.parametrize("pattern", ["per-domain", "per-rank"])
def test_every_reader_sees_the_master_as_one_file(reader, pattern: str, tmp_path: Path) -> None:
    if reader.module:
        pytest.importorskip(reader.module)
    Case("netcdf4", pattern).run(tmp_path)
    reader.check(Sample(tmp_path / "fields.nc", "netcdf4", "block", tuple(STEPS)))


@pytest.mark.parametrize("kind", ["cdf5", "netcdf4"])
@pytest.mark.parametrize("pattern", ["per-domain", "per-rank"])
def test_every_file_of_a_series_is_a_set(pattern: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "sets.yaml").write_text(
        "report: none\ndeadline: 30 s\ntime-step: 1 h\nemulate-nodes: 2\ncollections:\n"
        f"  fields: {{file: fields_%H.nc, new-file: 2 h, pattern: {pattern}, {KINDS[kind]}}}\n"
    )
    mpi.run("conform", 4, tmp_path, "sets.yaml", "collections=fields", "records=5")
    for start, steps in {"00": [1, 2], "02": [3, 4], "04": [5]}.items():
        whole = joined(tmp_path, f"fields_{start}.nc")
        conform.check_file(whole, conform.fields(kind), steps, attributes=True)


@pytest.mark.parametrize("kind", ["cdf5", "netcdf4"])
def test_the_program_names_the_set(kind: str, tmp_path: Path) -> None:
    Case(kind, "per-domain", layout="[2, 1]").run(tmp_path, "new-file=fields:1:first.nc,fields:3:second.nc")
    assert not list(tmp_path.glob("fields*"))
    for name, steps in {"first.nc": [1, 2], "second.nc": [3, 4]}.items():
        conform.check_file(joined(tmp_path, name), conform.fields(kind), steps)


@pytest.mark.parametrize("kind", ["cdf5", "netcdf4"])
def test_a_set_replaces_one_with_more_files(kind: str, tmp_path: Path) -> None:
    Case(kind, "per-domain", layout="[4, 1]").run(tmp_path)
    (tmp_path / "fields.nc.0003.partial").write_text("left by a run that was killed")
    (tmp_path / "fields.nc.txt").write_text("no part")
    case = Case(kind, "per-domain", layout="[2, 1]")
    case.run(tmp_path)
    assert [path.name for path in parts_in(tmp_path, "fields.nc")] == ["fields.nc.0000", "fields.nc.0001"]
    assert len(list(tmp_path.glob("*.old.0003.partial"))) == 1
    assert (tmp_path / "fields.nc.txt").read_text() == "no part"
    check_whole(case, tmp_path)


def test_the_master_is_a_file_without_records_while_the_set_grows(tmp_path: Path) -> None:
    Case("netcdf4", "per-rank").run(tmp_path, "snapshot=fields.nc.0000,fields.nc.0003")
    for path in parts_in(tmp_path, "fields.nc"):
        path.rename(path.with_name(path.name + ".partial"))
    assert "UNLIMITED ; // (0 currently)" in tool("ncdump", "-h", tmp_path / "fields.nc")


@pytest.mark.parametrize(
    ("mode", "settings", "text"),
    [
        ("deal", "pattern: per-rank", "file is one box, but rank"),
        ("block", "pattern: per-rank, layout: [2, 2]", "every rank is a domain of its own"),
        ("block", "pattern: per-domain, layout: [2, 2, 1]", "has 3 numbers"),
        ("block", "pattern: per-domain, format: zarr", "a Zarr store is a folder"),
        ("block", "pattern: per-rank, format: fortran", "cannot say which part"),
        ("block", "pattern: per-domain, layout: [2, 2], append: fail", "'fields.nc.0007' exists already"),
    ],
)
def test_what_is_no_set_is_refused(mode: str, settings: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "fields.nc.0007").write_text("precious")
    (tmp_path / "sets.yaml").write_text(f"report: none\ndeadline: 30 s\ncollections:\n  fields: {{{settings}}}\n")
    done = mpi.start("conform", 4, tmp_path, "sets.yaml", f"mode={mode}", "collections=fields", limit_s=30)
    assert done.returncode not in (0, 124)
    assert text in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fields.nc.0007", "sets.yaml"]
    assert (tmp_path / "fields.nc.0007").read_text() == "precious"
