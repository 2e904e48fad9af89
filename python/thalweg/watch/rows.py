"""Titles and rows that the table and the screen have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

COLLECTIONS = ("collection", "put", "committed", "files", "blocks free", "written", "file")
NOTHING = "nothing yet: no writer has said anything; is 'status' set to this folder?"
WRITERS = ("writer", "state", "news", "steps", "blocks free", "rate", "what is wrong")


def seconds(value: float) -> str:
    if value < 100:
        return f"{value:.0f} s"
    if value < 3600:
        return f"{value // 60:.0f} min {value % 60:.0f} s"
    if value < 100 * 3600:
        return f"{value // 3600:.0f} h {value % 3600 // 60:.0f} min"
    return f"{value / 86400:.1f} days"


def size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            break
        count /= 1000
    return f"{count:.0f} {unit}" if unit == "B" or count >= 100 else f"{count:.1f} {unit}"


def title(run: Json) -> str:
    writers, expected = len(run["writers"]), run["writers_expected"]
    of = f"{writers} of {expected}" if writers < expected else f"{writers}"
    plural = "s" if max(writers, expected) != 1 else ""
    return f"{run['configuration'] or 'a run without configuration'}: {run['state']}, {of} writer{plural}"


def sentences(run: Json) -> Iterator[str]:
    """How far the model is, who is slowest, who waits."""
    model = run["model"]
    if model["time_s"] is not None:
        share = f", {model['share']:.0%} of the run" if model["share"] is not None else ""
        left = f", {seconds(model['left_s'])} left" if model["left_s"] is not None else ""
        yield f"the model has made {model['steps']} steps, to {model['time_s']:.15g} s{share}{left}"
    else:
        yield "the model has made no step yet"
    yield f"{size(run['bytes_per_s'])}/s go to the storage"
    if run["slowest"]:
        yield f"rank {run['slowest']['rank']} is the slowest, {run['slowest']['behind']} behind"
    if run["wait"] and run["wait"]["seconds"] >= 1:
        yield f"rank {run['wait']['rank']} waits for {run['wait']['for']}, {seconds(run['wait']['seconds'])}"


def free(blocks: Json) -> str:
    return f"{blocks['free']} of {blocks['total']}" if blocks["total"] else "-"


def collection_row(of: Json) -> tuple[str, ...]:
    committed = "-" if of["committed"] is None else str(of["committed"])
    numbers = (str(of["put"]), committed, str(of["files"]), free(of["blocks"]), size(of["file_bytes"]))
    return (of["name"], *numbers, of["file"] or "-")


def writer_row(one: Json) -> tuple[str, ...]:
    where = f"rank {one['rank']} on {one['host']} ({one['role']})"
    rate = f"{size(one['bytes_per_s'])}/s" if one["state"] == "running" else "-"
    news = f"{seconds(one['age_s'])} ago"
    return (where, one["state"], news, str(one["steps"]), free(one["blocks"]), rate, what_is_wrong(one))


def what_is_wrong(one: Json) -> str:
    if one["error"]:
        return " ".join(str(one["error"]).split())
    if one["state"] == "gone":
        killed = "it was killed, and thalweg recover makes files of what it left"
        ended = "it ended and could not tell so, as where the folder was full"
        return f"process {one['pid']} is not there any more: {killed}; or {ended}"
    if one["state"] == "silent":
        return f"no news for {seconds(one['age_s'])}: it hangs in a call, or its process or host is gone"
    if one["state"] == "ended":
        return "the session ended without thalweg_finish"
    return ""


def remarks(made: Json) -> Iterator[str]:
    for one in made["skipped"]:
        yield f"'{one['file']}' is left out: {one['why']}"
    if made["earlier"]:
        earlier = len(made["earlier"])
        what = "1 file is" if earlier == 1 else f"{earlier} files are"
        yield f"{what} of an earlier run, as '{made['earlier'][0]}'"
