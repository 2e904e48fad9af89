"""What a run says as text for the textfile collector of Prometheus's node_exporter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from thalweg.data import DataError, ordinary
from thalweg.watch.status import Passing

Json = dict[str, Any]
BEGINNING = "# HELP thalweg_"
STATES = ("running", "silent", "gone", "finished", "failed", "ended")

# Name, kind, help, and the value of a run, of a writer, or of what a writer has of a collection; None: there is none.
Row = tuple[str, str, str, Callable[[Json], float | None]]
OF_RUN: tuple[Row, ...] = (
    ("thalweg_model_steps_total", "counter", "Steps that all clients have made.", lambda of: of["model"]["steps"]),
    ("thalweg_model_time_seconds", "gauge", "Model time of the slowest client.", lambda of: of["model"]["time_s"]),
    ("thalweg_model_end_seconds", "gauge", "The model's time at its end.", lambda of: of["model"]["end_s"]),
    ("thalweg_left_seconds", "gauge", "Until the model is at its end, as it goes.", lambda of: of["model"]["left_s"]),
    ("thalweg_wait_seconds", "gauge", "The longest wait of a client.", lambda of: of["wait"] and of["wait"]["seconds"]),
)
OF_WRITER: tuple[Row, ...] = (
    ("thalweg_news_timestamp_seconds", "gauge", "When the writer has last told something.", lambda one: one["written"]),
    ("thalweg_bytes_per_second", "gauge", "Bytes that went to the storage lately.", lambda one: one["bytes_per_s"]),
)
OF_COLLECTION: tuple[Row, ...] = (
    ("thalweg_records_put_total", "counter", "Records of which something was put.", lambda of: of["put"]),
    ("thalweg_records_written_total", "counter", "Records that the writer has written.", lambda of: of["written"]),
    ("thalweg_records_committed_total", "counter", "Records that a reader sees.", lambda of: of["committed"]),
    ("thalweg_files_total", "counter", "Complete files.", lambda of: of["files"]),
    ("thalweg_raw_bytes_total", "counter", "Bytes of the blocks that were written.", lambda of: of["raw_bytes"]),
    ("thalweg_file_bytes_total", "counter", "Bytes that went to the storage.", lambda of: of["file_bytes"]),
    ("thalweg_blocks", "gauge", "Blocks of the node's staging memory.", lambda of: of["blocks"]["total"]),
    ("thalweg_blocks_free", "gauge", "Blocks that are free.", lambda of: of["blocks"]["free"]),
)


def text_of(made: Json) -> str:
    return "".join(f"{line}\n" for line in lines_of(made))


def lines_of(made: Json) -> Iterator[str]:
    runs = [({"configuration": run["configuration"] or ""}, run) for run in made["runs"]]
    writers = [(labels_of(one, of_run), one) for of_run, run in runs for one in run["writers"]]
    parts = [
        (of_writer | {"collection": of["name"], "number": str(of["number"])}, of)
        for of_writer, one in writers
        for of in one["collections"]
    ]
    yield from head("thalweg_writer_state", "gauge", "1 for the state that the writer is in.")
    for labels, one in writers:
        for state in STATES:
            yield sample("thalweg_writer_state", labels | {"state": state}, float(one["state"] == state))
    for rows, found in ((OF_RUN, runs), (OF_WRITER, writers), (OF_COLLECTION, parts)):
        for name, kind, text, value_of in rows:
            values = [(labels, value) for labels, of in found if (value := value_of(of)) is not None]
            if values:
                yield from head(name, kind, text)
            yield from (sample(name, labels, value) for labels, value in values)


def labels_of(writer: Json, of_run: dict[str, str]) -> dict[str, str]:
    return of_run | {"host": writer["host"], "rank": str(writer["rank"])}


def head(name: str, kind: str, text: str) -> tuple[str, str]:
    return f"# HELP {name} {text}", f"# TYPE {name} {kind}"


def sample(name: str, labels: dict[str, str], value: float) -> str:
    inner = ",".join(f'{key}="{escaped(text)}"' for key, text in labels.items())
    return f"{name}{{{inner}}} {value:.15g}"


def escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def replace(path: Path, text: str) -> None:
    """Only such a file, an empty one or none is replaced. Errors: DataError, and Passing for what storage says."""
    try:
        with suppress(FileNotFoundError):
            if ordinary.beginning_of(path, len(BEGINNING)) not in (BEGINNING.encode(), b""):
                raise DataError(f"'{path}' has other metrics in it, so it is not replaced; name another file")
        ordinary.replace(path, text)
    except OSError as fault:
        raise Passing(f"'{path}' cannot be written: {fault.strerror}") from None
