"""All logs of a run as one table of events, with one numbering of functions, files and ranks."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thalweg.trace.log import INNER_SAME, LAYERS, STARTED, Log, NotALog, read_log

Ints = NDArray[np.int64]


class Names:
    """Numbers for things, in the order in which they are first seen."""

    def __init__(self) -> None:
        self.number_of: dict[object, int] = {}

    def __call__(self, thing: object) -> int:
        return self.number_of.setdefault(thing, len(self.number_of))

    @property
    def things(self) -> list[object]:
        return list(self.number_of)


@dataclass(frozen=True)
class Function:
    layer: str
    name: str

    @property
    def is_read(self) -> bool:
        return any(part in self.name for part in ("read", "_get_", "_iget_", "gets", "H5Aread"))

    @property
    def is_write(self) -> bool:
        words = ("write", "_put_", "_iput_", "_bput_", "printf", "puts", "sendfile", "copy_file")
        return "_att" not in self.name and any(part in self.name for part in words)

    @property
    def moves_data(self) -> bool:
        """Of a split collective call the one that begins it, which has the values."""
        return "_att" not in self.name and not self.name.endswith("_end") and (self.is_read or self.is_write)


def no_numbers() -> Ints:
    return np.zeros(0, np.int64)


def no_marks() -> NDArray[np.bool_]:
    return np.zeros(0, np.bool_)


@dataclass
class Trace:
    """`row` is the number of a log in `logs`; `rank` of a row is its MPI rank, or the number of the process."""

    logs: list[Log]
    left_out: int = 0
    losses: list[str] = field(default_factory=list)
    has_ranks: bool = True
    functions: list[Function] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    rank_of_log: list[int] = field(default_factory=list)
    rank: Ints = field(default_factory=no_numbers)
    log: Ints = field(default_factory=no_numbers)
    function: Ints = field(default_factory=no_numbers)
    layer: Ints = field(default_factory=no_numbers)
    start: Ints = field(default_factory=no_numbers)
    duration: Ints = field(default_factory=no_numbers)
    bytes: Ints = field(default_factory=no_numbers)
    offset: Ints = field(default_factory=no_numbers)
    file: Ints = field(default_factory=no_numbers)
    variable: Ints = field(default_factory=no_numbers)
    thread: Ints = field(default_factory=no_numbers)
    # The event that this one was made in, as a place in these arrays; -1: none.
    parent: Ints = field(default_factory=no_numbers)
    is_inner_same: NDArray[np.bool_] = field(default_factory=no_marks)
    is_unfinished: NDArray[np.bool_] = field(default_factory=no_marks)

    @property
    def ranks(self) -> list[int]:
        return sorted(set(self.rank_of_log))

    def of_functions(self, wanted: str) -> NDArray[np.bool_]:
        """Events of functions that have this property of Function."""
        chosen = np.array([bool(getattr(function, wanted)) for function in self.functions], np.bool_)
        return chosen[self.function] if len(chosen) else np.zeros(0, np.bool_)


def read_folder(folder: Path) -> tuple[list[Log], list[str]]:
    """The logs of a run; and of files that are none, why."""
    logs, losses = [], []
    for path in sorted(folder.glob("*.trace")):
        try:
            logs.append(read_log(path))
        except (NotALog, OSError) as fault:
            losses.append(str(fault))
    return logs, losses


def trace_of(logs: list[Log], losses: list[str], with_all: bool = False) -> Trace:
    """Without ranks (mpiexec itself, shells) a process is left out, if others have them."""
    has_ranks = any(log.rank >= 0 for log in logs) and not with_all
    kept = [log for log in logs if log.rank >= 0 or not has_ranks]
    kept.sort(key=lambda log: (log.rank, log.start_real, log.pid))
    trace = Trace(kept, len(logs) - len(kept), list(losses), has_ranks)
    for log in kept:
        trace.losses += [f"{log.path.name}: {loss}" for loss in log.losses]
    trace.rank_of_log = [log.rank if has_ranks else number for number, log in enumerate(kept)]
    functions, files, variables = Names(), Names(), Names()
    files("")
    variables("")
    columns = [columns_of(log, number, functions, files, variables) for number, log in enumerate(kept)]
    join(trace, columns)
    trace.functions = [thing for thing in functions.things if isinstance(thing, Function)]
    trace.files = [str(thing) for thing in files.things]
    trace.variables = [str(thing) for thing in variables.things]
    return trace


def columns_of(log: Log, number: int, functions: Names, files: Names, variables: Names) -> dict[str, Ints]:
    events = log.events
    own = np.array([functions(function_of(row)) for row in log.rows], np.int64)
    layers = log.rows["layer"].astype(np.int64)
    place_of_number = np.full(int(log.numbers[-1]) + 1 if len(log.numbers) else 1, -1, np.int64)
    place_of_number[log.numbers] = np.arange(len(events))
    place_of_number[0] = -1
    end = np.maximum(log.last - events["start"].astype(np.int64), 0)
    is_unfinished = events["kind"] == STARTED
    return {
        "log": np.full(len(events), number, np.int64),
        "function": own[events["row"]] if len(own) else np.zeros(0, np.int64),
        "layer": layers[events["row"]] if len(own) else np.zeros(0, np.int64),
        "start": events["start"].astype(np.int64) + (log.start_real - log.start if log.start_real < 1 << 62 else 0),
        "duration": np.where(is_unfinished, end, events["duration"].astype(np.int64)),
        "bytes": np.minimum(events["bytes"], 1 << 60).astype(np.int64),
        "offset": events["offset"].copy(),
        "file": numbers_of(events["file"], log, files),
        "variable": numbers_of(events["variable"], log, variables),
        "thread": events["thread"].astype(np.int64),
        "parent": place_of_number[events["parent"]],
        "is_inner_same": (events["flags"] & INNER_SAME).astype(np.int64),
        "is_unfinished": is_unfinished.astype(np.int64),
    }


def function_of(row: NDArray[np.void]) -> Function:
    text = "".join(letter for letter in bytes(row["name"]).decode("ascii", "replace") if letter.isprintable())
    return Function(LAYERS[int(row["layer"])], text or "?")


def numbers_of(column: NDArray[np.uint32], log: Log, names: Names) -> Ints:
    """Numbers of one log's names in those of the run; what has no name is the first."""
    found, places = np.unique(column, return_inverse=True)
    numbers = np.array([names(log.names.get(int(number), "")) for number in found], np.int64)
    return numbers[places] if len(numbers) else np.zeros(0, np.int64)


def join(trace: Trace, columns: list[dict[str, Ints]]) -> None:
    if not columns:
        return
    begin = 0
    for part in columns:
        part["parent"] = np.where(part["parent"] >= 0, part["parent"] + begin, -1)
        begin += len(part["log"])
    for name in columns[0]:
        whole = np.concatenate([part[name] for part in columns])
        setattr(trace, name, whole.astype(np.bool_) if name.startswith("is_") else whole)
    trace.rank = np.array(trace.rank_of_log, np.int64)[trace.log]
