"""The atmosphere of examples/python, which lies in the package where that is installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from thalweg import programs
from thalweg.cli import mpi_environment, verify_two
from thalweg.cli.demo import picture
from thalweg.cli.exit import Exit, Failure
from thalweg.cli.output import bytes_text, complain, counted, progress, say, say_json
from thalweg.cli.replay.launch import package_folder
from thalweg.cli.verify_two import Request
from thalweg.data import Dataset, checksums, open_any
from thalweg.data.compare import Tolerance

PLACES = (programs.PACKAGE / "examples" / "atmosphere", programs.PACKAGE.parents[1] / "examples/python/atmosphere")
FILES = ("history", "restart")
WAYS = {"none": "no output", "sync": "Thalweg, sync", "thread": "Thalweg, thread"}
CONFIGURATION = """\
# One of the runs of 'thalweg demo'. All keys: thalweg check --keys
report: none
time-step: {step_s} s
calendar: noleap
collections:
  history: {{file: history{suffix}, every: 1 h, format: {format}}}
  restart: {{file: restart{suffix}, every: 1 d, format: {format}, priority: high}}
"""


def program() -> Path:
    for place in PLACES:
        if (place / "atmosphere.py").is_file():
            return place / "atmosphere.py"
    raise Failure(Exit.ENVIRONMENT, f"the atmosphere is not in {PLACES[0]}: install the package 'thalweg' once more")


@dataclass(frozen=True)
class Grid:
    columns: int
    rows: int
    step_s: int

    @staticmethod
    def parse(text: str, ranks: int) -> Grid:
        found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
        if found is None:
            raise Failure(Exit.USAGE, f"--grid: '{text}' is no grid; write cells along longitude and latitude: 144x72")
        columns, rows = int(found[1]), int(found[2])
        if columns < 16 or rows < max(8, 2 * ranks):
            least = f"16x8, and 2 rows for each of {counted(ranks, 'rank')}"
            raise Failure(Exit.USAGE, f"--grid: '{text}' is too small: at least {least}")
        # The longest step of whole seconds, of which an hour is a multiple, that is as stable as 240 s on 144x72.
        stable = 240 * min(144 / columns, 72 / rows)
        steps = [step for step in range(1, 3601) if 3600 % step == 0 and step <= stable]
        if not steps:
            raise Failure(Exit.USAGE, f"--grid: '{text}' would need steps of less than a second; take fewer cells")
        return Grid(columns, rows, steps[-1])

    def __str__(self) -> str:
        return f"{self.columns}x{self.rows}"


@dataclass(frozen=True)
class Result:
    run_s: float
    output_s: float  # of the slowest rank, what is computed for the output included
    bytes: int
    mass_change: float
    energy_change: float


@dataclass(frozen=True)
class Demo:
    ranks: int
    days: float
    grid: Grid
    format: str
    folder: Path
    limit_s: float

    @property
    def suffix(self) -> str:
        return ".zarr" if self.format == "zarr" else ".nc"

    def show(self, as_json: bool) -> Exit:
        script = program()
        if not as_json:
            what = f"The atmosphere of {self.grid} cells for {self.days:g} days on {counted(self.ranks, 'rank')}"
            say(f"{what}: {counted(len(WAYS), 'run')}", "bold")
        results = {}
        with progress("running", len(WAYS)) as advance:
            for way in WAYS:
                results[way] = self.run(way, script)
                advance(1)
        comparisons = [self.compare(name) for name in FILES if self.path("sync", name).exists()]
        compared = sum(comparison.compared for comparison in comparisons)
        with open_any(self.path("thread", "history")) as history:
            outcome = Outcome(
                results=results,
                equal=all(comparison.is_equal for comparison in comparisons),
                compared=compared,
                wave_deg_a_day=picture.wave_speed_deg_a_day(history),
            )
            if as_json:
                asked = {name: value for name, value in asdict(self).items() if name != "limit_s"}
                grid = {"grid": str(self.grid), "step_s": self.grid.step_s}
                say_json({"model": "atmosphere"} | asked | grid | asdict(outcome))
            else:
                report(outcome, history, script)
        return Exit.OK if outcome.equal else Exit.FINDING

    def path(self, way: str, name: str) -> Path:
        return self.folder / way / f"{name}{self.suffix}"

    def run(self, way: str, script: Path) -> Result:
        folder = self.folder / way
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        words: list[object] = [sys.executable, script, "--grid", self.grid, "--days", self.days]
        words += ["--step", self.grid.step_s, "--report", "report.json"]
        if way == "none":
            words += ["--no-output"]
        else:
            text = CONFIGURATION.format(step_s=self.grid.step_s, format=self.format, suffix=self.suffix)
            (folder / "atmosphere.yaml").write_text(text)
            words += ["--config", "atmosphere.yaml"]
        self.launch(words, folder, {"THALWEG_WRITERS": way} if way != "none" else {})
        told: dict[str, Any] = json.loads((folder / "report.json").read_text())
        named = [file for file in folder.rglob("*") if file.is_file() and self.suffix in str(file.relative_to(folder))]
        files = [file for file in named if not file.name.endswith(checksums.ENDING)]
        return Result(
            run_s=told["wall_s"],
            output_s=told["output_s"],
            bytes=sum(file.stat().st_size for file in files),
            mass_change=told["mass_change"],
            energy_change=told["energy_change"],
        )

    def launch(self, words: list[object], folder: Path, settings: dict[str, str]) -> None:
        mpiexec = shutil.which("mpiexec")
        if mpiexec is None:
            raise Failure(Exit.ENVIRONMENT, "mpiexec is not on PATH; load the module of the MPI library")
        path = os.pathsep.join([str(package_folder()), *filter(None, [os.environ.get("PYTHONPATH")])])
        environment = mpi_environment.OVERSUBSCRIBED | settings | {"PYTHONPATH": path}
        done = programs.run([mpiexec, "-n", self.ranks, *words], self.limit_s, environment, folder)
        (folder / "log.txt").write_text(done.stdout + done.stderr)
        if done.returncode == 124:
            raise Failure(Exit.ENVIRONMENT, f"a run did not end within {self.limit_s:g} s; --limit allows more")
        if done.returncode != 0 or not (folder / "report.json").is_file():
            said = "".join(line for line in done.stderr.splitlines() if re.match(r"[\w.]+(Error|Exception)\b", line))
            raise Failure(
                Exit.ENVIRONMENT, f"a run ended with code {done.returncode}: {said or 'see'} ({folder / 'log.txt'})"
            )

    def compare(self, name: str) -> verify_two.Comparison:
        a, b = self.path("sync", name), self.path("thread", name)
        with open_any(a) as one, open_any(b) as other:
            request = Request(a, b, Tolerance(), [], [], 3, 64 << 20)
            comparison = verify_two.compare(one, other, request)
            if not comparison.is_equal:
                complain(f"thalweg: '{a}' and '{b}' differ: see 'thalweg verify {a} {b}'")
            return comparison


@dataclass(frozen=True)
class Outcome:
    results: dict[str, Result]
    equal: bool
    compared: int  # values
    wave_deg_a_day: float


def report(outcome: Outcome, history: Dataset, script: Path) -> None:
    say(f"{'':<18}{'run':>9}{'in output':>12}{'of the run':>12}{'written':>12}")
    for way, result in outcome.results.items():
        cells = ["-"] * 3
        if result.bytes:
            cells = [f"{result.output_s:.2f} s", f"{result.output_s / result.run_s:.1%}", bytes_text(result.bytes)]
        say(f"{WAYS[way]:<18}{result.run_s:>7.2f} s" + "".join(f"{cell:>12}" for cell in cells))
    if outcome.equal:
        say(f"both wrote the same values ({outcome.compared:,} compared)", "green")
    last = outcome.results["thread"]
    say(f"of itself, mass changed by {last.mass_change:.0e}, energy by {last.energy_change:.0e}")
    speed = f"{outcome.wave_deg_a_day:.1f} degrees a day"
    say(f"the wave moved eastward by {speed} (without divergence: 12.2); its height at the end:")
    for line in picture.drawn(history):
        say(f"  {line}")
    say("What to look at next:")
    say(f"  {'ncdump -h' if history.kind != 'zarr' else 'thalweg verify'} {history.path}")
    say(f"  {script.with_name('output.py')}: what a model has to say")
    say(f"  {history.path.with_name('atmosphere.yaml')}: files, intervals, formats")
