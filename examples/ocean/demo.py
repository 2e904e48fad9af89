#!/usr/bin/env python3
"""Runs the example ocean without output, with files by hand, and through Thalweg; compares and shows all."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import mean, median

import numpy as np
from compare import Comparison, compare_files
from demo_case import BEFORE, DEMO, QUICK, Case, write_settings
from draw_map import draw_map
from make_wind import INTERVAL_S, write_wind
from one_put import FOLDER, one_put_table
from reading_table import Waits, medians, reading_table, waits_of, what_was_read
from rich import box
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FILES = ("history.nc", "restart.nc")
WAYS = {
    "none": "no output",
    "classic": "gathered on rank 0",
    "sync": "Thalweg, sync",
    "thread": "Thalweg, thread",
}
DEADLINE_S = 300


@dataclass
class Result:
    wall_s: float  # from the opening of the output to its end
    stall_s_per_record: float
    cpu_s: float  # all ranks, from the opening of the output to its end
    bytes: int
    on_disk_s: float  # from the opening of the output until all files are on stable storage
    read: Waits
    values_equal: bool | None = None


@dataclass
class Summary(Result):
    """Medians of the rounds."""

    stall_from_s: float = 0.0
    stall_to_s: float = 0.0
    wall_from_s: float = 0.0
    wall_to_s: float = 0.0


def summary(rounds: Sequence[Result]) -> Summary:
    stalls, walls = [one.stall_s_per_record for one in rounds], [one.wall_s for one in rounds]
    return Summary(
        wall_s=median(walls),
        stall_s_per_record=median(stalls),
        cpu_s=median(one.cpu_s for one in rounds),
        bytes=rounds[0].bytes,
        on_disk_s=median(one.on_disk_s for one in rounds),
        read=medians([one.read for one in rounds]),
        stall_from_s=min(stalls),
        stall_to_s=max(stalls),
        wall_from_s=min(walls),
        wall_to_s=max(walls),
    )


def main() -> int:
    arguments = parse_arguments()
    console = Console()
    case = QUICK if arguments.quick else DEMO
    executable = (arguments.build_dir / "bin" / "ocean").resolve()
    if not executable.exists():
        console.print(f"[red]{executable} does not exist: run 'make build', or name the folder with --build-dir")
        return 1
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    console.print(
        f"The ocean of {case.mask}, {case.levels} levels, on {arguments.ranks} ranks: {len(arguments.ways)} ways, "
        f"{arguments.rounds} rounds in which they take turns"
    )
    busy = busy_before()
    warm_memory(1 if arguments.quick else 3)
    prepare(console, case, out, executable, arguments)
    results = {way: summary(rounds) for way, rounds in run_rounds(console, case, out, executable, arguments).items()}
    written = [way for way in results if way != "none"]
    with console.status("all values are compared …"), ProcessPoolExecutor() as pool:
        drawn = pool.submit(draw_map, out / written[-1] / FILES[0], out / "map.png") if written else None
        comparison = compare_all(pool, results, written, out)
        if drawn:
            drawn.result()
    console.print(table(results))
    caption(console, case, results, arguments, busy)
    console.print(reading_table(WAYS, {way: result.read for way, result in results.items()}))
    records = int(case.ends_s // INTERVAL_S) + 2
    console.print(what_was_read(case.mask_path, out / BEFORE / FILES[1], out / "wind.nc", records), highlight=False)
    with console.status("one put a step, and files of three kinds …"):
        kinds = one_put_table(
            out / FOLDER, 2 if arguments.quick else 32, partial(launch, executable=executable, ranks=arguments.ranks)
        )
    console.print(kinds)
    report(console, results, written, comparison, out)
    if not arguments.keep:
        for way in ("classic", "sync") if "thread" in results else ():
            shutil.rmtree(out / way, ignore_errors=True)
    return 1 if comparison.differences else 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ranks", type=at_least_one, default=4, help="ranks of each run (default: 4)")
    parser.add_argument("--rounds", type=at_least_one, default=3, help="how often each way runs (default: 3)")
    parser.add_argument("--quick", action="store_true", help="a small ocean: seconds in place of minutes")
    parser.add_argument("--format", choices=("netcdf4", "cdf5"), default="netcdf4", help="of all files")
    parser.add_argument("--build-dir", type=Path, default=ROOT / "build" / "release", help="where bin/ocean is")
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "demo", help="where files and results go")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), help="which runs to make")
    parser.add_argument("--keep", action="store_true", help="keep the files of all ways, not of the last alone")
    return parser.parse_args()


def at_least_one(word: str) -> int:
    if not word.isdigit() or int(word) < 1:
        raise argparse.ArgumentTypeError(f"'{word}' is no whole number from 1")
    return int(word)


def run_rounds(
    console: Console, case: Case, out: Path, executable: Path, arguments: argparse.Namespace
) -> dict[str, list[Result]]:
    """Each round begins with another way: none of them is always the first on a disk that has had time to rest."""
    ways: list[str] = arguments.ways
    results: dict[str, list[Result]] = {way: [] for way in ways}
    for number in range(arguments.rounds):
        first = number % len(ways)
        for way in ways[first:] + ways[:first]:
            with console.status(f"round {number + 1}: {WAYS[way]} …"):
                results[way].append(run_way(way, case, out / way, executable, arguments))
            console.print(f"  round {number + 1}, {WAYS[way]:<20} {results[way][-1].on_disk_s:6.1f} s")
    return results


def prepare(console: Console, case: Case, out: Path, executable: Path, arguments: argparse.Namespace) -> None:
    """Makes what all runs read: the wind, and a restart."""
    with console.status("a restart and the wind are written …"):
        write_wind(out / "wind.nc", case.mask_path, case.ends_s)
        write_settings(out / BEFORE, case, arguments.format, "thread", case.before_steps, "")
        launch(out / BEFORE, executable, arguments.ranks)


def busy_before() -> str:
    """What tells that others use the machine; empty: nothing. The load average would tell of the build, too."""
    before = processor_times()
    time.sleep(1)
    spent = [later - earlier for earlier, later in zip(before, processor_times(), strict=True)]
    used = 1 - (spent[3] + spent[4]) / max(sum(spent), 1)  # idle, and waiting for the storage
    return f"{used:.0%} of the processors were in use before the demo began" if used > 0.25 else ""


def processor_times() -> list[int]:
    """Of all processors together, by what they did, in ticks (proc(5), /proc/stat)."""
    return [int(ticks) for ticks in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]


def warm_memory(gigabytes: int) -> None:
    """Touches memory once. A virtual machine's pages may be taken back by its host while unused, and their first touch
    afterwards costs ten times the usual: that would be charged to whichever run comes first."""
    available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    np.ones(min(gigabytes << 30, available // 3), dtype=np.uint8)


def run_way(way: str, case: Case, folder: Path, executable: Path, arguments: argparse.Namespace) -> Result:
    write_settings(folder, case, arguments.format, way, case.steps, f"../{BEFORE}/{FILES[1]}")
    launch(folder, executable, arguments.ranks)
    for file in folder.glob("*.nc"):
        force_to_disk(file)
    on_disk = time.time()
    told = json.loads((folder / "report.json").read_text())
    return Result(
        wall_s=told["wall_s"],
        stall_s_per_record=mean(told["stall_s"]),
        cpu_s=told["cpu_s"],
        bytes=sum(file.stat().st_size for file in folder.glob("*.nc")),
        on_disk_s=on_disk - told["started_unix_s"],
        read=waits_of(told),
    )


def launch(folder: Path, executable: Path, ranks: int) -> None:
    # The configuration of each way is all in its files: settings of the user's environment would prevail over it.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("THALWEG_")}
    command = ["mpiexec", "-n", str(ranks), str(executable), "ocean.nml"]
    with (
        (folder / "log.txt").open("w") as log,
        subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT) as run,
    ):
        try:
            failure = f"ended with {run.returncode}" if run.wait(DEADLINE_S) else ""
        except subprocess.TimeoutExpired:
            run.terminate()  # mpiexec then ends its ranks
            failure = f"did not end within {DEADLINE_S} s"
    if failure:
        tail = "\n".join((folder / "log.txt").read_text().splitlines()[-20:])
        sys.exit(f"{' '.join(command)} {failure}; the end of {folder / 'log.txt'}:\n{tail}")


def force_to_disk(file: Path) -> None:
    descriptor = os.open(file, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def compare_all(pool: ProcessPoolExecutor, results: dict[str, Summary], written: list[str], out: Path) -> Comparison:
    """Every way against the classic one, or against the first that wrote files."""
    total = Comparison()
    if len(written) < 2:
        return total
    first, *others = written
    comparisons = pool.map(partial(compare_folders, out / first), (out / way for way in others))
    for way, comparison in zip(others, comparisons, strict=True):
        results[way].values_equal = comparison.equal
        total.add(comparison)
    results[first].values_equal = not total.differences
    return total


def compare_folders(reference: Path, other: Path) -> Comparison:
    comparison = Comparison()
    for name in FILES:
        comparison.add(compare_files(reference / name, other / name))
    return comparison


def caption(
    console: Console, case: Case, results: dict[str, Summary], arguments: argparse.Namespace, busy: str
) -> None:
    """What was done, and whether its numbers tell anything."""
    written = max(result.bytes for result in results.values()) / 1e6
    console.print(
        f"{arguments.ranks} ranks on {os.cpu_count()} processors wrote {case.records} records and a restart, "
        f"{written:.0f} MB together. Medians of {arguments.rounds} rounds; behind the stall its smallest and largest. "
        "Slow-down: run over run without output. CPU: of all ranks, more than without output.",
        highlight=False,
    )
    floor = results.get("none")
    if floor and arguments.rounds > 1 and floor.wall_to_s > 1.25 * floor.wall_from_s:
        said = f"runs without output took {floor.wall_from_s:.1f} to {floor.wall_to_s:.1f} s"
        busy = f"{busy}, and {said}" if busy else said
    if busy:
        console.print(f"[yellow]The machine is too busy for these numbers to tell much: {busy}.", highlight=False)


def report(
    console: Console, results: dict[str, Summary], written: list[str], comparison: Comparison, out: Path
) -> None:
    for difference in comparison.differences[:20]:
        console.print(f"[red]{difference}")
    if comparison.equal:
        console.print(f"[green]all files hold the same values[/] (compared {comparison.values:,} values of "
                      f"{comparison.variables} variables)")  # fmt: skip
    (out / "result.json").write_text(json.dumps({way: asdict(result) for way, result in results.items()}, indent=2))
    if written:
        show_next_steps(console, out, out / written[-1])


def show_next_steps(console: Console, out: Path, last: Path) -> None:
    lines = [
        f"{shorten(out / 'map.png')}: sea level and surface temperature at the end of the run",
        f"ncdump -h {shorten(last / FILES[0])}: an ordinary CF-netCDF file",
        "examples/ocean/output_classic.f90 beside output_thalweg.f90: what changes in a model that writes",
        "examples/ocean/input_classic.f90 beside input_thalweg.f90: and in one that reads",
        f"{shorten(last / 'ocean.yaml')}: writers, format and frequency; no need to compile anything again",
        f"{shorten(out / FOLDER / 'ocean.yaml')}: means, maxima and snapshots of one put a step",
    ]
    if not (ROOT / ".venv" / "bin" / "thalweg").exists():
        lines.append("make build: Python's package, the command .venv/bin/thalweg, all examples and programs")
    console.print("\nWhat to look at next:")
    for line in lines:
        console.print(f"  {line}", soft_wrap=True, highlight=False)


def table(results: dict[str, Summary]) -> Table:
    shown = Table(
        title="How long the model waits, and what else output costs",
        title_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1),
    )
    shown.add_column("\n\nway", no_wrap=True)
    for heading in (
        "stall a\nrecord\nms",
        "from–to\n\nms",
        "run\n\ns",
        "slow-\ndown\n×",
        "on disk\nafter\ns",
        "CPU\na GB\ns",
    ):
        shown.add_column(heading, justify="right", no_wrap=True)
    for way, result in results.items():
        shown.add_row(WAYS[way], *row(result, results.get("none")))
    return shown


def row(result: Summary, floor: Summary | None) -> list[str]:
    spread = f"{result.stall_from_s * 1e3:.0f}–{result.stall_to_s * 1e3:.0f}"
    cells = [f"{result.stall_s_per_record * 1e3:.0f}", spread, f"{result.wall_s:.2f}"]
    cells.append(f"{result.wall_s / floor.wall_s:.2f}" if floor else "–")
    if result.bytes == 0:
        return cells + ["–"] * 2
    cells.append(f"{result.on_disk_s:.2f}")
    cells.append(f"{(result.cpu_s - floor.cpu_s) / (result.bytes / 1e9):.2f}" if floor else "–")
    return cells


def shorten(path: Path) -> Path:
    """Relative to the folder the user is in, where that is above it."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


if __name__ == "__main__":
    sys.exit(main())
