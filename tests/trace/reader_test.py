# ctest: SHORT LABELS trace TIMEOUT 120
"""Logs that are cut, damaged or foreign: the reader and the report take them all, and say what is lost."""

from __future__ import annotations

import json
import os
import random
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from support.command import refused, thalweg
from support.tracing import run
from thalweg.cli.output import without_nan
from thalweg.trace.adapted import adapted
from thalweg.trace.log import HEADER_BYTES, SLOT, SLOT_BYTES, NotALog, checks, read_log
from thalweg.trace.report import report
from thalweg.trace.table import Function, trace_of
from thalweg.trace.writes import NothingToReplay, writes_of

MUTANTS = int(os.environ.get("THALWEG_TEST_MUTANTS", "250"))
SEED = int(os.environ.get("THALWEG_TEST_SEED", "1"))
SLOTS_AT = HEADER_BYTES + 256 * 128


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("whole")
    text = "import os; f = os.open('data', os.O_RDWR | os.O_CREAT)\nfor i in range(40): os.pwrite(f, b'abc', 3 * i)"
    run(("env", "-C", folder, sys.executable, "-S", "-c", text), folder / "logs")
    (log,) = (folder / "logs").iterdir()
    return log.read_bytes()


WRITING = """
import netCDF4
with netCDF4.Dataset("out.nc", "w") as file:
    file.createDimension("t", None); file.createDimension("x", 5)
    temp = file.createVariable("temp", "f4", ("t", "x"))
    for step in range(12): temp[step] = step
"""


@pytest.fixture(scope="module")
def of_netcdf(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """With facts of calls."""
    folder = tmp_path_factory.mktemp("netcdf")
    run(("env", "-C", folder, sys.executable, "-c", WRITING), folder / "logs", LAYERS="netcdf")
    (log,) = (folder / "logs").iterdir()
    return log.read_bytes()


def resealed(data: bytearray) -> None:
    """With checks that are right, so that what is wrong is believed."""
    slots = np.frombuffer(data, SLOT, offset=SLOTS_AT, count=(len(data) - SLOTS_AT) // SLOT_BYTES).copy()
    slots["check"] = checks(slots)
    data[SLOTS_AT : SLOTS_AT + slots.nbytes] = slots.tobytes()


def test_no_facts_that_cannot_be_stop_the_reader(of_netcdf: bytes, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    path = tmp_path / "mutant.trace"
    played = 0
    for number in range(MUTANTS):
        data = bytearray(of_netcdf)
        for _ in range(chance.randint(1, 4)):
            at = SLOTS_AT + chance.randrange(120) * SLOT_BYTES + chance.randrange(56)
            data[at] = chance.choice([0, 1, 2, 4, 255, data[at] ^ 1 << chance.randrange(8)])
        resealed(data)
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        try:
            writes = writes_of([read_log(path)])
        except NothingToReplay as refusal:
            assert str(refusal), f"mutant {number} of seed {SEED}"
            continue
        adapted(writes)
        played += writes.puts > 0
    assert played > MUTANTS / 4


def mutant(whole: bytes, chance: random.Random) -> bytes:
    """Bits turned, numbers put in, pieces overwritten, moved or cut; mostly where something is."""
    data = bytearray(whole)
    for _ in range(chance.randint(1, 8)):
        at = chance.choice([chance.randrange(HEADER_BYTES // 32), chance.randrange(SLOTS_AT + 80 * SLOT_BYTES)])
        match chance.randrange(5):
            case 0:
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                value = chance.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 62, (1 << 64) - 1])
                data[at // 8 * 8 : at // 8 * 8 + 8] = value.to_bytes(8, "little")
            case 2:
                size = chance.randrange(1, 200)
                data[at : at + size] = chance.randbytes(size)
            case 3:
                other = chance.randrange(len(whole) - 256)
                data[at : at + 256] = whole[other : other + 256]
            case 4:
                del data[chance.randrange(len(data) // 2, len(data) + 1) :]
                data += bytes(chance.choice([0, 0, 70000]))
        if len(data) < SLOTS_AT:
            break
    return bytes(data)


def test_no_damage_stops_the_reader(whole: bytes, tmp_path: Path) -> None:
    chance = random.Random(SEED)
    path = tmp_path / "mutant.trace"
    refusals = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in range(MUTANTS):
            path.unlink(missing_ok=True)
            path.write_bytes(mutant(whole, chance))
            try:
                log = read_log(path)
            except NotALog as refusal:
                refusals += 1
                assert str(path) in str(refusal)
                continue
            made = report(trace_of([log], []), threshold=0)
            assert json.dumps(without_nan(made)), f"mutant {number} of seed {SEED}"
    assert refusals < MUTANTS / 2


@pytest.mark.parametrize("events", [0, 1, 20])
def test_of_a_log_that_is_cut_what_is_before_is_read(events: int, whole: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cut.trace"
    path.write_bytes(whole[: SLOTS_AT + events * SLOT_BYTES + 30])
    log = read_log(path)
    assert len(log.events) <= events
    assert any("the file is cut" in loss for loss in log.losses)


def test_a_changed_byte_of_an_event_is_found(whole: bytes, tmp_path: Path) -> None:
    (tmp_path / "whole.trace").write_bytes(whole)
    good = read_log(tmp_path / "whole.trace")
    assert not good.losses
    at = SLOTS_AT + (int(good.numbers[10]) - 1) * SLOT_BYTES
    for byte in range(1, SLOT_BYTES):
        data = bytearray(whole)
        data[at + byte] ^= 0x10
        path = tmp_path / f"{byte}.trace"
        path.write_bytes(data)
        log = read_log(path)
        assert len(log.events) == len(good.events) - 1, byte
        assert any("damaged" in loss for loss in log.losses)


HEADER_WORDS = {"rank": (40, "<i4"), "ranks": (44, "<i4"), "dropped": (104, "<u8")}


@pytest.mark.parametrize(
    ("word", "value"), [("rank", 2**31 - 1), ("ranks", 2**31 - 1), ("dropped", 2**63), ("rank", -7)]
)
def test_a_header_that_cannot_be_is_damage(word: str, value: int, of_netcdf: bytes, tmp_path: Path) -> None:
    data = bytearray(of_netcdf)
    at, kind = HEADER_WORDS[word]
    data[at : at + np.dtype(kind).itemsize] = np.array(value, kind).tobytes()
    (tmp_path / "damaged.trace").write_bytes(data)
    log = read_log(tmp_path / "damaged.trace")
    assert any(f"{value}" in loss and "the header is damaged" in loss for loss in log.losses)
    assert writes_of([log]).ranks == 1
    assert json.dumps(report(trace_of([log], []), threshold=0))


def row_of(data: bytes, name: bytes) -> int:
    return data.index(name.ljust(48, b"\0"), HEADER_BYTES)


@pytest.mark.parametrize("at", [56, 72, 80])
def test_counters_that_are_not_those_of_their_events_are_damage(at: int, whole: bytes, tmp_path: Path) -> None:
    data = bytearray(whole)
    data[row_of(whole, b"pwrite") + at] ^= 1
    (tmp_path / "damaged.trace").write_bytes(data)
    assert read_log(tmp_path / "damaged.trace").losses == [
        "the counters of 'pwrite' are damaged: they are not the sums of its events"
    ]


def test_names_of_functions_reach_no_terminal_as_they_are(whole: bytes, tmp_path: Path) -> None:
    data = bytearray(whole)
    at = row_of(whole, b"pwrite")
    data[at : at + 6] = b"\x1b[31m!"
    (tmp_path / "damaged.trace").write_bytes(data)
    said = thalweg("trace", "--logs", tmp_path)
    assert "[31m!" in said.out and "\x1b" not in said.out
    assert "--balance: 'nosuch' was not called" in thalweg("trace", "--logs", tmp_path, "--balance", "nosuch").err


def test_what_moves_nothing_is_no_access(tmp_path: Path) -> None:
    text = "import os; f = os.open('data', os.O_RDWR | os.O_CREAT); os.write(f, b'abc'); os.read(f, 9)"
    run(("env", "-C", tmp_path, sys.executable, "-S", "-c", text), tmp_path / "logs")
    (file,) = (one for one in thalweg("trace", "--logs", tmp_path / "logs", "--json").json["files"] if one["write"])
    assert file["write"]["calls"] == 1 and file["read"] is None
    assert Function("mpiio", "MPI_File_write_all_begin").moves_data
    assert not Function("mpiio", "MPI_File_write_all_end").moves_data


def test_other_files_are_named(tmp_path: Path, whole: bytes) -> None:
    (tmp_path / "text.trace").write_text("no log\n" * 1000)
    (tmp_path / "empty.trace").touch()
    (tmp_path / "newer.trace").write_bytes(whole[:8] + b"\x07" + whole[9:])
    (tmp_path / "good.trace").write_bytes(whole)
    made = thalweg("trace", "--logs", tmp_path, "--json").json
    assert len(made["processes"]) == 1
    assert [name for name in ("text", "empty", "newer") if any(f"{name}.trace" in loss for loss in made["losses"])] == [
        "text", "empty", "newer",
    ]  # fmt: skip


def test_two_runs_side_by_side(tmp_path: Path) -> None:
    for name, calls in (("before", 40), ("after", 10)):
        folder = tmp_path / name
        folder.mkdir()
        text = (
            f"import os; f = os.open('data', os.O_RDWR | os.O_CREAT)\nfor i in range({calls}): os.pwrite(f, b'abcd', 0)"
        )
        text += "\nos.fsync(f)" if name == "after" else ""
        run(("env", "-C", folder, sys.executable, "-S", "-c", text), folder / "logs")
    both = [tmp_path / name / "logs" for name in ("before", "after")]
    made = thalweg("trace", "--compare", *both, "--json").json
    functions = {row["name"]: row for row in made["functions"]}
    assert functions["pwrite (posix)"]["calls"] == [40, 10] and functions["pwrite (posix)"]["bytes_ratio"] == 0.25
    assert functions["fsync (posix)"]["state"] == "new"
    (file,) = (row for row in made["files"] if row["name"] == "data")
    assert file["bytes"] == [160, 40]
    assert "pwrite (posix)" in thalweg("trace", "--compare", *both).out


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    assert "there is no such folder" in refused(3, "trace", "--logs", tmp_path / "none")
    assert "has no logs" in refused(3, "trace", "--logs", tmp_path)
    (tmp_path / "empty.trace").touch()
    assert "has no log that can be read" in refused(3, "trace", "--logs", tmp_path)
    assert "give a program to run" in refused(2, "trace")
    assert thalweg("trace", "--events", 2**32 - 1, "--", "true").code == 2
    assert "--limit: 'inf'" in refused(2, "trace", "--limit", "inf", "--", "true")
    assert "is no layer" in refused(2, "trace", "--layers", "posx", "--library", sys.executable, "--", "true")
    assert "is not there" in refused(4, "trace", "--library", tmp_path / "x.so", "--", "true")
