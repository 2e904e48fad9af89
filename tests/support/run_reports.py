"""Profiles and time lines of runs that have not been, for tests of the report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]

CLIENT = [
    "puts",
    "put_bytes",
    "skipped_puts",
    "missing_puts",
    "out_of_range",
    "records",
    "waits",
    "unsent_advances",
    "plans",
    "copy_s",
    "wait_block_s",
    "wait_send_s",
    "wait_commit_s",
    "remap_s",
    "metadata_s",
    "ready_s",
    "finish_s",
    "progress_cpu_s",
    "progress_looks",
]
WRITER = [
    "blocks",
    "records",
    "files",
    "checksum_files",
    "direct_bytes",
    "buffered_bytes",
    "write_calls",
    "syncs",
    "write_s",
    "sync_s",
    "commit_s",
    "fill_s",
    "paced_s",
    "spilled_bytes",
    "spill_s",
    "raw_bytes",
    "encoded_bytes",
    "encode_s",
]
SERVER = ["other_s", "wait_message_s", "define_s", "clean_up_s"]


def rank(number: int, **values: Any) -> Json:
    """Of ten seconds. values: `client_copy_s`, `writer_write_s`, `server_define_s`, or a member of the rank."""
    made: Json = {
        "rank": number,
        "node": 0,
        "is_writer": False,
        "is_server": False,
        "group": 0,
        "session_s": 10.0,
        "memory_bytes": 100 << 20,
        "staging_bytes": 1 << 20,
        "burst_bytes": 0,
        "mpi": {phase: mpi_calls() for phase in ("definitions", "put", "advance", "finish", "reading", "server")},
        "client": dict.fromkeys(CLIENT, 0),
        "writer": dict.fromkeys(WRITER, 0),
        "server": dict.fromkeys(SERVER, 0.0) | {"receive_s": [], "forward_s": []},
        "collections": [collection("history")],
        "inputs": [],
        "fields": [],
    }
    for key, value in values.items():
        part, _, name = key.partition("_")
        if part in ("client", "writer", "server") and name in made[part]:
            made[part][name] = value
        else:
            assert key in made, key
            made[key] = value
    return made


def mpi_calls(messages: int = 0, collectives: int = 0, barriers: int = 0) -> Json:
    return {"messages": messages, "collectives": collectives, "barriers": barriers}


def collection(name: str, **values: Any) -> Json:
    return {"name": name, "records": 6, "files": 1, "depth": 2, "library_files": [], "doubtful_puts": []} | values


def written(bytes_: int, write_s: float, best: tuple[int, float], **values: Any) -> Json:
    """best: the record, and its bytes a second."""
    made = {"raw_bytes": bytes_, "file_bytes": bytes_, "chunks": 0, "write_s": write_s, "sync_s": 0.0}
    quickest = {"record": best[0], "bytes": best[1], "write_s": 1.0, "bytes_per_s": best[1]}
    return made | {"bytes_per_s": bytes_ / write_s, "best_record": quickest} | values


def field(name: str, puts: int, collections: Sequence[str] = (), **values: Any) -> Json:
    of = {"name": name, "puts": puts, "collections": list(collections)}
    return of | {"is_operand": False, "is_derived": False, "is_static": False} | values


def profile(
    folder: Path, ranks: list[Json], settings: tuple[str, ...] = (), name: str = "profile.json", version: int = 2
) -> Path:
    path = folder / name
    path.write_text(json.dumps({"thalweg_profile": version, "settings": list(settings), "ranks": ranks}))
    return path


def thread(name: str, number: int = 0, **left_out: tuple[int, float]) -> Json:
    return {
        "thread": number,
        "name": name,
        "spans": 0,
        "grain_us": 0.0,
        "left_out": {key: {"spans": spans, "us": us} for key, (spans, us) in left_out.items()},
    }


def of_rank(number: int, threads: list[Json], **values: Any) -> Json:
    return {
        "rank": number,
        "node": 0,
        "host": "here",
        "role": "client",
        "start_us": 0.0,
        "end_us": 10e6,
        "offset_us": 0.0,
        "offset_error_us": 0.0,
        "threads": threads,
    } | values


def span(rank: int, thread: int, name: str, start_s: float, length_s: float, **more: Any) -> Json:
    times = {"ts": round(start_s * 1e6, 3), "dur": round(length_s * 1e6, 3)}
    return {"ph": "X", "pid": rank, "tid": thread, "name": name} | times | ({"args": more} if more else {})


def time_line(folder: Path, ranks: list[Json], spans: list[Json], name: str = "line.json") -> Path:
    path = folder / name
    path.write_text(json.dumps({"thalweg_time_line": 1, "version": "1", "ranks": ranks, "traceEvents": spans}))
    return path
