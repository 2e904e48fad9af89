"""Starts test programs under mpiexec so that nothing can hang, and says what every rank met."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

BUILD_DIR = Path(os.environ["THALWEG_TEST_BUILD_DIR"])
BIN = BUILD_DIR / "bin"
SLOW_PWRITE = BUILD_DIR / "lib" / "libslow_pwrite.so"

# Codes of thalweg.h.
ARGUMENT, CONFIG, NAME, SHAPE, STATE, AGREEMENT, MEMORY, STORAGE, DEADLINE, FULL, FORMAT = range(1, 12)
PEER = 13

Command = Sequence[object]
Variables = dict[str, object]


@dataclass(frozen=True)
class Outcome:
    label: str
    code: int
    seconds: float
    text: str


@dataclass(frozen=True)
class Run:
    folder: Path
    returncode: int
    seconds: float
    output: str
    outcomes: dict[int, list[Outcome]]

    def of(self, rank: int, label: str) -> Outcome:
        """The last outcome of a call on a rank."""
        found = [outcome for outcome in self.outcomes.get(rank, []) if outcome.label == label]
        assert found, f"rank {rank} has no outcome of '{label}':\n{self.outcomes}\n{self.output}"
        return found[-1]

    def failures(self, rank: int) -> list[Outcome]:
        return [outcome for outcome in self.outcomes.get(rank, []) if outcome.code != 0]

    def first_failure(self, rank: int) -> Outcome:
        failures = self.failures(rank)
        assert failures, f"rank {rank} met no error:\n{self.outcomes}\n{self.output}"
        return failures[0]


def environment() -> dict[str, str]:
    """Ours, without the names that Thalweg would take for settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("THALWEG_")}


def exports(variables: Variables) -> list[str]:
    return [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]


@dataclass
class Job:
    """A running mpiexec with a session of its own, whose processes are found by it."""

    folder: Path
    process: subprocess.Popen[str]
    started: float = field(default_factory=time.monotonic)

    def ranks(self) -> dict[int, int]:
        """Process of each rank."""
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                session = int((folder / "stat").read_text().rpartition(")")[2].split()[3])
                variables = (folder / "environ").read_bytes().split(b"\0") if session == self.process.pid else []
            except OSError:
                continue
            for variable in variables:
                if variable.startswith(b"OMPI_COMM_WORLD_RANK="):
                    found[int(variable.partition(b"=")[2])] = int(folder.name)
        return found

    def signal(self, what: signal.Signals, ranks: Sequence[int] | None = None) -> None:
        for rank, process in self.ranks().items():
            if ranks is None or rank in ranks:
                try:
                    os.kill(process, what)
                except ProcessLookupError:
                    continue

    def wait_until(self, ready: Callable[[], bool], limit_s: float = 30.0) -> None:
        end = time.monotonic() + limit_s
        while not ready():
            assert self.process.poll() is None, f"the job has ended:\n{self.end(5).output}"
            assert time.monotonic() < end, f"not ready after {limit_s} s"
            time.sleep(0.01)

    def end(self, limit_s: float) -> Run:
        """Waits for the job; one that is still there at the limit is killed, and the test fails."""
        try:
            output, _ = self.process.communicate(timeout=limit_s)
        except subprocess.TimeoutExpired:
            self.signal(signal.SIGKILL)
            os.killpg(self.process.pid, signal.SIGKILL)
            output, _ = self.process.communicate()
            raise AssertionError(f"hung: no end after {limit_s} s\n{read_outcomes(self.folder)}\n{output}") from None
        seconds = time.monotonic() - self.started
        return Run(self.folder, self.process.returncode, seconds, output, read_outcomes(self.folder))


def read_outcomes(folder: Path) -> dict[int, list[Outcome]]:
    return {
        int(file.stem.removeprefix("rank")): [Outcome(**json.loads(line)) for line in file.read_text().splitlines()]
        for file in sorted(folder.glob("rank*.jsonl"))
    }


def begin(
    folder: Path, yaml: str, contexts: Sequence[tuple[int, Command, Variables]], launcher: Variables | None = None
) -> Job:
    """Starts a job of several application contexts: ranks, program with arguments, environment."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "thalweg.yaml").write_text(yaml)
    command: list[str] = ["mpiexec"]
    for number, (ranks, program, variables) in enumerate(contexts):
        command += [":"] if number else []
        command += ["-n", str(ranks), *exports(variables), str(BIN / str(program[0])), *map(str, program[1:])]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment() | {name: str(value) for name, value in (launcher or {}).items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    return Job(folder, process)


def run(folder: Path, yaml: str, ranks: int, program: Command, limit_s: float = 30.0, **variables: object) -> Run:
    return begin(folder, yaml, [(ranks, program, variables)]).end(limit_s)


def recover(partial: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / "recover", partial], env=environment(), capture_output=True, text=True, timeout=30, check=False
    )


def history(writers: str = "thread", top: str = "", **settings: object) -> str:
    """Configuration of one collection."""
    keys = {"file": file_of(str(settings.get("format", "")))} | settings
    lines = "".join(f"    {key.replace('_', '-')}: {value}\n" for key, value in keys.items())
    return f"writers: {writers}\nreport: none\n{top}collections:\n  history:\n{lines}"


def file_of(file_format: str) -> str:
    return "history.zarr" if file_format == "zarr" else "history.nc"
