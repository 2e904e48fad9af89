"""One log of the tracer (docs/formats/trace.md). Whatever the bytes are, what can be read is; what is lost is said."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thalweg.trace.facts import FACTS_PART, LAST_PART, Facts, facts_of

MAGIC = b"THWTRACE"
VERSIONS = (1, 2, 3, 4)  # 1 has no facts, 2 none that are told by earlier ones, 3 only nanoseconds
HEADER_BYTES, ROW_BYTES, SLOT_BYTES = 4096, 128, 64
MOST_ROWS = 4096
LAYERS = ("netcdf", "pnetcdf", "hdf5", "mpiio", "posix", "mpi")
CLASSES = ("", "p2p", "wait", "collective", "barrier", "rma", "setup")
EMPTY, STARTED, FINISHED, NAME, FACTS = range(5)
FAILED, INNER, INNER_SAME = 1, 2, 4

HEADER = struct.Struct("<8s6I2I2i9Q4I6Q8x64s512s2048s")
ROW = np.dtype(
    [
        ("name", "S48"), ("layer", "u1"), ("class", "u1"), ("is_fortran", "u1"), ("reserved", "5u1"),
        ("count", "<u8"), ("failed", "<u8"), ("bytes", "<u8"), ("time", "<u8"), ("outer_time", "<u8"),
        ("longest", "<u8"), ("dropped", "<u8"), ("in_io_time", "<u8"), ("spare", "<u8"),
    ]
)  # fmt: skip
SLOT = np.dtype(
    [
        ("kind", "u1"), ("flags", "u1"), ("row", "<u2"), ("parent", "<u4"), ("start", "<u8"), ("duration", "<u8"),
        ("bytes", "<u8"), ("offset", "<i8"), ("file", "<u4"), ("variable", "<u4"), ("thread", "<u2"), ("along", "<u2"),
        ("result", "<i4"), ("check", "<u8"),
    ]
)  # fmt: skip
NAME_PART = np.dtype(
    [("kind", "u1"), ("flags", "u1"), ("part", "<u2"), ("id", "<u4"), ("text", "48u1"), ("check", "<u8")]
)
# A time beyond this is damage: longer than any run, and sums of it do not overflow.
MOST_NS = 1 << 55
MOST_RANKS = 1 << 22
MOST_LOST = 1 << 60
COUNTER_VERSION = 4
COUNTS_PER_NS = 0.01, 100.0  # of a processor's counter; others are damage


class Header(NamedTuple):
    magic: bytes
    version: int
    header_bytes: int
    row_bytes: int
    row_count: int
    slot_bytes: int
    layers: int
    pid: int
    parent_pid: int
    rank: int
    ranks: int
    start_real: int
    start: int
    last: int
    mpi_begin: int
    mpi_end: int
    slot_limit: int
    next_slot: int
    dropped: int
    names_dropped: int
    rows_used: int
    has_ended: int
    clock: int
    last_time: int
    first_count: int
    first_ns: int
    even_count: int
    even_ns: int
    odd_count: int
    odd_ns: int
    host: bytes
    program: bytes
    command: bytes


class NotALog(Exception):
    """The file is none, or of a version that is not known; the text says so."""


@dataclass
class Log:
    path: Path
    pid: int = 0
    rank: int = -1
    ranks: int = -1
    start_real: int = 0
    start: int = 0
    last: int = 0
    mpi_begin: int = 0
    mpi_end: int = 0
    dropped: int = 0
    has_ended: bool = False
    host: str = ""
    program: str = ""
    command: str = ""
    rows: NDArray[np.void] = field(default_factory=lambda: np.zeros(0, ROW))
    # Events that are whole, in the order of their numbers; `numbers` counts from 1, as `parent` does.
    events: NDArray[np.void] = field(default_factory=lambda: np.zeros(0, SLOT))
    numbers: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    names: dict[int, str] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
    losses: list[str] = field(default_factory=list)

    @property
    def wall_ns(self) -> int:
        return max(self.last - self.start, 0)


def text_of(raw: bytes) -> str:
    text = raw.split(b"\0", 1)[0].decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def checks(slots: NDArray[np.void]) -> NDArray[np.uint64]:
    """What the last word of each slot must be."""
    words = np.ascontiguousarray(slots).view("<u8").reshape(-1, 8)
    found = np.full(len(slots), 0x9E3779B97F4A7C15, np.uint64)
    for column in range(7):
        found = (found ^ words[:, column]) * np.uint64(0xFF51AFD7ED558CCD)
    found ^= found >> np.uint64(32)
    begun = (words[:, 1] ^ np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xFF51AFD7ED558CCD)
    return np.where(slots["kind"] == STARTED, begun, found)


def read_log(path: Path) -> Log:
    """Reads what is there. Raises NotALog if it is no log, and OSError if it cannot be read."""
    if path.stat().st_size < HEADER_BYTES:
        raise NotALog(f"'{path}' has {path.stat().st_size} bytes, fewer than the {HEADER_BYTES} of a log's header")
    raw = np.memmap(path, np.uint8, "r")
    header = Header(*HEADER.unpack(raw[: HEADER.size].tobytes()))
    if header.magic != MAGIC:
        raise NotALog(f"'{path}' does not begin as a log of the tracer does, with {MAGIC.decode()}")
    if header.version not in VERSIONS:
        raise NotALog(f"'{path}' is a log of version {header.version}; this reader knows version {VERSIONS[-1]}")
    log = log_of(path, header)
    row_count = header.row_count
    sizes = (header.header_bytes, header.row_bytes, header.slot_bytes)
    if sizes != (HEADER_BYTES, ROW_BYTES, SLOT_BYTES) or row_count > MOST_ROWS:
        log.losses.append("the header is damaged: sizes of its parts are not those of this version, which are taken")
        row_count = 256
    slots_at = HEADER_BYTES + row_count * ROW_BYTES
    read_rows(log, raw[HEADER_BYTES:slots_at], header.rows_used)
    slot_bytes = raw[slots_at:]
    count = len(slot_bytes) // SLOT_BYTES
    read_slots(log, slot_bytes[: count * SLOT_BYTES].view(SLOT), min(header.next_slot, header.slot_limit))
    if header.version >= COUNTER_VERSION and header.clock:
        tell_in_nanoseconds(log, header)
    if header.names_dropped:
        log.losses.append(f"{header.names_dropped} names, or facts of calls, are not in the log: there was no room")
    return log


def log_of(path: Path, header: Header) -> Log:
    log = Log(path, header.pid, header.rank, header.ranks)
    log.start_real, log.start, log.last = header.start_real, header.start, header.last
    log.mpi_begin, log.mpi_end = header.mpi_begin, header.mpi_end
    log.dropped, log.has_ended = header.dropped, bool(header.has_ended)
    require_believable(log, header)
    log.host, log.program, log.command = text_of(header.host), text_of(header.program), text_of(header.command)
    if max(log.start, log.last) > MOST_NS << 7 or log.wall_ns > MOST_NS:
        log.losses.append("the header is damaged: its times cannot be")
        log.start = log.last = 0
    return log


def tell_in_nanoseconds(log: Log, header: Header) -> None:
    """Times of a processor's counter, which was read together with the time at the log's begin and near its end."""
    last_count, last_ns = (header.odd_count, header.odd_ns) if header.last_time else (header.even_count, header.even_ns)
    counts, nanoseconds = last_count - header.first_count, last_ns - header.first_ns
    least, most = COUNTS_PER_NS
    if not (nanoseconds > 0 and least <= counts / nanoseconds <= most and max(last_ns, last_count) < MOST_NS << 7):
        log.losses.append("the header is damaged: its clock cannot be; times are in counts of the processor")
        return
    rate = nanoseconds / counts

    def time_of(count: NDArray[np.uint64]) -> NDArray[np.uint64]:
        since = (count.astype(np.int64) - header.first_count).astype(np.float64) * rate
        return np.maximum(np.rint(since).astype(np.int64) + header.first_ns, 0).astype(np.uint64)

    # By both ends: what was within another call is so still.
    begin, end = log.events["start"], log.events["start"] + log.events["duration"]
    log.events["duration"] = time_of(end) - time_of(begin)
    log.events["start"] = time_of(begin)
    for name in ("time", "outer_time", "in_io_time", "longest"):
        log.rows[name] = np.rint(log.rows[name].astype(np.float64) * rate).astype(np.uint64)
    for name in ("start", "last", "mpi_begin", "mpi_end"):
        if count := getattr(log, name):
            setattr(log, name, int(time_of(np.array([count], np.uint64))[0]))


def require_believable(log: Log, header: Header) -> None:
    """The header has no check: what cannot be is not taken, for memory is made by ranks."""
    ranks, rank = header.ranks, header.rank
    if not (-1 <= rank < MOST_RANKS and -1 <= ranks <= MOST_RANKS) or 0 <= ranks <= rank:
        log.losses.append(f"the header is damaged: rank {rank} of {ranks} cannot be; the process counts as without one")
        log.rank = log.ranks = -1
    if header.dropped > MOST_LOST:
        log.losses.append(f"the header is damaged: {header.dropped} events that found no room cannot be")
        log.dropped = 0


def read_rows(log: Log, raw: NDArray[np.uint8], used: int) -> None:
    whole = raw[: len(raw) // ROW_BYTES * ROW_BYTES].view(ROW).copy()
    if used > len(whole):
        log.losses.append(f"the header is damaged: {used} rows of functions, {len(whole)} in the file")
    rows = whole[:used]
    rows["layer"] = np.minimum(rows["layer"], len(LAYERS) - 1)
    rows["class"] = np.where(rows["class"] < len(CLASSES), rows["class"], 0)
    for name in ("time", "outer_time", "in_io_time", "longest"):
        wrong = rows[name] > MOST_NS
        if wrong.any():
            log.losses.append(f"{int(wrong.sum())} counters of time are damaged, and taken for 0")
            rows[name][wrong] = 0
    for name in ("count", "bytes", "failed", "dropped"):
        rows[name] = np.where(rows[name] > 1 << 60, 0, rows[name])
    log.rows = rows


def read_slots(log: Log, slots: NDArray[np.void], taken: int) -> None:
    kinds = slots["kind"]
    used = kinds != EMPTY
    if taken > len(slots):
        log.losses.append(f"the file is cut: {taken} slots were given out, {len(slots)} are in it")
    unwritten = int((~used[: min(taken, len(slots))]).sum())
    if unwritten:
        log.losses.append(f"{unwritten} slots were given out and never written: calls that were just beginning")
    right = used & (kinds <= FACTS)
    right[right] = checks(slots[right]) == slots["check"][right]
    damaged = int((used & ~right).sum())
    if damaged:
        log.losses.append(
            f"{damaged} slots are damaged, or were being written when the process was killed, or left the call"
        )
    read_names(log, slots[right & (kinds == NAME)].view(NAME_PART))
    log.facts = facts_of(slots[right & (kinds == FACTS)].view(FACTS_PART))
    is_event = right & (kinds < NAME)
    fits = (slots["row"] < len(log.rows)) & (slots["duration"] < MOST_NS) & (slots["start"] < 1 << 62)
    strange = int((is_event & ~fits).sum())
    if strange:
        log.losses.append(f"{strange} events have values that cannot be, and are left out")
    kept = np.flatnonzero(is_event & fits)
    log.events, log.numbers = slots[kept].copy(), kept.astype(np.int64) + 1
    if lost := log.facts.add_moved(log.events, log.numbers):
        log.losses.append(f"{lost} boxes of writes are lost: they are told by earlier ones, which are damaged")
    wrong_parent = log.events["parent"] >= log.numbers
    log.events["parent"][wrong_parent] = 0
    if log.dropped:
        why = "the log was full (--events), or its storage"
        log.losses.append(f"{log.dropped} events are in the counters alone: {why}")
    elif not strange and not damaged and taken <= len(slots):
        compare_counters(log)


def compare_counters(log: Log) -> None:
    """Rows have no check, but where every event is there they are the sums of what their events have."""
    rows, finished = log.rows, log.events["kind"] == FINISHED
    ended = log.events[finished]
    count = np.bincount(ended["row"], minlength=len(rows)).astype(np.uint64)
    # Of a call that has been counted and whose event has not ended the process was killed, or it was left.
    begun = np.bincount(log.events["row"][~finished], minlength=len(rows)).astype(np.uint64)
    wrong = (rows["count"] < count) | (rows["count"] > count + begun)
    for counter, column in (("bytes", "bytes"), ("time", "duration")):
        sums = np.zeros(len(rows), np.uint64)
        np.add.at(sums, ended["row"], ended[column])
        wrong |= (begun == 0) & (rows[counter] != sums)
    for row in rows[wrong & (rows["layer"] != LAYERS.index("mpi"))]:
        name = text_of(bytes(row["name"])) or "?"
        log.losses.append(f"the counters of '{name}' are damaged: they are not the sums of its events")


def read_names(log: Log, parts: NDArray[np.void]) -> None:
    found: dict[int, list[tuple[int, bytes, bool]]] = {}
    for part in parts:
        last = bool(part["flags"] & LAST_PART)
        found.setdefault(int(part["id"]), []).append((int(part["part"]), part["text"].tobytes(), last))
    for number, pieces in found.items():
        pieces.sort()
        is_whole = pieces[-1][2] and [piece[0] for piece in pieces] == list(range(len(pieces)))
        text = b"".join(piece[1] for piece in pieces)
        log.names[number] = text_of(text) + ("" if is_whole else "…")
        if not is_whole:
            log.losses.append(f"the name '{log.names[number]}' is cut")
