"""What definitions of many small variables cost: each step of a session until its first records are put. See
README.md."""

import argparse
import sys
from pathlib import Path
from statistics import median
from typing import Any

from driver.builds import in_turn, parser_for
from rich.console import Console
from rich.table import Table

MODEL = Path(__file__).parent / "definitions" / "model.py"
STEPS = ("start", "declare", "ready", "first record", "second record", "finish")
CASES = ("cdf5 41 boxes", "cdf5 41 list", "netcdf4 41 boxes", "netcdf4 387 boxes", "netcdf4 387 list")


def arguments() -> argparse.Namespace:
    parser = parser_for("definitions-CASE", __doc__)
    parser.add_argument("--cases", nargs="+", default=CASES, help="a format, variables, and boxes or list")
    parser.add_argument("--quick", action="store_true", help="the first case, one run")
    options = parser.parse_args()
    options.warm_gib = 0.0
    if options.quick:
        options.cases, options.runs = options.cases[:1], 1
    return options


def show(title: str, runs: dict[str, list[Any]], console: Console) -> None:
    table = Table(title=title, title_justify="left")
    for column in ("build", "ms", *STEPS, "all"):
        table.add_column(column, justify="right")
    for build, measured in runs.items():
        for place, what in enumerate(("wall", "cpu")):
            values = [[1e3 * run[step][place] for run in measured] for step in STEPS]
            values.append([sum(of_run) for of_run in zip(*values, strict=True)])
            cells = [f"{median(of):.0f} ({min(of):.0f}–{max(of):.0f})" for of in values]
            table.add_row(build, what, *cells)
    console.print(table)


def main() -> int:
    options = arguments()
    for case in options.cases:
        runs = in_turn(f"definitions-{case.replace(' ', '-')}", options, MODEL, case.split())
        title = f"{case}, {options.ranks} ranks: medians (lowest–highest) of {options.runs} runs"
        show(title, runs, Console(width=160))
    return 0


if __name__ == "__main__":
    sys.exit(main())
