# ctest: WAITS TIMEOUT 300
"""Storage that is full, broken or in the way: a clear error on all ranks, and nothing committed is lost."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import pytest
from killed_job import ENCODINGS, assert_exact, look_at
from launch import ARGUMENT, FORMAT, SLOW_PWRITE, STORAGE, Run, begin, file_of, history, recover, run

SHAPE = (4, 32, 64)
RANKS = 4
STEADY = ("steady", 0, 2, *SHAPE)
FORMATS = pytest.mark.parametrize("file_format", ["cdf5", "netcdf4"])
# Compressed in several chunks a block, and stores.
ENCODED = pytest.mark.parametrize(
    ("file_format", "encoding"),
    [("netcdf4", "encoded"), ("zarr", "plain"), ("zarr", "encoded"), ("zarr", "sharded")],
)
WRITERS = pytest.mark.parametrize("writers", ["thread", "sync"])


def failing(number: int, after: int) -> dict[str, object]:
    return {"LD_PRELOAD": SLOW_PWRITE, "THALWEG_TEST_PWRITE_ERRNO": number, "THALWEG_TEST_PWRITE_AFTER": after}


def assert_all_ranks_say(done: Run, code: int, *parts: str) -> None:
    assert done.returncode != 0
    for rank in range(RANKS):
        failure = done.first_failure(rank)
        assert failure.code == code, failure
        for part in parts:
            assert part in failure.text
        assert done.of(rank, "finish").code == code or failure.label == "start"


@pytest.mark.parametrize(
    ("small_disk", "file_format", "writers"),
    [
        *[("8m", file_format, writers) for file_format in ("cdf5", "netcdf4") for writers in ("thread", "sync")],
        ("ext4", "cdf5", "thread"),
        ("ext4", "netcdf4", "sync"),
        ("ext4", "fortran", "thread"),
    ],
    indirect=["small_disk"],
)
def test_a_full_disk_is_an_error_on_all_ranks_and_committed_records_survive(
    small_disk: Path, file_format: str, writers: str
) -> None:
    folder = small_disk.parent
    yaml = history(writers, format=file_format).replace("history.nc", f"{small_disk.name}/history.nc")
    done = run(folder, yaml, RANKS, STEADY)
    assert_all_ranks_say(done, STORAGE, "history.nc.partial", "No space left on device", "free some space")
    assert done.seconds < 15
    # Recovery needs a little space, so it comes after the files were moved.
    for file in small_disk.iterdir():
        shutil.copy(file, folder)
    remains = look_at(folder, SHAPE, readable=file_format != "netcdf4")
    assert remains.confirmed > 20


@pytest.mark.parametrize(
    ("small_disk", "file_format", "encoding"),
    [
        ("2m", "netcdf4", "deflated"),
        ("8m", "zarr", "plain"),
        ("4m", "zarr", "sharded"),
        ("ext4", "zarr", "plain"),
    ],  # what is compressed fills less
    indirect=["small_disk"],
)
@WRITERS
def test_a_full_disk_leaves_every_committed_record_of_encoded_files_and_stores(
    small_disk: Path, file_format: str, encoding: str, writers: str
) -> None:
    folder, name = small_disk.parent, file_of(file_format)
    yaml = history(writers, format=file_format, file=f"{small_disk.name}/{name}", **ENCODINGS[encoding])
    large = (8, 64, 128)
    done = run(folder, yaml, RANKS, ("steady", 0, 2, *large), limit_s=60)
    assert_all_ranks_say(done, STORAGE, f"{name}.partial", "No space left on device", "free some space")
    for left in small_disk.iterdir():
        (shutil.copytree if left.is_dir() else shutil.copy)(left, folder / left.name)
    remains = look_at(folder, large, file_format != "netcdf4", name)
    assert remains.confirmed > 10


@ENCODED
def test_a_write_that_fails_leaves_every_committed_record_of_encoded_files_and_stores(
    tmp_path: Path, file_format: str, encoding: str
) -> None:
    yaml = history(top="emulate-nodes: 2\n", format=file_format, pattern="shared", layout=[2, 1],
                   **ENCODINGS[encoding])  # fmt: skip
    name = file_of(file_format)
    done = run(tmp_path, yaml, RANKS, STEADY, **failing(errno.EIO, 400 if file_format == "zarr" else 40))
    assert_all_ranks_say(done, STORAGE, f"{name}.partial", "Input/output error")
    look_at(tmp_path, SHAPE, file_format != "netcdf4", name, torn=True)


@FORMATS
@WRITERS
def test_a_write_that_fails_is_an_error_on_all_ranks_and_committed_records_survive(
    tmp_path: Path, file_format: str, writers: str
) -> None:
    done = run(tmp_path, history(writers, format=file_format), RANKS, STEADY, **failing(errno.EIO, 40))
    assert_all_ranks_say(done, STORAGE, "history.nc.partial", "Input/output error")
    look_at(tmp_path, SHAPE, readable=file_format != "netcdf4", torn=True)


@FORMATS
def test_a_fault_on_one_node_is_an_error_on_the_other(tmp_path: Path, file_format: str) -> None:
    yaml = history(top="emulate-nodes: 2\n", format=file_format, pattern="shared", layout=[2, 1])
    done = run(tmp_path, yaml, RANKS, STEADY, **failing(errno.EIO, 40))
    assert_all_ranks_say(done, STORAGE, "history.nc.partial", "Input/output error")


@FORMATS
def test_a_missing_folder_is_an_error_at_ready(tmp_path: Path, file_format: str) -> None:
    yaml = history(format=file_format).replace("history.nc", "nowhere/history.nc")
    done = run(tmp_path, yaml, RANKS, STEADY)
    assert_all_ranks_say(done, STORAGE, "there is no folder 'nowhere'", "nowhere/history.nc", "make it")
    assert {done.first_failure(rank).label for rank in range(RANKS)} == {"ready"}


@FORMATS
def test_a_file_in_place_of_the_folder_is_an_error_at_ready(tmp_path: Path, file_format: str) -> None:
    (tmp_path / "taken").write_text("")
    yaml = history(format=file_format).replace("history.nc", "taken/history.nc")
    done = run(tmp_path, yaml, RANKS, STEADY)
    assert_all_ranks_say(done, STORAGE, "taken/", "Not a directory")
    assert {done.first_failure(rank).label for rank in range(RANKS)} == {"ready"}


def test_what_an_earlier_run_left_is_kept_aside(tmp_path: Path) -> None:
    left = tmp_path / "history.nc.partial"
    left.write_text("left by an earlier run")
    done = run(tmp_path, history(), RANKS, ("steady", 3, 0, *SHAPE))
    assert done.returncode == 0, done.outcomes
    assert "was left by a run that did not finish" in done.output
    assert (tmp_path / "history.old.nc.partial").read_text() == "left by an earlier run"
    assert_exact(tmp_path / "history.nc", 3, SHAPE)


@pytest.mark.parametrize("existing", ["history.nc", "history.nc.partial"])
def test_append_fail_touches_nothing_that_exists(tmp_path: Path, existing: str) -> None:
    (tmp_path / existing).write_text("precious")
    done = run(tmp_path, history(append="fail"), RANKS, ("steady", 3, 1, *SHAPE))
    assert_all_ranks_say(done, STORAGE, existing, "'append' is 'fail'", "append: new")
    assert (tmp_path / existing).read_text() == "precious"


@FORMATS
def test_a_node_that_runs_ahead_of_the_owner_of_the_file_loses_nothing(tmp_path: Path, file_format: str) -> None:
    yaml = history(top="emulate-nodes: 2\n", format=file_format, pattern="shared", layout=[2, 1], records_ahead=8)
    slow, quick = (("steady", 20, 0, *SHAPE, pause_ms) for pause_ms in (20, 0))
    done = begin(tmp_path, yaml, [(2, slow, {}), (2, quick, {})]).end(limit_s=20)
    assert done.returncode == 0, done.outcomes
    assert_exact(tmp_path / "history.nc", 20, SHAPE)


@ENCODED
def test_a_node_that_runs_ahead_loses_nothing_of_encoded_files_and_stores(
    tmp_path: Path, file_format: str, encoding: str
) -> None:
    yaml = history(top="emulate-nodes: 2\n", format=file_format, pattern="shared", layout=[2, 1], records_ahead=8,
                   **ENCODINGS[encoding])  # fmt: skip
    slow, quick = (("steady", 20, 0, *SHAPE, pause_ms) for pause_ms in (20, 0))
    done = begin(tmp_path, yaml, [(2, slow, {}), (2, quick, {})]).end(limit_s=20)
    assert done.returncode == 0, done.outcomes
    assert_exact(tmp_path / file_of(file_format), 20, SHAPE)


# ---- recovery of files that cannot be recovered


@pytest.fixture(scope="module", params=["cdf5", "netcdf4"])
def whole_file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    assert run(folder, history(format=request.param), 2, ("steady", 3, 0, *SHAPE)).returncode == 0
    return folder / "history.nc"


@pytest.mark.parametrize("length", [0, 3, 40, 2000])
def test_a_file_without_a_whole_header_is_refused(whole_file: Path, tmp_path: Path, length: int) -> None:
    partial = tmp_path / "cut.nc.partial"
    partial.write_bytes(whole_file.read_bytes()[:length])
    done = recover(partial)
    assert done.returncode == FORMAT, (done.returncode, done.stderr)
    assert str(partial) in done.stderr
    assert partial.stat().st_size == length
    assert not (tmp_path / "cut.nc").exists()


def test_a_file_that_was_cut_short_gives_its_whole_records_or_an_error(whole_file: Path, tmp_path: Path) -> None:
    partial = tmp_path / "cut.nc.partial"
    content = whole_file.read_bytes()
    partial.write_bytes(content[: len(content) - SHAPE[1] * SHAPE[2]])
    done = recover(partial)
    if done.returncode == 0:
        assert 0 < int(done.stdout) < 3
        assert_exact(tmp_path / "cut.nc", int(done.stdout), SHAPE)
    else:
        assert done.returncode in (FORMAT, STORAGE)
        assert str(partial) in done.stderr


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    partial = tmp_path / "foreign.nc.partial"
    partial.write_text("once upon a time, there was no netCDF")
    done = recover(partial)
    assert done.returncode == FORMAT
    for part in (str(partial), "neither a netCDF classic", "once upo", "37 bytes"):
        assert part in done.stderr
    assert partial.exists()


def test_a_name_without_the_suffix_is_refused(tmp_path: Path) -> None:
    done = recover(tmp_path / "history.nc")
    assert done.returncode == ARGUMENT
    assert "does not end in '.partial'" in done.stderr


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    done = recover(tmp_path / "history.nc.partial")
    assert done.returncode == STORAGE
    assert "does not exist" in done.stderr


def test_a_finished_file_of_the_same_name_is_not_overwritten(whole_file: Path, tmp_path: Path) -> None:
    shutil.copy(whole_file, tmp_path / "history.nc.partial")
    (tmp_path / "history.nc").write_text("precious")
    done = recover(tmp_path / "history.nc.partial")
    assert done.returncode == STORAGE
    assert "exists already" in done.stderr
    assert (tmp_path / "history.nc").read_text() == "precious"
