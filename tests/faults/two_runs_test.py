# ctest: LABELS mpi TIMEOUT 180
"""What two runs have under one name: parts of two sets, and a writer that outlives the owner of its file. Neither
passes for one run's."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest
import xarray
from calls import OUT, Fault, calls_of, preloaded
from killed_job import assert_exact, visible_records
from launch import Run, begin, file_of, history, recover
from support.combining import combine
from support.command import thalweg, use_programs

pytestmark = pytest.mark.usefixtures(use_programs.__name__)
RANKS = 3
SHAPE = (4, 48, 64)
RECORDS = 2


def write_set(folder: Path, file_format: str, fault: Fault | None = None, log: Path | None = None) -> Run:
    """One file a rank, all of which one writer makes, and gives their names in order."""
    (folder / OUT).mkdir(exist_ok=True)
    variables = preloaded(fault or Fault(0, "before", kinds=("rename",)), log)
    yaml = history(file=f"{OUT}/{file_of(file_format)}", format=file_format, pattern="per-rank")
    return begin(folder, yaml, [(RANKS, ("steady", RECORDS, 1, *SHAPE), dict(variables))]).end(limit_s=40)


def killed_behind(part: str, folder: Path, file_format: str) -> Path:
    """A run replaces a set, and is killed when this part has got its name; the name of the set."""
    assert write_set(folder, file_format).returncode == 0
    shutil.copytree(folder / OUT, folder / "old")
    log = folder / "calls.log"
    assert write_set(folder, file_format, log=log).returncode == 0
    names = [call.top for call in calls_of(log) if call.kind == "rename"]
    shutil.rmtree(folder / OUT)
    shutil.copytree(folder / "old", folder / OUT)
    done = write_set(folder, file_format, Fault(names.index(f"{part}.partial") + 1, "after", kinds=("rename",)))
    assert done.returncode != 0, done.output
    return folder / OUT / file_of(file_format)


def open_all(path: Path) -> None:
    with xarray.open_dataset(path, engine="thalweg", decode_times=False) as dataset:
        dataset.load()


def refusal_of_combine(*words: object) -> str:
    done = combine(*words)
    return done.stdout + done.stderr if done.returncode != 0 else ""


def refusal_of_command(*words: object) -> str:
    done = thalweg(*words)
    return done.out + done.err if done.code != 0 else ""


def refusals(path: Path) -> list[str]:
    """What each reader of sets says; nothing of one that reads it."""
    said = []
    joined = path.with_name("joined.nc")
    for words in (("combine", "-o", joined, path), ("verify", path), ("convert", path, joined)):
        said.append(refusal_of_combine(*words[1:]) if words[0] == "combine" else refusal_of_command(*words))
        joined.unlink(missing_ok=True)
    try:
        open_all(path)
    except ValueError as error:
        return [*said, str(error)]
    return [*said, ""]


@pytest.mark.parametrize("file_format", ["cdf5", "netcdf4"])
def test_parts_of_two_runs_are_no_set(tmp_path: Path, file_format: str) -> None:
    name = file_of(file_format)
    path = killed_behind(f"{name}.0001", tmp_path, file_format)
    assert path.with_name(f"{name}.0002.partial").exists()
    for text in refusals(path):
        assert "two runs" in text, text
        assert "thalweg_run" in text, text
    # As the message says: the run that has all its files is the new one, one of them with its first name.
    path.with_name(f"{name}.0002").unlink()
    assert recover(path.with_name(f"{name}.0002.partial")).returncode == 0
    assert refusals(path) == ["", "", "", ""]


def test_a_set_of_one_run_is_read(tmp_path: Path) -> None:
    assert write_set(tmp_path, "netcdf4").returncode == 0
    assert refusals(tmp_path / OUT / "history.nc") == ["", "", "", ""]


def test_a_copy_of_an_earlier_set_is_told_from_the_new_one(tmp_path: Path) -> None:
    assert write_set(tmp_path, "cdf5").returncode == 0
    whole = tmp_path / OUT / "history.nc"
    assert combine(whole).returncode == 0
    before = whole.read_bytes()
    done = write_set(tmp_path, "cdf5")
    assert done.returncode == 0
    assert "is not of this run" in done.output
    assert whole.read_bytes() == before


@pytest.mark.parametrize("file_format", ["cdf5", "netcdf4", "zarr"])
def test_a_writer_that_outlives_the_owner_keeps_the_file_from_being_recovered(tmp_path: Path, file_format: str) -> None:
    """Its node was cut off from the others, say, or it was suspended when they were killed."""
    yaml = history("thread", "emulate-nodes: 2\n", format=file_format, pattern="shared", layout="[2, 1]")
    job = begin(tmp_path, yaml, [(4, ("steady", 0, 1, *SHAPE, 5), {})])
    log = tmp_path / "committed.log"
    job.wait_until(lambda: log.exists() and log.stat().st_size > 0)
    ranks = job.ranks()
    for rank in (2, 3):
        os.kill(ranks[rank], signal.SIGSTOP)
    os.kill(job.process.pid, signal.SIGSTOP)  # mpiexec: it would end all
    for rank in (0, 1):
        os.kill(ranks[rank], signal.SIGKILL)
    partial = tmp_path / f"{file_of(file_format)}.partial"
    try:
        refused = recover(partial)
        assert refused.returncode != 0
        assert "still open in another process" in refused.stdout + refused.stderr
        assert partial.exists()
    finally:
        for rank in (2, 3):
            os.kill(ranks[rank], signal.SIGKILL)
        os.kill(job.process.pid, signal.SIGKILL)
        job.process.communicate(timeout=20)
    done = recover(partial)
    assert done.returncode == 0, done.stderr
    path = partial.with_suffix("")
    assert visible_records(path, SHAPE) >= int(log.read_text().split()[-1])
    assert_exact(path, visible_records(path, SHAPE), SHAPE)
    assert not path.with_name(f"{path.name}.lock").exists()
