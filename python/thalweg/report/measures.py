"""What the report says of a run, made of its profile alone or with its time line. Times in seconds, sizes in bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from thalweg.data import DataError
from thalweg.report import resources, rules, time_line, written
from thalweg.report.profile import Json, Profile
from thalweg.report.time_line import TimeLine

WAITS = ("wait_block_s", "wait_send_s", "wait_commit_s", "finish_own_s")


@dataclass(frozen=True)
class Timer:
    """A row of the table of times; span: its name in time lines."""

    role: str
    text: str
    key: str
    span: str = ""

    @property
    def name(self) -> str:
        return self.span or self.key.removesuffix("_s")


TIMERS = (
    Timer("client", "copy into blocks", "copy_s"),
    Timer("client", "wait for a free block", "wait_block_s"),
    Timer("client", "wait to send", "wait_send_s"),
    Timer("client", "wait for commits", "wait_commit_s"),
    Timer("client", "other grids", "remap_s"),
    Timer("client", "file metadata", "metadata_s"),
    Timer("client", "end of definitions", "ready_s"),
    Timer("client", "finish", "finish_s"),
    Timer("client", "of it, for other clients", "finish_others_s"),
    Timer("writer", "write", "write_s"),
    Timer("writer", "sync", "sync_s"),
    Timer("writer", "commit", "commit_s"),
    Timer("writer", "fill", "fill_s"),
    Timer("writer", "encode, of all its threads", "encode_s"),
    Timer("writer", "held back by the rate limit", "paced_s"),
    Timer("writer", "spill and back", "spill_s"),
    Timer("server", "wait for messages", "wait_message_s"),
    Timer("server", "definitions", "define_s"),
    Timer("server", "receive", "receive_s", "receive"),
    Timer("server", "prepare files", "forward_s", "forward"),
    Timer("server", "clean up", "clean_up_s"),
    Timer("server", "other", "other_s"),
)


def made_of(profile: Profile, line: TimeLine | None) -> Json:
    try:
        made = measured(profile, line)
        return {**made, "findings": rules.findings(made)}
    except time_line.FAULTS as fault:
        raise DataError(f"'{profile.path}' is no whole profile: {type(fault).__name__} {fault}") from None


def made_of_kept(line: TimeLine) -> Json:
    """Of a run that did not end: all else is in the profile, which there is none of."""
    try:
        return {"profile": None, "time_line": time_line.summary(line)}
    except time_line.FAULTS as fault:
        raise DataError(f"'{line.path}' has no whole time lines: {type(fault).__name__} {fault}") from None


def with_parts_of_finish(profile: Profile) -> Profile:
    """A client that comes early waits for the last one, whose finish is the shortest: that is no wait for files."""
    clients = [float(rank["client"]["finish_s"]) for rank in profile.ranks if not rank["is_server"]]
    common_s = min(clients, default=0.0)
    ranks = []
    for rank in profile.ranks:
        finish_s = rank["client"]["finish_s"]
        parts = {"finish_own_s": min(finish_s, common_s), "finish_others_s": max(finish_s - common_s, 0.0)}
        ranks.append({**rank, "client": {**rank["client"], **parts}})
    return replace(profile, ranks=ranks)


def measured(profile: Profile, line: TimeLine | None) -> Json:
    profile = with_parts_of_finish(profile)
    ranks = [of_rank(rank) for rank in sorted(profile.ranks, key=lambda rank: int(rank["rank"]))]
    return {
        "profile": str(profile.path),
        "run": run_of(ranks),
        "headline": headline(profile, ranks),
        "timers": timers(profile, time_line.exclusive_by_rank(line) if line else {}),
        "ranks": ranks,
        "collections": collections(profile),
        "memory": resources.memory(profile),
        "mpi_calls": resources.mpi_calls(profile),
        "files": written.files(profile),
        "files_left_out": written.left_out(profile),
        "library_files": library_files(profile),
        "inputs": inputs(profile),
        "doubtful_puts": doubtful_puts(profile),
        "fields": fields(profile),
        "settings": [vars(setting) for setting in profile.settings],
        "time_line": time_line.summary(line) if line else None,
    }


def of_rank(rank: Json) -> Json:
    client, writer = rank["client"], rank["writer"]
    written = writer["direct_bytes"] + writer["buffered_bytes"]
    storage_s = writer["write_s"] + writer["sync_s"]
    return {
        "rank": rank["rank"],
        "node": rank["node"],
        "role": "server" if rank["is_server"] else "client",
        "is_writer": rank["is_writer"],
        "session_s": rank["session_s"],
        "puts": client["puts"],
        "put_bytes": client["put_bytes"],
        "copy_s": client["copy_s"],
        **{key: client[key] for key in (*WAITS, "finish_s", "finish_others_s")},
        "ready_s": client["ready_s"],
        "stall_s": 0.0 if rank["is_server"] else sum(client[key] for key in WAITS),
        "written_bytes": written,
        "direct_bytes": writer["direct_bytes"],
        "write_calls": writer["write_calls"],
        "write_s": writer["write_s"],
        "sync_s": writer["sync_s"],
        "commit_s": writer["commit_s"],
        "encode_s": writer["encode_s"],
        "raw_bytes": writer["raw_bytes"],
        "encoded_bytes": writer["encoded_bytes"],
        "spilled_bytes": writer["spilled_bytes"],
        "paced_s": writer["paced_s"],
        "rate": written / storage_s if storage_s > 0 else None,
        "idle_s": rank["server"]["wait_message_s"] if rank["is_server"] else None,
        "wait_read_s": sum(of["wait_read_s"] for of in rank["inputs"]),
        "memory_bytes": rank.get("memory_bytes"),
        "staging_bytes": rank["staging_bytes"],
    }


def run_of(ranks: list[Json]) -> Json:
    servers = [rank for rank in ranks if rank["role"] == "server"]
    return {
        "ranks": len(ranks),
        "clients": len(ranks) - len(servers),
        "servers": len(servers),
        "writers": sum(rank["is_writer"] for rank in ranks),
        "nodes": len({rank["node"] for rank in ranks}),
        "session_s": max(rank["session_s"] for rank in ranks),
        "rank_hours": sum(rank["session_s"] for rank in ranks) / 3600,
        "server_rank_hours": sum(rank["session_s"] for rank in servers) / 3600,
    }


def headline(profile: Profile, ranks: list[Json]) -> Json:
    clients = [rank for rank in ranks if rank["role"] == "client"]
    longest = max(clients, key=lambda rank: float(rank["stall_s"]), default=None)
    stall_s = longest["stall_s"] if longest else 0.0
    written = sum(rank["written_bytes"] for rank in ranks)
    busy_s = max(
        (rank["write_s"] + rank["sync_s"] + rank["commit_s"] for rank in ranks if rank["is_writer"]), default=0.0
    )
    session_s = max(rank["session_s"] for rank in ranks)
    of_first = profile.ranks[0]["collections"]
    return {
        "stall_s": stall_s,
        "stall_rank": longest["rank"] if longest else None,
        "stall_share": stall_s / longest["session_s"] if longest and longest["session_s"] > 0 else 0.0,
        "copy_s": max((rank["copy_s"] for rank in clients), default=0.0),
        "written_bytes": written,
        "writing_s": busy_s,
        "writing_rate": written / busy_s if busy_s > 0 else None,
        "run_rate": written / session_s if session_s > 0 else None,
        # As the table at the end of the run has it.
        "overlap": min(max(1 - stall_s / busy_s, 0.0), 1.0) if busy_s > 0 else None,
        "records": sum(one["records"] for one in of_first),
        "files": sum(one["files"] for one in of_first),
        "staging_bytes": max(rank["staging_bytes"] for rank in ranks),
    }


def timers(profile: Profile, exclusive: dict[tuple[str, int], float]) -> list[Json]:
    """Inclusive and exclusive times over the ranks of a role; timers that never ran are left out."""
    rows = []
    for timer in TIMERS:
        values = dict(times_of(profile, timer))
        if not any(values.values()):
            continue
        session_s = sum(rank["session_s"] for rank in profile.ranks if rank["rank"] in values)
        own = [exclusive.get((timer.name, rank)) for rank in values]
        known = [value for value in own if value is not None]
        highest = max(values, key=values.__getitem__)
        lowest = min(values, key=values.__getitem__)
        rows.append(
            {
                "role": timer.role,
                "name": timer.text,
                "timer": timer.name,
                "ranks": len(values),
                "inclusive_s": sum(values.values()) / len(values),
                "share": sum(values.values()) / session_s if session_s > 0 else 0.0,
                "exclusive_s": sum(known) / len(values) if known else None,
                "max_s": values[highest],
                "max_rank": highest,
                "min_s": values[lowest],
                "min_rank": lowest,
            }
        )
    return rows


def times_of(profile: Profile, timer: Timer) -> Iterator[tuple[int, float]]:
    has_role: dict[str, Callable[[Json], bool]] = {
        "client": lambda rank: not rank["is_server"],
        "writer": lambda rank: bool(rank["is_writer"]),
        "server": lambda rank: bool(rank["is_server"]),
    }
    for rank in profile.ranks:
        if not has_role[timer.role](rank):
            continue
        value = rank[timer.role][timer.key]
        yield rank["rank"], float(sum(value) if isinstance(value, list) else value)


def collections(profile: Profile) -> list[Json]:
    found = []
    for number, one in enumerate(profile.ranks[0]["collections"]):
        name = one["name"]
        keys = {key: profile.setting(f"collections.{name}.{key}") for key in ("file", "format", "every", "pattern")}
        servers = [rank["server"] for rank in profile.ranks if rank["is_server"]]
        given = written.of_collection(profile, name)
        raw_bytes, file_bytes = given["raw_bytes"], given["file_bytes"]
        found.append(
            {
                "name": name,
                **keys,
                "records": one["records"],
                "files": one["files"],
                "depth": one["depth"],
                **given,
                "ratio": raw_bytes / file_bytes if raw_bytes and file_bytes else None,
                "receive_s": max((place(server["receive_s"], number) for server in servers), default=None),
                "forward_s": max((place(server["forward_s"], number) for server in servers), default=None),
            }
        )
    return found


def place(values: list[float], number: int) -> float:
    return values[number] if number < len(values) else 0.0


def library_files(profile: Profile) -> list[Json]:
    """Files that a library writes by MPI-IO, with the hints that were asked for and those in force."""
    return [
        {**file, "collection": one["name"]}
        for rank in profile.ranks
        for one in rank["collections"]
        for file in one["library_files"]
    ]


def inputs(profile: Profile) -> list[Json]:
    by_name: dict[str, list[Json]] = {}
    for rank in profile.ranks:
        for one in rank["inputs"]:
            by_name.setdefault(one["name"], []).append({**one, "rank": rank["rank"]})
    return [
        {
            "name": name,
            "gets": max(one["gets"] for one in parts),
            "bytes": sum(one["get_bytes"] for one in parts),
            "readers": sum(one["get_bytes"] > 0 for one in parts),
            "get_s": max(one["get_s"] for one in parts),
            "wait_read_s": max(one["wait_read_s"] for one in parts),
            "wait_read_rank": max(parts, key=lambda one: float(one["wait_read_s"]))["rank"],
        }
        for name, parts in by_name.items()
    ]


def fields(profile: Profile) -> list[Json]:
    """Of the session, as the first client tells of them; profiles of before have none."""
    return [
        {
            "name": one["name"],
            "puts": one["puts"],
            "collections": one["collections"],
            "remark": remark_on(one),
        }
        for rank in profile.ranks
        for one in rank.get("fields", [])
    ]


def remark_on(field: Json) -> str:
    is_had = bool(field["collections"]) or field["is_operand"]
    if is_had and not field["is_derived"] and field["puts"] == 0:
        return "never put"
    if not is_had and not field["is_static"] and field["puts"] > 0:
        return "put, and nothing has it"
    return "an expression" if field["is_derived"] else ""


def doubtful_puts(profile: Profile) -> list[Json]:
    """By variable, over all ranks."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for rank in profile.ranks:
        for one in rank["collections"]:
            for puts in one["doubtful_puts"]:
                key = (one["name"], puts["variable"])
                sums = found.setdefault(key, {"missing": 0, "out_of_range": 0, "unclosed": 0, "ranks": []})
                for kind in ("missing", "out_of_range", "unclosed"):
                    sums[kind] += puts[kind]
                sums["ranks"].append(rank["rank"])
    return [{"collection": name, "variable": variable, **sums} for (name, variable), sums in found.items()]
