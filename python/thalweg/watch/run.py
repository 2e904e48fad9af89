"""What the writers of a run say together. All that a table, a screen or a program shows is here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from thalweg.watch.status import ENDS, Look, Writer

Json = dict[str, Any]

# The state of a run is the first of these that one of its writers has.
WORST_FIRST = ("failed", "gone", "silent", "ended", "running", "finished")
TROUBLE = ("failed", "gone", "silent", "ended")


def made_of(look: Look) -> Json:
    """The runs, and what was left out."""
    by_run: dict[str, list[Writer]] = {}
    for one in look.writers:
        by_run.setdefault(one.said["run"], []).append(one)
    return {
        "thalweg_watch": 1,
        "at": look.at,
        "runs": [run_of(writers, look.at) for writers in by_run.values()],
        "skipped": [{"file": shown(one.path), "why": one.why} for one in look.skipped],
        "earlier": [shown(one.path) for one in look.earlier],
    }


def shown(path: Path) -> str:
    """A name may have bytes that are no text."""
    return str(path).encode(errors="surrogateescape").decode(errors="replace")


def has_trouble(made: Json) -> bool:
    return any(run["state"] in TROUBLE for run in made["runs"])


def have_ended(made: Json) -> bool:
    """There is something, and nothing more will come."""
    ends = (*ENDS, "gone")
    return bool(made["runs"]) and all(one["state"] in ends for run in made["runs"] for one in run["writers"])


def run_of(writers: list[Writer], now: float) -> Json:
    states = [one.state for one in writers]
    state = next(state for state in WORST_FIRST if state in states)
    expected = max(one.said["writers"] for one in writers)
    going = [one for one in writers if one.state == "running"]
    return {
        "run": writers[0].said["run"],
        "configuration": writers[0].said["configuration"],
        "state": state,
        "writers_expected": expected,
        "running_s": max(one.said["written"] for one in writers) - min(one.said["started"] for one in writers),
        "model": model_of(writers, now, state == "running"),
        "slowest": slowest_of(going),
        "wait": wait_of(going),
        "bytes_per_s": sum(one.said["bytes_per_s"] for one in going),
        "collections": collections_of(writers),
        "writers": [of_writer(one) for one in writers],
    }


def model_of(writers: list[Writer], now: float, is_running: bool) -> Json:
    """As far as its slowest client is. left_s: only if the program has said when it ends."""
    ahead = max(writers, key=lambda one: one.said["model"]["steps"])
    model = ahead.said["model"]
    steps = steps_of(writers, model["steps"])
    end_s = model["end_s"]
    moment = moment_of(ahead, steps)
    left_s = share = None
    if moment and end_s is not None and end_s > model["start_s"]:
        share = min(1.0, (moment["time_s"] - model["start_s"]) / (end_s - model["start_s"]))
    if is_running and moment and end_s is not None and moment["time_s"] > model["first"]["time_s"]:
        pace = (moment["at"] - model["first"]["at"]) / (moment["time_s"] - model["first"]["time_s"])
        left_s = max(0.0, (end_s - moment["time_s"]) * pace - max(0.0, now - moment["at"]))
    return {
        "steps": steps,
        "time_s": moment["time_s"] if moment else None,
        "start_s": model["start_s"],
        "end_s": end_s,
        "share": share,
        "left_s": left_s,
    }


def steps_of(writers: list[Writer], most: int) -> int:
    """Of the slowest client of which a writer tells. Servers hear of steps later than they are made, which is no sign
    of a slow client."""
    slowest = [one.said["model"]["slowest"] for one in writers]
    clients = [one.said["model"]["steps"] for one in writers if one.said["role"] == "client"]
    return int(min([most, *clients, *(client["steps"] for client in slowest if client)]))


def moment_of(ahead: Writer, steps: int) -> Json | None:
    """When the slowest client made its last step, and to which time. Writers tell the moments of the fastest one: of
    steps that all take as long, the time is known, and that it was made by now."""
    model = ahead.said["model"]
    first, last, behind = model["first"], model["last"], model["steps"] - steps
    if not (first and last and steps > 0):
        return None
    if behind == 0:
        return dict(last)
    step_s = (last["time_s"] - first["time_s"]) / (model["steps"] - 1)
    return {"at": ahead.said["written"], "time_s": round(last["time_s"] - behind * step_s, 3)}


def slowest_of(writers: Iterable[Writer]) -> Json | None:
    """Of the clients of one node, whose steps a writer sees at once: between nodes the moments differ."""
    models = [one.said["model"] for one in writers]
    found = [
        {"rank": slowest["rank"], "steps": slowest["steps"], "behind": model["fastest"]["steps"] - slowest["steps"]}
        for model in models
        if (slowest := model["slowest"]) and model["fastest"]
    ]
    return max(found, key=lambda one: one["behind"], default=None)


def wait_of(writers: Iterable[Writer]) -> Json | None:
    """The longest. Its end would be news: a wait of which there are none goes on."""
    waits = []
    for one in writers:
        if wait := one.said["wait"]:
            since_written = one.age_s if one.age_s > 2 * one.said["interval_s"] else 0.0
            seconds = max(0.0, one.said["written"] - wait["since"]) + since_written
            waits.append({"rank": wait["rank"], "for": wait["for"], "seconds": seconds})
    return max(waits, key=lambda wait: wait["seconds"], default=None)


def collections_of(writers: list[Writer]) -> list[Json]:
    """Each by its name. Writers have parts of it; groups of servers that take turns have whole records each."""
    parts: dict[str, list[Json]] = {}
    for one in writers:
        for of in one.said["collections"]:
            parts.setdefault(of["name"], []).append(of)
    return [collection_of(name, found) for name, found in parts.items()]


def collection_of(name: str, parts: list[Json]) -> Json:
    shares: dict[int, list[Json]] = {}
    for part in parts:
        shares.setdefault(part["number"], []).append(part)
    committed = [share for share in (committed_of(share) for share in shares.values()) if share is not None]
    return {
        "name": name,
        "put": sum(max(part["put"] for part in share) for share in shares.values()),
        "committed": sum(committed) if committed else None,
        "files": sum(max(part["files"] for part in share) for share in shares.values()),
        "file": next((part["file"] for part in parts if part["file"]), None),
        "raw_bytes": sum(part["raw_bytes"] for part in parts),
        "file_bytes": sum(part["file_bytes"] for part in parts),
        "blocks": {key: sum(part["blocks"][key] for part in parts) for key in ("total", "free")},
    }


def committed_of(share: list[Json]) -> int | None:
    return max((part["committed"] for part in share if part["committed"] is not None), default=None)


def of_writer(one: Writer) -> Json:
    said = one.said
    keys = ("host", "pid", "rank", "node", "role", "error", "started", "written", "collections")
    of_all = {key: sum(part["blocks"][key] for part in said["collections"]) for key in ("total", "free")}
    found = {"file": shown(one.path), "state": one.state, "age_s": one.age_s} | {key: said[key] for key in keys}
    # What it has said last is no rate of a writer that writes no more.
    found["bytes_per_s"] = said["bytes_per_s"] if one.state == "running" else 0.0
    return found | {"steps": said["model"]["steps"], "blocks": of_all}
