"""What to change next, in words. Each rule has a name, by which docs/report.md says more of it, and a threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from thalweg.report.profile import Json

Measure = Callable[[Json], float]
MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Rule:
    """Speaks where the measure is above the threshold. text: with {value} in the unit, and other figures of the run."""

    name: str
    measure: Measure
    threshold: float
    unit: str  # "share", "ratio", "count", "bytes"
    text: str
    advice: str


def of_ranks(made: Json, key: str, role: str = "client") -> list[float]:
    return [float(rank[key]) for rank in made["ranks"] if rank["role"] == role]


def of_writers(made: Json, key: str) -> list[float]:
    return [float(rank[key]) for rank in made["ranks"] if rank["is_writer"]]


def share_of_run(key: str) -> Measure:
    """Of the client where it is longest."""
    return lambda made: max(
        (rank[key] / rank["session_s"] for rank in made["ranks"] if rank["role"] == "client" and rank["session_s"] > 0),
        default=0.0,
    )


def writer_is_busy(made: Json) -> float:
    """Of the writer that has least left: its share of the run that it was in the storage."""
    return max(
        (
            (rank["write_s"] + rank["sync_s"] + rank["commit_s"]) / rank["session_s"]
            for rank in made["ranks"]
            if rank["is_writer"] and rank["session_s"] > 0
        ),
        default=0.0,
    )


def when(condition: Measure, least: float, measure: Measure) -> Measure:
    """The measure, where the condition is above that."""
    return lambda made: measure(made) if condition(made) > least else 0.0


def unless(condition: Measure, least: float, measure: Measure) -> Measure:
    return lambda made: 0.0 if condition(made) > least else measure(made)


def unevenness(values: list[float]) -> float:
    mean = sum(values) / len(values) if values else 0.0
    return max(values) / mean if mean > 0 else 0.0


def written(made: Json) -> float:
    return float(made["headline"]["written_bytes"])


def buffered_share(made: Json) -> float:
    return 1 - sum(of_writers(made, "direct_bytes")) / written(made) if written(made) > 0 else 0.0


def mean_write(made: Json) -> float:
    """How much smaller than 256 KiB the writes are."""
    calls = sum(of_writers(made, "write_calls"))
    return 0.25 * MEBIBYTE * calls / written(made) if written(made) > 0 else 0.0


def sync_share(made: Json) -> float:
    busy_s = sum(of_writers(made, "write_s")) + sum(of_writers(made, "sync_s")) + sum(of_writers(made, "commit_s"))
    return sum(of_writers(made, "sync_s")) / busy_s if busy_s > 0 else 0.0


def stored_share(made: Json) -> float:
    raw = sum(of_writers(made, "raw_bytes"))
    return sum(of_writers(made, "encoded_bytes")) / raw if raw > 0 else 0.0


def encoding_share(made: Json) -> float:
    return sum(of_writers(made, "encode_s")) / float(made["run"]["session_s"] or 1)


def idle_servers(made: Json) -> float:
    """Of the server that sleeps least; only with several, for one cannot be spared."""
    servers = [rank for rank in made["ranks"] if rank["role"] == "server" and rank["session_s"] > 0]
    return min((rank["idle_s"] / rank["session_s"] for rank in servers), default=0.0) if len(servers) > 1 else 0.0


def hints_not_taken(made: Json) -> float:
    return float(
        sum(
            file["in_force"].get(key) != value
            for file in made["library_files"]
            if not file["is_repeated"]
            for key, value in file["asked"].items()
        )
    )


def doubts(made: Json) -> float:
    return float(sum(one["missing"] + one["out_of_range"] + one["unclosed"] for one in made["doubtful_puts"]))


STALL = 0.05
BUSY = 0.7

RULES = (
    Rule(
        "doubtful-puts",
        doubts,
        0,
        "count",
        "{value} doubtful puts: fields that were forgotten or put too late, or values out of range",
        "look at the table of doubtful puts before all else",
    ),
    Rule(
        "storage-is-slow",
        when(writer_is_busy, BUSY, share_of_run("wait_block_s")),
        STALL,
        "share",
        "the model waits {value} of the run for a free block, and a writer is in the storage most of the run",
        "have more write at once: `writers.per-node`, more servers (`writers`), or `servers` of the collection; or "
        "store less, by `compression` and rounding",
    ),
    Rule(
        "little-memory",
        unless(writer_is_busy, BUSY, share_of_run("wait_block_s")),
        STALL,
        "share",
        "the model waits {value} of the run for a free block, though the writers have time left",
        "have more records wait in memory: more `staging`, or `records-ahead` of the collection that has the largest "
        "records",
    ),
    Rule(
        "messages-wait",
        share_of_run("wait_send_s"),
        STALL,
        "share",
        "the model waits {value} of the run until its messages have left",
        "`progress: thread` moves them while the model computes",
    ),
    Rule(
        "commits-wait",
        share_of_run("wait_commit_s"),
        STALL,
        "share",
        "the model waits {value} of the run for commits",
        "`writers: thread` writes while the model computes; call wait, and write by a library, only where it is needed",
    ),
    Rule(
        "long-finish",
        share_of_run("finish_own_s"),
        0.1,
        "share",
        "{value} of the run is the finish when all clients are there, in which what is left is written",
        "files that end earlier (`new-file`) are complete earlier; `drain: eager` does not leave blocks for the end",
    ),
    Rule(
        "long-definitions",
        share_of_run("ready_s"),
        0.1,
        "share",
        "{value} of the run is the end of definitions: plans, memory and the first files",
        "keep one session for the whole run, and define what has the same cells by one decomposition",
    ),
    Rule(
        "uneven-writers",
        when(written, 64 * MEBIBYTE, lambda made: unevenness(of_writers(made, "written_bytes"))),
        1.5,
        "ratio",
        "one writer has {value} times the bytes of the mean writer",
        "`writers.assign: idle`, or another `layout` or `pattern` of the largest collection",
    ),
    Rule(
        "uneven-clients",
        lambda made: unevenness(of_ranks(made, "put_bytes")),
        1.5,
        "ratio",
        "one client puts {value} times the bytes of the mean client",
        "the decomposition of the model is uneven; Thalweg follows it",
    ),
    Rule(
        "small-writes",
        when(lambda made: sum(of_writers(made, "write_calls")), 1000, mean_write),
        1.0,
        "ratio",
        "writes are {value} times smaller than 256 KiB in the mean",
        "larger `chunks`, or fewer I/O domains (`layout`)",
    ),
    Rule(
        "through-the-page-cache",
        when(written, 64 * MEBIBYTE, buffered_share),
        0.5,
        "share",
        "{value} of the bytes go through the page cache",
        "`thalweg doctor FOLDER` says whether the file system allows `direct-io`",
    ),
    Rule(
        "syncs",
        when(share_of_run("stall_s"), STALL, sync_share),
        0.5,
        "share",
        "{value} of the writers' time is forcing data to the disk",
        "`durability: close` does so once a file, and `none` never",
    ),
    Rule(
        "compression-is-no-use",
        when(encoding_share, 0.05, stored_share),
        0.9,
        "share",
        "what is compressed keeps {value} of its size",
        "leave out `compression` of such collections, or round what need not be exact",
    ),
    Rule(
        "spilled",
        lambda made: sum(of_writers(made, "spilled_bytes")),
        0,
        "bytes",
        "{value} were moved to the node's folder and back",
        "more `staging` spares that",
    ),
    Rule(
        "held-back",
        when(share_of_run("stall_s"), STALL, lambda made: max(of_writers(made, "paced_s"), default=0.0)),
        0,
        "seconds",
        "the rate limit holds a writer back for {value} while the model waits",
        "a higher `rate-limit`",
    ),
    Rule(
        "reading-waits",
        share_of_run("wait_read_s"),
        STALL,
        "share",
        "the model waits {value} of the run for what it reads",
        "another way of `reading`; a field by time is read ahead when it is opened as such",
    ),
    Rule(
        "hints-not-taken",
        hints_not_taken,
        0,
        "count",
        "hints with another value in force than was asked for ({value})",
        "see the table of files that a library writes",
    ),
    Rule(
        "idle-servers",
        idle_servers,
        0.9,
        "share",
        "every server sleeps {value} of the run or more",
        "fewer servers would do; the ranks are better used by the model (`writers`)",
    ),
)


def shown(value: float, unit: str) -> str:
    match unit:
        case "share":
            return f"{100 * value:.0f} %"
        case "ratio":
            return f"{value:.1f}"
        case "bytes":
            return f"{value / MEBIBYTE:.1f} MiB"
        case "seconds":
            return f"{value:.3g} s"
        case _:
            return f"{value:.0f}"


def findings(made: Json) -> list[Json]:
    found = []
    for rule in RULES:
        value = rule.measure(made)
        if value > rule.threshold:
            text = rule.text.format(value=shown(value, rule.unit))
            found.append(
                {
                    "rule": rule.name,
                    "text": text,
                    "advice": rule.advice,
                    "value": value,
                    "threshold": rule.threshold,
                    "unit": rule.unit,
                }
            )
    return found
