# ctest: SERIAL LABELS mpi TIMEOUT 120
"""Small records and small variables are written together, and nobody sees a difference in the files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support import conform, mpi

RECORDS = 120
SHAPE = (12, 20)
FORMATS = pytest.mark.parametrize("format_name", ["cdf5", "netcdf4", "zarr"])


def configure(folder: Path, collection: str, settings: str) -> Path:
    suffix = "zarr" if "zarr" in settings else "nc"
    (folder / "c.yaml").write_text(
        f"report: none\nprofile: profile.json\nstaging: 64 MiB\n"
        f"collections:\n  {collection}: {{file: out.{suffix}, {settings}}}\n"
    )
    return folder / f"out.{suffix}"


def counted(folder: Path) -> dict[str, int]:
    writers = [rank["writer"] for rank in json.loads((folder / "profile.json").read_text())["ranks"]]
    return {key: sum(writer[key] for writer in writers) for key in ("write_calls", "blocks")}


def write_calls(folder: Path, settings: str) -> int:
    """Of a run in which the writer has all the time in the world between two records."""
    folder.mkdir()
    path = configure(folder, "small", settings)
    mpi.run("conform", 4, folder, "c.yaml", "collections=small", f"shape={SHAPE[0]},{SHAPE[1]}",
            f"records={RECORDS}", "pause-ms=5")  # fmt: skip
    conform.check_file(path, conform.small(*SHAPE), list(range(1, RECORDS + 1)))
    return counted(folder)["write_calls"]


@FORMATS
def test_gathered_records_need_few_writes(tmp_path: Path, format_name: str) -> None:
    alone = write_calls(tmp_path / "alone", f"format: {format_name}, write-behind: 0 B")
    gathered = write_calls(
        tmp_path / "gathered",
        f"format: {format_name}, records-ahead: 100, write-behind: {{below: 1 MiB, records: 40, interval: 1 min}}",
    )
    assert alone >= RECORDS
    assert gathered * 3 < alone, f"{gathered} writes in place of {alone}"


def test_records_that_are_waited_for_are_not_gathered(tmp_path: Path) -> None:
    """The program copies the file after each step, when thalweg_wait has said that all is committed."""
    path = configure(tmp_path, "small", "format: cdf5, write-behind: {below: 1 MiB, interval: 1 min}")
    mpi.run("conform", 4, tmp_path, "c.yaml", "collections=small", f"shape={SHAPE[0]},{SHAPE[1]}", "records=5",
            f"snapshot={path.name}")  # fmt: skip
    for step in range(1, 6):
        conform.check_file(tmp_path / f"{path.name}.step{step}", conform.small(*SHAPE), list(range(1, step + 1)))


def test_a_thousand_scalars_of_a_record_are_few_writes(tmp_path: Path) -> None:
    path = configure(tmp_path, "many", "format: cdf5, write-behind: 1 MiB")
    mpi.run("conform", 2, tmp_path, "c.yaml", "collections=many", "shape=1,1", "variables=1000", "records=10")
    conform.check_file(path, conform.many(1000, 1, 1), list(range(1, 11)))
    counts = counted(tmp_path)
    assert counts["blocks"] >= 9000
    assert counts["write_calls"] <= 60, counts
