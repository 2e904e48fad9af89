"""What a put of a field costs of which means and extremes are made, beside one pass over memory. See README.md."""

import argparse
import json
import sys
from pathlib import Path
from statistics import median

from driver import machine
from driver.place import data_folder
from driver.seconds import seconds_of
from rich.console import Console
from rich.table import Table

# Beside which of the ways each one is set.
BESIDE = {
    "mean": "pass",
    "mean, in 32 parts": "mean, at once",
    "mean, in 32 parts of two threads": "mean, in 32 parts",
    "mean of a third missing": "pass",
    "mean of another third missing each time": "pass",
    "mean, min, max": "three in a loop",
    "three in a loop": "pass",
    "expression of three": "expression in a loop",
    "columns: mean": "columns in a loop",
    "levels: 1, the coordinate": "pass",
    "levels: 2, the first field": "pass",
    "levels: 3, another field": "pass",
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/bench"), help="folder of fields.json")
    parser.add_argument("--data", type=Path, help="where the files are for a while (default: OUT)")
    programs = [Path(f"build/release/bin/thalweg_bench_{name}") for name in ("fields", "parts")]
    parser.add_argument("--programs", type=Path, nargs="+", default=programs)
    parser.add_argument("--cells", type=int, nargs="+", default=[20_000, 2_000_000])
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--timeout", type=float, default=120.0, help="seconds for one launch")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    table = Table(title="a put of float32, medians", title_justify="left")
    for column in ("cells", "what", "µs", "beside", "ratio"):
        table.add_column(column, justify="right")
    results = []
    with data_folder(options.out, options.data) as data:
        described = machine.describe(data)
        for cells in options.cells:
            seconds: dict[str, list[float]] = {}
            for program in options.programs:
                seconds |= seconds_of([program.resolve(), cells, options.rounds], 1, options.timeout, data)
            results.append({"cells": cells, "seconds": seconds})
            for way, taken in seconds.items():
                beside = BESIDE.get(way)
                ratio = median(a / b for a, b in zip(taken, seconds[beside], strict=True)) if beside else None
                shown = f"{ratio:.2f}" if ratio is not None else ""
                table.add_row(f"{cells:,}", way, f"{1e6 * median(taken):.1f}", beside or "", shown)
    (options.out / "fields.json").write_text(json.dumps({"machine": described, "results": results}, indent=1))
    Console(width=150).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
