"""The files of `status`: what they say, and what is none of them."""

from __future__ import annotations

import json
import math
import os
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from thalweg.data import DataError
from thalweg.data.ordinary import NotOrdinary, beginning_of

VERSION = 1
MOST_BYTES = 4 << 20  # no status is as long; what is longer is something else
PATIENCE = 3  # so many times the longest pause between two news
STARTED = 21  # field of /proc/PID/stat, counted behind the name of the program
MOST = 2**63  # what numbers are less than

Json = dict[str, Any]
Number = (int, float)

# What the file of this version has, and of which type; None stands for null.
OF_WRITER: dict[str, tuple[type | None, ...]] = {
    "version": (str,),
    "written": Number,
    "run": (str,),
    "configuration": (str, None),
    "host": (str,),
    "pid": (int,),
    "rank": (int,),
    "ranks": (int,),
    "writers": (int,),
    "node": (int,),
    "role": (str,),
    "started": Number,
    "interval_s": Number,
    "longest_s": Number,
    "state": (str,),
    "finished": (bool,),
    "error": (str, None),
    "bytes_per_s": Number,
    "model": (dict,),
    "wait": (dict, None),
    "collections": (list,),
}
OF_MODEL: dict[str, tuple[type | None, ...]] = {
    "steps": (int,),
    "start_s": Number,
    "end_s": (*Number, None),
    "first": (dict, None),
    "last": (dict, None),
    "slowest": (dict, None),
    "fastest": (dict, None),
}
OF_COLLECTION: dict[str, tuple[type | None, ...]] = {
    "name": (str,),
    "number": (int,),
    "put": (int,),
    "written": (int,),
    "committed": (int, None),
    "files": (int,),
    "file": (str, None),
    "raw_bytes": (int,),
    "file_bytes": (int,),
    "blocks": (dict,),
}
OF_PARTS: dict[str, dict[str, tuple[type | None, ...]]] = {
    "first": {"at": Number, "time_s": Number},
    "last": {"at": Number, "time_s": Number},
    "slowest": {"rank": (int,), "steps": (int,)},
    "fastest": {"rank": (int,), "steps": (int,)},
    "wait": {"rank": (int,), "for": (str,), "since": Number},
    "blocks": {"total": (int,), "free": (int,)},
}
# Numbers of things, which are whole, are none of them negative either; times of a model may be.
NOT_NEGATIVE = ("interval_s", "longest_s", "bytes_per_s")
ENDS = ("finished", "failed", "ended")


class Passing(DataError):
    """What may be over at the next look."""


@dataclass(frozen=True)
class Writer:
    """What one process has said, and how that is to be taken."""

    path: Path
    said: Json
    age_s: float
    state: str
    """of a session that runs by what it says: "running", "silent" for too long, or "gone", as its process is"""

    @property
    def has_ended(self) -> bool:
        return self.state in (*ENDS, "gone")

    @property
    def order(self) -> tuple[str, int]:
        return str(self.said["configuration"] or ""), self.said["rank"]


@dataclass(frozen=True)
class Skipped:
    path: Path
    why: str


@dataclass
class Look:
    """What a folder has at a moment."""

    at: float
    writers: list[Writer] = field(default_factory=list)
    earlier: list[Writer] = field(default_factory=list)
    """of earlier sessions of a configuration, which had more writers"""
    skipped: list[Skipped] = field(default_factory=list)


def folder_of(run: Path) -> Path:
    """Of RUN: the folder itself, or what is called `status` in it."""
    within = run / "status"
    return within if within.is_dir() and not any(map(is_status, run.glob("*.json"))) else run


def is_status(path: Path) -> bool:
    """A folder of a run has other JSON as well, such as its profile."""
    try:
        return b'"thalweg_status"' in beginning_of(path, MOST_BYTES)
    except (OSError, NotOrdinary):
        return False


def look(run: Path, now: float) -> Look:
    """Reads all that there is. What vanishes meanwhile is as if it had not been there.

    Raises:
        Passing: there is nothing of this name.
        DataError: it is neither a folder nor a status.
    """
    found = Look(now)
    for path in paths_of(run):
        try:
            found.writers.append(writer_of(path, now))
        except FileNotFoundError:
            continue
        except NotOrdinary as fault:
            found.skipped.append(Skipped(path, f"it is {fault.kind}, and no ordinary file"))
        except OSError as fault:
            found.skipped.append(Skipped(path, fault.strerror or str(fault)))
        except ValueError as fault:
            found.skipped.append(Skipped(path, str(fault)))
    if found.skipped and found.skipped[0].path == run:
        raise DataError(f"'{run}' is no status: {found.skipped[0].why}; name the folder of 'status' of a run")
    put_aside_earlier_runs(found)
    return found


def paths_of(run: Path) -> list[Path]:
    if run.is_dir():
        return sorted(folder_of(run).glob("*.json"))
    if run.exists():
        return [run]
    raise Passing(f"'{run}': there is no such folder; name that of 'status' of a run")


def put_aside_earlier_runs(found: Look) -> None:
    newest: dict[str | None, Json] = {}
    for one in found.writers:
        of = newest.setdefault(one.said["configuration"], one.said)
        if one.said["started"] > of["started"]:
            newest[one.said["configuration"]] = one.said
    runs = {of["run"] for of in newest.values()}
    found.earlier = [one for one in found.writers if one.said["run"] not in runs]
    found.writers = sorted((one for one in found.writers if one.said["run"] in runs), key=lambda one: one.order)


def writer_of(path: Path, now: float) -> Writer:
    """Errors: OSError, NotOrdinary, and ValueError that says why it is no status."""
    content = beginning_of(path, MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES >> 20} MiB")
    said = checked(content)
    age = max(0.0, now - said["written"])
    return Writer(path, said, age, state_of(said, age))


def checked(content: bytes) -> Json:
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        raise ValueError("it is no whole JSON") from None
    if not isinstance(said, dict) or "thalweg_status" not in said:
        raise ValueError("it is no status: it does not say 'thalweg_status'")
    if said["thalweg_status"] != VERSION:
        raise ValueError(f"it is of version {said['thalweg_status']!r:.40}; this command knows version {VERSION}")
    require(said, OF_WRITER, "")
    require(said["model"], OF_MODEL, "model.")
    for one in said["collections"]:
        require(one if isinstance(one, dict) else {}, OF_COLLECTION, "collections.")
        if one["blocks"]["free"] > one["blocks"]["total"]:
            raise ValueError(f"of {one['blocks']['total']} blocks {one['blocks']['free']} cannot be free")
    if said["rank"] >= said["ranks"]:
        raise ValueError(f"rank {said['rank']} of {said['ranks']} cannot be")
    return said


def require(of: Json, keys: dict[str, tuple[type | None, ...]], above: str) -> None:
    for key, types in keys.items():
        value = of.get(key)
        allowed = tuple(one for one in types if one is not None)
        if value is None and (key not in of or None not in types):
            raise ValueError(f"it does not say '{above}{key}'")
        if value is not None and not (isinstance(value, allowed) and can_be_told(value, bool in allowed)):
            raise ValueError(f"'{above}{key}' is {value!r:.40}")
        if isinstance(value, int | float) and value < 0 and (float not in types or key in NOT_NEGATIVE):
            raise ValueError(f"'{above}{key}' is {value!r:.40}, which cannot be")
        if key in OF_PARTS and isinstance(value, dict):
            require(value, OF_PARTS[key], f"{above}{key}.")


def can_be_told(value: object, may_be_bool: bool) -> bool:
    """JSON has numbers of any size, and texts with halves of characters, which a terminal cannot show."""
    match value:
        case bool():
            return may_be_bool
        case int() | float():
            return math.isfinite(value) if isinstance(value, float) else abs(value) < MOST
        case str():
            return not any("\ud800" <= character <= "\udfff" for character in value)
    return True


def state_of(said: Json, age_s: float) -> str:
    state = str(said["state"])
    if state != "running":
        return state if state in ENDS else "silent"
    if said["host"] == socket.gethostname() and age_s > 2 * said["interval_s"] and not lives(said):
        return "gone"
    return "silent" if age_s > PATIENCE * said["longest_s"] else "running"


def lives(said: Json) -> bool:
    """Whether the process is there, and is the one that has said this: numbers are given again."""
    pid = said["pid"]
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # somebody else's, whom nobody may ask
    started = started_at(pid)
    return started is None or started <= said["started"] + 1.0


def started_at(pid: int) -> float | None:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        boot = next(line for line in Path("/proc/stat").read_text(encoding="utf-8").splitlines() if "btime" in line)
        return float(boot.split()[1]) + float(fields[STARTED - 2]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, StopIteration):
        return None
