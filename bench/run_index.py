"""The benchmark of index lists: an unstructured mesh in runs of several lengths, written by Thalweg and by PnetCDF with
either MPI-IO of Open MPI, in turn. See README.md."""

import argparse
import json
import shutil
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import netCDF4
import numpy as np
from driver import machine
from driver.formula import NoiseFormula
from driver.launch import RunError, Setup, start_ranks, sync_files, wait_for, warm_memory
from driver.place import data_folder
from rich.console import Console
from rich.table import Table

GIB = 2**30
OWN = "thalweg_thread"


class Way(NamedTuple):
    name: str
    program_way: str
    mpi_options: tuple[str, ...] = ()


WAYS = (
    Way(OWN, "thalweg_thread"),
    Way("thalweg_grid", "thalweg_grid"),
    Way("pnetcdf_ompio", "pnetcdf", ("--mca", "io", "ompio")),
    Way("pnetcdf_romio", "pnetcdf", ("--mca", "io", "romio321")),
)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=Path("build/bin/thalweg_bench_index"))
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of index.json")
    parser.add_argument("--data", type=Path, help="where the files are written for a while (default: OUT)")
    parser.add_argument("--points", type=int, default=2**22)
    parser.add_argument("--variables", type=int, default=4)
    parser.add_argument("--records", type=int, default=3)
    parser.add_argument("--parts", type=int, default=16, help="that the mesh is dealt to; a rank holds several")
    parser.add_argument("--means", type=lambda text: [int(one) for one in text.split(",")], default=[1, 10, 100])
    parser.add_argument("--runs", type=int, default=3, help="rounds")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--warm-gib", type=float, default=4.0, help="free memory touched before each run")
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds for one run")
    parser.add_argument("--quick", action="store_true", help="2^18 points, one run of each way")
    options = parser.parse_args()
    if options.quick:
        options.points, options.runs, options.warm_gib = 2**18, 1, 0.0
    return options


def values_equal(path: Path, options: argparse.Namespace) -> bool:
    formula = NoiseFormula(options.points)
    with netCDF4.Dataset(path) as dataset:
        dataset.set_auto_mask(False)
        for variable in range(options.variables):
            stored = dataset[f"v{variable}"]
            if stored.shape[0] != options.records or stored[0].size != options.points:
                return False
            for record in range(options.records):
                if not np.array_equal(stored[record].reshape(-1), formula.level(variable, record, 0)):
                    return False
    return True


def run_once(options: argparse.Namespace, data: Path, way: Way, mean: int, check: bool) -> dict[str, Any]:
    """One measurement; its file is checked if asked for, and removed."""
    folder = data / f"{way.name}-{mean}"
    folder.mkdir()
    warm_memory(int(options.warm_gib * GIB))
    setup = Setup(options.program.absolute(), data, options.ranks, 1.0, 0, options.timeout)
    result = folder / "result.json"
    words = [f"{key}={getattr(options, key)}" for key in ("points", "parts", "variables", "records")]
    command = [way.program_way, str(folder / "output.nc"), str(result), f"mean={mean}", *words]
    try:
        begin_s = time.monotonic()
        wait_for(start_ranks(setup, setup.ranks, command, list(way.mpi_options)), None, setup.timeout_s)
        ended_s = time.monotonic()
        sync_files(folder)
        run = json.loads(result.read_text())
        run["on_disk_s"] = run["wall_s"] + time.monotonic() - ended_s
        run["launch_s"] = ended_s - begin_s
        run["stall_s_per_record"] = float(np.mean(run["stall_s"]))
        run["values_equal"] = values_equal(folder / "output.nc", options) if check else None
        return run
    finally:
        shutil.rmtree(folder)


def measure(options: argparse.Namespace, data: Path, console: Console) -> dict[int, dict[str, list[dict[str, Any]]]]:
    """Runs by mean length and way. A way that failed once is left out from then on."""
    runs: dict[int, dict[str, list[dict[str, Any]]]] = {m: {way.name: [] for way in WAYS} for m in options.means}
    failed: set[tuple[int, str]] = set()
    for number in range(options.runs):
        for mean in options.means:
            for way in WAYS:
                if (mean, way.name) in failed:
                    continue
                label = f"{number + 1}/{options.runs} runs of {mean:4} {way.name:16}"
                try:
                    run = run_once(options, data, way, mean, check=number == 0)
                except RunError as failure:
                    failed.add((mean, way.name))
                    console.print(f"{label} [red]failed: {failure}[/]")
                    continue
                runs[mean][way.name].append(run)
                stall_ms = 1e3 * run["stall_s_per_record"]
                console.print(f"{label} stall {stall_ms:9.2f} ms  wall {run['wall_s']:7.2f} s", highlight=False)
    return runs


def summary_of(runs: dict[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Medians of each way, and their ratios to Thalweg's."""
    keys = ("setup_s", "stall_s_per_record", "wall_s", "on_disk_s")
    rows = []
    for name, all_runs in runs.items():
        if not all_runs:
            continue
        row: dict[str, Any] = {key: median(run[key] for run in all_runs) for key in keys}
        checked = [run["values_equal"] for run in all_runs if run["values_equal"] is not None]
        rows.append({"name": name, "runs": len(all_runs), "values_equal": all(checked)} | row)
    own = next((row for row in rows if row["name"] == OWN), None)
    for row in rows:
        for key in ("stall_s_per_record", "on_disk_s"):
            row[f"{key}_ratio"] = row[key] / own[key] if own else None
    return rows


def table_of(mean: int, rows: list[dict[str, Any]]) -> Table:
    table = Table(title=f"runs of {mean} points on average; medians, and ratios of medians to {OWN}")
    for column in ("way", "runs", "set-up s", "stall ms a record", "x", "wall s", "on disk s", "x", "values"):
        table.add_column(column, justify="left" if column == "way" else "right")
    for row in rows:
        table.add_row(
            row["name"],
            str(row["runs"]),
            f"{row['setup_s']:.2f}",
            f"{1e3 * row['stall_s_per_record']:.1f}",
            f"{row['stall_s_per_record_ratio']:.2f}" if row["stall_s_per_record_ratio"] else "-",
            f"{row['wall_s']:.2f}",
            f"{row['on_disk_s']:.2f}",
            f"{row['on_disk_s_ratio']:.2f}" if row["on_disk_s_ratio"] else "-",
            "equal" if row["values_equal"] else "WRONG",
        )
    return table


def main() -> int:
    options = arguments()
    console = Console(width=None if sys.stdout.isatty() else 140)
    with data_folder(options.out, options.data) as data:
        about = machine.describe(data)
        runs = measure(options, data, console)
    summaries = {mean: summary_of(of_mean) for mean, of_mean in runs.items()}
    report = {"machine": about, "summaries": summaries, "runs": runs}
    for key in ("points", "variables", "records", "parts", "ranks"):
        report[key] = getattr(options, key)
    (options.out / "index.json").write_text(json.dumps(report, indent=1) + "\n")
    for mean, rows in summaries.items():
        console.print(table_of(mean, rows))
    complete = all(len(rows) == len(WAYS) and all(row["values_equal"] for row in rows) for rows in summaries.values())
    return 0 if complete else 1


if __name__ == "__main__":
    sys.exit(main())
