"""The report as a page. Every figure of it is one of the report's JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from thalweg.pages import Cell, Part, bars, clean, document, left, seconds, table
from thalweg.report import picture, resource_tables
from thalweg.report.cells import amount, count, counted, duration, of, rate, share, size, speed
from thalweg.report.profile import Json
from thalweg.report.time_line import TimeLine

MOST_ROWS = 200
MOST_RECORDS = 20
STYLE = """
.tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: .8em; margin: 1.2em 0 }
@media (max-width: 700px) { .tiles { grid-template-columns: repeat(2, 1fr) } }
.tile { border: 1px solid var(--line); border-radius: 6px; padding: .6em .9em; background: var(--band) }
.tile b { display: block; font-size: 1.45em; font-weight: 600 } .tile span { color: var(--quiet) }
.findings li { border-left: 3px solid var(--mark); padding: .1em .8em; list-style: none } .findings { padding: 0 }
details summary { cursor: pointer }
"""
CLIENT_PARTS = ("copy_s", "wait_block_s", "wait_send_s", "wait_commit_s", "finish_own_s", "finish_others_s")
WRITER_PARTS = ("write_s", "sync_s", "commit_s", "encode_s")


def tile(name: str, text: str, value: float | None, what: str, more: str = "") -> str:
    number = "" if value is None else f' data-value="{float(value)!r}"'
    below = f"<br/>{clean(more)}" if more else ""
    return f'<div class="tile"><b id="{name}"{number}>{clean(text)}</b><span>{clean(what)}{below}</span></div>'


def tiles(made: Json) -> str:
    head, run = made["headline"], made["run"]
    where = "" if head["stall_rank"] is None else f"rank {head['stall_rank']}, the longest"
    of_servers = f"of which servers {run['server_rank_hours']:.3g}" if run["servers"] else ""
    shown = [
        tile("stall_s", seconds(head["stall_s"]), head["stall_s"], "the model waits", where),
        tile("stall_share", share(head["stall_share"]), head["stall_share"], "of this rank's run"),
        tile("overlap", share(head["overlap"]), head["overlap"], "of the writing is hidden behind computing"),
        tile("written_bytes", size(head["written_bytes"]), head["written_bytes"], "written"),
        tile("writing_rate", rate(head["writing_rate"]), head["writing_rate"], "while the longest writer is at it"),
        tile("run_rate", rate(head["run_rate"]), head["run_rate"], "over the whole run"),
        tile("session_s", seconds(run["session_s"]), run["session_s"], "from start to finish"),
        tile("rank_hours", f"{run['rank_hours']:.3g}", run["rank_hours"], "rank-hours", of_servers),
    ]
    return f'<div class="tiles">{"".join(shown)}</div>'


def findings(made: Json) -> str:
    items = [
        f'<li data-rule="{clean(one["rule"])}" data-value="{float(one["value"])!r}">{marked(one["text"])}: '
        f'{marked(one["advice"])} <span class="quiet">({clean(one["rule"])})</span></li>'
        for one in made["findings"]
    ]
    if not items:
        return "<p>Nothing that a rule knows: the output costs the model little.</p>"
    return f'<ul class="findings">{"".join(items)}</ul>'


def marked(text: str) -> str:
    """What stands between backticks is code."""
    parts = clean(text).split("`")
    return "".join(f"<code>{part}</code>" if number % 2 else part for number, part in enumerate(parts))


def balance(made: Json) -> str:
    clients = [rank for rank in made["ranks"] if rank["role"] == "client"]
    writers = [rank for rank in made["ranks"] if rank["is_writer"]]
    shown = ""
    for title, ranks, keys in (("Clients", clients, CLIENT_PARTS), ("Writers", writers, WRITER_PARTS)):
        if not ranks:
            continue
        names = [key.removesuffix("_s") for key in keys]
        columns = [
            (
                f"rank {rank['rank']}",
                [Part(name.replace("_", " "), picture.colour_of(name), rank[f"{name}_s"]) for name in names],
            )
            for rank in ranks
        ]
        shown += f"<figure><figcaption>{title}, a bar for each rank: {picture.legend(names)}</figcaption>"
        shown += f"{bars(columns)}</figure>"
    return shown


def timers(made: Json) -> str:
    head = ("role", "name", "inclusive", "% of the run", "exclusive", "max", "at rank", "min", "at rank")
    rows = [
        [
            left(one["role"]),
            left(one["name"]),
            duration(one["inclusive_s"]),
            of(one["share"], share(one["share"])),
            duration(one["exclusive_s"]),
            duration(one["max_s"]),
            count(one["max_rank"]),
            duration(one["min_s"]),
            count(one["min_rank"]),
        ]
        for one in made["timers"]
    ]
    return table("timers", head, rows)


def of_collections(made: Json) -> str:
    """Empty where the time line is of a version that does not know of what its spans are."""
    rows = [
        [
            left(one["collection"]),
            left(one["timer"].replace("_", " ")),
            duration(one["exclusive_s"]),
            count(one["spans"]),
        ]
        for one in made["time_line"]["collections"]
    ]
    return table("of-collections", ("collection", "name", "all ranks, exclusive", "spans"), rows) if rows else ""


def records(made: Json) -> str:
    longest = sorted(made["time_line"]["records"], key=lambda one: -float(one["stall_s"]))[:MOST_RECORDS]
    rows = [
        [
            left(one["collection"]),
            count(one["record"]),
            duration(one["stall_s"]),
            count(one["stall_rank"]),
            duration(one["writing_s"]),
        ]
        for one in longest
    ]
    head = ("collection", "record", "the slowest client waits", "rank", "writers write")
    return table("records", head, rows) if rows else ""


def ranks(made: Json) -> str:
    head = (
        "rank",
        "node",
        "role",
        "session",
        "puts",
        "put",
        "copy",
        "waits",
        "written",
        "write and sync",
        "MB/s",
        "idle",
        "memory",
    )
    chosen = sorted(made["ranks"], key=lambda rank: -max(rank["stall_s"], rank["write_s"] + rank["sync_s"]))[:MOST_ROWS]
    rows = [
        [
            count(one["rank"]),
            count(one["node"]),
            left(one["role"] + (", writes" if one["is_writer"] else "")),
            duration(one["session_s"]),
            count(one["puts"]),
            amount(one["put_bytes"]),
            duration(one["copy_s"]),
            duration(one["stall_s"]),
            amount(one["written_bytes"]),
            duration(one["write_s"] + one["sync_s"]),
            of(one["rate"], f"{(one['rate'] or 0) / 1e6:.4g}"),
            duration(one["idle_s"]),
            amount(one["memory_bytes"]),
        ]
        for one in sorted(chosen, key=lambda rank: int(rank["rank"]))
    ]
    left_out = len(made["ranks"]) - len(chosen)
    note = (
        f"<p>{left_out} ranks that wait and write less are left out; <code>--json</code> has all.</p>"
        if left_out
        else ""
    )
    return table("ranks", head, rows) + note


def collections(made: Json) -> str:
    head = (
        *("collection", "file", "format", "every", "pattern", "records", "files", "values", "in the files", "ratio"),
        *("chunks", "MB/s", "best record", "its MB/s", "writers", "in memory", "receive", "prepare"),
    )
    rows = [
        [
            *(left(one[key] or "–") for key in ("name", "file", "format", "every", "pattern")),
            count(one["records"]),
            count(one["files"]),
            amount(one["raw_bytes"]),
            amount(one["file_bytes"]),
            of(one["ratio"], "–" if one["ratio"] is None else f"{one['ratio']:.2f}"),
            count(one["chunks"]),
            *rates(one),
            count(one["writers"]),
            count(one["depth"]),
            duration(one["receive_s"]),
            duration(one["forward_s"]),
        ]
        for one in made["collections"]
    ]
    return table("collections", head, rows)


def rates(of_what: Json) -> list[Cell]:
    return [speed(of_what["rate"]), count(of_what["peak_record"]), speed(of_what["peak_rate"])]


def files(made: Json) -> str:
    """Of most files as many as there is room for: those that took the longest."""
    longest = sorted(made["files"], key=lambda one: -float(one["write_s"] + one["sync_s"]))[:MOST_ROWS]
    chosen = {id(one) for one in longest}
    head = ("file", "collection", "records", "values", "in the file", "chunks", "write and sync")
    rows = [
        [
            left(one["file"]),
            left(one["collection"]),
            count(one["records"]),
            amount(one["raw_bytes"]),
            amount(one["file_bytes"]),
            count(one["chunks"]),
            duration(one["write_s"] + one["sync_s"]),
            *rates(one),
            count(one["writers"]),
        ]
        for one in made["files"]
        if id(one) in chosen
    ]
    untold = len(made["files"]) - len(rows) + made["files_left_out"]
    note = f"<p>{untold} more are left out.</p>" if untold else ""
    return table("files", (*head, "MB/s", "best record", "its MB/s", "writers"), rows) + note


def library_files(made: Json) -> str:
    """With the hints that were asked for, and those in force that differ or were not asked for."""
    head = ("file", "collection", "library", "calls", "I/O ranks", "aggregators", "stripes", "hints")
    rows = [
        [
            *(left(one[key]) for key in ("file", "collection", "library", "calls")),
            *(count(one[key]) for key in ("io_ranks", "aggregators", "stripes")),
            Cell(hints_of(one), style="left wrap"),
        ]
        for one in made["library_files"]
    ]
    return table("library-files", head, rows)


def hints_of(file: Json) -> str:
    asked, in_force = file["asked"], file["in_force"]
    words = [
        f"{key}={value}" + ("" if in_force.get(key) == value else f" (in force: {in_force.get(key, 'nothing')})")
        for key, value in asked.items()
    ]
    words += [f"{key}={value} (not asked for)" for key, value in in_force.items() if key not in asked]
    return "; ".join(words + (["MPI repeats what it is asked"] if file["is_repeated"] else [])) or "none"


def inputs(made: Json) -> str:
    head = ("input", "gets", "read", "ranks that read", "in gets, longest", "waiting, longest", "at rank")
    rows = [
        [
            left(one["name"]),
            count(one["gets"]),
            amount(one["bytes"]),
            count(one["readers"]),
            duration(one["get_s"]),
            duration(one["wait_read_s"]),
            count(one["wait_read_rank"]),
        ]
        for one in made["inputs"]
    ]
    return table("inputs", head, rows)


def fields(made: Json) -> str:
    head = ("field", "collections", "puts", "remark")
    rows = [
        [left(one["name"]), left(", ".join(one["collections"]) or "–"), count(one["puts"]), left(one["remark"] or "–")]
        for one in made["fields"]
    ]
    return table("fields", head, rows)


def doubts(made: Json) -> str:
    head = ("collection", "variable", "due and not put", "out of range", "put after the last record", "ranks")
    rows = [
        [
            left(one["collection"]),
            left(one["variable"]),
            *(count(one[kind]) for kind in ("missing", "out_of_range", "unclosed")),
            left(", ".join(map(str, one["ranks"][:16])) + (", …" if len(one["ranks"]) > 16 else "")),
        ]
        for one in made["doubtful_puts"]
    ]
    return table("doubtful-puts", head, rows)


def settings(made: Json) -> str:
    """Those that somebody has said first; defaults can be unfolded."""
    head = ("key", "value", "origin")
    said = [one for one in made["settings"] if one["origin"] != "default"]
    by_default = [one for one in made["settings"] if one["origin"] == "default"]

    def rows(chosen: Sequence[Any]) -> list[list[Cell]]:
        return [[left(one["key"]), Cell(one["value"], style="left wrap"), left(one["origin"])] for one in chosen]

    folded = (
        f"<details><summary>{len(by_default)} defaults</summary>{table('defaults', head, rows(by_default))}</details>"
    )
    return table("settings", head, rows(said)) + (folded if by_default else "")


def page_of_kept(made: Json, line: TimeLine) -> str:
    """Of a run that did not end: there is no profile."""
    parts = [
        ("Time line of ranks and writers", picture.figure(made, line)),
        ("Time of the collections", of_collections(made)),
        ("Records that waited longest", records(made)),
    ]
    body = ["<h1>Output of a run that did not end</h1>"]
    body += [f"<h2>{clean(title)}</h2>{text}" for title, text in parts if text]
    return document("thalweg report: a run that did not end", "\n".join(body), STYLE + picture.STYLE, picture.script())


def page_of(made: Json, line: TimeLine | None) -> str:
    run = made["run"]
    parts_of_run = [counted(run[f"{of}s"], of) for of in ("client", "server", "writer")]
    about = f"{', '.join(parts_of_run)} on {counted(run['nodes'], 'node')}"
    parts = [
        ("Time line of ranks and writers", picture.figure(made, line)),
        ("Balance of the ranks", balance(made)),
        ("Where the time went", timers(made)),
        ("Time of the collections", of_collections(made) if made["time_line"] else ""),
        ("Records that waited longest", records(made) if made["time_line"] else ""),
        ("Ranks", ranks(made)),
        ("Memory at most", resource_tables.memory(made) if made["memory"] else ""),
        ("What was given to MPI", resource_tables.mpi_calls(made) if made["mpi_calls"] else ""),
        ("Collections", collections(made)),
        ("Files", files(made) if made["files"] else ""),
        ("Files that a library writes, and their hints", library_files(made) if made["library_files"] else ""),
        ("Inputs", inputs(made) if made["inputs"] else ""),
        ("Fields", fields(made) if made["fields"] else ""),
        ("Doubtful puts", doubts(made) if made["doubtful_puts"] else ""),
        ("Settings in force", settings(made)),
    ]
    body = [f"<h1>Output of a run</h1><p class='quiet'>{clean(made['profile'])}: {about}</p>", tiles(made)]
    body.append(f"<h2>What to change next</h2>{findings(made)}")
    body += [f"<h2>{clean(title)}</h2>{text}" for title, text in parts if text]
    script = picture.script() if line else ""
    return document(f"thalweg report: {made['profile']}", "\n".join(body), STYLE + picture.STYLE, script)
