"""A small job, or a recovery, of which one call to the storage fails or kills it (fault_calls.c)."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from killed_job import ENCODINGS
from launch import BIN, BUILD_DIR, Job, environment, exports, file_of, history
from support.mpi import SANITIZER
from support.python import INTERPRETER, PATHS, PROGRAMS

FAULT_CALLS = BUILD_DIR / "lib" / "libfault_calls.so"
SHAPE = (4, 64, 64)
"""temp is written past the page cache, the others are not"""
OUT = "out"
"""the folder of the job's files, whose calls are counted; those of the test itself lie beside it"""

PROGRAM = {
    "c": [str(BIN / "steady")],
    "fortran": [str(BIN / "steady_fortran")],
    "python": [*INTERPRETER, str(PROGRAMS / "steady.py")],
}
"""the same model in each language"""


@dataclass(frozen=True)
class Fault:
    number: int
    action: str
    """before, half, after, short, or an error number"""
    rank: int = 0
    lasts: bool = False
    kinds: tuple[str, ...] = ()
    """those that are counted; none: all"""

    def __str__(self) -> str:
        what = os.strerror(int(self.action)) if self.action.isdigit() else self.action
        return f"{what} at call {self.number} of rank {self.rank}{' and later' if self.lasts else ''}"

    def variables(self) -> dict[str, str]:
        return {
            "THALWEG_TEST_CALLS_NUMBER": str(self.number),
            "THALWEG_TEST_CALLS_ACTION": self.action,
            "THALWEG_TEST_CALLS_RANK": str(self.rank),
            "THALWEG_TEST_CALLS_LASTS": str(int(self.lasts)),
        } | ({"THALWEG_TEST_CALLS_KINDS": f" {' '.join(self.kinds)} "} if self.kinds else {})


@dataclass(frozen=True)
class Call:
    kind: str
    path: str

    @property
    def top(self) -> str:
        """the name in the folder of the job's files"""
        return self.path.partition(f"/{OUT}/")[2].partition("/")[0]

    def __str__(self) -> str:
        return f"{self.kind} {self.path[self.path.rfind(f'/{OUT}') + 1 :]}"


@dataclass(frozen=True)
class Model:
    """What a job writes, and on how many ranks, each of which is a node; one rank starts without mpiexec."""

    file_format: str
    encoding: str = "plain"
    pattern: str = "single"
    durability: str = "close"
    ranks: int = 1
    engine: str = "direct"
    language: str = "c"
    shape: tuple[int, int, int] = SHAPE

    def __str__(self) -> str:
        words = (self.file_format, self.encoding, self.pattern, self.durability, f"{self.ranks}_ranks", self.engine,
                 self.language, "x".join(map(str, self.shape)))  # fmt: skip
        usual = ("plain", "single", "close", "1_ranks", "direct", "c", "x".join(map(str, SHAPE)))
        return "-".join(word for word in words if word not in usual)

    @property
    def name(self) -> str:
        """of the file, or of the first one of a set"""
        return file_of(self.file_format) + (".0000" if self.pattern == "per-domain" else "")

    def configuration(self) -> str:
        top = f"emulate-nodes: {self.ranks}\n" if self.ranks > 1 else ""
        layout = {"layout": [self.ranks, 1]} if self.pattern == "shared" else {}
        file = f"{OUT}/{file_of(self.file_format)}"
        engine = {} if self.engine == "direct" else {"engine": self.engine}
        # A few records are all that there are: memory for 256 of them would take as long to make as all else.
        return history("thread", top, file=file, format=self.file_format, pattern=self.pattern, records_ahead=4,
                       durability=self.durability, **engine, **layout, **ENCODINGS[self.encoding])  # fmt: skip

    def configure(self, folder: Path) -> None:
        (folder / "thalweg.yaml").write_text(self.configuration())

    def command(self, records: int, variables: dict[str, str], pause_ms: int = 0) -> list[str]:
        """Of a job that waits for each record; with -1 records it puts none."""
        program = [*PROGRAM[self.language], str(records), "1", *map(str, self.shape), str(pause_ms)]
        return program if self.ranks == 1 else ["mpiexec", "-n", str(self.ranks), *exports(dict(variables)), *program]

    def run(self, folder: Path, records: int, fault: Fault | None = None, log: Path | None = None) -> Ended:
        """Runs the job to its end, whatever that is; a log gets all calls."""
        (folder / OUT).mkdir(exist_ok=True)
        self.configure(folder)
        for left in ("committed.log", *(f"rank{rank}.jsonl" for rank in range(self.ranks))):
            (folder / left).unlink(missing_ok=True)
        variables = {"THALWEG_TEST_FINALIZE": "1", **preloaded(fault, log)}
        variables |= {"PYTHONPATH": PATHS} if self.language == "python" else {}
        variables |= singleton(folder) if self.ranks == 1 else {}
        return ended(self.command(records, variables), folder, variables if self.ranks == 1 else {})


@dataclass(frozen=True)
class Ended:
    code: int
    output: str
    hung: bool = False

    @property
    def killed(self) -> bool:
        return self.code in (-9, 137)


def preloaded(fault: Fault | None, log: Path | None) -> dict[str, str]:
    if fault is None and log is None:
        return {}
    variables = {"LD_PRELOAD": f"{SANITIZER}:{FAULT_CALLS}", "THALWEG_TEST_CALLS_UNDER": f"/{OUT}/"}
    variables |= fault.variables() if fault else {"THALWEG_TEST_CALLS_RANK": "0"}
    return variables | ({"THALWEG_TEST_CALLS_LOG": str(log)} if log else {})


def singleton(folder: Path) -> dict[str, str]:
    """For a program that starts without mpiexec: files of MPI in a folder of its own, because two jobs that end and
    start at one time take the common one away from each other."""
    return {"OMPI_MCA_orte_tmpdir_base": str(folder)}


def ended(command: Sequence[object], folder: Path, variables: dict[str, str], limit_s: int = 30) -> Ended:
    """Runs a program of the tests to its end; at the limit it is killed with all that it has started."""
    process = subprocess.Popen(
        [str(word) for word in command],
        cwd=folder,
        env=environment() | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=limit_s)
        return Ended(process.returncode, output)
    except subprocess.TimeoutExpired:
        Job(folder, process).signal(signal.SIGKILL)  # ranks under mpiexec have groups of their own
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate(timeout=10)
        return Ended(process.returncode, output, hung=True)


def recover(folder: Path, partial: Path, fault: Fault | None = None, log: Path | None = None) -> Ended:
    return ended([BIN / "recover", partial], folder, preloaded(fault, log))


def calls_of(log: Path) -> list[Call]:
    lines = log.read_text().splitlines() if log.exists() else []
    return [Call(*line.split(" ", 1)) for line in lines]
