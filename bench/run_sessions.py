"""Two sessions one after the other, on the same ranks: what the first one pays for its memory, and the second one.
See README.md."""

import argparse
import sys
from pathlib import Path
from statistics import median

from driver.builds import in_turn, parser_for
from rich.console import Console
from rich.table import Table

MODEL = Path(__file__).parent / "sessions" / "model.py"
STEPS = ("start_s", "ready_s", "first_record_s", "second_record_s", "finish_s")


def arguments() -> argparse.Namespace:
    parser = parser_for("sessions", __doc__)
    parser.add_argument("--record-mib", type=int, default=320)
    parser.add_argument("--quick", action="store_true", help="records of 16 MiB, one run")
    options = parser.parse_args()
    if options.quick:
        options.record_mib, options.runs, options.warm_gib = 16, 1, 0.0
    return options


def show(options: argparse.Namespace, runs: dict[str, list[list[dict[str, float]]]], console: Console) -> None:
    table = Table(title=f"ms, medians (lowest–highest) of {options.runs} runs", title_justify="left")
    for column in ("build", "session", *(step.removesuffix("_s").replace("_", " ") for step in STEPS)):
        table.add_column(column, justify="right")
    for build, measured in runs.items():
        for session in (0, 1):
            values = [[1e3 * run[session][step] for run in measured] for step in STEPS]
            cells = [f"{median(of):.0f} ({min(of):.0f}–{max(of):.0f})" for of in values]
            table.add_row(build, str(session + 1), *cells)
    console.print(table)


def main() -> int:
    options = arguments()
    show(options, in_turn("sessions", options, MODEL, [options.record_mib]), Console(width=150))
    return 0


if __name__ == "__main__":
    sys.exit(main())
