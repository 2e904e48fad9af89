# ctest: WAITS TIMEOUT 300
"""A collection that all servers of a node write, each its part or whole records, when blocks are held back or spilled.
Servers that are killed or stopped are in servers_test.py."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from drain_test import FORMATS, ON_FLUSH, SHAPE, advances, assert_whole, records_in
from killed_job import ENCODINGS, assert_exact
from launch import begin, history, recover, run
from placed import DIVIDED, IDLE, Place
from spill_test import ENCODED, assert_went_on, stalling, writes_before
from spill_test import steady as spilling
from support.ways import of

EACH = pytest.mark.parametrize("place", [DIVIDED, IDLE], ids=str)


def each_with(few: list[tuple[str, str]]) -> pytest.MarkDecorator:
    """Formats and their encodings where the collection is divided, one of them where records go to idle servers."""
    ways = [(DIVIDED, *way) for way in few] + [(IDLE, *way) for way in of(few[-2:-1], few)]
    return pytest.mark.parametrize(("place", "file_format", "encoding"), ways, ids=lambda value: str(value))


@EACH
def test_a_flush_asks_all_servers_for_their_blocks(tmp_path: Path, place: Place) -> None:
    partial = tmp_path / "history.nc.partial"
    yaml = place.history(ON_FLUSH, format="cdf5", records_ahead=4000)
    endless = ("steady", 0, 0, *SHAPE, 10, 20)
    job = begin(tmp_path, yaml, [(place.ranks, endless, {"THALWEG_TEST_SYNC": 1})])
    job.wait_until(lambda: records_in(partial) == 20)
    at_flush = advances(tmp_path)
    job.wait_until(lambda: advances(tmp_path) > at_flush + 20)
    assert records_in(partial) == 20
    job.signal(signal.SIGKILL)
    job.end(limit_s=10)
    assert recover(partial).returncode == 0
    assert_exact(tmp_path / "history.nc", 20, SHAPE)


def test_without_servers_it_has_no_effect_and_says_so(tmp_path: Path) -> None:
    done = run(tmp_path, history(format="cdf5", servers=2), 2, ("steady", 5, 0, *SHAPE))
    assert_whole(done, "cdf5", 5)
    assert done.output.count("servers: 2 has no effect beyond the 1 rank of a node") == 1


@each_with(FORMATS)
def test_a_put_without_a_free_block_drains_it(tmp_path: Path, place: Place, file_format: str, encoding: str) -> None:
    yaml = place.history(ON_FLUSH, format=file_format, records_ahead=3, **ENCODINGS[encoding])
    assert_whole(run(tmp_path, yaml, place.ranks, ("steady", 20, 0, *SHAPE)), file_format, 20)


@each_with(ENCODED)
def test_puts_go_on_while_the_storage_stalls(tmp_path: Path, place: Place, file_format: str, encoding: str) -> None:
    spill = f"when-full: spill\nspill: {{folder: {tmp_path}, limit: 1 GiB}}\nprofile: profile.json\n"
    yaml = place.history(spill, format=file_format, records_ahead=2, **ENCODINGS[encoding])
    done = run(tmp_path, yaml, place.ranks, spilling(), limit_s=40, **stalling(after=writes_before(file_format)))
    assert_went_on(done, file_format)
