"""What the core knows of formats, of names, and of what lies in files: it is asked, so that nothing is known twice."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from thalweg import programs
from thalweg.data.model import DataError

PROGRAM = "thalweg-facts"
GROWING = ".partial"
JOURNAL = ".journal"
GROWING_MARK = "thalweg.json"  # an object that a store has until it is complete


def is_growing_store(store: Path) -> bool:
    return (store / GROWING_MARK).exists()


def record_dimension(store: Path) -> str | None:
    """Said by a store only while it grows."""
    try:
        return str(json.loads((store / GROWING_MARK).read_text(encoding="utf-8"))["record_dimension"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


@dataclass(frozen=True)
class Format:
    """What the row of a format says."""

    name: str
    magic: bytes  # with which its files begin; empty: they are known by other means
    root: str  # of one that is a folder: the object by which it is known
    ending: str  # of a file whose name nobody has chosen
    codecs: list[str]  # its chunks can be compressed by
    describes: bool  # names, dimensions and attributes are in its files
    is_classic: bool  # it has the types of the classic model only
    has_length: bool  # its header says how long a file is
    has_virtual: bool  # a file may show the values of others


@dataclass(frozen=True)
class PartName:
    set: str
    number: int
    grows: bool  # the name ends in ".partial"


@dataclass(frozen=True)
class Length:
    bytes: int  # that the file has to have at least
    records: int
    record_begin: int
    record_bytes: int  # 0: no variable has records

    def whole_records(self, size: int) -> int:
        """How many records a file of this size holds."""
        if self.record_bytes == 0:
            return self.records
        return min(self.records, max(size - self.record_begin, 0) // self.record_bytes)


@dataclass(frozen=True)
class Journal:
    """The transaction that lies beside a growing file (docs/formats/journal.md)."""

    sequence: int
    records: int  # after it
    file_bytes: int | None  # of the file before the writes; None: as it is
    writes: tuple[tuple[int, bytes], ...]  # where, what


class Core:
    """The program that answers, which runs as long as this process: it ends when its questions do."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._started: tuple[int, str] = (0, "")  # by which process, and in which folder: it reads relative names there

    def ask(self, question: bytes) -> bytes:
        """The answer's line; empty if the program ended without one."""
        with self._lock:
            process = self._running()
            try:
                answer = self._exchange(process, question)
            except BaseException:
                self._end()  # an answer that is still to come would be taken for that of the next question
                raise
            if not answer:
                self._end()
            return answer

    def _running(self) -> subprocess.Popen[bytes]:
        here = (os.getpid(), os.getcwd())
        if self._process is not None and self._started != here:
            self._end()
        if self._process is None:
            program = programs.required(PROGRAM)
            self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._started = here
        return self._process

    @staticmethod
    def _exchange(process: subprocess.Popen[bytes], question: bytes) -> bytes:
        assert process.stdin and process.stdout
        try:
            process.stdin.write(question + b"\n")
            process.stdin.flush()
        except BrokenPipeError:  # it was ended from outside
            return b""
        return process.stdout.readline()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None or self._started[0] != os.getpid():
            return  # a process that was forked leaves the program to the one that started it
        process.kill()
        process.communicate()


CORE = Core()


def ask(what: str, subject: str | Path = "") -> Any:
    """Errors: DataError, with the text of the core."""
    said = CORE.ask(json.dumps({"what": what, "subject": os.fsencode(subject).hex()}).encode())
    if not said:
        raise DataError(f"the program '{PROGRAM}' ended without an answer on '{subject}'")
    answer = json.loads(said)
    if "error" in answer:
        raise DataError(answer["error"])
    return answer["answer"]


@cache
def formats() -> dict[str, Format]:
    """In the order of the configuration's reference."""
    return {said["name"]: Format(**{**said, "magic": bytes.fromhex(said["magic"])}) for said in ask("formats")}


def format_beginning(start: bytes) -> Format | None:
    """The first format whose files begin so."""
    return next((one for one in formats().values() if one.magic and start.startswith(one.magic)), None)


def part_of(name: str) -> PartName | None:
    """Which part of a set a name means, complete or growing."""
    said = ask("part", name.removesuffix(GROWING))
    if said is None:
        return None
    whole = os.fsdecode(os.fsencode(name)[: said["set_bytes"]])
    return PartName(whole, said["number"], name.endswith(GROWING))


def parts_near(whole: Path) -> list[tuple[PartName, Path]]:
    """What has the name of a part of this set in its folder. The core is asked about names that begin like it only."""
    if not whole.parent.is_dir():
        return []
    near = (path for path in whole.parent.iterdir() if path.name.startswith(whole.name))
    named = ((part_of(path.name), path) for path in near)
    return [(part, path) for part, path in named if part and part.set == whole.name]


def owner_of(path: Path) -> str:
    """Who writes the file or store now, complete or growing; empty: nobody, as far as can be seen from here."""
    return str(ask("owner", path.with_name(path.name.removesuffix(GROWING))))


def length_of(path: Path) -> Length:
    return Length(**ask("length", path))


def cut_short(path: Path) -> str:
    """What is missing of a file that is shorter than its header says; "" if nothing is. Libraries read what lies beyond
    the end of such a file as zeros, or as fill values, and say nothing."""
    needed, size = length_of(path), path.stat().st_size
    if size >= needed.bytes:
        return ""
    return (
        f"'{path}' has {size} bytes, its header needs {needed.bytes}: it was cut short and holds "
        f"{needed.whole_records(size)} of {needed.records} records; libraries read the rest as fill values or zeros"
    )


def journal_of(file: Path) -> Journal | None:
    """None if there is none beside the file, or none that is whole: then the file was not touched by it."""
    said = ask("journal", file)
    if said is None:
        return None
    writes = tuple((offset, bytes.fromhex(data)) for offset, data in said["writes"])
    return Journal(said["sequence"], said["records"], None if said["file_bytes"] < 0 else said["file_bytes"], writes)


def require_replaceable(folder: Path) -> None:
    """Errors: DataError, unless there is nothing in the folder but what a format puts there."""
    ask("replaceable", folder)
