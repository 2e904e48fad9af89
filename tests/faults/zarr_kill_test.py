# ctest: WAITS TIMEOUT 200 ALL 900
"""Writers of Zarr stores that are killed at any moment, and readers that look while one writes."""

from __future__ import annotations

import random
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import zarr
from support.ways import of
from support.zarr_sample import ARRAYS, RECORD_ARRAYS, assert_same, command, expected, record, run

KILLS = of(15, 200)
LATEST_KILL_S = 0.5
NO_ROOT_YET = "whose making was cut short"
MODES = (("open",), ("open", "sharded", "crc32c"), ("open", "durable"))


@contextmanager
def writing(path: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A writer that would never end."""
    with subprocess.Popen(command("write", path, 10**9, *words), stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def kill_at(path: Path, moment_s: float, *words: str, behind: int = 0) -> int:
    """Kills a writer that time after its start, or after it has confirmed some records, and returns how many it had
    confirmed."""
    with writing(path, *words) as process:
        assert process.stdout is not None
        first = [process.stdout.readline() for _ in range(behind)]
        time.sleep(moment_s)
        process.kill()
        return len([line for line in first if line]) + process.stdout.read().count(b"\n")


def visible_records(path: Path, consolidated: bool = True) -> int:
    """The number of records that every array has in the eyes of a reader, all values of some of them looked at."""
    group = zarr.open_group(path, mode="r", use_consolidated=consolidated)
    lengths = {group[name].shape[0] for name in RECORD_ARRAYS}
    assert len(lengths) == 1, lengths
    (records,) = lengths
    for name in RECORD_ARRAYS:
        for number in {0, records // 2, records - 2, records - 1} & set(range(records)):
            assert_same(f"{name}, record {number} of {records}", group[name][number], record(name, number))
    return records


def check_recovered(path: Path, records: int) -> None:
    assert visible_records(path, consolidated=False) == records
    assert visible_records(path) == records
    group = zarr.open_group(path, mode="r")
    for name in set(ARRAYS) - set(RECORD_ARRAYS) if records > 0 else ():  # they are written before the first record
        assert_same(name, group[name][...], expected(name, records))
    assert not list(path.rglob("*.partial"))
    for name in RECORD_ARRAYS:
        rows = {int(row.name) for row in (path / name / "c").glob("*")}
        assert rows == set(range(-(-records // ARRAYS[name].chunk[0]))), name


def test_no_kill_takes_a_confirmed_record_or_shows_half_of_one(tmp_path: Path) -> None:
    moments = random.Random(7)
    seen: list[int] = []
    for number in range(KILLS):
        path = tmp_path / f"{number}.zarr"
        moment_s, words = moments.uniform(0.02, LATEST_KILL_S), MODES[number % len(MODES)]
        # On a machine that is busy with other things a start alone may take longer than the latest moment.
        confirmed = kill_at(path, moment_s, *words, behind=2 if number % 3 == 0 else 0)
        if not (path / "zarr.json").exists():
            assert confirmed == 0
            continue
        seen.append(visible_records(path))
        assert confirmed <= seen[-1] <= confirmed + 1
        assert run("recover", path) == f"{seen[-1]}\n"
        check_recovered(path, seen[-1])
    print(f"{KILLS} kills; records of the stores that were left: {seen}")
    assert max(seen) > 1, "every writer was killed before it did anything"


def test_a_store_whose_root_was_not_made_is_told_from_one_without_records(tmp_path: Path) -> None:
    (tmp_path / "early.zarr/time").mkdir(parents=True)
    with pytest.raises(AssertionError, match=NO_ROOT_YET):
        run("recover", tmp_path / "early.zarr")


@pytest.mark.parametrize("words", MODES, ids="-".join)
def test_a_reader_of_a_growing_store_sees_whole_records(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = tmp_path / "growing.zarr"
    seen: list[int] = []
    with writing(path, *words) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"1\n"
        while len(seen) < 10 or seen[-1] < 5:
            seen.append(visible_records(path))
            assert process.poll() is None
    assert seen == sorted(seen)
    assert seen[0] < seen[-1]
