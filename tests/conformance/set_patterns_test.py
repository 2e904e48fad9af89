# ctest: LABELS mpi TIMEOUT 600 ALL 900
"""The patterns per-domain and per-rank: sets of files whose union is what one writer writes, bit for bit."""

from __future__ import annotations

import subprocess
from math import prod
from pathlib import Path

import netCDF4
import pytest
from support import checksums, conform, mpi
from support.batch import Batch
from support.cases import (
    CHUNKED,
    FEW_SET_VALUES,
    PATTERNS,
    RECORDS,
    SET_VALUES,
    Case,
    all_pairs,
    have_all_values,
    set_cases,
)
from support.readers import tool
from support.ways import of

CASES = set_cases()
STEPS = list(range(1, RECORDS + 1))
CONTENTS = {"fields": conform.fields, "shapes": lambda _: conform.shapes()}


def parts_in(folder: Path, name: str) -> list[Path]:
    return checksums.without_companions(folder.glob(f"{name}.[0-9]*"))


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
    for name, content in CONTENTS.items():
        whole = joined(folder, f"{name}.nc")
        conform.check_file(whole, content(case.format), STEPS, case.mode, attributes=name == "fields")


def test_cases_cover_every_pair_of_settings() -> None:
    assert set().union(*(case.pairs() for case in CASES)) >= all_pairs(of(FEW_SET_VALUES, SET_VALUES))
    assert have_all_values(CASES, SET_VALUES)
    assert len(CASES) <= of(36, 90)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_union_of_a_set_is_the_whole(case: Case, batch: Batch) -> None:
    folder = batch.made(case.job)
    for name in CONTENTS:
        check_parts(case, name, parts_in(folder, f"{name}.nc"))
        assert (folder / f"{name}.nc").exists() == (case.format in CHUNKED)
    assert not list(folder.glob("*partial*"))
    assert not list(folder.glob(".thalweg*"))
    check_whole(case, folder)


def check_parts(case: Case, collection: str, parts: list[Path]) -> None:
    """As many as they say, numbered by domain or rank."""
    numbers = [int(path.suffix[1:]) for path in parts]
    for path in parts:
        with netCDF4.Dataset(path) as file:
            assert len(parts) == file.NumFilesInSet
        checksums.check_written(path)
    layout = PATTERNS[case.pattern][1]
    if case.pattern == "per-rank":
        assert numbers == list(range(0, case.ranks, 2 if case.mode == "empty" else 1))
    elif case.mode in conform.MASKED_MODES:
        assert numbers
    elif layout and collection == "fields":
        assert numbers == list(range(prod(map(int, layout.strip("[]").split(",")))))
    else:
        assert numbers == list(range(case.node_count))


def test_domains_of_land_have_no_file(tmp_path: Path) -> None:
    Case("netcdf4", pattern="per-domain 3x1", mode="barren", ranks=4).job.run(tmp_path)
    assert [path.name for path in parts_in(tmp_path, "fields.nc")] == ["fields.nc.0000", "fields.nc.0001"]


def run_fields(folder: Path, settings: str, *words: str, common: str = "emulate-nodes: 2\n") -> None:
    """Four ranks write 'fields' with settings that are no case."""
    (folder / "sets.yaml").write_text(f"report: none\ndeadline: 30 s\n{common}collections:\n  fields: {{{settings}}}\n")
    mpi.run("conform", 4, folder, "sets.yaml", "collections=fields", *words)


@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4"])
@pytest.mark.parametrize("pattern", ["per-domain", "per-rank"])
def test_every_file_of_a_series_is_a_set(pattern: str, format_name: str, tmp_path: Path) -> None:
    settings = f"file: fields_%H.nc, new-file: 2 h, pattern: {pattern}, format: {format_name}"
    run_fields(tmp_path, settings, "records=5", common="emulate-nodes: 2\ntime-step: 1 h\n")
    for start, steps in {"00": [1, 2], "02": [3, 4], "04": [5]}.items():
        whole = joined(tmp_path, f"fields_{start}.nc")
        conform.check_file(whole, conform.fields(format_name), steps, attributes=True)


@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4"])
def test_the_program_names_the_set(format_name: str, tmp_path: Path) -> None:
    settings = f"pattern: per-domain, layout: [2, 1], format: {format_name}"
    run_fields(tmp_path, settings, "records=4", "new-file=fields:1:first.nc,fields:3:second.nc")
    assert not list(tmp_path.glob("fields*"))
    for name, steps in {"first.nc": [1, 2], "second.nc": [3, 4]}.items():
        conform.check_file(joined(tmp_path, name), conform.fields(format_name), steps)


@pytest.mark.parametrize("format_name", ["cdf5", "netcdf4"])
def test_a_set_replaces_one_with_more_files(format_name: str, tmp_path: Path) -> None:
    run_fields(tmp_path, f"pattern: per-domain, layout: [4, 1], format: {format_name}")
    (tmp_path / "fields.nc.0003.partial").write_text("left by a run that was killed")
    (tmp_path / "fields.nc.txt").write_text("no part")
    run_fields(tmp_path, f"pattern: per-domain, layout: [2, 1], format: {format_name}", "records=4")
    assert [path.name for path in parts_in(tmp_path, "fields.nc")] == ["fields.nc.0000", "fields.nc.0001"]
    assert len(list(tmp_path.glob("*.old.0003.partial"))) == 1
    assert (tmp_path / "fields.nc.txt").read_text() == "no part"
    conform.check_file(joined(tmp_path, "fields.nc"), conform.fields(format_name), STEPS)


def test_the_master_is_a_file_without_records_while_the_set_grows(tmp_path: Path) -> None:
    run_fields(tmp_path, "pattern: per-rank")
    for path in parts_in(tmp_path, "fields.nc"):
        path.rename(path.with_name(path.name + ".partial"))
    assert "UNLIMITED ; // (0 currently)" in tool("ncdump", "-h", tmp_path / "fields.nc")


@pytest.mark.parametrize(
    ("mode", "settings", "text"),
    [
        ("deal", "pattern: per-rank", "file is one box, but rank"),
        ("block", "pattern: per-rank, layout: [2, 2]", "every rank is a domain of its own"),
        ("block", "pattern: per-domain, layout: [2, 2, 1]", "has 3 numbers"),
        ("block", "pattern: per-domain, format: zarr", "a folder of separate objects already"),
        ("block", "pattern: per-rank, format: fortran", "cannot say which part"),
        ("block", "pattern: per-domain, format: user", "it is the model's procedure that makes files"),
        ("block", "pattern: per-domain, engine: library", "all ranks write one file together"),
        ("block", "pattern: per-domain, layout: [2, 2], append: fail", "fields.nc.0007' exists already"),
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
