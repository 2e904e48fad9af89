# ctest: SHORT LABELS trace TIMEOUT 120
"""Times of events are those of the system's clock, whatever the tracer reads; also of a process that was killed."""

from __future__ import annotations

import json
import signal
import struct
import sys
from pathlib import Path

import numpy as np
import pytest
from support.tracing import run
from thalweg.trace.log import SLOT, Log, read_log

PROGRAM = """
import json, os, signal, sys, time
file = os.open("data", os.O_RDWR | os.O_CREAT)
seen = []
for step in range(5):
    before = time.monotonic_ns()
    os.pwrite(file, b"abcd", 0)
    seen.append((before, time.monotonic_ns()))
    time.sleep(float(sys.argv[1]))
with open("seen.txt", "w") as out: json.dump(seen, out)
if sys.argv[2:]: os.kill(os.getpid(), signal.SIGKILL)
"""
TOLERANCE_NS = 20_000
CLOCK_AT, LAST_TIMES_AT = 128, 152


def traced(folder: Path, *words: str, code: int = 0) -> Log:
    run(("env", "-C", folder, sys.executable, "-S", "-c", PROGRAM, *words), folder / "logs", code, LAYERS="posix")
    (path,) = (folder / "logs").iterdir()
    return read_log(path)


def writes_of(log: Log) -> np.ndarray:
    (row,) = np.flatnonzero(log.rows["name"] == b"pwrite")
    return log.events[(log.events["row"] == row) & (log.events["bytes"] == 4)]


@pytest.mark.parametrize(("pause", "killed"), [("0", False), ("0", True), ("0.1", False), ("0.1", True)])
def test_events_are_when_the_program_was_in_them(pause: str, killed: bool, tmp_path: Path) -> None:
    log = traced(tmp_path, pause, *(["killed"] if killed else []), code=-signal.SIGKILL if killed else 0)
    seen = np.array(json.loads((tmp_path / "seen.txt").read_text()))
    events = writes_of(log)
    begin = events["start"].astype(np.int64)
    end = begin + events["duration"].astype(np.int64)
    assert not log.losses and len(events) == len(seen)
    assert (begin > seen[:, 0] - TOLERANCE_NS).all() and (end < seen[:, 1] + TOLERANCE_NS).all()
    assert (begin < end).all() and (end - begin < seen[:, 1] - seen[:, 0] + TOLERANCE_NS).all()
    assert log.start <= begin[0] and abs(log.last - int((log.events["start"] + log.events["duration"]).max())) < 1e9
    (row,) = log.rows[log.rows["name"] == b"pwrite"]
    assert abs(int(row["time"]) - int((end - begin).sum())) <= len(events)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("whole")
    traced(folder, "0")
    (path,) = (folder / "logs").iterdir()
    return path.read_bytes()


def changed(whole: bytes, folder: Path, at: int, *values: int) -> Log:
    data = bytearray(whole)
    struct.pack_into(f"<{len(values)}Q", data, at, *values)
    (folder / "changed.trace").write_bytes(data)
    return read_log(folder / "changed.trace")


@pytest.mark.parametrize("pair", [(0, 0), (1, 1 << 40), (1 << 63, 1 << 62), (2**64 - 1, 2**64 - 1)])
def test_a_clock_that_cannot_be_is_damage(pair: tuple[int, int], whole: bytes, tmp_path: Path) -> None:
    if struct.unpack_from("<I", whole, CLOCK_AT) == (0,):
        pytest.skip("the kernel of this machine tells the time by another clock than the processor's")
    log = changed(whole, tmp_path, LAST_TIMES_AT, *pair, *pair)
    assert ["the header is damaged: its clock cannot be; times are in counts of the processor"] == log.losses
    assert len(writes_of(log)) == 5


def test_logs_of_nanoseconds_alone_are_read(whole: bytes, tmp_path: Path) -> None:
    data = bytearray(whole)
    struct.pack_into("<I", data, 8, 3)
    data[CLOCK_AT:192] = bytes(192 - CLOCK_AT)
    (tmp_path / "older.trace").write_bytes(data)
    log = read_log(tmp_path / "older.trace")
    slots = np.frombuffer(data, SLOT, offset=4096 + 256 * 128, count=(len(data) - 4096 - 256 * 128) // 64)
    assert not log.losses
    assert log.events["start"].tolist() == slots[log.numbers - 1]["start"].tolist()
