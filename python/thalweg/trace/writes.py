"""What a run wrote by netCDF's and PnetCDF's calls, rank by rank, as it can be written again: files with their
variables, and steps with the times between them. What cannot be written again is counted by its name. Of logs, pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thalweg.trace.log import FAILED, FINISHED, INNER, LAYERS, Log
from thalweg.trace.table import function_of

LIBRARIES = ("netcdf", "pnetcdf")
MOST_DIMENSIONS = 32  # of a variable that the tracer describes
MOST_RANKS = 1 << 16
LONGEST = 1 << 40  # of an index that can be: sums and products of two of them do not overflow
MOST_TYPE = 11  # of netCDF's numbers; those behind are strings and types of the program's own
WRITE = 1  # NC_WRITE
FORMATS = (0, 0, 0x0200, 0x1000, 0x1100, 0x0020)  # bits of the mode: NC_64BIT_OFFSET, NC_NETCDF4 and so on
ANY_FORMAT = 0x1320
WRITES = re.compile(r"(?:nc|ncmpi)_(i|b)?put_(vara|var1|vars|varm|varn|var)(?:_([a-z]+?))??(_all)?$")
READS = re.compile(r"(?:nc|ncmpi)_i?get_var")
# Definitions are made again from what the variables are, when their file is created.
DEFINITIONS = re.compile(r"(?:nc|ncmpi)_(?:def_(?:dim|var)|_?enddef|redef|def_var_\w+)$|nc_def_var_\w+$")
OPENS = {
    "nc_create": (False, True),
    "nc__create": (False, True),
    "nc_create_par": (True, True),
    "nc_create_par_fortran": (True, True),
    "ncmpi_create": (True, True),
    "nc_open": (False, False),
    "nc__open": (False, False),
    "nc_open_par": (True, False),
    "nc_open_par_fortran": (True, False),
    "ncmpi_open": (True, False),
}  # fmt: skip - is it parallel, does it make the file
PLAIN = {
    "nc_close": "close", "nc_abort": "close", "ncmpi_close": "close", "ncmpi_abort": "close",
    "nc_sync": "sync", "ncmpi_sync": "sync", "ncmpi_flush": "sync", "ncmpi_sync_numrecs": "sync",
    "ncmpi_wait": "wait", "ncmpi_wait_all": "wait", "nc_var_par_access": "access", "nc_set_fill": "fill",
    "ncmpi_set_fill": "fill", "ncmpi_buffer_attach": "buffer", "ncmpi_buffer_detach": "buffer",
    "ncmpi_begin_indep_data": "mode", "ncmpi_end_indep_data": "mode",
}  # fmt: skip

Box = tuple[tuple[int, ...], tuple[int, ...]]  # start, count


class NothingToReplay(Exception):
    """The text says what is missing, and what to do."""


@dataclass
class Variable:
    name: str
    type: int  # netCDF's number
    dims: list[str]
    lengths: list[int]  # 0: unlimited
    is_unfilled: bool = False
    chunks: list[int] | None = None
    shuffle: bool = False
    level: int = -1  # of deflate; -1: none
    reason: str = ""  # why it is left out


@dataclass
class File:
    path: str
    layer: str
    library: str  # the file of the library that wrote it
    format: int  # netcdf.h's number; 0: not known
    is_parallel: bool
    is_made: bool  # else it was there before
    ranks: list[int] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    fill: int | None = None  # as nc_set_fill was told

    def number_of(self, name: str) -> int | None:
        return next((number for number, one in enumerate(self.variables) if one.name == name), None)


@dataclass
class Step:
    kind: str  # create, open, put, sync, wait, access, buffer, mode, close
    file: int
    function: str
    gap_s: float  # since the step before ended
    traced_s: float  # how long the call took in the traced run
    variable: int = -1
    boxes: list[Box] = field(default_factory=list)
    word: int = 0


@dataclass
class Writes:
    files: list[File] = field(default_factory=list)
    steps: list[list[Step]] = field(default_factory=list)  # of each rank
    left_out: Counter[str] = field(default_factory=Counter)  # calls of the traced run, by name and why
    notes: list[str] = field(default_factory=list)

    @property
    def ranks(self) -> int:
        return len(self.steps)

    @property
    def bytes(self) -> int:
        return sum(self.bytes_of(step) for steps in self.steps for step in steps)

    def bytes_of(self, step: Step) -> int:
        size = ELEMENT_BYTES[self.files[step.file].variables[step.variable].type] if step.kind == "put" else 0
        return sum(size * int(np.prod(count, dtype=np.int64)) for _, count in step.boxes)

    @property
    def puts(self) -> int:
        return sum(step.kind == "put" for steps in self.steps for step in steps)


ELEMENT_BYTES = (0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8)


def variable_of(name: str, text: str) -> Variable:
    """From the line by which the tracer says what a variable is (docs/formats/trace.md)."""
    words = iter(text.split("/"))
    kind, rank = int(next(words)), int(next(words))
    pairs = [(next(words), int(next(words))) for _ in range(rank)]
    made = Variable(name, kind, [dim for dim, _ in pairs], [length for _, length in pairs], next(words) == "1")
    rest = list(words)
    if len(rest) >= 4:  # netCDF, which says more
        has_chunks = rest.pop(0) == "1"
        made.chunks = [int(rest.pop(0)) for _ in range(rank)] if has_chunks else None
        made.shuffle, made.level = rest.pop(0) == "1", int(rest.pop(0))
        if rest[0] == "group":
            made.reason = "in a group"
    if not 0 < made.type <= MOST_TYPE:
        made.reason = "of strings, or of a type of the program's own"
    return made


def boxes_of(facts: NDArray[np.int64]) -> tuple[list[Box], bool]:
    """And whether it has strides. Raises ValueError for what is damaged."""
    rank, parts, boxes = (int(word) for word in facts[1:4])
    if not (0 <= rank <= MOST_DIMENSIONS and parts in (2, 3) and boxes >= 0):
        raise ValueError
    words = facts[4 : 4 + boxes * parts * rank].reshape(boxes, parts, rank)
    if (words[:, :2] < 0).any() or (words > LONGEST).any():
        raise ValueError
    found = [(tuple(box[0].tolist()), tuple(box[1].tolist())) for box in words]
    return found, bool(parts == 3 and (words[:, 2] != 1).any())


def writes_of(logs: Iterable[Log]) -> Writes:
    """Raises NothingToReplay. Processes without a rank count as one, which did what they did one after the other."""
    logs = list(logs)
    found = Writes()
    with_ranks = [log for log in logs if log.rank >= 0]
    ranks = max((max(log.ranks, log.rank + 1) for log in with_ranks), default=1)
    if ranks > MOST_RANKS:
        raise NothingToReplay(f"the logs are of {ranks} ranks; at most {MOST_RANKS} can be played on a machine")
    rank_of = {id(log): log.rank if with_ranks else 0 for log in logs}
    calls: list[list[Call]] = [[] for _ in range(ranks)]
    for log in with_ranks or logs:
        calls[rank_of[id(log)]] += calls_of(log)
    for own in calls:
        own.sort(key=lambda call: call.start)
    first = min((own[0].start for own in calls if own), default=0)
    files: dict[tuple[str, int], int] = {}
    found.steps = [RankReader(found, rank, files).read(own, first) for rank, own in enumerate(calls)]
    leave_out_files(found)
    for number, file in enumerate(found.files):
        if not file.is_made:
            begin_with_first(found, number)
    require_writes(found, logs, calls)
    return found


@dataclass
class Call:
    start: int  # nanoseconds since 1970
    duration: int
    layer: str
    function: str
    file: str
    variable: str
    facts: NDArray[np.int64] | None
    names: dict[int, str]


def calls_of(log: Log) -> Iterator[Call]:
    """Of the libraries, without those that another traced call made."""
    functions = [function_of(row) for row in log.rows]
    added = log.start_real - log.start
    for number, event in zip(log.numbers.tolist(), log.events, strict=True):
        of = functions[int(event["row"])]
        if of.layer not in LIBRARIES or event["kind"] != FINISHED or event["flags"] & (INNER | FAILED):
            continue
        names = log.names.get(int(event["file"]), ""), log.names.get(int(event["variable"]), "")
        start = int(event["start"]) + added
        yield Call(start, int(event["duration"]), of.layer, of.name, *names, log.facts.get(number), log.names)


class RankReader:
    """The steps of one rank. Files are known by their paths and how often they were made."""

    def __init__(self, found: Writes, rank: int, files: dict[tuple[str, int], int]) -> None:
        self.found, self.rank, self.files = found, rank, files
        self.open: dict[str, int] = {}  # files that are being written
        self.times_made: Counter[str] = Counter()
        self.steps: list[Step] = []
        self.end = 0

    def read(self, calls: list[Call], first: int) -> list[Step]:
        self.end = first
        for call in calls:
            self.take(call)
        for number in self.open.values():  # the program was killed, or left them to the end of the process
            close = "nc_close" if self.found.files[number].layer == "netcdf" else "ncmpi_close"
            self.steps.append(Step("close", number, close, 0.0, 0.0))
        return self.steps

    def take(self, call: Call) -> None:
        if call.function in OPENS:
            return self.take_open(call)
        number = self.open.get(call.file)
        if READS.match(call.function):
            return self.leave_out(call, "reads")
        if DEFINITIONS.match(call.function):
            return None
        if written := WRITES.match(call.function):
            return self.take_put(call, number, written[2])
        kind = PLAIN.get(call.function)
        if kind is None or (number is None and kind != "close"):
            return self.leave_out(call, "attributes" if "_att" in call.function else "no box")
        if number is None:
            return None  # of a file that was read
        if kind == "fill":
            self.found.files[number].fill = word_of(call)
        elif kind == "access":
            self.add(call, kind, number, self.variable(call, number, None), [], word_of(call))
        else:
            self.add(call, kind, number, -1, [], word_of(call))
        if kind == "close":
            del self.open[call.file]
        return None

    def take_open(self, call: Call) -> None:
        is_parallel, makes = OPENS[call.function]
        if call.facts is None:
            return self.leave_out(call, "without its mode")
        library, mode, kind = call.names.get(int(call.facts[0]), ""), int(call.facts[1]), int(call.facts[2])
        if not makes and not mode & WRITE:
            return None
        if makes:
            self.times_made[call.file] += 1
        key = (call.file, self.times_made[call.file])
        if key not in self.files:
            self.files[key] = len(self.found.files)
            self.found.files.append(File(call.file, call.layer, library, kind, is_parallel, makes))
        number = self.files[key]
        file = self.found.files[number]
        if self.rank not in file.ranks:
            file.ranks.append(self.rank)
        self.open[call.file] = number
        self.add(call, "create" if makes else "open", number, -1, [], with_format(mode, kind))
        return None

    def take_put(self, call: Call, number: int | None, shape: str) -> None:
        if number is None or call.facts is None:
            return self.leave_out(call, "without its box, or its file")
        try:
            boxes, has_stride = boxes_of(call.facts)
        except ValueError:
            return self.leave_out(call, "whose box is damaged")
        variable = self.variable(call, number, call.names.get(int(call.facts[0])))
        if has_stride or variable < 0:
            return self.leave_out(call, "with strides" if has_stride else "of a variable that is not known")
        of = self.found.files[number].variables[variable]
        if of.reason or any(len(start) != len(of.dims) for start, _ in boxes):
            return self.leave_out(call, of.reason or "whose box is damaged")
        # Whole variables, single values and what lies apart in memory are boxes as well.
        function = call.function if shape == "varn" else call.function.replace(f"put_{shape}", "put_vara", 1)
        self.add(call, "put", number, variable, boxes, function=function)
        return None

    def variable(self, call: Call, number: int, text: str | None) -> int:
        """-1: it is not known what it is. That is known from its first write on."""
        file = self.found.files[number]
        known = file.number_of(call.variable)
        if known is not None or text is None:
            return -1 if known is None else known
        try:
            file.variables.append(variable_of(call.variable, text))
        except (ValueError, StopIteration, IndexError):
            return -1
        return len(file.variables) - 1

    def add(
        self, call: Call, kind: str, file: int, variable: int, boxes: list[Box], word: int = 0, function: str = ""
    ) -> None:
        gap = max(call.start - self.end, 0) / 1e9
        name = function or call.function
        self.steps.append(Step(kind, file, name, gap, call.duration / 1e9, variable, boxes, word))
        if kind == "access":
            self.steps[-1].function = call.variable  # whose number may not be known yet
        self.end = call.start + call.duration

    def leave_out(self, call: Call, why: str) -> None:
        self.found.left_out[f"{call.function} ({why})"] += 1


def with_format(mode: int, kind: int) -> int:
    """The mode by which a file becomes of that format, whatever has said it in the traced run."""
    return mode & ~ANY_FORMAT | FORMATS[kind] if 0 < kind < len(FORMATS) else mode


def word_of(call: Call) -> int:
    return 0 if call.facts is None else int(call.facts[0])


def leave_out_files(found: Writes) -> None:
    """Of which nothing was written, or that ranks opened one after the other: the trace does not have their order."""
    for number, file in enumerate(found.files):
        steps = [step for own in found.steps for step in own if step.file == number]
        in_turn = not file.is_parallel and len(file.ranks) > 1
        if any(step.kind == "put" for step in steps) and not in_turn:
            continue
        if in_turn:
            why = f"of '{Path(file.path).name}', which {len(file.ranks)} ranks opened for themselves"
            found.left_out.update(f"{step.function} ({why})" for step in steps if step.kind == "put")
        for own in found.steps:
            own[:] = without_file(own, number)


def begin_with_first(found: Writes, number: int) -> None:
    """What was in a file before is not in the trace, so that its records are those of the traced run."""
    variables = found.files[number].variables
    grows = [bool(one.lengths) and one.lengths[0] == 0 for one in variables]
    puts = [step for own in found.steps for step in own if step.file == number and step.kind == "put"]
    growing = [step for step in puts if grows[step.variable]]
    first = min((start[0] for step in growing for start, _ in step.boxes), default=0)
    if first == 0:
        return
    for step in growing:
        step.boxes = [((start[0] - first, *start[1:]), count) for start, count in step.boxes]
    name = Path(found.files[number].path).name
    found.notes.append(f"'{name}' was there before: its record {first} is written as the first")


def without_file(steps: list[Step], number: int) -> list[Step]:
    """Their times are times between the others."""
    kept: list[Step] = []
    passed = 0.0
    for step in steps:
        if step.file == number:
            passed += step.gap_s + step.traced_s
        else:
            step.gap_s += passed
            passed = 0.0
            kept.append(step)
    return kept


def require_writes(found: Writes, logs: list[Log], calls: list[list[Call]]) -> None:
    if found.puts:
        return
    layers = sorted({LAYERS[int(row["layer"])] for log in logs for row in log.rows if row["count"]})
    if not any(calls):
        raise NothingToReplay(
            "the trace has no calls of netCDF or PnetCDF, by which alone variables and boxes are known; its layers are "
            f"{', '.join(layers) or 'none'}"
        )
    if not any(call.facts is not None for own in calls for call in own):
        raise NothingToReplay(
            "the trace has no boxes of its writes: it was made by an older tracer; trace the program again"
        )
    told = ", ".join(f"{count} {name}" for name, count in found.left_out.most_common(6))
    raise NothingToReplay(f"the trace has no write that can be made again; it has {told or 'none at all'}")


def as_json(found: Writes) -> list[dict[str, Any]]:
    """A row for each file that is written again."""
    rows = []
    for number, file in enumerate(found.files):
        steps = [step for own in found.steps for step in own if step.file == number]
        if steps:
            written = {step.variable for step in steps if step.kind == "put"}
            size = sum(found.bytes_of(step) for step in steps)
            rows.append({"file": file.path, "layer": file.layer, "ranks": len(file.ranks), "bytes": size})
            rows[-1] |= {"variables": len(written), "writes": sum(step.kind == "put" for step in steps)}
    return rows
