# ctest: TIMEOUT 300 ALL 600
"""A collection of the format 'user': the model's own procedure gets every value once, in order, on every node."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support import mpi, user_events
from support.user_events import BEGIN, BLOCK, END, RECORD, Event
from support.ways import ways

PROGRAMS = ("user_write", "user_write_cpp", "user_write_fortran")
WRITERS = ("sync", "thread")


def start(
    folder: Path, program: str, ranks: int, more: str, *words: object, **environment: str
) -> subprocess.CompletedProcess[str]:
    (folder / "thalweg.yaml").write_text(f"report: none\n{more}")
    return mpi.start(program, ranks, folder, *words, environment=environment)


def settings(writers: str, nodes: int | str, ahead: int) -> str:
    return (
        f"writers: {writers}\ndeadline: 20 s\nemulate-nodes: {nodes}\n"
        f"collections: {{history: {{format: user, pattern: shared, file: first, records-ahead: {ahead}}}}}\n"
    )


def events(folder: Path, program: str, ranks: int) -> list[list[Event]]:
    """Of each rank that was called; those are leaders of nodes."""
    of_ranks = [user_events.read(folder / f"events.{rank}", program.endswith("fortran")) for rank in range(ranks)]
    return [of_rank for of_rank in of_ranks if of_rank]


def check_values(of_nodes: list[list[Event]]) -> None:
    seen = {(event.variable, event.record, event.file) for of_node in of_nodes for event in of_node}
    for variable, record, file in sorted(seen):
        if variable == "-":
            continue
        shape = user_events.SHAPES[variable]
        covered = np.zeros(shape, np.int64)
        wanted = user_events.written(variable, record)
        for event in (
            e for of_node in of_nodes for e in of_node if (e.variable, e.record, e.file) == (variable, record, file)
        ):
            assert (event.shape, event.type) == (shape, user_events.TYPE_OF[variable])
            assert event.stride == event.values().strides
            assert event.values().tobytes() == wanted[event.region()].tobytes(), f"{variable} of record {record}"
            assert event.checksum == user_events.checksum(event)
            covered[event.region()] += 1
        assert (covered == 1).all(), f"{variable} of record {record}: some cells came never or twice"
    records = range(user_events.RECORDS)
    of_records = {(v, r, file_of(r)) for v, r in itertools.product(("temp", "wide", "mean"), records)}
    assert {one for one in seen if one[0] != "-"} == of_records | {("depth", -1, "first"), ("depth", -1, "second")}


def file_of(record: int) -> str:
    return "first" if record < user_events.SECOND_FILE else "second"


def check_order(of_node: list[Event]) -> None:
    """BEGIN, then for each record its blocks and RECORD, then END; the fixed variable wherever it likes in its file."""
    assert {event.collection for event in of_node} == {"history"}
    for file, first, end in (
        ("first", 0, user_events.SECOND_FILE),
        ("second", user_events.SECOND_FILE, user_events.RECORDS),
    ):
        of_file = [event for event in of_node if event.file == file]
        assert (of_file[0].kind, of_file[-1].kind) == (BEGIN, END)
        moving = [event for event in of_file[1:-1] if event.variable != "depth"]
        assert {event.kind for event in moving} <= {BLOCK, RECORD}
        numbers = [event.record for event in moving]
        assert numbers == sorted(numbers)
        for record in range(first, end):
            of_record = [event for event in moving if event.record == record]
            assert [event.kind for event in of_record] == [BLOCK] * (len(of_record) - 1) + [RECORD]
            assert {event.time_s for event in of_record} == {600.0 * (record + 1)}
            assert {event.record_in_file for event in of_record} == {record - first}
        assert set(numbers) == set(range(first, end))
    assert [event.file for event in of_node] == sorted(event.file for event in of_node), "files come after each other"


def check_calls(folder: Path, program: str, ranks: int, called: int) -> None:
    """So many ranks were called, each in order, and together with every value once."""
    of_ranks = events(folder, program, ranks)
    assert len(of_ranks) == called
    for of_rank in of_ranks:
        check_order(of_rank)
    check_values(of_ranks)


@pytest.mark.parametrize(
    ("program", "writers", "place", "ahead"), ways(PROGRAMS, WRITERS, ((1, 1), (2, 1), (4, 1), (2, 2), (4, 2)), (1, 2))
)
def test_the_procedure_gets_every_value_in_order(
    tmp_path: Path, program: str, writers: str, place: tuple[int, int], ahead: int
) -> None:
    ranks, nodes = place
    done = start(tmp_path, program, ranks, settings(writers, nodes, ahead))
    assert done.returncode == 0, done.stdout + done.stderr
    check_calls(tmp_path, program, ranks, nodes)
    made = {path.name for path in tmp_path.iterdir()} - {"thalweg.yaml"}
    assert made == {f"events.{rank}" for rank in range(ranks)}, "Thalweg made a file"


SERVERS = {
    "ranks": ("{ranks: 1}", "none", "1", 3, 1),
    "rank_a_node": ("ranks", "2", "1", 4, 2),
    "node": ("nodes", "[3, 1]", "1", 4, 1),
    "divided": ("{ranks: 2}", "none", "all", 4, 2),
}
"""What 'writers', 'emulate-nodes' and 'servers' say, the ranks, and how many of them are called."""
REGISTERED = {"THALWEG_TEST_REGISTER": "1"}


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("place", SERVERS)
def test_servers_call_the_procedure_that_was_registered(tmp_path: Path, program: str, place: str) -> None:
    writers, nodes, servers, ranks, called = SERVERS[place]
    more = settings(writers, nodes, 2).replace("records-ahead", f"servers: {servers}, records-ahead")
    done = start(tmp_path, program, ranks, more, **REGISTERED)
    assert done.returncode == 0, done.stdout + done.stderr
    check_calls(tmp_path, program, ranks, called)


@pytest.mark.parametrize("writers", WRITERS)
def test_a_registered_procedure_serves_without_servers_too(tmp_path: Path, writers: str) -> None:
    done = start(tmp_path, "user_write", 2, settings(writers, "none", 1), **REGISTERED)
    assert done.returncode == 0, done.stderr
    check_values(events(tmp_path, "user_write", 2))


def test_servers_without_a_registered_procedure_are_told_how(tmp_path: Path) -> None:
    done = start(tmp_path, "user_write", 3, settings("{ranks: 1}", "none", 1))
    assert done.returncode not in (0, 124, 137)
    assert "give it to thalweg_register_procedure (Fortran thw_register_procedure) on every rank before" in done.stderr


@pytest.mark.parametrize(("program", "writers", "place"), ways(PROGRAMS, WRITERS, ((1, 1), (4, 2))))
def test_a_procedure_that_fails_ends_the_output_with_what_it_said(
    tmp_path: Path, program: str, writers: str, place: tuple[int, int]
) -> None:
    ranks, nodes = place
    done = start(tmp_path, program, ranks, settings(writers, nodes, 1), 2)
    assert done.returncode not in (0, 124, 137), done.stderr
    said = "threw 'the disk of user'" if program == "user_write_cpp" else "returned 7"
    record = 3 if program == "user_write_fortran" else 2  # messages count as the program does
    text = f"collection 'history', file 'first': the model's write procedure {said} at RECORD of record {record}"
    assert text in done.stderr
    for of_node in events(tmp_path, program, ranks):
        assert max(event.record for event in of_node) <= 2
        assert of_node[-1].kind != END


def test_a_collection_without_its_procedure_is_refused(tmp_path: Path) -> None:
    done = start(tmp_path, "user_write", 2, settings("thread", 1, 1), THALWEG_TEST_NO_PROCEDURE="1")
    assert done.returncode not in (0, 124, 137)
    assert "collection 'history': its format is 'user', but no procedure was set that writes it" in done.stderr


def test_a_procedure_for_another_format_is_refused(tmp_path: Path) -> None:
    done = start(tmp_path, "user_write", 2, "collections: {history: {format: cdf5}}\n")
    assert done.returncode not in (0, 124, 137)
    assert "collection 'history': a write procedure is for the format 'user'" in done.stderr


def test_settings_that_speak_of_files_are_refused(tmp_path: Path) -> None:
    more = "collections: {history: {format: user, append: fail, durability: record}}\n"
    done = start(tmp_path, "user_write", 1, more)
    assert done.returncode not in (0, 124, 137)
    for key in ("append", "durability"):
        assert f"{key}: with format 'user' the files are made by the model's procedure" in done.stderr


def test_files_of_the_collections_name_are_left_alone(tmp_path: Path) -> None:
    for name in ("first", "first.partial", "second.partial", "first.partial.journal"):
        (tmp_path / name).write_text("of somebody else")
    done = start(tmp_path, "user_write", 2, settings("thread", 1, 2))
    assert done.returncode == 0, done.stderr
    for name in ("first", "first.partial", "second.partial", "first.partial.journal"):
        assert (tmp_path / name).read_text() == "of somebody else"
    assert not (tmp_path / "second").exists()


@pytest.mark.parametrize("ranks", [1, 3])
def test_the_example_in_c_writes_raw_arrays(tmp_path: Path, ranks: int) -> None:
    mpi.run("user_writer_c", ranks, tmp_path)
    for record in range(3):
        found = np.fromfile(tmp_path / f"raw.height.{record}", np.float32)
        assert found.tobytes() == (np.arange(96, dtype=np.float32) + 1000 * record).tobytes()


@pytest.mark.parametrize("ranks", [1, 3])
def test_the_example_in_fortran_writes_a_direct_access_file(tmp_path: Path, ranks: int) -> None:
    mpi.run("user_writer_fortran", ranks, tmp_path)
    wanted = np.concatenate([np.arange(1, 97, dtype=np.float32) + 1000 * record for record in (1, 2, 3)])
    assert (tmp_path / "raw.bin").read_bytes() == wanted.tobytes()
