# ctest: SHORT TIMEOUT 120
"""A plain Fortran program reads what Thalweg wrote in the format 'fortran'."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from support import mpi


def write(folder: Path, ranks: int, writers: str = "thread", more: str = "") -> Path:
    (folder / "unformatted.yaml").write_text(
        f"writers: {writers}\nreport: none\n{more}"
        "collections: {unformatted: {file: fields.dat, format: fortran, pattern: shared}}\n"
    )
    mpi.run("unformatted_write", ranks, folder)
    return folder / "fields.dat"


def read(path: Path) -> subprocess.CompletedProcess[str]:
    command = [mpi.program("unformatted_read"), path]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


@pytest.mark.parametrize("writers", ["sync", "thread"])
@pytest.mark.parametrize(("ranks", "more"), [(1, ""), (3, ""), (4, "emulate-nodes: 2\n")])
def test_gfortran_reads_every_type_and_rank(tmp_path: Path, ranks: int, writers: str, more: str) -> None:
    done = read(write(tmp_path, ranks, writers, more))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "all values of 3 records are right\n"


def test_the_reader_notices_a_wrong_value(tmp_path: Path) -> None:
    path = write(tmp_path, 2)
    data = bytearray(path.read_bytes())
    data[-17 - 4] ^= 1  # of the last number before the time of the last record
    path.write_bytes(data)
    done = read(path)
    assert done.returncode != 0
    assert "d3 is wrong in record 3" in done.stdout


def test_what_the_format_leaves_out_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "unformatted.yaml").write_text(
        "report: none\ncollections: {unformatted: {file: fields.dat, format: fortran}}\n"
    )
    done = mpi.start("unformatted_write", 2, tmp_path)
    assert done.returncode == 0, done.stderr
    notes = [line for line in done.stderr.splitlines() if "its format holds values only" in line]
    assert len(notes) == 1, done.stderr
    assert "collection 'unformatted'" in notes[0]
    assert "5 attributes, names and dimensions are not in 'fields.dat'" in notes[0]
