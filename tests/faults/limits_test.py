# ctest: WAITS TIMEOUT 200
"""Limits of the system that a run meets: sizes of files, memory, addresses, open files; calls that signals interrupt.
On two ranks."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from killed_job import ENCODINGS, assert_exact, look_at
from launch import BIN, BUILD_DIR, MEMORY, STORAGE, Run, file_of, history, run

DISTURBED_CALLS = BUILD_DIR / "lib" / "libdisturbed_calls.so"
SHAPE = (4, 32, 64)
LARGE = (8, 128, 256)
"""Of records of more than a megabyte: MPI's own files have to fit below the limit of a file."""
RECORDS = 12
RANKS = 2


def assert_all_ranks_say(done: Run, code: int, *parts: str) -> None:
    for rank in range(RANKS):
        failure = done.first_failure(rank)
        assert failure.code == code, failure
        for part in parts:
            assert part in failure.text


def under(shell: str, *program: object) -> tuple[object, ...]:
    """The program after a command of the shell."""
    return ("/bin/bash", "-c", f'{shell}; exec "$@"', "sh", BIN / str(program[0]), *program[1:])


# ---- the size of files (ulimit -f)


def limited(folder: Path, kib: int, file_format: str, writers: str) -> Run:
    yaml = history(writers, "staging: 64 MiB\n", format=file_format, records_ahead=8)
    program = under(f"ulimit -f {kib}", "steady", RECORDS, 2, *LARGE)
    return run(folder, yaml, RANKS, program, limit_s=60)


@pytest.mark.parametrize(("file_format", "writers"), [("cdf5", "thread"), ("cdf5", "sync"), ("netcdf4", "thread")])
def test_files_that_fit_are_written_however_much_staging_takes(tmp_path: Path, file_format: str, writers: str) -> None:
    levels, rows, columns = LARGE
    fields = rows * columns * (RECORDS * (4 * levels + 8) + 8)
    header = 48 * 1024
    done = limited(tmp_path, (fields + header) // 1024, file_format, writers)
    assert done.returncode == 0, (done.outcomes, done.output)
    assert_exact(tmp_path / file_of(file_format), RECORDS, LARGE)


@pytest.mark.parametrize("writers", ["thread", "sync"])
def test_a_file_that_does_not_fit_is_an_error_and_loses_nothing_committed(tmp_path: Path, writers: str) -> None:
    done = limited(tmp_path, 8 * 1024, "cdf5", writers)
    assert_all_ranks_say(done, STORAGE, "history.nc.partial", "File too large", "ulimit -f")
    assert look_at(tmp_path, LARGE, readable=True).confirmed > 2


# ---- memory


@pytest.fixture
def memory_cgroup() -> Iterator[Path]:
    """A memory cgroup of 160 MiB below that of this process."""
    lines = Path("/proc/self/cgroup").read_text().splitlines()
    groups = [line.split(":", 2)[2] for line in lines if ":memory:" in line]
    place = Path("/sys/fs/cgroup/memory" + groups[0] if groups else "/nowhere") / f"thalweg-test-{os.getpid()}"
    try:
        place.mkdir()
        (place / "memory.limit_in_bytes").write_text(str(160 << 20))
    except OSError as error:
        pytest.skip(f"no memory cgroup of version 1 can be made here: {error}")
    try:
        yield place
    finally:
        place.rmdir()


def test_staging_beyond_the_memory_of_the_cgroup_is_an_error_with_numbers(tmp_path: Path, memory_cgroup: Path) -> None:
    yaml = history(top="staging: 1 GiB\n", format="cdf5", records_ahead=60)
    inside = under(f"echo $$ > {memory_cgroup}/cgroup.procs", "steady", 3, 0, 32, 128, 256)
    done = run(tmp_path, yaml, RANKS, inside, limit_s=60)
    assert_all_ranks_say(
        done, MEMORY, "the blocks of this node take 25", f"{memory_cgroup.name}' allows 160 MiB", "set 'staging: "
    )
    done = run(tmp_path / "less", yaml.replace("1 GiB", "32 MiB"), RANKS, inside, limit_s=60)
    assert done.returncode == 0, (done.outcomes, done.output)


RECORD_MIB = 4
"""of the fields below"""


@pytest.mark.parametrize("share", [0.5, 0.9, 1.1])
def test_a_cgroup_about_as_large_as_staging_kills_nobody(tmp_path: Path, memory_cgroup: Path, share: float) -> None:
    """It is refused with numbers, or it fits: the processes need memory of their own, so that 1.1 may be either."""
    ahead = int(160 / share / RECORD_MIB) - 1
    yaml = history(top="staging: 1 GiB\n", format="cdf5", records_ahead=ahead)
    inside = under(f"echo $$ > {memory_cgroup}/cgroup.procs", "steady", 100, 0, 32, 128, 256)
    done = run(tmp_path, yaml, RANKS, inside, limit_s=90)
    if done.returncode == 0:
        assert share > 1.0
        assert_exact(tmp_path / "history.nc", 100, (32, 128, 256))
    else:
        assert_all_ranks_say(done, MEMORY, "the blocks of this node take", "set 'staging: ")


# ---- addresses, locked memory, open files


@pytest.mark.parametrize("gib", [1, 3])
def test_too_few_addresses_are_an_error_and_no_end_without_words(tmp_path: Path, gib: int) -> None:
    yaml = history(top="staging: 2 GiB\n", format="cdf5", records_ahead=400)
    done = run(tmp_path, yaml, RANKS, under(f"ulimit -v {gib << 20}", "steady", 3, 0, 32, 128, 256), limit_s=60)
    if done.returncode == 0:
        assert_exact(tmp_path / "history.nc", 3, (32, 128, 256))
    else:
        assert_all_ranks_say(done, MEMORY, "memory")


@pytest.mark.parametrize("file_format", ["cdf5", "netcdf4", "zarr"])
def test_no_memory_needs_to_be_locked(tmp_path: Path, file_format: str) -> None:
    done = run(tmp_path, history(format=file_format), RANKS, under("ulimit -l 0", "steady", 4, 1, *SHAPE))
    assert done.returncode == 0, (done.outcomes, done.output)
    assert_exact(tmp_path / file_of(file_format), 4, SHAPE)


@pytest.mark.parametrize("files", [48, 96])
@pytest.mark.parametrize(("file_format", "encoding"), [("zarr", "chunked"), ("netcdf4", "encoded")])
def test_few_open_files_are_enough_or_an_error(tmp_path: Path, file_format: str, encoding: str, files: int) -> None:
    yaml = history(format=file_format, durability="record", **ENCODINGS[encoding])
    done = run(tmp_path, yaml, RANKS, under(f"ulimit -n {files}", "steady", 6, 1, *SHAPE))
    if done.returncode == 0:
        assert_exact(tmp_path / file_of(file_format), 6, SHAPE)
    else:
        assert files < 96, (done.outcomes, done.output)
        assert_all_ranks_say(done, STORAGE, "Too many open files")


# ---- calls that are interrupted, and what only closing tells


@pytest.mark.parametrize(
    ("file_format", "encoding", "writers"),
    [
        ("cdf5", "plain", "thread"),
        ("netcdf4", "encoded", "sync"),
        ("zarr", "sharded", "thread"),
        ("fortran", "plain", "thread"),
    ],
)
def test_calls_that_are_interrupted_are_made_again(
    tmp_path: Path, file_format: str, encoding: str, writers: str
) -> None:
    yaml = history(writers, format=file_format, durability="record", **ENCODINGS[encoding])
    program = ("steady", 6, 2, *SHAPE)
    done = run(tmp_path, yaml, RANKS, program, LD_PRELOAD=DISTURBED_CALLS, THALWEG_TEST_INTERRUPT=1)
    assert done.returncode == 0, (done.outcomes, done.output)
    assert_exact(tmp_path / file_of(file_format), 6, SHAPE)


@pytest.mark.parametrize(("file_format", "part"), [("cdf5", "history.nc.partial"), ("zarr", "/c/")])
def test_a_fault_that_only_closing_tells_keeps_the_name_from_the_file(
    tmp_path: Path, file_format: str, part: str
) -> None:
    program = ("steady", 3, 0, *SHAPE)
    failing = {"THALWEG_TEST_CLOSE_ERRNO": errno.EDQUOT, "THALWEG_TEST_CLOSE_PATH": part}
    done = run(tmp_path, history(format=file_format), RANKS, program, LD_PRELOAD=DISTURBED_CALLS, **failing)
    assert_all_ranks_say(done, STORAGE, "cannot close", part, "quota")
    assert not (tmp_path / file_of(file_format)).exists()
