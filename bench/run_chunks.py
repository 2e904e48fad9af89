"""The chunk benchmark: chunks of every shape on a grid of 5 x 3 I/O domains, raw and compressed. See README.md."""

import argparse
import json
import shutil
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

from driver import machine, show, verify
from driver.launch import RunError, Setup, run_once
from driver.place import data_folder
from driver.ways import WAYS, Way
from rich.console import Console
from rich.table import Table

LAYOUT = {"y": 5, "x": 3}
CHUNKS_ALONG_X = (1, 2, 3, 4)
CHUNKS_ALONG_Y = (1, 3, 5, 15)
CHUNKED_WAYS = ("thalweg_thread_netcdf4", "thalweg_thread_netcdf4_zstd")
REFERENCES = ("thalweg_thread_cdf5", "pnetcdf_blocking")  # without chunks
GRID = {"y": 450, "x": 720}
QUICK_RECORDS = 1
TABLES = {
    "stall_ms": "stall, ms a record",
    "wall_s": "wall, s",
    "finish_ms": "closing, ms",
    "calls_per_block": "write calls for each block",
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=Path("build/bin/thalweg_bench_output"))
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of chunks.json")
    parser.add_argument("--data", type=Path, help="where the files are written for a while (default: OUT)")
    parser.add_argument("--quick", action="store_true", help="grid cut to 1/16, one record, one run")
    parser.add_argument("--chunks-of", choices=("domain", "grid"), default="domain", help="what the numbers cut")
    parser.add_argument("--scale", type=Fraction, default=Fraction(1), help="shrinks the grid's area, for example 1/16")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--timeout", type=float, default=180.0, help="seconds for one run")
    options = parser.parse_args()
    if options.quick:
        options.scale, options.runs = Fraction(1, 16), 1
    return options


def extent(dimension: str, chunks: int, options: argparse.Namespace) -> int:
    """Cells of a chunk along a dimension, when so many cut a domain, or the grid."""
    cells = round(GRID[dimension] * float(options.scale) ** 0.5)
    pieces = chunks * (LAYOUT[dimension] if options.chunks_of == "domain" else 1)
    return -(-cells // pieces)


def settings(chunks: str) -> str:
    return f"layout: [{LAYOUT['y']}, {LAYOUT['x']}]" + (f", chunks: {chunks}" if chunks else "")


def cells(options: argparse.Namespace) -> list[tuple[str, Way]]:
    """What is run, in order: a label, and the way with its settings."""
    found = [(name, WAYS[name]) for name in REFERENCES if name == "pnetcdf_blocking"]
    found += [(name, replace(WAYS[name], settings=settings(""))) for name in REFERENCES if name != "pnetcdf_blocking"]
    for name in CHUNKED_WAYS:
        found.append((f"{name} default", replace(WAYS[name], settings=settings(""))))
        for y in CHUNKS_ALONG_Y:
            for x in CHUNKS_ALONG_X:
                shape = f"{{y: {extent('y', y, options)}, x: {extent('x', x, options)}}}"
                found.append((f"{name} {y}x{x}", replace(WAYS[name], settings=settings(shape))))
    return found


def measure(setup: Setup, way: Way, options: argparse.Namespace, check: bool) -> dict[str, Any]:
    run, folder = run_once(setup, "chunks", way, QUICK_RECORDS if options.quick else 0, 0)
    try:
        result = {
            "stall_ms": 1e3 * run["stall_s_per_record"],
            "wall_s": run["wall_s"],
            "finish_ms": 1e3 * run["finish_s"],
            "compression": run["compression"],
            "values_equal": verify.values_equal(folder / way.file, run) if check else None,
        }
        return result | written(folder / "profile.json")
    finally:
        shutil.rmtree(folder)


def written(profile: Path) -> dict[str, Any]:
    """What Thalweg's own profile says of the writes."""
    if not profile.exists():
        return {}
    writers = [rank["writer"] for rank in json.loads(profile.read_text())["ranks"]]
    calls, blocks = (sum(writer[key] for writer in writers) for key in ("write_calls", "blocks"))
    return {"write_calls": calls, "blocks": blocks, "calls_per_block": calls / blocks}


def summarize(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Medians; the values were checked in the first run."""
    keys = [key for key in runs[0] if key != "values_equal"]
    return {key: median(run[key] for run in runs) for key in keys} | {"values_equal": runs[0]["values_equal"]}


def all_cells(setup: Setup, options: argparse.Namespace, console: Console) -> tuple[dict[str, Any], dict[str, str]]:
    runs: dict[str, list[dict[str, Any]]] = {}
    errors: dict[str, str] = {}
    for number in range(options.runs):
        for label, way in cells(options):
            if label in errors:
                continue
            try:
                run = measure(setup, way, options, check=number == 0)
            except (RunError, *verify.READ_ERRORS) as failure:
                errors[label] = str(failure)
                console.print(f"{label} [red]failed: {failure}[/]")
                continue
            runs.setdefault(label, []).append(run)
            numbers = "  ".join(f"{title}: {run[key]:.2f}" for key, title in TABLES.items() if key in run)
            console.print(f"{label:40} {numbers} {show.check_mark(run['values_equal'])}", highlight=False)
    return {label: summarize(of_label) for label, of_label in runs.items()}, errors


def grid_table(name: str, key: str, results: dict[str, Any], what: str) -> Table:
    """Rows are chunks along y, columns chunks along x."""
    table = Table(title=f"{name}: {TABLES[key]}")
    table.add_column(f"chunks of a {what} along y ↓ x →", justify="right")
    for x in CHUNKS_ALONG_X:
        table.add_column(str(x), justify="right")
    for y in CHUNKS_ALONG_Y:
        found = [results.get(f"{name} {y}x{x}", {}).get(key) for x in CHUNKS_ALONG_X]
        table.add_row(str(y), *("–" if value is None else f"{value:.2f}" for value in found))
    return table


def single_table(results: dict[str, Any]) -> Table:
    table = Table(title="for comparison: without chunks, and with Thalweg's default chunks")
    for head in ("way", *TABLES.values()):
        table.add_column(head, justify="right")
    for label in (*REFERENCES, *(f"{name} default" for name in CHUNKED_WAYS)):
        values = [results.get(label, {}).get(key) for key in TABLES]
        table.add_row(label, *("–" if value is None else f"{value:.2f}" for value in values))
    return table


def main() -> int:
    options = arguments()
    console = Console(width=None if sys.stdout.isatty() else 170)
    with data_folder(options.out, options.data) as data:
        setup = Setup(options.program.absolute(), data, options.ranks, float(options.scale), 0, options.timeout)
        about = machine.describe(data) | {"ranks": options.ranks, "scale": float(options.scale)}
        results, errors = all_cells(setup, options, console)
    report = {"machine": about, "chunks_of": options.chunks_of, "results": results, "errors": errors}
    (options.out / "chunks.json").write_text(json.dumps(report, indent=1) + "\n")
    console.print(single_table(results))
    for name in CHUNKED_WAYS:
        for key in TABLES:
            console.print(grid_table(name, key, results, options.chunks_of))
    return 1 if errors or any(one["values_equal"] is False for one in results.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
