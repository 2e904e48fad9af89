# ctest: WAITS TIMEOUT 400 ALL 300
"""`when-full: spill`: the model goes on while the storage stalls, and files have every value in the end."""

from __future__ import annotations

import json
import os
import signal
from itertools import product
from pathlib import Path

import pytest
from killed_job import ENCODINGS, assert_exact, look_at
from launch import CONFIG, SLOW_PWRITE, Job, Run, begin, file_of, history, run
from support import checksums
from support.ways import of

SHAPE = (4, 32, 64)
RECORDS = 20
STALL_S = 4
DEPTH = 2
ENCODED = of(
    [("netcdf4", "encoded"), ("zarr", "sharded"), ("fortran", "plain")],
    [
        ("cdf5", "plain"),
        ("netcdf4", "plain"),
        ("netcdf4", "encoded"),
        ("zarr", "plain"),
        ("zarr", "sharded"),
        ("fortran", "plain"),
    ],
)
# What 'writers' says, and more lines of the configuration.
PLACES = {
    "two_nodes": ("thread", "emulate-nodes: 2\n"),
    "ranks": ("{ranks: 1}", ""),
    "nodes": ("{nodes: 1}", "emulate-nodes: 2\n"),
}


def writes_before(file_format: str) -> int:
    """So many that the stall comes when records are written, not when the store is made."""
    return 40 if file_format == "zarr" else 12


def stalling(seconds: int = STALL_S, after: int = 12) -> dict[str, object]:
    return {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_STALL_S": seconds, "THALWEG_TEST_PWRITE_AFTER": after}


def configuration(
    folder: Path, writers: str = "thread", top: str = "", limit: str = "1 GiB", **settings: object
) -> str:
    spill = f"when-full: spill\nspill: {{folder: {folder}, limit: {limit}}}\nprofile: profile.json\n"
    return history(writers, spill + top, records_ahead=DEPTH, **settings)


def steady(records: int = RECORDS, shape: tuple[int, int, int] = SHAPE, pause_ms: int = 20) -> tuple[object, ...]:
    return ("steady", records, 0, *shape, pause_ms)


def total(done: Run, side: str, counter: str) -> float:
    ranks = json.loads((done.folder / "profile.json").read_text())["ranks"]
    return sum(rank[side][counter] for rank in ranks)


def longest_wait_s(done: Run) -> float:
    ranks = json.loads((done.folder / "profile.json").read_text())["ranks"]
    return max(rank["client"]["wait_block_s"] + rank["client"]["wait_send_s"] for rank in ranks)


def assert_whole(done: Run, file_format: str = "cdf5", records: int = RECORDS, shape=SHAPE) -> None:
    assert done.returncode == 0, (done.outcomes, done.output)
    assert_exact(done.folder / file_of(file_format), records, shape)
    if file_format != "fortran":  # says nothing of itself
        checksums.check_written(done.folder / file_of(file_format))


def assert_went_on(done: Run, file_format: str = "cdf5") -> None:
    assert_whole(done, file_format)
    assert done.seconds > STALL_S
    assert longest_wait_s(done) < STALL_S / 2, "puts waited for the storage"
    assert total(done, "writer", "spilled_bytes") > 0
    assert "cannot keep" not in done.output


@pytest.mark.parametrize(("file_format", "encoding"), ENCODED)
def test_puts_go_on_while_the_storage_stalls(tmp_path: Path, file_format: str, encoding: str) -> None:
    yaml = configuration(tmp_path, format=file_format, **ENCODINGS[encoding])
    done = run(tmp_path, yaml, 4, steady(), limit_s=40, **stalling(after=writes_before(file_format)))
    assert_went_on(done, file_format)


@pytest.mark.parametrize(
    ("place", "file_format"),
    of([("two_nodes", "cdf5"), ("ranks", "cdf5"), ("nodes", "zarr")], list(product(PLACES, ("cdf5", "zarr")))),
)
def test_puts_go_on_wherever_the_writer_is(tmp_path: Path, place: str, file_format: str) -> None:
    layout = {"layout": [2, 1]} if place == "two_nodes" else {}
    yaml = configuration(tmp_path, *PLACES[place], format=file_format, pattern="shared", **layout)
    done = run(tmp_path, yaml, 4, steady(), limit_s=40, **stalling(after=writes_before(file_format)))
    assert_went_on(done, file_format)


def test_blocks_are_spilled_while_a_rate_limit_holds_the_writer_back(tmp_path: Path) -> None:
    yaml = configuration(tmp_path, top="rate-limit: 400 kB/s\n", format="cdf5")
    done = run(tmp_path, yaml, 3, steady(40), limit_s=60)
    assert_whole(done, records=40)
    assert total(done, "writer", "spilled_bytes") > 0
    assert total(done, "writer", "paced_s") > 0


def test_storage_that_is_fast_enough_has_nothing_spilled(tmp_path: Path) -> None:
    done = run(tmp_path, configuration(tmp_path, format="cdf5").replace("ahead: 2", "ahead: 30"), 3, steady())
    assert_whole(done)
    assert total(done, "writer", "spilled_bytes") == 0


def test_the_limit_is_kept_and_said_once(tmp_path: Path) -> None:
    yaml = configuration(tmp_path, limit="200 kB", format="cdf5")
    done = run(tmp_path, yaml, 4, steady(40), limit_s=40, **stalling())
    assert_whole(done, records=40)
    assert longest_wait_s(done) > 1.0, "there was room for all"
    assert done.output.count("the limit of 200000 bytes is reached; puts wait for the storage instead") == 1


def test_a_full_disk_is_said_once_and_puts_wait(small_disk: Path) -> None:
    folder, shape = small_disk.parent, (8, 64, 256)
    done = run(folder, configuration(small_disk, format="cdf5"), 4, steady(40, shape), limit_s=60, **stalling())
    assert_whole(done, records=40, shape=shape)
    assert total(done, "writer", "spilled_bytes") > 0
    assert done.output.count("No space left on device") == 1


def test_a_folder_that_cannot_be_used_is_said_once_and_puts_wait(tmp_path: Path) -> None:
    yaml = configuration(tmp_path / "nowhere", format="cdf5")
    done = run(tmp_path, yaml, 4, steady(), limit_s=40, **stalling(2))
    assert_whole(done)
    assert done.output.count("nowhere': No such file or directory; puts wait for the storage instead") == 1
    assert total(done, "writer", "spilled_bytes") == 0


def test_the_table_says_what_was_spilled(tmp_path: Path) -> None:
    yaml = configuration(tmp_path, format="cdf5").replace("report: none", "report: table")
    done = run(tmp_path, yaml, 2, steady(), limit_s=40, **stalling(2))
    assert "MiB were spilled to the node's folder and back" in done.output


def has_spilled(job: Job, folder: Path) -> bool:
    """A process of the job has a file without name in the folder."""
    for process in job.ranks().values():
        for link in Path(f"/proc/{process}/fd").glob("*"):
            try:
                target = os.readlink(link)
            except OSError:
                continue
            if target.startswith(f"{folder}/") and target.endswith("(deleted)"):
                return True
    return False


@pytest.mark.parametrize("file_format", ["cdf5", "netcdf4"])
def test_a_killed_job_keeps_its_committed_records_and_leaves_no_spilled_ones(tmp_path: Path, file_format: str) -> None:
    spilled = tmp_path / "spilled"
    spilled.mkdir()
    (tmp_path / "committed.log").touch()
    job = begin(tmp_path, configuration(spilled, format=file_format), [(4, steady(0, pause_ms=5), stalling(60, 200))])
    job.wait_until(lambda: has_spilled(job, spilled))
    job.signal(signal.SIGKILL)
    job.end(limit_s=10)
    remains = look_at(tmp_path, SHAPE, readable=file_format != "netcdf4")
    assert remains.recovered > 0
    assert list(spilled.iterdir()) == []


def test_ranks_that_write_before_advance_returns_have_nothing_to_spill(tmp_path: Path) -> None:
    done = run(tmp_path, configuration(tmp_path, "sync"), 2, steady(1))
    for rank in range(2):
        failure = done.first_failure(rank)
        assert failure.code == CONFIG
        assert "when-full: 'spill' moves blocks out of the memory" in failure.text
