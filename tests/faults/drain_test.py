# ctest: WAITS TIMEOUT 300
"""`drain: on-flush`: blocks stay in memory until the model asks for them, or until their memory is needed."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from killed_job import ENCODINGS, assert_exact
from launch import CONFIG, Run, begin, file_of, history, recover, run

SHAPE = (4, 8, 8)
ON_FLUSH = "drain: on-flush\ndeadline: 10 s\n"
ON_TWO_NODES = ON_FLUSH + "emulate-nodes: 2\n"
PLACES = pytest.mark.parametrize(
    ("writers", "top"),
    [
        ("thread", ON_FLUSH),
        ("thread", ON_TWO_NODES),
        ("{ranks: 1}", ON_FLUSH),
        ("{nodes: 1}", ON_TWO_NODES),
    ],
    ids=["thread", "two_nodes", "ranks", "nodes"],
)
FORMATS = [("cdf5", "plain"), ("netcdf4", "plain"), ("netcdf4", "encoded"), ("zarr", "plain"), ("fortran", "plain")]
EACH_FORMAT = pytest.mark.parametrize(("file_format", "encoding"), FORMATS)


def records_in(path: Path) -> int:
    """Of a CDF-5 file that is being written; -1: it is not there."""
    try:
        return int.from_bytes(path.read_bytes()[4:12], "big")
    except FileNotFoundError:
        return -1


def advances(folder: Path) -> int:
    """Records that the model has closed."""
    log = folder / "committed.log"
    return len(log.read_text().split()) if log.exists() else 0


def assert_whole(done: Run, file_format: str, records: int) -> None:
    assert done.returncode == 0, (done.outcomes, done.output)
    assert_exact(done.folder / file_of(file_format), records, SHAPE)


@PLACES
def test_the_file_gets_no_records_but_those_that_were_begun_at_the_last_flush(
    tmp_path: Path, writers: str, top: str
) -> None:
    partial = tmp_path / "history.nc.partial"
    yaml = history(writers, top, format="cdf5", pattern="shared", records_ahead=4000)
    endless = ("steady", 0, 0, *SHAPE, 10, 20)
    job = begin(tmp_path, yaml, [(4, endless, {"THALWEG_TEST_SYNC": 1})])
    seen = set()

    def flushed() -> bool:
        seen.add(records_in(partial))
        return 20 in seen

    job.wait_until(flushed)
    at_flush = advances(tmp_path)
    job.wait_until(lambda: advances(tmp_path) > at_flush + 20)
    seen.add(records_in(partial))
    job.signal(signal.SIGKILL)
    job.end(limit_s=10)
    assert max(seen) == 20
    assert recover(partial).returncode == 0
    assert_exact(tmp_path / "history.nc", 20, SHAPE)


@PLACES
@EACH_FORMAT
def test_a_put_without_a_free_block_drains(
    tmp_path: Path, writers: str, top: str, file_format: str, encoding: str
) -> None:
    pattern = {} if file_format == "fortran" else {"pattern": "shared"}
    yaml = history(writers, top, format=file_format, records_ahead=3, **pattern, **ENCODINGS[encoding])
    assert_whole(run(tmp_path, yaml, 4, ("steady", 20, 0, *SHAPE)), file_format, 20)


@EACH_FORMAT
def test_wait_drains(tmp_path: Path, file_format: str, encoding: str) -> None:
    yaml = history(top=ON_FLUSH, format=file_format, records_ahead=64, **ENCODINGS[encoding])
    assert_whole(run(tmp_path, yaml, 3, ("steady", 10, 4, *SHAPE)), file_format, 10)
    assert (tmp_path / "committed.log").read_text().split() == ["4", "8"]


def test_ranks_that_write_before_advance_returns_cannot_hold_anything_back(tmp_path: Path) -> None:
    done = run(tmp_path, history("sync", ON_FLUSH), 2, ("steady", 1, 0, *SHAPE))
    for rank in range(2):
        failure = done.first_failure(rank)
        assert failure.code == CONFIG
        assert "drain: 'on-flush' keeps blocks in memory" in failure.text
