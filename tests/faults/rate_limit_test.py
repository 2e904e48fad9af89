# ctest: WAITS TIMEOUT 300
"""`rate-limit`: writers write no faster than they are told, and say how long that held them back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from killed_job import ENCODINGS, assert_exact
from launch import CONFIG, DEADLINE, file_of, history, run

SHAPE = (4, 64, 128)
RECORDS = 40
BYTES_A_SECOND = 4_000_000
LIMIT = "rate-limit: 4 MB/s\n"
PROFILE = "profile: profile.json\n"
SLICE_BYTES = 1 << 20  # that may go to the storage at once


def writers_in(folder: Path) -> list[dict]:
    ranks = json.loads((folder / "profile.json").read_text())["ranks"]
    return [rank | rank["writer"] for rank in ranks if rank["is_writer"]]


@pytest.mark.parametrize(
    ("writers", "file_format", "encoding"),
    [
        ("thread", "cdf5", "plain"),
        ("thread", "netcdf4", "plain"),
        ("thread", "netcdf4", "encoded"),
        ("thread", "zarr", "plain"),
        ("thread", "zarr", "sharded"),
        ("sync", "cdf5", "plain"),
        ("{ranks: 1}", "cdf5", "plain"),
    ],
)
def test_a_writer_keeps_to_its_rate(tmp_path: Path, writers: str, file_format: str, encoding: str) -> None:
    yaml = history(writers, LIMIT + PROFILE, format=file_format, **ENCODINGS[encoding])
    done = run(tmp_path, yaml, 3, ("steady", RECORDS, 0, *SHAPE), limit_s=60)
    assert done.returncode == 0, (done.outcomes, done.output)
    assert_exact(tmp_path / file_of(file_format), RECORDS, SHAPE)
    (writer,) = writers_in(tmp_path)
    written = writer["direct_bytes"] + writer["buffered_bytes"]
    assert writer["session_s"] >= (written - 2 * SLICE_BYTES) / BYTES_A_SECOND
    assert writer["paced_s"] > 0.0


def test_without_a_limit_nothing_is_held_back(tmp_path: Path) -> None:
    done = run(tmp_path, history(top=PROFILE, format="cdf5"), 2, ("steady", 3, 0, *SHAPE))
    assert done.returncode == 0, done.output
    assert [writer["paced_s"] for writer in writers_in(tmp_path)] == [0.0]


def test_two_nodes_have_a_limit_each(tmp_path: Path) -> None:
    top = LIMIT + PROFILE + "emulate-nodes: 2\n"
    yaml = history(top=top, format="cdf5", pattern="shared", layout=[2, 1])
    done = run(tmp_path, yaml, 4, ("steady", RECORDS, 0, *SHAPE), limit_s=60)
    assert done.returncode == 0, (done.outcomes, done.output)
    assert_exact(tmp_path / "history.nc", RECORDS, SHAPE)
    assert [writer["paced_s"] > 0.0 for writer in writers_in(tmp_path)] == [True, True]


def test_the_table_says_how_long_the_limit_held_a_writer_back(tmp_path: Path) -> None:
    yaml = history(top=LIMIT, format="cdf5").replace("report: none", "report: table")
    done = run(tmp_path, yaml, 2, ("steady", RECORDS, 0, *SHAPE), limit_s=60)
    assert "the rate limit held it back for" in done.output


def test_a_put_that_the_limit_keeps_waiting_too_long_says_so(tmp_path: Path) -> None:
    top = "rate-limit: 2 kB/s\ndeadline: 2 s\n"
    done = run(tmp_path, history(top=top, format="cdf5", records_ahead=3), 2, ("steady", 0, 0, 20, 128, 128))
    for rank in range(2):
        failure = done.first_failure(rank)
        assert failure.code == DEADLINE, failure
        assert "writer: held back by the rate limit since" in failure.text


@pytest.mark.parametrize("value", ["200 MB", "fast", "1 B/s", "[1 MB/s]"])
def test_what_is_no_rate_is_refused(tmp_path: Path, value: str) -> None:
    done = run(tmp_path, history(top=f"rate-limit: {value}\n"), 1, ("steady", 1, 0, *SHAPE))
    failure = done.first_failure(0)
    assert failure.code == CONFIG
    assert "rate-limit:" in failure.text
