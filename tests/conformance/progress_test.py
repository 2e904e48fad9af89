# ctest: LABELS mpi TIMEOUT 240
"""What moves between nodes while the model computes, and what has left when advance returns."""

from __future__ import annotations

import json
from pathlib import Path

import netCDF4
import numpy as np
import pytest
from support import conform, mpi

CELLS = 1 << 20
SHAPE, RECORDS = (90, 120), 6
# Where a process may copy from another one, the receiver alone moves a long message; here the sender has to take part.
PUSHED = {"OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
NODE = "writers: nodes\nemulate-nodes: [2, 1]\n"
TWO_NODES = "writers: thread\nemulate-nodes: 2\n"
SYNC = "writers: sync\nemulate-nodes: 2\n"


def pause(folder: Path, what: str, top: str, limit_s: float, level: str = "multiple") -> list[str]:
    """What the ranks say that computed until something went on."""
    (folder / "thalweg.yaml").write_text(
        f"{top}report: none\nprofile: profile.json\nstaging: 256 MiB\ncollections:\n"
        "  history: {format: cdf5, pattern: single}\n"
    )
    ranks = 3 if "nodes: [2, 1]" in top else 2
    done = mpi.start("pausing", ranks, folder, what, limit_s, level, environment=PUSHED)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "stderr").write_text(done.stderr)
    return sorted(done.stdout.splitlines())


def counters(folder: Path, name: str) -> list[float]:
    """Of each client."""
    ranks = json.loads((folder / "profile.json").read_text())["ranks"]
    return [rank["client"][name] for rank in ranks if not rank["is_server"]]


def check_values(folder: Path, records: int) -> None:
    with netCDF4.Dataset(folder / "history.nc") as dataset:
        values = np.asarray(dataset["temp"][...])
    wanted = np.arange(records)[:, None] * 100_000_000.0 + np.arange(2 * CELLS)
    assert np.array_equal(values, wanted)


# ---- progress


def test_with_a_thread_a_record_is_written_before_the_next_call_of_the_model(tmp_path: Path) -> None:
    said = pause(tmp_path, "committed", f"{NODE}progress: thread\n", 30)
    assert said == ["rank 0: went on", "rank 1: went on"]
    assert min(counters(tmp_path, "progress_looks")) > 0
    check_values(tmp_path, 1)


def test_without_a_thread_it_waits_for_the_next_call(tmp_path: Path) -> None:
    said = pause(tmp_path, "committed", f"{NODE}progress: call\n", 1)
    assert said == ["rank 0: stood still", "rank 1: stood still"]
    assert counters(tmp_path, "progress_looks") == [0, 0]
    check_values(tmp_path, 1)


@pytest.mark.parametrize(("progress", "limit_s", "said"), [("thread", 30, "went on"), ("call", 1, "stood still")])
def test_a_rank_that_computes_takes_messages_with_a_thread_only(
    progress: str, limit_s: float, said: str, tmp_path: Path
) -> None:
    assert pause(tmp_path, "ahead", f"{TWO_NODES}progress: {progress}\n", limit_s) == [f"rank 0: {said}"]
    check_values(tmp_path, 4)


def test_mpi_for_one_thread_is_a_note_and_progress_in_calls(tmp_path: Path) -> None:
    said = pause(tmp_path, "committed", f"{NODE}progress: thread\n", 1, "funneled")
    assert said == ["rank 0: stood still", "rank 1: stood still"]
    notes = [
        line for line in (tmp_path / "stderr").read_text().splitlines() if "progress: thread has no effect" in line
    ]
    assert len(notes) == 1
    assert "MPI_THREAD_MULTIPLE" in notes[0]
    check_values(tmp_path, 1)


# ---- send


def write_steadily(folder: Path, top: str, send: str, progress: str = "call") -> bytes:
    """The file, whose values are right."""
    folder.mkdir()
    (folder / "c.yaml").write_text(
        f"{top}send: {send}\nprogress: {progress}\nreport: none\nprofile: profile.json\nstaging: 256 MiB\n"
        "collections:\n  fields: {format: cdf5, pattern: single}\n"
    )
    mpi.run("conform", 3, folder, "c.yaml", "collections=fields", f"records={RECORDS}", f"shape={SHAPE[0]},{SHAPE[1]}",
            environment={"THALWEG_TEST_MPI_THREADS": "multiple"})  # fmt: skip
    conform.check_file(folder / "fields.nc", conform.fields("cdf5", *SHAPE), list(range(1, RECORDS + 1)))
    return (folder / "fields.nc").read_bytes()


@pytest.mark.parametrize("top", [NODE, TWO_NODES, SYNC], ids=["server", "two_nodes", "sync"])
def test_nothing_is_under_way_after_advance_where_it_waits(top: str, tmp_path: Path) -> None:
    # On a busy machine everything may have been taken when advance looks: then nothing is under way, or waited for.
    files, met = set(), {}
    for send, counter in (("fast", "unsent_advances"), ("wait", "wait_send_s")):
        for run in range(5):
            folder = tmp_path / f"{send}{run}"
            files.add(write_steadily(folder, top, send))
            assert send == "fast" or max(counters(folder, "unsent_advances")) == 0
            met[send] = max(counters(folder, counter)) > 0
            if top == SYNC or met[send]:
                break
    assert len(files) == 1
    assert top == SYNC or all(met.values()), met  # sync waits for the whole record


@pytest.mark.parametrize("top", [NODE, TWO_NODES, SYNC], ids=["server", "two_nodes", "sync"])
def test_a_thread_changes_nothing_in_the_files(top: str, tmp_path: Path) -> None:
    reference = write_steadily(tmp_path / "call", top, "fast")
    for send in ("fast", "wait"):
        assert write_steadily(tmp_path / send, top, send, "thread") == reference
        assert max(counters(tmp_path / send, "progress_looks")) > 0
