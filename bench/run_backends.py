"""The sweep of PFIO's users: what the model and its servers take with 1 to 5 back ends, on PFIO's two grids.
See README.md."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from driver import machine
from driver.launch import RunError, wait_for, warm_memory
from driver.place import data_folder
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table

GIB = 2**30
ROWS = ("i_server_client", "o_server_front")  # of the profiler, inclusive seconds
RECORDS = 6  # of each of three files


class Grid(NamedTuple):
    im: int
    jm: int
    km: int

    @property
    def name(self) -> str:
        return f"{self.im} × {self.jm} × {self.km}"


GRIDS = (Grid(360, 181, 72), Grid(720, 361, 72))
# What PFIO's wiki printed for 28 clients and a node of 28 servers (client, front end; seconds). A trend to compare;
# the machine was another one.
PUBLISHED = {
    GRIDS[0]: {2: (1.187, 1.813), 3: (0.291, 1.216), 4: (0.260, 0.297), 5: (0.324, 0.357)},
    GRIDS[1]: {2: (3.379, 5.795), 3: (0.977, 6.262), 4: (1.009, 1.204), 5: (1.051, 1.250)},
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=Path("build/release/bin/pfio_demo"))
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of backends.json and backends.png")
    parser.add_argument("--data", type=Path, help="where the files are written for a while (default: OUT)")
    parser.add_argument("--node", type=int, default=6, help="ranks of an emulated node: one of clients, one of servers")
    parser.add_argument("--collections", type=int, default=4, help="that the back ends take turns with")
    parser.add_argument("--backends", type=lambda text: [int(one) for one in text.split(",")], default=[1, 2, 3, 4, 5])
    parser.add_argument("--runs", type=int, default=3, help="rounds")
    parser.add_argument("--warm-gib", type=float, default=4.0, help="free memory touched before each run")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for one run")
    parser.add_argument("--quick", action="store_true", help="a sixteenth of the grids, one run of each")
    options = parser.parse_args()
    if options.quick:
        options.runs, options.warm_gib = 1, 0.0
    if max(options.backends) >= options.node:
        parser.error(f"{max(options.backends)} back ends leave no front end on a node of {options.node} ranks")
    return options


def command(options: argparse.Namespace, grid: Grid, backends: int) -> list[str]:
    """As PFIO's users launch it."""
    scale = 4 if options.quick else 1
    sizes = ["--im", grid.im // scale, "--jm", grid.jm // scale, "--km", grid.km, "--collections", options.collections]
    servers = ["--npes_model", options.node, "--nodes_output_server", 1, "--oserver_type", "multigroup"]
    servers += ["--npes_backend_pernode", backends, "--with_io_profiler", "true"]
    words = ["mpiexec", "-n", 2 * options.node, options.program.absolute(), *servers, *sizes, "--records", RECORDS]
    return [str(word) for word in words]


def run_once(options: argparse.Namespace, data: Path, grid: Grid, backends: int) -> dict[str, float]:
    folder = data / f"{grid.im}-{backends}"
    folder.mkdir()
    configuration = "command-line: pfio\nwriters: thread\nreference-date: 2010-01-03\n"
    (folder / "pfio_demo.yaml").write_text(configuration)
    warm_memory(int(options.warm_gib * GIB))
    nodes = f"[{options.node}, {options.node}]"
    environment = {"OMPI_MCA_hwloc_base_binding_policy": "none", **os.environ, "THALWEG_EMULATE_NODES": nodes}
    start_s = time.monotonic()
    with (folder / "log").open("w+") as log:
        process = subprocess.Popen(
            command(options, grid, backends), cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT
        )
        try:
            wait_for(process, None, options.timeout)
        except RunError as failure:
            raise RunError(f"{failure}: {log_tail(folder)}") from None
        wall_s = time.monotonic() - start_s
    run = parse((folder / "log").read_text())
    run["wall_s"] = wall_s
    run["bytes"] = sum(path.stat().st_size for path in folder.glob("*.nc4"))
    shutil.rmtree(folder)
    return run


def log_tail(folder: Path) -> str:
    return " ".join((folder / "log").read_text().split()[-40:])


def parse(text: str) -> dict[str, float]:
    """The profiler's inclusive times and the pause of a record."""
    found = {row: re.search(rf"^ *{row} +([0-9.]+)", text, re.MULTILINE) for row in ROWS}
    pause = re.search(r"mean +([0-9.]+)", text)
    missing = [row for row, match in found.items() if match is None]
    if missing or pause is None:
        raise RunError(f"the profiler's report has no row {', '.join(missing) or 'of pauses'}")
    return {row: float(match.group(1)) for row, match in found.items()} | {"pause_ms": float(pause.group(1))}


def measure(options: argparse.Namespace, data: Path, console: Console) -> dict[Grid, dict[int, list[dict[str, float]]]]:
    runs: dict[Grid, dict[int, list[dict[str, float]]]] = {grid: {n: [] for n in options.backends} for grid in GRIDS}
    for number in range(options.runs):
        for grid in GRIDS:
            for backends in options.backends:
                run = run_once(options, data, grid, backends)
                runs[grid][backends].append(run)
                times = "  ".join(f"{row} {run[row]:7.3f} s" for row in ROWS)
                console.print(f"{number + 1}/{options.runs} {grid.name}, {backends} back ends: {times}", soft_wrap=True)
    return runs


def spread(runs: list[dict[str, float]], key: str, digits: int = 3) -> str:
    values = [run[key] for run in runs]
    return f"{median(values):.{digits}f} ({min(values):.{digits}f}–{max(values):.{digits}f})"


def show(console: Console, grid: Grid, runs: dict[int, list[dict[str, float]]]) -> None:
    table = Table(title=f"{grid.name}, rounds: {len(next(iter(runs.values())))}")
    heads = ("back ends", *ROWS, "pause of a record, ms", "run, s", "PFIO, published: client, front")
    for head in heads:
        table.add_column(head, justify="right")
    for backends, each in runs.items():
        published = PUBLISHED[grid].get(backends)
        reference = f"{published[0]:.3f}, {published[1]:.3f}" if published else "–"
        times = [spread(each, row) for row in ROWS]
        table.add_row(str(backends), *times, spread(each, "pause_ms", 1), spread(each, "wall_s", 2), reference)
    console.print(table)


def draw(runs: dict[Grid, dict[int, list[dict[str, float]]]], path: Path) -> None:
    figure = Figure(figsize=(11, 4.4), layout="constrained")
    for axes, (grid, by_backends) in zip(figure.subplots(1, 2), runs.items(), strict=True):
        for row, color in zip(ROWS, ("#0b6e99", "#d9a441"), strict=True):
            medians = [median(run[row] for run in each) for each in by_backends.values()]
            axes.plot(list(by_backends), medians, "o-", color=color, label=row)
        for place, (row, color) in enumerate(zip(ROWS, ("#0b6e99", "#d9a441"), strict=True)):
            published = [both[place] for both in PUBLISHED[grid].values()]
            axes.plot(list(PUBLISHED[grid]), published, "s:", color=color, alpha=0.5, label=f"{row}, PFIO published")
        axes.set(title=grid.name, xlabel="back ends", ylabel="inclusive, s", ylim=(0, None))
        axes.set_xticks(list(by_backends))
        axes.legend(fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)


def main() -> int:
    options = arguments()
    console = Console(width=None if sys.stdout.isatty() else 150)
    with data_folder(options.out, options.data) as data:
        about = machine.describe(data)
        try:
            runs = measure(options, data, console)
        except RunError as failure:
            console.print(f"[red]{failure}[/]")
            return 1
    for grid in GRIDS:
        show(console, grid, runs[grid])
    report: dict[str, Any] = {"machine": about, "node": options.node, "collections": options.collections}
    report["runs"] = {grid.name: by_backends for grid, by_backends in runs.items()}
    (options.out / "backends.json").write_text(json.dumps(report, indent=1) + "\n")
    draw(runs, options.out / "backends.png")
    console.print(f"{options.out}/backends.json, {options.out}/backends.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
