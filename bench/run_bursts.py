"""Records that come in bursts: what one costs the model in the first burst and in later ones. See README.md."""

import argparse
import sys
from pathlib import Path
from statistics import mean, median
from typing import Any

from driver.builds import in_turn, parser_for
from rich.console import Console
from rich.table import Table

MODEL = Path(__file__).parent / "bursts" / "model.py"


def arguments() -> argparse.Namespace:
    parser = parser_for("bursts", __doc__)
    parser.add_argument("--record-mib", type=float, default=19)
    parser.add_argument("--records", type=int, default=12, help="of a burst")
    parser.add_argument("--bursts", type=int, default=4)
    parser.add_argument("--pause", type=float, default=1.0, help="seconds between bursts")
    parser.add_argument("--quick", action="store_true", help="two bursts of three records, one run")
    options = parser.parse_args()
    if options.quick:
        options.records, options.bursts, options.runs, options.warm_gib = 3, 2, 1, 0.0
    return options


def show(options: argparse.Namespace, runs: dict[str, list[Any]], console: Console) -> None:
    title = f"ms a record of {options.record_mib:g} MiB, medians (lowest–highest) of {options.runs} runs"
    table = Table(title=title, title_justify="left")
    for column in ("build", "burst", "stall, mean", "stall, longest", "copy, mean"):
        table.add_column(column, justify="right")
    for build, measured in runs.items():
        for burst in range(options.bursts):
            stalls = [[1e3 * s for s in run["stall_s"][burst]] for run in measured]
            means, longest = [mean(s) for s in stalls], [max(s) for s in stalls]
            copies = [1e3 * mean(run["copy_s"][burst]) for run in measured]
            cells = [f"{median(of):.1f} ({min(of):.1f}–{max(of):.1f})" for of in (means, longest, copies)]
            table.add_row(build, str(burst + 1), *cells)
    console.print(table)


def main() -> int:
    options = arguments()
    sizes = (options.record_mib, options.records, options.bursts, options.pause)
    show(options, in_turn("bursts", options, MODEL, sizes), Console(width=150))
    return 0


if __name__ == "__main__":
    sys.exit(main())
